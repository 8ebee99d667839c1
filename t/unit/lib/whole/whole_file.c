#define _GNU_SOURCE /* syscall() */
/*
 * Files that a command writes: names that stand for descriptors, names that
 * are taken, and calls of the system that fail at the wrong moment.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/whole/held.h"
#include "lib/whole/whole_file.h"
#include "kit/command.h"

static char dir[] = "/tmp/whole-file-XXXXXX";
static int sync_error, close_error, owner_error, mode_calls;
static int access_error, stat_error, modes_fail;

/* These stand in for the C library's. */
int fsync(int fd)
{
	if (!sync_error)
		return (int)syscall(SYS_fsync, fd);
	errno = sync_error;
	return -1;
}

int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	if (!close_error)
		return result;
	errno = close_error;
	return -1;
}

int fchown(int fd, uid_t user, gid_t group)
{
	if (!owner_error)
		return (int)syscall(SYS_fchown, fd, user, group);
	errno = owner_error;
	return -1;
}

int fchmod(int fd, mode_t mode)
{
	mode_calls++;
	if (modes_fail && modes_fail-- > 0)
		return -1;
	return (int)syscall(SYS_fchmod, fd, mode);
}

int access(const char *path, int mode)
{
	if (!access_error)
		return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
	errno = access_error;
	return -1;
}

int stat(const char *path, struct stat *st)
{
	if (!stat_error)
		return fstatat(AT_FDCWD, path, st, 0);
	errno = stat_error;
	return -1;
}

static void put_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	tap_need(file);
	fputs(text, file);
	fclose(file);
}

static const char *read_whole(const char *name)
{
	static char text[100];
	FILE *file = fopen(name, "r");
	size_t len;

	if (!file)
		return NULL;
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static int open_only(const char *name)
{
	struct tr2_whole_file file;
	int error = tr2_whole_file_open(&file, name, false);

	if (!error)
		tr2_whole_file_drop(&file);
	return error;
}

/* Write `new` into the file, and return what the commit says. */
static int write_new(const char *name)
{
	struct tr2_whole_file file;

	tap_need(!tr2_whole_file_open(&file, name, false) &&
		 write(file.fd, "new", 3) == 3);
	return tr2_whole_file_commit(&file);
}

static void test_descriptors(void)
{
	static const struct {
		const char *name;
		int error;
	} rows[] = {
		{ "-", 0 },
		{ "/dev/stdout", 0 },
		{ "/dev/stderr", 0 },
		{ "/dev/fd/2", 0 },
		{ "/proc/self/fd/1", 0 },
		{ "/dev/fd/987", EBADF },
		{ "/dev/fd/2x", ENOENT },
		{ "/dev/fd/2147483648", ENOENT },
		{ "/dev/fd/-1", ENOENT },
		{ "/dev/fd/:", ENOENT },
		{ "", ENOENT },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "the output '%s'", rows[i].name);
		tap_int(open_only(rows[i].name), rows[i].error, name);
	}
}

static void test_failing_commit(void)
{
	put_file("old", "old");
	sync_error = EINVAL;
	tap_int(write_new("old"), 0, "a file system that can't sync is fine");
	sync_error = ENOTSUP;
	tap_int(write_new("old"), 0, "whatever it calls that");
	tap_str(read_whole("old"), "new", "the file is replaced");
	put_file("old", "old");
	sync_error = EIO;
	tap_int(write_new("old"), EIO, "a failed sync is reported");
	close_error = EDQUOT;
	tap_int(write_new("old"), EIO, "also if the close fails after it");
	sync_error = 0;
	tap_int(write_new("old"), EDQUOT, "so is a failed close");
	close_error = 0;
	tap_str(read_whole("old"), "old", "and the old file stays");
}

static void test_failing_rename(void)
{
	struct tr2_whole_file file;

	tr2_whole_file_open(&file, "new", false);
	tap_need(!mkdir("new", 0700));
	tap_int(tr2_whole_file_commit(&file), EISDIR,
		"a name that became a directory stays one");
	tap_ok(access("new.partial", F_OK) && file.fd < 0,
	       "and its partial file is gone");
	tr2_whole_file_open(&file, "kept", true);
	mkdir("kept", 0700);
	tap_int(tr2_whole_file_commit(&file), EISDIR,
		"this holds for a file that is kept as well");
	tap_str(file.partial, "kept.partial", "but its name is known");
	tr2_whole_file_leave(&file);
	tap_int(unlink("kept.partial"), 0, "and it is there");
	rmdir("kept");
	rmdir("new");
	tap_int(open_only("old/new"), ENOTDIR, "a file is no directory");
}

