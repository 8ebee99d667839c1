/* What a destination does when a write fails. */
#define _GNU_SOURCE /* AT_EMPTY_PATH */
#include <pthread.h>

#include "kit/destination.h"

static struct tr2_destination dst;

/* What the next writes give: a number of bytes, or minus an errno. */
static const int *script;
static int writes;

static ssize_t scripted_write(int fd, const void *bytes, size_t len)
{
	int answer = 0;

	if (fd < 10) /* a warning */
		return tr2_host_system.write(fd, bytes, len);
	writes++;
	if (script && *script)
		answer = *script++;
	if (answer < 0) {
		errno = -answer;
		return -1;
	}
	return tr2_host_system.write(fd, bytes, answer ? (size_t)answer : len);
}

/* A sandbox lets a file be opened, and refuses to look at it. */
static int open_unseen(const char *path, int flags, mode_t mode)
{
	(void)path;
	(void)flags;
	(void)mode;
	return 999;
}

static void test_unseen(void)
{
	const char *path = kit_path("unseen");

	kit_host.open = open_unseen;
	kit_open(&dst, path);
	kit_host.open = tr2_host_system.open;
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2' tracing: Bad file descriptor\n",
			 path),
		"a file that can't be looked at is warned about");
	tap_int(dst.alive, 0, "a file that can't be looked at is off");
}

static void open_scripted(const int *answers)
{
	unlink("file");
	kit_open(&dst, kit_path("file"));
	script = answers;
	writes = 0;
	kit_host.write = scripted_write;
}

static void close_scripted(void)
{
	kit_host.write = tr2_host_system.write;
	kit_close(&dst);
}

/* However long: another process may write to the same file or pipe. */
static void test_one_long_write(const char *value, const char *what)
{
	static char text[20000];

	kit_open(&dst, value);
	memset(text, 'x', sizeof(text));
	script = NULL;
	writes = 0;
	kit_host.write = scripted_write;
	tap_ok(kit_write_bytes(&dst, text, sizeof(text)) && writes == 1,
	       kit_text("a long event is one write to %s", what));
	close_scripted();
}

static void test_long_writes(void)
{
	int reader = kit_pipe_as(8);

	test_one_long_write(kit_path("long"), "a file");
	test_one_long_write("8", "a pipe");
	close(8);
	close(reader);
}

static void test_errors(void)
{
	static const struct {
		int error;
		const char *name;
	} cases[] = {
		{ EBADF, "EBADF" }, { ENOSPC, "ENOSPC" }, { EPIPE, "EPIPE" },
		{ EIO, "EIO" },	    { EFBIG, "EFBIG" },	  { EDQUOT, "EDQUOT" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int answers[] = { -cases[i].error, 0 };
		const char *name = cases[i].name;

		open_scripted(answers);
		tap_int(kit_write(&dst, "one\n"), 0,
			kit_text("%s drops the event", name));
		tap_str(kit_stderr(),
			kit_text("warning: unable to write trace to "
				 "'GIT_TRACE2': %s\n",
				 strerror(cases[i].error)),
			kit_text("%s is warned about under debug", name));
		tap_ok(!kit_write(&dst, "two\n") && writes == 1,
		       kit_text("%s switches the destination off", name));
		tap_int((intmax_t)dst.dropped, 2,
			kit_text("%s: every event from then on is counted",
				 name));
		tap_str(kit_stderr(), "",
			kit_text("%s is warned about once", name));
		close_scripted();
	}
}

/* An EPIPE without a signal, for example from a driver. */
static void test_error_without_signal(void)
{
	const int answers[] = { -EPIPE, 0 };
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	script = answers;
	kit_host.write = scripted_write;
	kit_write(&dst, "a line\n");
	tap_str(kit_stderr(),
		"warning: unable to write trace to 'GIT_TRACE2': "
		"Broken pipe\n",
		"an error without its signal is told as it is");
	close_scripted();
	close(8);
	close(reader);
}

static pthread_barrier_t together;

static ssize_t fail_together(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	pthread_barrier_wait(&together);
	errno = ENOSPC;
	return -1;
}

static void *write_line(void *unused)
{
	kit_write(&dst, "a line\n");
	return unused;
}

static void test_errors_together(void)
{
	pthread_t threads[2];

	kit_open(&dst, kit_path("file"));
	pthread_barrier_init(&together, NULL, 2);
	kit_host.write = fail_together;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_line, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tap_str(kit_stderr(),
		"warning: unable to write trace to 'GIT_TRACE2': "
		"No space left on device\n",
		"threads that fail together warn once");
	tap_int((intmax_t)dst.dropped, 2,
		"threads that fail together count each event");
	pthread_barrier_destroy(&together);
	close_scripted();
}

static int unknown = -1; /* descriptor */

int kit_fstat(int fd, struct stat *st) __asm__("fstat");

int kit_fstat(int fd, struct stat *st)
{
	return fd == unknown ? -1 : fstatat(fd, "", st, AT_EMPTY_PATH);
}

/* A pipe that is not known as one is written to as it is. */
static void test_unknown_descriptor(void)
{
	int reader = kit_pipe_as(8);
	char text[8];

	unknown = 8;
	kit_open(&dst, "8");
	unknown = -1;
	tap_ok(kit_write(&dst, "one\n") == 1 &&
		       read(reader, text, sizeof(text)) == 4,
	       "what can't be looked at is written to");
	kit_close(&dst);
	close(8);
	close(reader);
}

int main(void)
{
	kit_start();
	tap_run(test_unseen, test_long_writes, test_errors,
		test_error_without_signal, test_errors_together,
		test_unknown_descriptor);
	return kit_done();
}
