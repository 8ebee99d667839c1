/* A pipe that wakes a thread of ours, and hosts that take its ends. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace/loop.h"
#include "descriptor/wake_pipe.h"

static struct tr2_wake_pipe wake;
static char bytes[8];
static int read_error; /* the next read fails with it */

/* It stands in for the C library's. */
ssize_t read(int fd, void *to, size_t size)
{
	int error = read_error;

	read_error = 0;
	if (!error)
		return syscall(SYS_read, fd, to, size);
	errno = error;
	return -1;
}

static void test_errors(void)
{
	if (tr2_wake_pipe_open(&wake))
		return;
	tr2_wake_pipe_put(&wake, "abc", 3);
	read_error = EINTR;
	tap_ok(!tr2_wake_pipe_take(&wake, bytes, 8) && wake.reader.fd >= 0,
	       "a read that a signal interrupts takes nothing");
	tap_int((intmax_t)tr2_wake_pipe_take(&wake, bytes, 8), 3,
		"and loses nothing");
	read_error = EIO;
	tap_ok(!tr2_wake_pipe_take(&wake, bytes, 8) && wake.reader.fd == -1,
	       "a reader that fails is closed");
	tr2_wake_pipe_close(&wake);
}

static void test_whole(void)
{
	tap_ok(!tr2_wake_pipe_open(&wake) && wake.reader.fd >= 10 &&
		       wake.writer.fd >= 10,
	       "both ends live at the top of the table");
	errno = 77;
	tr2_wake_pipe_put(&wake, "abc", 3);
	tap_int(errno, 77, "who wakes keeps errno");
	tap_int((intmax_t)tr2_wake_pipe_take(&wake, bytes, 8), 3,
		"what was put is taken");
	tap_ok(!tr2_wake_pipe_take(&wake, bytes, 8) && wake.reader.fd >= 0,
	       "an empty pipe is not lost");
	tap_int(tr2_wake_pipe_limit(&wake, -1), 1000,
		"nobody waits longer than a second");
	tap_int(tr2_wake_pipe_limit(&wake, 1001), 1000, "nor a little longer");
	tap_int(tr2_wake_pipe_limit(&wake, 0), 0, "but as short as one likes");
	tr2_wake_pipe_close(&wake);
	tap_ok(wake.reader.fd == -1 && wake.writer.fd == -1,
	       "a closed pipe has no ends");
}

/* SIGPIPE would kill the host, which traces without a reader only. */
static void test_closed_reader(void)
{
	sigset_t pending;

	signal(SIGPIPE, SIG_DFL);
	if (tr2_wake_pipe_open(&wake))
		return;
	close(wake.reader.fd);
	tr2_wake_pipe_put(&wake, "abc", 3);
	sigpending(&pending);
	tap_ok(!sigismember(&pending, SIGPIPE),
	       "a host may close the reader, and lives");
	tr2_wake_pipe_close(&wake);
}

static void test_lost(void)
{
	int hosts[2], number;

	if (pipe2(hosts, O_NONBLOCK) || tr2_wake_pipe_open(&wake))
		return;
	number = wake.writer.fd;
	dup2(hosts[1], number);
	tr2_wake_pipe_put(&wake, "abc", 3);
	tap_int(read(hosts[0], bytes, 8), -1, "a host's pipe gets no byte");
	tap_ok(!tr2_wake_pipe_take(&wake, bytes, 8) && wake.reader.fd == -1,
	       "without its writer a reader is lost");
	tap_int(tr2_wake_pipe_limit(&wake, 101), 100,
		"then nobody waits longer than a tenth of a second");
	tap_int(tr2_wake_pipe_limit(&wake, 99), 99, "but shorter");
	tr2_wake_pipe_close(&wake);
	tap_ok(fcntl(number, F_GETFD) >= 0, "the host's end stays open");
	close(number);
	if (tr2_wake_pipe_open(&wake))
		return;
	number = wake.reader.fd;
	dup2(hosts[0], number);
	tap_int(write(hosts[1], "host", 4), 4, "a host writes to its pipe");
	tap_ok(!tr2_wake_pipe_take(&wake, bytes, 8) && wake.reader.fd == -1,
	       "a host's bytes are not taken");
	tap_int(read(hosts[0], bytes, 8), 4, "the host has them");
	tr2_wake_pipe_close(&wake);
	close(number);
	close(hosts[0]);
	close(hosts[1]);
}

static void test_short(void)
{
	struct rlimit limit;
	rlim_t usual;

	getrlimit(RLIMIT_NOFILE, &limit);
	usual = limit.rlim_cur;
	limit.rlim_cur = 11;
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_ok(tr2_wake_pipe_open(&wake) && errno == EMFILE &&
		       wake.reader.fd == -1 && wake.writer.fd == -1,
	       "there may be room for one end only");
	limit.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_ok(tr2_wake_pipe_open(&wake) && errno == EMFILE &&
		       wake.reader.fd == -1,
	       "or for none");
	limit.rlim_cur = usual;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int told, ready_with;

static void note_wake(struct trace_loop_watch *watch, short ready)
{
	(void)watch;
	ready_with |= ready;
	__atomic_fetch_add(&told, 1, __ATOMIC_RELEASE);
}

/* A watch whose number is closed is woken for that, once. */
static void test_loop(void)
{
	struct trace_loop_watch watch = {
		.fd = 900,
		.events = POLLIN,
		.wait_ms = -1,
		.wake = note_wake,
	};
	struct trace_loop *loop = trace_loop_create();

	trace_loop_watch(loop, &watch);
	trace_loop_start_thread(loop, NULL);
	poll(NULL, 0, 100);
	trace_loop_destroy(loop);
	tap_ok(told == 1 && ready_with == POLLNVAL && watch.fd == -1,
	       "a loop tells once that a number is not open");
}

int main(void)
{
	for (int fd = 3; fd < 1100; fd++)
		close(fd);
	tap_run(test_whole, test_errors, test_closed_reader, test_lost,
		test_short, test_loop);
	return tap_done();
}
