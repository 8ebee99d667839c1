#define _GNU_SOURCE /* syscall(), mknod() */
/*
 * The lock beside a socket: it removes only a file of its own, and only if
 * the name still belongs to this file.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "lib/files/socket.h"
#include "kit/tap.h"

#define LOCK "s.lock"

static char dir[] = "/tmp/socket-lock-XXXXXX";
static int removals; /* how often a previous owner removes the file */
static uid_t user;   /* 0: the real one */
static int devices;  /* added to the device of what a name means */

/* These stand in for the C library's. */
int flock(int fd, int operation)
{
	if (removals) {
		removals--;
		unlink(LOCK);
	}
	return (int)syscall(SYS_flock, fd, operation);
}

int lstat(const char *path, struct stat *st)
{
	int result = fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);

	st->st_dev += (dev_t)devices;
	return result;
}

uid_t geteuid(void)
{
	return user ? user : (uid_t)syscall(SYS_geteuid);
}

static int is_locked(void)
{
	return !access(LOCK, F_OK);
}

/* What is done to the file while it is locked. */
static void make_longer(int fd)
{
	tap_int(write(fd, "x", 1), 1, "somebody writes into the file");
}

static void make_executable(int fd)
{
	tap_int(fchmod(fd, 0201), 0, "somebody lets others execute the file");
}

static void make_readable(int fd)
{
	tap_int(fchmod(fd, 0644), 0, "somebody makes the file readable");
}

static void replace_file(int fd)
{
	tap_int(rename("other", LOCK), 0, "somebody replaces the file");
	(void)fd;
}

static void give_away(int fd)
{
	user = 12345;
	tap_ok(fd >= 0, "the file belongs to somebody else");
}

/* A file of another file system may have the same number. */
static void mount_over(int fd)
{
	user = 0;
	devices = 1;
	tap_ok(fd >= 0, "the name is in another file system");
}

static void put_other(void)
{
	int fd = open("other", O_WRONLY | O_CREAT | O_EXCL, S_IWUSR);

	tap_need(fd >= 0);
	close(fd);
}

static void test_not_ours(void)
{
	static void (*const changes[])(int) = { make_longer,   make_executable,
						make_readable, replace_file,
						give_away,     mount_over };
	size_t i;
	int fd;

	put_other();
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		fd = tr2_socket_lock("s");
		changes[i](fd);
		tr2_socket_unlock("s", fd);
		tap_ok(is_locked(), "and the file stays");
		unlink(LOCK);
	}
	devices = 0;
}

/* What others may lock, or what no file of a lock is; it stays. */
static void refuse_lock(const char *words, const char *what)
{
	errno = 0;
	tap_ok(tr2_socket_lock("s") == -1 && errno == EPERM, what);
	tap_ok(strstr(tr2_own_explain(EPERM), "s.lock' ") &&
		       strstr(tr2_own_explain(EPERM), words),
	       "which says so and names it");
	tap_ok(is_locked(), "what is no lock stays");
}

static void test_others(void)
{
	int reader;

	tap_need(!mkfifo(LOCK, S_IWUSR | S_IRUSR));
	refuse_lock("not a regular file", "a FIFO is no lock");
	reader = open(LOCK, O_RDONLY | O_NONBLOCK);
	refuse_lock("not a regular file", "nor is one that somebody reads");
	close(reader);
	unlink(LOCK);
	tap_need(!mkdir(LOCK, 0700));
	refuse_lock("not a regular file", "a directory is no lock");
	rmdir(LOCK);
	put_other();
	tap_need(!link("other", LOCK));
	refuse_lock("hard link", "a file that has another name is no lock");
	unlink(LOCK);
	unlink("other");
}

/* Each number of a device is of somebody; that of null(4) harms nobody. */
static void test_device(void)
{
	if (mknod(LOCK, S_IFCHR | 0600, makedev(1, 3))) {
		tap_skip("a device is no lock", "only root can make one");
		return;
	}
	refuse_lock("not a regular file", "a device is no lock");
	unlink(LOCK);
}

static void test_link(void)
{
	tap_need(!symlink("elsewhere", LOCK));
	errno = 0;
	tap_ok(tr2_socket_lock("s") == -1 && errno == EPERM,
	       "a link is no lock");
	tap_ok(access("elsewhere", F_OK), "and no file is made where it leads");
	unlink(LOCK);
}

int main(void)
{
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	tap_run(test_not_ours);
	unlink("other");
	tap_run(test_others, test_device, test_link);
	tap_int(chdir("/") || rmdir(dir), 0, "no file is left");
	return tap_done();
}
