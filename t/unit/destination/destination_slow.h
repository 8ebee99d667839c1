/*
 * destination_slow.h - verbs of destination.c about readers that are slow, and
 * what they may cost the host.
 */
#ifndef UNIT_DESTINATION_DESTINATION_SLOW_H
#define UNIT_DESTINATION_DESTINATION_SLOW_H

#include <pthread.h>
#include <termios.h>

#include "host/system.h"
#include "host/wait.h"
#include "kit/poll.h"

/* The host is held up for 100 ms; a busy machine may take longer. */
#define MUCH_TOO_LONG 10.0
#define SCREENFUL 200000

static struct tr2_destination dst;
static int peer = -1, listener = -1;

/* `fill 8`: until no byte more has room there. */
static const char *fill_number(char **word)
{
	static const char bytes[4096];
	const int fd = (int)script_number(word[0], 0);
	const int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (write(fd, bytes, sizeof(bytes)) > 0)
		;
	while (write(fd, bytes, 1) > 0)
		;
	fcntl(fd, F_SETFL, flags);
	return NULL;
}

/* Connections until the listener's queue is full. */
static const char *fill_queue(char **word)
{
	while (tr2_host_system.connect(SOCK_STREAM, word[0]) >= 0)
		;
	return NULL;
}

static const char *take_bytes(char **word)
{
	static char bytes[20000];

	return script_say_number(
		read(peer, bytes, (size_t)script_number(word[0], 0)));
}

static const char *tell_mode(SCRIPT_NONE)
{
	return script_say("%s, %s", dst.polls ? "polled" : "not polled",
			  fcntl(dst.ours.fd, F_GETFL) & O_NONBLOCK
				  ? "never blocks"
				  : "blocks");
}

static double began; /* seconds, at the last question or spending */

/* All that the process may wait has been spent. */
static const char *spend_wait(SCRIPT_NONE)
{
	kit_waited = TR2_WAIT_LIMIT_NS;
	return NULL;
}

/* For what was waited since it was opened, and for how long. */
static const char *tell_waited(SCRIPT_NONE)
{
	return script_say("for %s, %s", polled.fd == dst.ours.fd ? "ours" : "?",
			  kit_seconds() - began > MUCH_TOO_LONG ? "too long"
			  : kit_waited > TR2_WAIT_LIMIT_NS	? "too much"
			  : kit_waited == TR2_WAIT_LIMIT_NS	? "most, all"
			  : kit_waited > TR2_WAIT_LIMIT_NS / 2	? "most"
								: "little");
}

/* `2, longest 10`: questions to poll(2) since this was asked last. */
static const char *tell_polls(SCRIPT_NONE)
{
	const int count = polled.count, longest = polled.longest;

	polled.count = polled.longest = 0;
	return script_say("%d, longest %d", count, longest);
}

/* A write that blocks lets no signal in but this one. */
static pid_t start_killer(pid_t victim)
{
	pid_t killer = fork();

	if (killer)
		return killer;
	sleep(10);
	kill(victim, SIGKILL);
	_exit(0);
}

/* Another process is quicker: what poll(2) has told is not so any more. */
static int write_after_another(void)
{
	const pid_t killer = start_killer(getpid());
	int is_on;

	polled.answers = 1;
	is_on = kit_write(&dst, "a line\n") || dst.alive;
	kill(killer, SIGKILL);
	return is_on;
}

/* An older system waits for a blocking pipe. */
static const char *write_second(SCRIPT_NONE)
{
	if (tr2_host_write_now(8, "x", 1) >= 0 || errno != EAGAIN)
		return "0";
	return script_say_number(kit_in_child(write_after_another));
}

/*
 * ---- A terminal, whose other end is the peer
 */

static const char *open_terminal(SCRIPT_NONE)
{
	int slave;

	peer = posix_openpt(O_RDWR | O_NOCTTY);
	kit_require(peer >= 0 && !grantpt(peer) && !unlockpt(peer),
		    "no terminal");
	slave = open(ptsname(peer), O_RDWR | O_NOCTTY | O_NONBLOCK);
	dup2(slave, 8);
	close(slave);
	return NULL;
}

static char screenful[SCREENFUL];

/* More than a terminal holds, with a host that made it non-blocking. */
static int write_to_terminal(void)
{
	memset(screenful, 'x', sizeof(screenful));
	fcntl(8, F_SETFL, 0);
	kit_open(&dst, "8");
	fcntl(8, F_SETFL, O_NONBLOCK);
	if (!dst.waits || dst.polls || dst.raises)
		return 1;
	if (!kit_write_bytes(&dst, screenful, sizeof(screenful)))
		return 2;
	if (polled.fd != dst.ours.fd || polled.timeout != -1)
		return 3;
	return kit_waited ? 4 : 0;
}

/* What it got, and the code of the process that wrote it. */
static const char *read_terminal(SCRIPT_NONE)
{
	static char bytes[4096];
	long count = 0;
	ssize_t got = 1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(write_to_terminal());
	for (; count < SCREENFUL && got > 0; count += got)
		got = read(peer, bytes, sizeof(bytes));
	return script_say("%ld, %d", count, kit_wait(pid, KIT_LIFE_MS));
}

static void *fill_terminal(void *unused)
{
	kit_write_bytes(&dst, screenful, sizeof(screenful));
	return unused;
}

/* Nobody reads, and the host's terminal may block. */
static int fork_at_once(void)
{
	pthread_t thread;

	fcntl(8, F_SETFL, 0);
	kit_open(&dst, "8");
	alarm(10);
	if (pthread_create(&thread, NULL, fill_terminal, NULL))
		return 1;
	usleep(50000);
	tr2_destination_fork_prepare(&dst);
	tr2_destination_fork_parent(&dst);
	return tr2_destination_write_signal(&dst, screenful, sizeof(screenful));
}

static const char *fork_beside(SCRIPT_NONE)
{
	return script_say_number(kit_in_child(fork_at_once));
}

/* clang-format off */
#define DESTINATION_SLOW \
	{ "fill", fill_number }, { "fill-queue", fill_queue }, \
	{ "take", take_bytes }, { "mode", tell_mode }, \
	{ "spend", spend_wait }, { "waited", tell_waited }, \
	{ "polls", tell_polls }, { "write-second", write_second }, \
	{ "terminal", open_terminal }, { "read-terminal", read_terminal }, \
	{ "fork-beside", fork_beside }
/* clang-format on */

#endif