/* A file of another user, and a directory that refuses all names. */
static void test_owner(void)
{
	mode_calls = 0;
	tap_int(write_new("old"), 0, "a file keeps its owner");
	tap_int(mode_calls, 1, "and its mode");
	owner_error = EPERM;
	tap_int(write_new("old"), 0, "or belongs to who writes it");
	tap_int(mode_calls, 2, "then with the mode alone");
	owner_error = 0;
	mode_calls = 0;
	modes_fail = 1;
	tap_int(write_new("old"), 0, "a mode that is refused is tried again");
	tap_int(mode_calls, 2, "without its special bits");
	access_error = EROFS;
	tap_int(open_only("old"), EROFS,
		"a file that may not be written stays");
	access_error = 0;
	stat_error = EOVERFLOW;
	tap_int(open_only("old"), EOVERFLOW, "as does one that is too large");
	stat_error = 0;
}

static void test_links(void)
{
	unlink("link");
	tap_need(!symlink("link", "link"));
	tap_int(open_only("link"), ELOOP, "a link to itself is refused");
	unlink("link");
	tap_need(!symlink("/dev/fd/1", "link"));
	tap_int(open_only("link"), 0, "a link may mean a descriptor");
	unlink("link");
}

static void name_partial(char *name, size_t size, int number)
{
	snprintf(name, size, "taken.%ld-%d.partial", (long)getpid(), number);
}

static void test_taken_names(void)
{
	int held[100], i;
	char name[80];

	for (i = 0; i < 100; i++) {
		name_partial(name, sizeof(name), i);
		put_file(name, "theirs");
		held[i] = open(name, O_RDONLY | O_CLOEXEC);
		tap_need(!tr2_held_take(held[i]));
		if (!i)
			tap_int(write_new("taken"), 0,
				"a name that is taken is passed over");
	}
	tap_int(open_only("taken"), EEXIST, "if all are taken, it fails");
	tap_str(read_whole(name), "theirs", "and no file of others is touched");
	for (i = 0; i < 99; i++)
		close(held[i]);
	tap_int(write_new("taken"), 0, "names of dead processes are free");
	name_partial(name, sizeof(name), 98);
	tap_int(access(name, F_OK), -1, "what they left is removed");
	name_partial(name, sizeof(name), 99);
	tap_str(read_whole(name), "theirs", "but not what is still written");
	close(held[99]);
	unlink(name);
}

static int complain_of(int argc, char **argv)
{
	const struct tr2_whole_file file = { .fd = -1, .beside = argc > 1 };

	tr2_whole_file_complain(&file, "dump", argv[0], atoi(argv[argc - 1]));
	return 0;
}

static void test_complaints(void)
{
	char told[200], words[40];

	kit_call(complain_of, "5");
	snprintf(told, sizeof(told), "trace2 dump: 5: %s\n", strerror(5));
	tap_str(kit_said[2], told, "an error is named");
	snprintf(words, sizeof(words), "f %d", EACCES);
	kit_call(complain_of, words);
	snprintf(told, sizeof(told),
		 "trace2 dump: f: cannot create a file beside it: %s\n",
		 strerror(EACCES));
	tap_str(kit_said[2], told, "also one of the file beside");
	snprintf(words, sizeof(words), "f %d", ENOENT);
	kit_call(complain_of, words);
	snprintf(told, sizeof(told), "trace2 dump: f: %s\n", strerror(ENOENT));
	tap_str(kit_said[2], told, "a missing directory is one of both");
	snprintf(words, sizeof(words), "f %d", EEXIST);
	kit_call(complain_of, words);
	tap_ok(!!strstr(kit_said[2], "f.partial exists"),
	       "what a killed recorder left is named");
}

/* The child has an ignored signal, and one that ends it. */
static int end_by(int signo)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct tr2_whole_file file;

		signal(SIGHUP, SIG_IGN);
		signal(signo, SIG_DFL); /* a shell's background ignores it */
		if (tr2_whole_file_open(&file, "ended", false))
			_exit(7);
		raise(SIGHUP);
		raise(signo);
		_exit(8);
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

static void test_signals(void)
{
	tap_int(end_by(SIGTERM), SIGTERM, "a signal still ends the process");
	tap_int(end_by(SIGINT), SIGINT,
		"so does another, none that is ignored");
}

/* Only root can make the link of another user. */
static void test_foreign_link(void)
{
	const char *const name = "a link of another user is not followed where "
				 "everybody may write";

	if (geteuid()) {
		tap_skip(name, "needs root");
		return;
	}
	tap_need(!mkdir("shared", 0777) && !chmod("shared", 01777) &&
		 !symlink("../victim", "shared/link"));
	tap_int(open_only("shared/link"), 0, "a link of this user is followed");
	tap_need(!lchown("shared/link", 65534, 65534));
	tap_int(open_only("shared/link"), EACCES, name);
	chmod("shared", 0755);
	tap_int(open_only("shared/link"), 0, "elsewhere it is");
	unlink("shared/link");
	rmdir("shared");
}

static void remove_all(void)
{
	unlink("old");
	unlink("taken");
	tap_int(chdir("/") || rmdir(dir), 0, "and no partial file is left");
}

int main(void)
{
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	tap_run(test_signals, test_descriptors, test_failing_commit,
		test_failing_rename, test_owner, test_links, test_foreign_link,
		test_taken_names, test_complaints);
	remove_all();
	return tap_done();
}
