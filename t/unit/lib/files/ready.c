/*
 * Signals that come while a read waits; and standard error that nobody reads:
 * what is kept for later, how it is offered, and what is lost. How commands
 * wait for others is in t/commands/record/test_ready_streams.py.
 */
#define _DEFAULT_SOURCE /* syscall() */
#include <errno.h>
#include <fcntl.h>
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

static void reset_calls(void)
{
	write_most = write_longest = 0;
	write_left = -1;
	write_calls = 0;
}

static int ends[2]; /* of a pipe, of which the first one does not block */

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

	tap_need(!pipe(ends));
	sigaction(SIGUSR1, &action, NULL);
	for (int mode = 0; mode <= O_NONBLOCK; mode += O_NONBLOCK) {
		fcntl(ends[0], F_SETFL, mode);
		pthread_create(&thread, NULL, signal_main, &self);
		tap_int(tr2_ready_read(ends[0], &byte, 1), 1,
			"a signal does not end a read");
		pthread_join(thread, NULL);
	}
}

#ifdef __GLIBC__

/* Returns what is in the pipe, until the next call. */
static const char *read_all(void)
{
	static char text[1 << 18];
	size_t used = 0;
	ssize_t got = 1;

	for (; got > 0; used += got > 0 ? (size_t)got : 0)
		got = read(ends[0], text + used, sizeof(text) - 1 - used);
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

static char text[TR2_READY_KEPT + 1];

/* A message of that length comes while the pipe is full, and is kept. */
static void keep_text(size_t len)
{
	/* A letter for each place, so that no two are mistaken. */
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('a' + i % 23 + i / 1000 % 3);
	text[len] = '\0';
	fill_pipe();
	fputs(text, stderr);
}

static void test_kept_parts(void)
{
	keep_text(10000);
	read_all();
	reset_calls();
	tr2_ready_end_errors(0);
	tap_ok(write_longest <= 4096,
	       "no more is written than a pipe has room for");
	tap_ok(!strcmp(read_all(), text), "what was kept comes in its order");
}

static void test_kept_slowly(void)
{
	keep_text(10000);
	read_all();
	reset_calls();
	write_left = 0;
	write_error = EAGAIN;
	tr2_ready_end_errors(0);
	tap_int(write_calls, 1, "a reader that takes nothing is asked once");
	reset_calls();
	fill_pipe();
	errno = EINTR; /* of something before */
	tr2_ready_end_errors(0);
	tap_int(write_calls, 0, "one that has no room is not asked");
	read_all();
	write_most = 777;
	tr2_ready_end_errors(0);
	reset_calls();
	tap_ok(!strcmp(read_all(), text),
	       "one that takes a part gets the rest");
}

/* More is printed than there is room for, and some of it is never read. */
static void test_lost_and_kept(void)
{
	keep_text(TR2_READY_KEPT);
	fputs("lost", stderr);
	read_all();
	write_left = 1;
	write_error = EPIPE;
	tr2_ready_end_errors(0);
	tap_int((intmax_t)strlen(read_all()), 4096,
		"no loss is reported while a message waits");
	reset_calls();
	tr2_ready_end_errors(0);
	tap_ok(strstr(read_all(), "trace2: 4 bytes of messages") != NULL,
	       "a loss is reported after the last message");
}

#endif

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_signals();
#ifdef __GLIBC__
	dup2(ends[1], STDERR_FILENO);
	tr2_ready_adopt_streams();
	tr2_ready_keep_errors();
	tap_run(test_kept_parts, test_kept_slowly, test_lost_and_kept);
#endif
	return tap_done();
}
