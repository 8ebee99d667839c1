/*
 * Reading and writing where a pipe is full or empty: what waits, and what is
 * kept for later.
 */
#include "kit/validate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "lib/files/ready.h"

static int ends[2]; /* of a pipe */

static void set_mode(int end, int mode)
{
	fcntl(ends[end], F_SETFL, mode);
}

static void fill_pipe(void)
{
	static const char block[4096];
	int mode = fcntl(ends[1], F_GETFL);

	set_mode(1, O_NONBLOCK);
	while (write(ends[1], block, sizeof(block)) > 0)
		;
	set_mode(1, mode);
}

static void read_bytes(char *bytes, size_t len)
{
	ssize_t got = 1;

	for (; len && got > 0; bytes += got, len -= (size_t)got)
		got = read(ends[0], bytes, len);
}

static void *read_late(void *context)
{
	poll(NULL, 0, 50);
	read_bytes(context, 65536);
	return NULL;
}

static void *write_late(void *context)
{
	poll(NULL, 0, 50);
	(void)!write(ends[1], context, 3);
	return NULL;
}

static void test_waits(void)
{
	static char taken[65536], text[4];
	pthread_t thread;

	fill_pipe();
	pthread_create(&thread, NULL, read_late, taken);
	tap_int((int)tr2_ready_write(ends[1], "abc", 3), 3,
		"a write waits until there is room");
	pthread_join(thread, NULL);
	read_bytes(text, 3);
	tap_str(text, "abc", "and writes it all");
	set_mode(0, O_NONBLOCK);
	pthread_create(&thread, NULL, write_late, text);
	tap_int(tr2_ready_read(ends[0], taken, sizeof(taken)), 3,
		"a read waits until there is something");
	pthread_join(thread, NULL);
	set_mode(0, 0);
	errno = 0;
	tap_ok(tr2_ready_read(-1, text, 1) < 0 && errno == EBADF,
	       "a read that can't succeed fails");
	errno = 0;
	tap_ok(!tr2_ready_write(-1, text, 1) && errno == EBADF,
	       "a write that can't succeed fails");
}

static void note_signal(int signo)
{
	(void)signo;
}

static void *signal_main(void *context)
{
	poll(NULL, 0, 50);
	pthread_kill(*(pthread_t *)context, SIGUSR1);
	poll(NULL, 0, 50);
	(void)!write(ends[1], "x", 1);
	return NULL;
}

/* In read(2), and in the poll(2) of a descriptor that does not block. */
static void test_signals(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	pthread_t self = pthread_self(), thread;
	int mode;
	char byte;

	sigaction(SIGUSR1, &action, NULL);
	for (mode = 0; mode <= O_NONBLOCK; mode += O_NONBLOCK) {
		set_mode(0, mode);
		pthread_create(&thread, NULL, signal_main, &self);
		tap_int(tr2_ready_read(ends[0], &byte, 1), 1,
			"a signal does not end a read");
		pthread_join(thread, NULL);
	}
	set_mode(0, 0);
}

#ifdef __GLIBC__

static void test_streams(void)
{
}

#else

static void test_streams(void)
{
}

#endif

int main(void)
{
	if (pipe(ends))
		return 1;
	set_mode(1, O_NONBLOCK);
	tap_run(test_waits, test_signals, test_streams);
	return tap_done();
}
