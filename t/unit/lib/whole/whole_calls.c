/*
 * What a file that a command writes asks of the system: modes and owners, the
 * calls around its creation and its end, and what a signal leaves.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/whole/held.h"
#include "lib/whole/whole_file.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/limits.h"

#define USER 1234 /* who owns each file that there is */
#define GROUP 4321

static struct {
	bool is_owned;	 /* each file has that owner */
	bool is_refused; /* nobody may give a file away */
	int modes_fail;	 /* the next calls that set a mode */
	int sync_error;	 /* of each file */
	int closes;	 /* of descriptors */
	int removals;	 /* of files */
	int second;	 /* a signal that comes before the next removal, or 0 */
	int undisturbed; /* files that were made while no signal could come */
	int sweeps;	 /* the next files that another command takes at once */
	int sweeper;	 /* its descriptor */
	uid_t user;	 /* of the last file that was given away */
	gid_t group;
} disk;

int stat(const char *path, struct stat *st)
{
	int result = fstatat(AT_FDCWD, path, st, 0);

	if (disk.is_owned) {
		st->st_uid = USER;
		st->st_gid = GROUP;
	}
	return result;
}

int fchown(int fd, uid_t user, gid_t group)
{
	(void)fd;
	disk.user = user;
	disk.group = group;
	errno = EPERM;
	return disk.is_refused ? -1 : 0;
}

int fchmod(int fd, mode_t mode)
{
	errno = EPERM;
	if (disk.modes_fail && disk.modes_fail--)
		return -1;
	return (int)syscall(SYS_fchmod, fd, mode);
}

int fsync(int fd)
{
	(void)fd;
	errno = disk.sync_error;
	return errno ? -1 : 0;
}

int close(int fd)
{
	disk.closes += fd >= 0;
	return (int)syscall(SYS_close, fd);
}

int unlink(const char *path)
{
	const int second = disk.second;

	disk.removals++;
	disk.second = 0;
	if (second)
		raise(second);
	return unlinkat(AT_FDCWD, path, 0);
}

/* Another command looks for what killed ones left, and is about to remove it. */
static int take_file(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);

	tap_need(!tr2_held_take(fd));
	return fd;
}

int open(const char *path, int flags, ...)
{
	sigset_t blocked;
	va_list args;
	mode_t mode;
	int fd;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	disk.undisturbed += flags & O_EXCL && sigismember(&blocked, SIGINT) &&
			    sigismember(&blocked, SIGTERM);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (flags & O_EXCL && disk.sweeps && disk.sweeps--)
		disk.sweeper = take_file(path);
	return fd;
}

static struct tr2_whole_file file;

static int replace_file(const char *name)
{
	int error = tr2_whole_file_open(&file, name, false);

	return error ? error : tr2_whole_file_commit(&file);
}

/* A file with this mode is replaced. Returns its mode then. */
static int replace_mode(mode_t mode)
{
	write_file("old", "old");
	chmod("old", mode);
	replace_file("old");
	return find_mode("old");
}

/*
 * ---- Modes and owners
 */

static void test_owner(void)
{
	write_file("old", "old");
	disk.is_owned = true;
	tap_int(replace_file("old"), 0, "a file may be another user's");
	disk.is_owned = false;
	tap_int((intmax_t)disk.user, USER, "then it stays this user's");
	tap_int((intmax_t)disk.group, GROUP, "and its group's");
}

static void test_modes(void)
{
	umask(0);
	replace_file("new");
	tap_int(find_mode("new"), 0666, "the mask decides about a new file");
	umask(077);
	tap_int(replace_mode(0757), 0757, "but not about one that is replaced");
	disk.is_refused = true;
	tap_int(replace_mode(04757), 0757,
		"without its owner a file loses special bits, and no other");
	disk.is_refused = false;
	umask(0);
	disk.modes_fail = 2;
	tap_int(replace_mode(0757), 0757, "a file is made with its mode");
	umask(022);
}

/*
 * ---- Calls
 */

static void test_sweeps(void)
{
	char first[32];

	disk.sweeps = 1;
	tr2_whole_file_open(&file, "new", false);
	snprintf(first, sizeof(first), "new.%ld-0.partial", (long)getpid());
	tap_ok(strcmp(file.partial, first) != 0,
	       "a file that another command takes for a dead one's is given up");
	unlink(first);
	close(disk.sweeper);
	tap_int(tr2_whole_file_commit(&file), 0, "and another one is made");
}

/*
 * ---- Signals
 */

/* Returns the signal that ended a child which has a file open. */
static int end_by(int signo, int second)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		limit_cores();
		signal(signo, SIG_DFL); /* a shell's background ignores it */
		tr2_whole_file_open(&file, "ended/file", false);
		disk.second = second;
		raise(signo);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

static void test_signals(void)
{
	static const struct {
		int number;
		const char *ends, *leaves;
	} rows[] = {
		{ SIGINT, "SIGINT ends a command", "SIGINT leaves no file" },
		{ SIGTERM, "SIGTERM ends one", "SIGTERM leaves no file" },
		{ SIGHUP, "SIGHUP ends one", "SIGHUP leaves no file" },
		{ SIGQUIT, "SIGQUIT ends one", "SIGQUIT leaves no file" },
		{ SIGPIPE, "SIGPIPE ends one", "SIGPIPE leaves no file" },
	};
	size_t i;

	mkdir("ended", 0700);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tap_int(end_by(rows[i].number, 0), rows[i].number,
			rows[i].ends);
		tap_str(list_names("ended"), "", rows[i].leaves);
	}
	tap_int(end_by(SIGINT, SIGINT), SIGINT, "SIGINT may come twice");
	tap_str(list_names("ended"), "",
		"the second SIGINT waits until the file is removed");
	end_by(SIGTERM, SIGHUP);
	tap_str(list_names("ended"), "", "and so does another signal");
}

int main(void)
{
	enter_directory();
	test_signals(); /* before this process has caught any */
	tap_run(test_owner, test_modes, test_sweeps);
	leave_directory();
	return tap_done();
}
