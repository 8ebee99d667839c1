/*
 * What the command was given: files and directories, and a log that is
 * followed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include "kit/validate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/bytes/follow.h"
#include "read/bytes/inputs.h"

/* ---- The calls for each input */

static char called[1024];
static int calls;
static void (*on_call)(void); /* or NULL */

static void note_input(void *context, const char *name, int fd)
{
	const char *what = strerror(errno);
	size_t len = strlen(called);

	(void)context;
	calls++;
	if (fd >= 0)
		what = fcntl(fd, F_GETFD) == FD_CLOEXEC ? "for us" : "for all";
	snprintf(called + len, sizeof(called) - len, "%s %d %s\n", name, fd,
		 what);
	if (on_call)
		on_call();
}

static const char *take_called(void)
{
	static char text[sizeof(called)];

	strcpy(text, called);
	called[0] = '\0';
	calls = 0;
	on_call = NULL;
	return text;
}

/* Those of sanitizers can't be replaced. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	tap_need(file && fwrite(bytes, 1, len, file) == len && !fclose(file));
}

/*
 * ---- Files and directories
 */

/* The root has one entry, which is gone; no other directory can be read. */
int scandir(const char *dir, struct dirent ***entries,
	    int (*filter)(const struct dirent *),
	    int (*order)(const struct dirent **, const struct dirent **))
{
	(void)filter;
	(void)order;
	errno = EACCES;
	if (strcmp(dir, "/") != 0)
		return -1;
	*entries = malloc(sizeof(**entries));
	**entries = calloc(1, sizeof(***entries));
	strcpy((**entries)->d_name, "gone");
	return 1;
}

/* Standard input is closed, and the next file is opened in its place. */
static void test_inputs(void)
{
	tr2_inputs_visit(&"//"[1], note_input, NULL);
	tap_str(take_called(), "/gone -1 No such file or directory\n",
		"a file that is gone is given with the reason");
	tr2_inputs_visit(".", note_input, NULL);
	tap_str(take_called(), ". -1 Permission denied\n",
		"so is a directory that can't be read");
	write_file("log", "", 0);
	tr2_inputs_visit("log", note_input, NULL);
	tap_str(take_called(), "log 0 for us\n", "a file is given open");
	tap_int(fcntl(0, F_GETFD), -1, "and is closed behind that");
}

/*
 * ---- A log that is followed
 */

static int polls, other_polls;
static void (*on_poll)(void);

/* Nothing waits: what is waited for happens here. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	other_polls += fds || count || timeout != 50;
	if (++polls > 5)
		raise(SIGTERM);
	if (on_poll)
		on_poll();
	return 0;
}

static dev_t device; /* where names are, but for open files; 0: here */

int stat(const char *path, struct stat *st)
{
	int rc = fstatat(AT_FDCWD, path, st, 0);

	st->st_dev += device;
	return rc;
}

static void give_name(void)
{
	write_file("log", "", 0);
}

/* Gone for a moment, there, still there, and then unreadable. */
static void replace_file(void)
{
	if (calls == 1 || calls == 3)
		unlink("log");
	if (calls == 3 && symlink("log", "log"))
		abort();
	errno = ENOENT;
}

static void test_follow(void)
{
	tr2_follow("none", note_input, NULL);
	tap_str(take_called(), "none -1 No such file or directory\n",
		"a log that is not there is not waited for");
	on_call = replace_file;
	on_poll = give_name;
	tr2_follow("log", note_input, NULL);
	tap_str(take_called(),
		"log 0 for us\nlog 0 for us\nlog 0 for us\n"
		"log -1 Too many levels of symbolic links\n",
		"what takes the place of a log is given");
	tap_int(polls, 1, "a name that is gone is waited for");
	unlink("log");
}

static void add_byte(void)
{
	FILE *file = fopen("log", "a");

	tap_need(file && fputc('x', file) != EOF && !fclose(file));
}

static void test_follow_wait(void)
{
	int fd;

	write_file("log", "", 0);
	fd = open("log", O_RDONLY);
	polls = 0;
	on_poll = add_byte;
	tap_ok(tr2_follow_wait("log", fd) && polls == 1,
	       "more of a log is waited for");
	device = 1;
	tap_ok(tr2_follow_wait("log", fd) && polls == 1,
	       "what is there is read before another log");
	lseek(fd, 1, SEEK_SET);
	tap_ok(!tr2_follow_wait("log", fd) && polls == 1,
	       "a log on another device is another one");
	device = 0;
	unlink("log");
	on_poll = give_name;
	tap_ok(!tr2_follow_wait("log", fd) && polls == 2,
	       "a log that takes the place is another one");
	close(fd);
	tap_ok(!tr2_follow_wait("log", fd) && polls == 2,
	       "so is one that can't be looked at any more");
	tap_int(other_polls, 0, "a log is looked at every 50 ms");
}

static void stop_reading(void)
{
	raise(SIGTERM);
}

/* The last one: it stays stopped. */
static void test_stop(void)
{
	int fd;

	on_call = stop_reading;
	tr2_follow("log", note_input, NULL);
	tap_str(take_called(), "log 0 for us\n", "a signal ends it");
	fd = open("log", O_RDONLY);
	polls = 0;
	tap_ok(!tr2_follow_wait("log", fd) && !polls,
	       "behind a signal nothing is waited for");
	close(fd);
}

static void test_names(void)
{
	int input = dup(0);

	close(0);
	test_inputs();
	test_follow();
	test_follow_wait();
	test_stop();
	dup2(input, 0);
	close(input);
}

#else
static void test_names(void)
{
	(void)take_called;
	(void)note_input;
}
#endif

int main(void)
{
	char dir[] = "/tmp/validate-names-XXXXXX";

	tap_need(mkdtemp(dir) && !chdir(dir));
	test_names();
	unlink("log");
	rmdir(dir);
	return tap_done();
}
