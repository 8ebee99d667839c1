/*
 * turns_play.h - a provider whose thread is the test's, and the steps of the
 * manager that it waits for. No time passes.
 */
#ifndef UNIT_TRACE_PROVIDER_TURNS_PLAY_H
#define UNIT_TRACE_PROVIDER_TURNS_PLAY_H

#include "kit/memory.h"

#include <poll.h>
#include <sys/syscall.h>

#include "kit/locks.h"
#include "kit/script.h"
#include "kit/trace/manager.h"
#include "trace/engine/writer.h"
#include "trace/event.h"
#include "trace/provider/private.h"

#define SIZE ((size_t)1 << 16)

static struct trace_provider provider;

/*
 * ---- The system
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
 * ---- The manager
 */

static int there = -1, connects, refuses, odd_polls;
static int buffer; /* as the manager has it */
/* What the next requests bring along; -1: an INIT has the buffer. */
static int passed = -1;
static uint64_t said = SIZE; /* how large that is, as an INIT says */
enum { NOTHING = -2 };

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
	if (refuses-- > 0 || strcmp(path, "/path") != 0 ||
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

static int make_buffer(off_t size, int seals)
{
	int fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	tap_need(!ftruncate(fd, size) && !fcntl(fd, F_ADD_SEALS, seals));
	return lift_descriptor(fd);
}

/*
 * ---- Steps of `play`
 */

static void close_there(void)
{
	close(there);
	there = -1;
}

static void pass_two(void)
{
	const trace_provider_packet_t packet = { .request = TRACE_INITIALIZE,
						 .data64 = SIZE };
	struct iovec part = { (void *)(uintptr_t)&packet, sizeof(packet) };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { .header = { .cmsg_len = CMSG_LEN(2 * sizeof(int)),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	const struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	const int fds[2] = { buffer, buffer };

	memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
	if (sendmsg(there, &message, 0) < 0)
		abort();
}

static struct trace_buffer_header header_was, header;
static int mapped_then, enabled;

static void look_at_state(void)
{
	header_was = header;
	mapped_then = count_mapped();
	if (pread(buffer, &header, sizeof(header), 0) < 0)
		abort();
}

static void trace_one(void)
{
	TRACE_INSTANT("a", "name", TRACE_SCOPE_THREAD);
}

static void fill_buffer(void)
{
	const uint64_t before = trace_engine_dropped();

	while (trace_engine_dropped() == before)
		TRACE_INSTANT("a", "name", TRACE_SCOPE_THREAD);
}

/* A thread that stays inside a record. */
static uint64_t resting;
static void *left;

static void hang_inside(void)
{
	resting = tr2_trace_self->state;
	tr2_trace_self->state = TR2_TRACE_BUSY;
	left = provider.buffer;
}

static void go_on(void)
{
	tr2_trace_self->state = resting;
}

static void ask_host(void)
{
	enabled = trace_engine_category_enabled("a") * 2 +
		  trace_engine_category_enabled("b");
}

/* `alert,TEXT`, which keeps errno, and may be left to the thread. */
static void send_alert(const char *text)
{
	struct pollfd pipe = { .fd = provider.wake.reader.fd,
			       .events = POLLIN };

	errno = EDOM;
	TRACE_ALERT("a", text);
	odd_polls += errno != EDOM;
	if (syscall(SYS_poll, &pipe, 1, 0) > 0)
		strcat(heard, "piped ");
}

/* Another thread sends an alert. */
static void begin_sending(void)
{
	provider.is_sending = 1;
}

static void end_sending(void)
{
	provider.is_sending = 0;
}

/* As with an alert of a thread that found no other way. */
static void wake_host(void)
{
	const trace_provider_packet_t packet = {
		.request = TRACE_PROVIDER_ALERT,
	};

	tap_need(write(provider.wake.writer.fd, &packet, sizeof(packet)) > 0);
}

static void send_byte(void)
{
	tap_need(send(there, "x", 1, 0) == 1);
}

static const struct {
	const char *name;
	void (*act)(void);
	int request;
} steps[] = {
	{ "wait", NULL, 0 },
	{ "wake", wake_host, 0 },
	{ "close", close_there, 0 },
	{ "two", pass_two, 0 },
	{ "look", look_at_state, 0 },
	{ "trace", trace_one, 0 },
	{ "fill", fill_buffer, 0 },
	{ "hang", hang_inside, 0 },
	{ "go-on", go_on, 0 },
	{ "ask", ask_host, 0 },
	{ "sending", begin_sending, 0 },
	{ "sent", end_sending, 0 },
	{ "byte", send_byte, 0 },
	{ "alert", NULL, 0 },
	{ "NONSENSE", NULL, 0x3ff },
	{ "INIT", NULL, TRACE_INITIALIZE },
	{ "START", NULL, TRACE_START },
	{ "STOP", NULL, TRACE_STOP },
	{ "TERMINATE", NULL, TRACE_TERMINATE },
	{ "REGISTERED", NULL, TRACE_REGISTERED },
	{ "SAVED", NULL, TRACE_PROVIDER_BUFFER_SAVED },
};

/*
 * `START`, `INIT,1,a`: with data16 and categories; `trace+STOP` is both, and
 * `INIT,0,a-` has a category that does not end.
 */
static void take_step(char *step)
{
	const size_t len = strcspn(step, "+,");
	char *categories, *more = strchr(step, '+');
	size_t i = 0;
	bool is_init;

	while (strncmp(steps[i].name, step, len) || steps[i].name[len])
		tap_need(++i < sizeof(steps) / sizeof(*steps));
	if (steps[i].act)
		steps[i].act();
	if (!strcmp(steps[i].name, "alert")) {
		send_alert(step + len + 1);
		return;
	}
	is_init = steps[i].request == TRACE_INITIALIZE;
	step += len + (step[len] == ',');
	categories = strchr(step, ',');
	if (categories)
		categories++;
	if (steps[i].request)
		kit_say(there, (unsigned)steps[i].request, (unsigned)atoi(step),
			0, is_init ? said : 0, categories,
			categories ? strlen(categories) + !strchr(step, '-')
				   : 0,
			is_init && passed == -1 ? buffer : passed);
	if (more)
		take_step(more + 1);
}

static char **next;

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
	if (!**next) {
		provider.ending = true;
		return 0;
	}
	hear_messages();
	take_step(*next++);
	return (int)syscall(SYS_poll, polls, count, 0);
}

/* From the provider's beginning until the manager has no more steps. */
static const char *play_steps(char **word)
{
	next = word;
	connects = 0;
	*heard = *turns = '\0';
	provider.ending = provider.settled = false;
	provider.pause_ms = 0;
	tr2_provider_thread(&provider);
	hear_messages();
	return turns;
}

#endif
