#define _GNU_SOURCE
/*
 * Files that a command replaces: through links, with their modes, and what is
 * left of them when the command ends early. Names of files that a command
 * writes: which of them mean a descriptor, and where links lead.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"
#include "lib/whole/whole_file.h"

/*
 * ---- Replaced
 */

/* Replace what has this name by the text. 0, or an errno value. */
static int replace_file(const char *name, const char *text)
{
	struct tr2_whole_file file;
	int error = tr2_whole_file_open(&file, name, false);

	if (error)
		return error;
	tap_need(write(file.fd, text, strlen(text)) == (ssize_t)strlen(text));
	return tr2_whole_file_commit(&file);
}

static int is_link(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISLNK(status.st_mode);
}

/*
 * ---- Links
 */

static void test_links(void)
{
	char path[200];

	mkdir("dir", 0700);
	write_file("dir/target", "old");
	write_file("far", "old");
	snprintf(path, sizeof(path), "%s/far", directory_path);
	tap_need(!symlink("target", "dir/near") &&
		 !symlink("dir/near", "second") &&
		 !symlink(path, "dir/absolute"));
	tap_int(replace_file("second", "new"), 0, "links are followed");
	tap_str(kit_text("dir/target"), "new", "from the directory of each");
	tap_ok(is_link("second") && is_link("dir/near"), "they stay links");
	tap_str(list_names("dir"), "absolute near target ",
		"and nothing is beside the file");
	tap_int(replace_file("dir/absolute", "new"), 0,
		"a link may be absolute");
	tap_str(kit_text("far"), "new", "then its file is replaced");
	tap_need(!symlink("later", "dir/nowhere"));
	tap_int(replace_file("dir/nowhere", "new"), 0,
		"a link may lead to no file");
	tap_str(kit_text("dir/later"), "new", "which is made there");
}

/*
 * ---- Modes and places
 */

static void test_places(void)
{
	struct tr2_whole_file file;

	tap_int(replace_file("dir", "new"), EISDIR,
		"a file takes the place of no directory");
	tap_int(tr2_whole_file_open(&file, "none/file", false), ENOENT,
		"a file needs a directory");
	tap_ok(file.beside && file.fd == -1 && !file.partial,
	       "the file beside it is what could not be made");
	tap_int(tr2_whole_file_open(&file, "", false), ENOENT,
		"nothing is no name of a file");
	tap_ok(!file.beside, "beside which nothing was tried");
}

/*
 * ---- The end of the command
 */

