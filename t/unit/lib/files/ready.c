/*
 * Reading and writing where a pipe is full or empty, and standard output and
 * standard error there: what waits, how they are buffered, what fails, and what
 * is kept for later.
 */
#define _GNU_SOURCE /* ppoll() */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kit/tap.h"

#include "lib/files/ready.h"

static size_t write_most;    /* bytes of one write; 0: all */
static int write_left = -1;  /* calls until one fails; -1: none does */
static int write_error;	     /* with this errno */
static size_t write_longest; /* that was asked for */
static int write_calls;
static int poll_calls;
static int poll_errors[2]; /* of the next calls; 0: none */

ssize_t write(int fd, const void *bytes, size_t len)
{
	write_calls++;
	if (len > write_longest)
		write_longest = len;
	if (write_most && len > write_most)
		len = write_most;
	if (write_left < 0 || write_left-- > 0)
		return syscall(SYS_write, fd, bytes, len);
	errno = write_error;
	return -1;
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	const struct timespec limit = { .tv_sec = timeout / 1000,
					.tv_nsec = timeout % 1000 * 1000000L };
	const int error = poll_calls < 2 ? poll_errors[poll_calls] : 0;

	poll_calls++;
	if (!error)
		return ppoll(fds, count, timeout < 0 ? NULL : &limit, NULL);
	errno = error;
	return -1;
}

static void reset_calls(void)
{
	write_most = write_longest = 0;
	write_left = -1;
	write_calls = poll_calls = 0;
	poll_errors[0] = poll_errors[1] = 0;
}

static int ends[2]; /* of a pipe */

static void open_pipe(int mode)
{
	tap_need(!pipe(ends));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETFL, mode);
}

static void close_pipe(void)
{
	close(ends[0]);
	close(ends[1]);
}

/* Returns what is in the pipe or the terminal, until the next call. */
static const char *read_all(int fd)
{
	static char text[1 << 18];
	size_t used = 0;
	ssize_t got = 1;

	for (; got > 0; used += got > 0 ? (size_t)got : 0)
		got = read(fd, text + used, sizeof(text) - 1 - used);
	text[used] = '\0';
	return text;
}

