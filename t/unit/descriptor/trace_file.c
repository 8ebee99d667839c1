/* Files for traces that may be there already, and whose they are. */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "host/host.h"
#include "descriptor/descriptor.h"
#include "descriptor/trace_file.h"

static struct tr2_host host;
static int stat_error, closes;
static uid_t user;

int fstat(int fd, struct stat *st)
{
	if (!stat_error)
		return (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
	errno = stat_error;
	return -1;
}

/*
 * A user other than root can't make files of other users, but can become
 * another user.
 */
uid_t geteuid(void)
{
	return user;
}

static int close_noted(int fd)
{
	closes++;
	close(fd);
	errno = EXDEV;
	return 0;
}

/* Returns 0, or why opening failed; then nothing stays open. */
static int try_open(const char *path, int is_made)
{
	int fd;

	closes = 0;
	fd = tr2_trace_file_open(path, O_APPEND, is_made);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void test_new_files(void)
{
	struct stat st;
	int fd = tr2_trace_file_open("new", O_APPEND, 0);
	const int flags = fcntl(fd, F_GETFL);

	tap_ok((flags & O_ACCMODE) == O_RDWR && flags & O_APPEND &&
		       flags & O_NONBLOCK,
	       "a file is read and written, and the caller's flags added");
	tap_ok(fcntl(fd, F_GETFD) == FD_CLOEXEC, "no other program has it");
	stat("new", &st);
	tap_int(st.st_mode & 0777, 0644, "the umask says who may read it");
	close(fd);
	user++;
	tap_int(try_open("squashed", 0), 0,
		"a file of one's own may be called another's");
	tap_int(try_open("squashed-1", 1), 0, "whoever made its name");
	user--;
	tap_int(try_open("none/new", 0), ENOENT, "a directory may be missing");
	tap_int(try_open("none/new", 1), ENOENT, "for made names, too");
}

static void test_files_of_others(void)
{
	tap_int(try_open("new", 0), 0, "one's own file is taken again");
	tap_int(try_open("new", 1), 0, "also by a name that was made");
	user++;
	tap_ok(try_open("new", 0) == EPERM && closes == 1,
	       "a file of another user's is refused, and closed");
	tap_ok(try_open("new", 1) == EPERM && closes == 1,
	       "as is one by a name that was made");
	user--;
	tap_int(mkfifo("fifo", 0600), 0, "there is a FIFO");
	tap_int(try_open("fifo", 0), 0, "one's own FIFO may be named");
	tap_int(try_open("fifo", 1), EPERM, "no name of ours is a FIFO");
	user++;
	tap_int(try_open("fifo", 0), EPERM, "another's FIFO is refused");
	tap_int(try_open("/dev/null", 0), 0, "a device is the system's");
	user--;
	tap_int(try_open("/dev/null", 1), EPERM, "no name of ours is one");
	stat_error = EIO;
	tap_ok(try_open("new", 0) == EIO && closes == 1,
	       "what can't be looked at is not used");
	stat_error = 0;
}

static void test_links(void)
{
	tap_int(symlink("new", "link"), 0, "there is a symbolic link");
	tap_int(try_open("link", 0), 0, "the user may name it");
	tap_int(try_open("link", 1), ELOOP, "a made name follows none");
	user++;
	tap_int(try_open("link", 0), EPERM, "it may not lead to another's");
	user--;
	tap_int(symlink("later", "dangling"), 0, "one may lead nowhere");
	tap_int(try_open("dangling", 0), 0, "then its file is made");
	tap_int(access("later", F_OK), 0, "where it leads to");
	unlink("later");
	tap_int(try_open("dangling", 1), ELOOP, "but not by a made name");
	tap_int(access("later", F_OK), -1, "which makes nothing");
	tap_int(link("new", "second"), 0, "a file may have a second name");
	tap_int(try_open("second", 0), 0, "which the user may name");
	tap_int(try_open("second", 1), EPERM, "and others may have planted");
}

/* Copies of the library do not know of each other's files. */
static void test_locks(void)
{
	int first = tr2_trace_file_open("locked", 0, 0);
	int second = tr2_trace_file_open("locked", 0, 0);
	int third = tr2_trace_file_open("locked", 0, 0);
	struct tr2_descriptor known;
	pid_t pid;

	tap_int(tr2_trace_file_lock(first), 0, "a file is locked");
	tap_ok(tr2_trace_file_lock(second) < 0 && errno == EAGAIN,
	       "then it is kept from another copy of the library");
	close(second);
	tap_ok(tr2_trace_file_lock(third) < 0 && errno == EAGAIN,
	       "also after this one has closed it");
	close(first);
	tap_int(tr2_trace_file_lock(third), 0, "but not after the first has");
	first = tr2_trace_file_open("locked", 0, 0);
	tr2_descriptor_know(&known, third);
	pid = fork();
	if (!pid)
		pause();
	tr2_trace_file_unlock(&known);
	tap_int(tr2_trace_file_lock(first), 0,
		"who gives it free need not wait for a forked child");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(first);
	tr2_descriptor_close(&known);
}

int main(void)
{
	char dir[] = "/tmp/t2-trace-file-XXXXXX";

#ifdef __SANITIZE_THREAD__
	tap_skip("files for traces", "the sanitizer");
	return tap_done();
#endif
	if (!mkdtemp(dir) || chdir(dir))
		return 2;
	umask(022);
	host = tr2_host_system;
	host.close = close_noted;
	tr2_host = &host;
	user = getuid();
	tap_run(test_new_files, test_files_of_others, test_links, test_locks);
	return system("rm -r \"$PWD\"") ? 2 : tap_done();
}
