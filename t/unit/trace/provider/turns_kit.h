/*
 * turns_kit.h - a provider whose thread does not run: instead of each wait,
 * its manager takes the next step, and no time passes.
 */
#ifndef UNIT_TRACE_PROVIDER_TURNS_KIT_H
#define UNIT_TRACE_PROVIDER_TURNS_KIT_H

#include "kit/memory.h"

#include <poll.h>
#include <sys/syscall.h>

#include "kit/locks.h"
#include "kit/trace/manager.h"
#include "trace/provider/private.h"

#define SIZE ((size_t)1 << 16)

static struct trace_provider provider;

/*
 * The system
 */

static int wrong_closes, is_strange;

int close(int fd)
{
	int failed = (int)syscall(SYS_close, fd);

	wrong_closes += failed != 0;
	return failed;
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
	struct ucred *peer = value;
	int failed = (int)syscall(SYS_getsockopt, fd, level, name, value, size);

	peer->uid = geteuid() + (is_strange ? 1 : 0);
	return failed;
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
	(void)length;
	(void)left;
	return 0;
}

/* Returns the sum of all open descriptors' numbers, each plus one. */
static int open_sum(void)
{
	int fd, sum = 0;

	for (fd = 0; fd < 100; fd++)
		if (syscall(SYS_fcntl, fd, F_GETFD, 0) >= 0)
			sum += fd + 1;
	return sum;
}

/* Buffers that are mapped, to be read and to be written. */
static int count_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, " rw-s ") && strstr(line, "memfd:buffer");
	if (maps)
		fclose(maps);
	return count;
}

/*
 * The manager
 */

struct step {
	unsigned request; /* its request; 0: none */
	unsigned data16;
	uint32_t data32;
	const char *categories;
	size_t len;
	int passed; /* a descriptor; 0: none, or with INITIALIZE the buffer */
	void (*act)(void);
};

static const struct step *next;
static int there = -1, connects, refuses, odd_polls;
static int buffer; /* as the manager has it */

/* What it hears: numbers of requests, with data32 or the alert's text. */
static char heard[256];

/*
 * For each turn: how long it would wait, whether the state is known, whether
 * a trace runs, and how many connections there were.
 */
static char turns[256];

static int connect_here(int type, const char *path)
{
	int ends[2];

	connects++;
	if (refuses || strcmp(path, "/path") != 0 ||
	    socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends))
		return -1;
	there = ends[1];
	return ends[0];
}

static void put_heard(const trace_provider_packet_t *packet)
{
	const size_t len = strlen(heard), room = sizeof(heard) - len;

	if (packet->request == TRACE_PROVIDER_ALERT)
		snprintf(heard + len, room, "%x:%.14s ", packet->request,
			 (const char *)&packet->data16);
	else if (packet->data32 || packet->data64)
		snprintf(heard + len, room, "%x:%x ", packet->request,
			 packet->data32);
	else
		snprintf(heard + len, room, "%x ", packet->request);
}

static void hear_messages(void)
{
	int got = -1;

	while (there >= 0 &&
	       (got = tr2_message_receive(there, &kit_message)) > 0)
		put_heard(&kit_message.packet);
	if (got)
		return;
	strcat(heard, "end ");
	close(there);
	there = -1;
}

/*
 * The descriptor of every message gets the number 0, which is used for
 * nothing else.
 */
static int lift_descriptor(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	close(fd);
	return high;
}

static int make_buffer(int seals)
{
	int fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	tap_need(!ftruncate(fd, SIZE) && !fcntl(fd, F_ADD_SEALS, seals));
	return lift_descriptor(fd);
}

static void take_step(const struct step *step)
{
	const int is_init = step->request == TRACE_INITIALIZE;
	const int passed = step->passed ? step->passed : is_init ? buffer : -1;

	hear_messages();
	if (step->act)
		step->act();
	if (step->request)
		kit_say(there, step->request, step->data16, step->data32,
			is_init ? SIZE : 0, step->categories, step->len,
			passed);
}

/* As poll(), which the C library declares as if it read nothing. */
int poll_turn(struct pollfd *polls, nfds_t count, int timeout) __asm__("poll");

int poll_turn(struct pollfd *polls, nfds_t count, int timeout)
{
	const size_t len = strlen(turns);

	odd_polls += count != 2 || polls[0].fd != provider.wake.reader.fd ||
		     polls[1].fd != provider.socket || provider.socket < -1 ||
		     polls[0].events != POLLIN || polls[1].events != POLLIN;
	snprintf(turns + len, sizeof(turns) - len, "%d%s%s/%d ", timeout,
		 provider.settled ? "s" : "", provider.tracing ? "t" : "",
		 connects);
	if (!next->request && !next->act) {
		provider.ending = true;
		return 0;
	}
	take_step(next++);
	return (int)syscall(SYS_poll, polls, count, 0);
}

/* From the provider's beginning until the manager has no more steps. */
static void play_steps(const struct step *steps)
{
	next = steps;
	connects = 0;
	*heard = *turns = '\0';
	provider.ending = provider.settled = false;
	provider.pause_ms = 0;
	tr2_provider_thread(&provider);
	hear_messages();
}

static ssize_t write_wake(int fd, const void *bytes, size_t len)
{
	odd_polls += fd != provider.wake.writer.fd || write(fd, bytes, len) < 0;
	errno = EAGAIN;
	return -1;
}

static void *give_memory(void *old, size_t size)
{
	return size ? memory_realloc(old, size) : NULL;
}

static void begin_thread(struct tr2_host *host)
{
	memory_install(host);
	host->realloc = give_memory;
	host->connect = connect_here;
	host->write = write_wake;
	syscall(SYS_close, 0);
	tap_need(!tr2_wake_pipe_open(&provider.wake));
	buffer = make_buffer(F_SEAL_SHRINK);
	provider.handler.ops = &tr2_provider_ops;
	provider.socket = -1;
	strcpy(provider.path, "/path");
	strcpy(provider.name, "name");
}

#endif