static void fill_pipe(void)
{
	static const char block[4096];

	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (syscall(SYS_write, ends[1], block, sizeof(block)) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
}

/*
 * ---- Reading and writing
 */

static void read_bytes(char *bytes, size_t len)
{
	ssize_t got = 1;

	for (; len && got > 0; bytes += got, len -= (size_t)got)
		got = read(ends[0], bytes, len);
}

static void *read_late(void *context)
{
	usleep(50000);
	read_bytes(context, 65536);
	return NULL;
}

static void *write_late(void *context)
{
	usleep(50000);
	(void)!write(ends[1], context, 3);
	return NULL;
}

static void test_late_ends(void)
{
	static char taken[65536], text[4];
	pthread_t thread;

	reset_calls();
	open_pipe(0);
	fcntl(ends[0], F_SETFL, 0);
	fill_pipe();
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	pthread_create(&thread, NULL, read_late, taken);
	tap_int((int)tr2_ready_write(ends[1], "abc", 3), 3,
		"a write waits until there is room");
	pthread_join(thread, NULL);
	read_bytes(text, 3);
	tap_str(text, "abc", "and writes it all");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	pthread_create(&thread, NULL, write_late, text);
	tap_int(tr2_ready_read(ends[0], taken, sizeof(taken)), 3,
		"a read waits until there is something");
	pthread_join(thread, NULL);
	fcntl(ends[0], F_SETFL, 0);
	errno = 0;
	tap_ok(tr2_ready_read(-1, text, 1) < 0 && errno == EBADF,
	       "a read that can't succeed fails");
	errno = 0;
	tap_ok(!tr2_ready_write(-1, text, 1) && errno == EBADF,
	       "a write that can't succeed fails");
	close_pipe();
}

static void note_signal(int signo)
{
	(void)signo;
}

static void *signal_main(void *context)
{
	usleep(50000);
	pthread_kill(*(pthread_t *)context, SIGUSR1);
	usleep(50000);
	(void)!write(ends[1], "x", 1);
	return NULL;
}

/* In read(2), and in the poll(2) of a descriptor that does not block. */
static void test_signals(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	pthread_t self = pthread_self(), thread;
	char byte;

	open_pipe(O_NONBLOCK);
	sigaction(SIGUSR1, &action, NULL);
	for (int mode = 0; mode <= O_NONBLOCK; mode += O_NONBLOCK) {
		fcntl(ends[0], F_SETFL, mode);
		pthread_create(&thread, NULL, signal_main, &self);
		tap_int(tr2_ready_read(ends[0], &byte, 1), 1,
			"a signal does not end a read");
		pthread_join(thread, NULL);
	}
	close_pipe();
}

static void test_waits(void)
{
	char byte;

	open_pipe(O_NONBLOCK);
	reset_calls();
	poll_errors[0] = EINVAL;
	tap_ok(tr2_ready_read(ends[0], &byte, 1) < 0 && poll_calls == 1,
	       "a read ends if it cannot wait");
	reset_calls();
	poll_errors[0] = EINTR;
	poll_errors[1] = EINVAL;
	tap_ok(tr2_ready_read(ends[0], &byte, 1) < 0 && poll_calls == 2,
	       "an interruption is not the end of waiting");
	reset_calls();
	errno = EAGAIN;
	tap_ok(!tr2_ready_write(ends[1], "", 0) && !poll_calls,
	       "a write of nothing waits for nothing");
	close(ends[1]);
	errno = EAGAIN;
	tap_ok(!tr2_ready_read(ends[0], &byte, 1) && !poll_calls,
	       "nor does a read at the end");
	close(ends[0]);
}

#ifdef __GLIBC__

/*
 * ---- Standard output
 */

static FILE *usual_out, *usual_err;
static int usual_fd, usual_error;

/* Standard output is this descriptor, and standard error another one. */
static void adopt_streams(int out, int err)
{
	fflush(stdout);
	usual_out = stdout;
	usual_err = stderr;
	usual_fd = dup(STDOUT_FILENO);
	usual_error = dup(STDERR_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	tr2_ready_adopt_streams();
}

static void restore_streams(void)
{
	if (stdout != usual_out)
		fclose(stdout);
	if (stderr != usual_err)
		fclose(stderr);
	stdout = usual_out;
	stderr = usual_err;
	dup2(usual_fd, STDOUT_FILENO);
	dup2(usual_error, STDERR_FILENO);
	close(usual_fd);
	close(usual_error);
}

static void test_buffers(void)
{
	char before[8], line[8], after[8], error[8];

	open_pipe(0);
	adopt_streams(ends[1], ends[1]);
	fputs("a\nb", stdout);
	snprintf(before, sizeof(before), "%s", read_all(ends[0]));
	fflush(stdout);
	snprintf(line, sizeof(line), "%s", read_all(ends[0]));
	fputs("c", stderr);
	snprintf(error, sizeof(error), "%s", read_all(ends[0]));
	fputs("d", stdout);
	restore_streams();
	snprintf(after, sizeof(after), "%s", read_all(ends[0]));
	tap_str(before, "", "what is printed to a pipe is collected");
	tap_str(line, "a\nb", "until it is flushed");
	tap_str(after, "d", "or the stream is closed");
	tap_str(error, "c", "a message is written at once");
	close_pipe();
}

static void test_files(void)
{
	FILE *file = tmpfile();
	int same, closed;

	adopt_streams(fileno(file), fileno(file));
	same = stdout == usual_out && stderr == usual_err;
	restore_streams();
	fclose(file);
	adopt_streams(STDOUT_FILENO, STDERR_FILENO);
	restore_streams();
	fflush(stdout);
	usual_fd = dup(STDOUT_FILENO);
	usual_out = stdout;
	usual_err = stderr;
	usual_error = dup(STDERR_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	tr2_ready_adopt_streams();
	closed = stdout == usual_out && stderr == usual_err;
	restore_streams();
	tap_ok(same, "streams of files stay as they are");
	tap_ok(closed, "so do those that are closed");
}

/* A letter for each place, so that no two are mistaken. */
static void fill_text(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('a' + i % 23 + i / 1000 % 3);
	text[len] = '\0';
}

static void test_failure(void)
{
	int flushed, failed;

	open_pipe(0);
	adopt_streams(ends[1], ends[1]);
	reset_calls();
	write_most = 3;
	write_left = 1;
	write_error = EIO;
	fputs("abcdef", stdout);
	flushed = fflush(stdout);
	failed = ferror(stdout);
	reset_calls();
	restore_streams();
	tap_ok(flushed && failed, "a stream knows that a write has failed");
	tap_ok(!strncmp(read_all(ends[0]), "abc", 3),
	       "after what was written before");
	close_pipe();
}

/*
 * ---- Standard error, which keeps what nobody takes
 */

static void test_kept_parts(void)
{
	static char text[10001];
	size_t longest;

	fill_text(text, 10000);
	open_pipe(0);
	adopt_streams(ends[1], ends[1]);
	tr2_ready_keep_errors();
	fill_pipe();
	fputs(text, stderr);
	read_all(ends[0]);
	reset_calls();
	tr2_ready_end_errors(0);
	longest = write_longest;
	restore_streams();
	tap_ok(longest <= 4096, "no more is written than a pipe has room for");
	tap_ok(!strcmp(read_all(ends[0]), text),
	       "what was kept comes in its order");
	close_pipe();
}

static void test_kept_slowly(void)
{
	static char text[10001];
	int calls, polls;

	fill_text(text, 10000);
	open_pipe(0);
	adopt_streams(ends[1], ends[1]);
	fill_pipe();
	fputs(text, stderr);
	read_all(ends[0]);
	reset_calls();
	write_left = 0;
	write_error = EAGAIN;
	tr2_ready_end_errors(0);
	calls = write_calls;
	fill_pipe();
	poll_calls = 0;
	errno = EINTR; /* of something before */
	tr2_ready_end_errors(0);
	polls = poll_calls;
	read_all(ends[0]);
	reset_calls();
	write_most = 777;
	tr2_ready_end_errors(0);
	reset_calls();
	restore_streams();
	tap_int(calls, 1, "a reader that takes nothing is asked once");
	tap_int(polls, 1, "one that has no room is waited for once");
	tap_ok(!strcmp(read_all(ends[0]), text),
	       "one that takes a part gets the rest");
	close_pipe();
}

/* More is printed than there is room for, and some of it is never read. */
static void test_lost_and_kept(void)
{
	static char text[TR2_READY_KEPT + 1];
	int is_silent;

	fill_text(text, TR2_READY_KEPT);
	open_pipe(0);
	adopt_streams(ends[1], ends[1]);
	fill_pipe();
	fputs(text, stderr);
	fputs("lost", stderr);
	read_all(ends[0]);
	write_left = 1;
	write_error = EPIPE;
	tr2_ready_end_errors(0);
	is_silent = strlen(read_all(ends[0])) == 4096;
	reset_calls();
	tr2_ready_end_errors(0);
	restore_streams();
	tap_ok(is_silent, "no loss is reported while a message waits");
	tap_ok(strstr(read_all(ends[0]), "trace2: 4 bytes of messages") != NULL,
	       "a loss is reported after the last message");
	close_pipe();
}

#endif

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	tap_run(test_waits, test_late_ends, test_signals);
#ifdef __GLIBC__
	tap_run(test_buffers, test_files, test_failure, test_kept_parts,
		test_kept_slowly, test_lost_and_kept);
#endif
	return tap_done();
}