static void test_mask(void)
{
	struct tr2_whole_file file;
	sigset_t before, after;
	int signo, wrong = 0;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	tr2_whole_file_open(&file, "file", false);
	sigprocmask(SIG_SETMASK, NULL, &after);
	tr2_whole_file_drop(&file);
	for (signo = 1; signo < 32; signo++)
		wrong += sigismember(&after, signo) != (signo == SIGUSR1);
	sigemptyset(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	tap_int(wrong, 0, "the same signals are blocked as before");
}

/* A child ends in this way. Returns what is left in the directory `ended`. */
static const char *end_child(void (*part)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (chdir("ended"))
			_exit(1);
		part();
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return list_names("ended");
}

static struct tr2_whole_file first, second;

static void open_first(void)
{
	tr2_whole_file_open(&first, "first", false);
}

static void open_kept(void)
{
	tr2_whole_file_open(&first, "first", true);
}

static void open_both(void)
{
	open_first();
	tr2_whole_file_open(&second, "second", true);
	tr2_whole_file_leave(&second);
}

static void leave_first(void)
{
	open_first();
	tr2_whole_file_leave(&first);
}

static void commit_first(void)
{
	open_first();
	tr2_whole_file_commit(&first);
}

static void test_ends(void)
{
	const char *left;

	mkdir("ended", 0700);
	tap_str(end_child(open_first), "",
		"a file that is not whole goes with its command");
	tap_str(end_child(open_kept), "first.partial ",
		"one of which a part is useful stays");
	tap_str(end_child(open_both), "first.partial second.partial ",
		"another one beside it changes neither");
	unlink("ended/first.partial");
	unlink("ended/second.partial");
	left = end_child(leave_first);
	tap_ok(!strncmp(left, "first.", 6) && strstr(left, ".partial "),
	       "a file that is left stays");
	remove_all("ended");
	mkdir("ended", 0700);
	tap_str(end_child(commit_first), "first ",
		"a file in its place stays at the end");
}

static void run_replaced(void)
{
	int before = count_descriptors();

	enter_directory();
	umask(022);
	tap_run(test_links, test_places, test_mask, test_ends);
	tap_int(count_descriptors(), before,
		"no file that is whole stays open");
	leave_directory();
}

/*
 * ---- Whole names
 */

static struct tr2_whole_file file;

/* 0, or an errno value. */
static int open_name(const char *name)
{
	return tr2_whole_file_open(&file, name, false);
}

static int try_name(const char *name)
{
	int error = open_name(name);

	if (!error)
		tr2_whole_file_drop(&file);
	return error;
}

/*
 * ---- Descriptors
 */

static int saved; /* what the descriptor was */

/* A file with some text becomes this descriptor. */
static void begin_stream(int fd)
{
	int stream;

	fflush(stdout);
	write_file("stream", "old ");
	stream = open("stream", O_RDWR | O_APPEND);
	saved = dup(fd);
	dup2(stream, fd);
	close(stream);
}

static void end_stream(int fd)
{
	dup2(saved, fd);
	close(saved);
}

/* What the stream has after somebody has written to it by this name. */
static const char *write_stream(int fd, const char *name)
{
	bool direct;
	int error;

	begin_stream(fd);
	error = open_name(name);
	direct = !error && !file.partial;
	if (!error && write(file.fd, "new", 3) == 3)
		error = tr2_whole_file_commit(&file);
	end_stream(fd);
	return error ? strerror(error) : direct ? kit_text("stream") : "";
}

static void test_streams(void)
{
	tap_str(write_stream(1, "-"), "old new", "a dash is standard output");
	tap_str(write_stream(1, "/dev/stdout"), "old new",
		"a file that is standard output is not replaced");
	tap_str(write_stream(2, "/dev/stderr"), "old new",
		"nor is one that is standard error");
	tap_str(write_stream(1, "/dev/fd/1"), "old new",
		"its number is a name, too");
	tap_str(write_stream(1, "/proc/self/fd/1"), "old new",
		"also as Linux has it");
	tap_str(write_stream(0, "/dev/fd/0"), "old new",
		"the lowest number is one");
	tap_need(!symlink("/dev/fd/0", "zero"));
	tap_str(write_stream(0, "zero"), "old new", "a link may lead to it");
	unlink("zero");
}

static void test_numbers(void)
{
	tap_int(try_name("/dev/fd/+1"), ENOENT, "a sign is no digit");
	tap_int(try_name("/dev/fd/ 1"), ENOENT, "nor is a blank");
	tap_int(try_name("/dev/fd/1a"), ENOENT, "nor a letter");
	tap_int(try_name("/dev/fd/2147483647"), EBADF,
		"the highest number is that of a descriptor that is not open");
	if (sizeof(long) > 4)
		tap_int(try_name("/dev/fd/4294967297"), ENOENT,
			"a higher one is no other descriptor");
}

/*
 * ---- Links
 */

/* Of so many links in a row: 0, or an errno value. */
static int try_chain(int count)
{
	char from[16], to[16] = "end";
	int i, error;

	for (i = 1; i <= count; i++) {
		snprintf(from, sizeof(from), "link%d", i);
		tap_need(!symlink(to, from));
		strcpy(to, from);
	}
	error = try_name(to);
	for (i = 1; i <= count; i++) {
		snprintf(from, sizeof(from), "link%d", i);
		unlink(from);
	}
	return error;
}

static void test_chains(void)
{
	tap_int(try_chain(40), 0, "forty links in a row are followed");
	tap_int(try_chain(41), ELOOP, "more of them are a loop");
}

static void test_long_link(void)
{
	char target[PATH_MAX];
	size_t tail = strlen("dev/null");

	memset(target, '/', sizeof(target));
	strcpy(target + sizeof(target) - 1 - tail, "dev/null");
	if (symlink(target, "long")) {
		tap_skip("a link may be as long as a path", strerror(errno));
		return;
	}
	tap_int(try_name("long"), 0, "a link may be as long as a path");
	unlink("long");
}

/*
 * ---- Which descriptors are used
 */

static void test_flags(void)
{
	open_name("/dev/null");
	tap_ok(fcntl(file.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets a device");
	tap_int(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"a device need not be readable");
	tr2_whole_file_drop(&file);
	open_name("file");
	tap_ok(fcntl(file.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets a file");
	tap_int(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"a file is not read");
	tr2_whole_file_drop(&file);
}

static void run_whole_names(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_streams, test_numbers, test_chains, test_long_link,
		test_flags);
	tap_int(count_descriptors(), before,
		"no file that has a name stays open");
	leave_directory();
}

int main(void)
{
	tap_run(run_replaced, run_whole_names);
	return tap_done();
}
