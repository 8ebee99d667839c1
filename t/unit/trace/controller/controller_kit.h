/*
 * controller_kit.h - a client whose manager has answered before the request,
 * or answers as soon as the client waits, which takes no time.
 */
#ifndef UNIT_TRACE_CONTROLLER_CONTROLLER_KIT_H
#define UNIT_TRACE_CONTROLLER_CONTROLLER_KIT_H

#include "kit/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "kit/tap.h"
#include "trace/controller/controller.h"
#include "trace/provider/message.h"

/*
 * Waiting takes no time
 */

static int polls, interrupted;

/* How long each wait may be, and + if something else may end it. */
static char waits[128];

/* Requests that the manager answers when the client waits, each with 0. */
static int answers_left;
static void answer_later(void);

/* An archive that ends only when nothing else is left to be done. */
static int late = -1;
static void end_archive(void);

/*
 * Which of the numbers the host gives to a file of its own while the client
 * waits; -1: none.
 */
static int taken_place = -1, taken_fd;

static inline void take_number(int fd)
{
	int file = open("/dev/null", O_RDONLY | O_CLOEXEC);

	taken_place = -1;
	taken_fd = fd;
	tap_need(file >= 0 && dup2(file, fd) == fd);
	syscall(SYS_close, file);
}

/* As poll(), which the C library declares as if it read nothing. */
int poll_now(struct pollfd *fds, nfds_t count, int timeout) __asm__("poll");

int poll_now(struct pollfd *fds, nfds_t count, int timeout)
{
	static const struct timespec none;
	int was_interrupted = interrupted, ready;

	if (count == 1 && !timeout) /* is there more of the archive? */
		return (int)syscall(SYS_ppoll, fds, count, &none, NULL, 0);
	if (polls > 2000 || count != 3)
		_exit(9); /* it would wait for ever, or for anything */
	polls++;
	snprintf(waits + strlen(waits), sizeof(waits) - strlen(waits), "%d%s ",
		 timeout, fds[2].fd < 0 ? "" : "+");
	if (answers_left)
		answer_later();
	else if (late >= 0)
		end_archive();
	interrupted = 0;
	if (was_interrupted)
		return -1;
	ready = (int)syscall(SYS_ppoll, fds, count, &none, NULL, 0);
	if (taken_place >= 0)
		take_number(fds[taken_place].fd);
	return ready;
}

static uint64_t now, step;

static inline uint64_t tell_time(void)
{
	now += step;
	return now - step;
}

static int pairs_fail;

int socketpair(int domain, int type, int protocol, int ends[2])
{
	if (pairs_fail || protocol) {
		errno = pairs_fail;
		return -1;
	}
	return (int)syscall(SYS_socketpair, domain, type, protocol, ends);
}

static int receives_fail, wrong_receives, messages_asked, wrong_closes;

ssize_t recv(int socket, void *bytes, size_t len, int flags)
{
	ssize_t got;

	if (receives_fail) {
		errno = receives_fail;
		receives_fail = 0;
		return -1;
	}
	got = syscall(SYS_recvfrom, socket, bytes, len, flags, NULL, NULL);
	wrong_receives += got < 0 || len != 65536;
	return got;
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
	messages_asked++;
	return syscall(SYS_recvmsg, socket, message, flags);
}

int close(int fd)
{
	wrong_closes += fd < 0;
	return (int)syscall(SYS_close, fd);
}

/*
 * Both ends
 */

static int manager, our_end;
static struct trace_controller *controller;
static struct tr2_message request; /* that it got last */
static int archive_end;		   /* which came with one; -1: it is closed */
static char heard[512];

static inline void hear_text(const char *text)
{
	strncat(heard, text, sizeof(heard) - strlen(heard) - 1);
}

/* What was heard since this was asked last. */
static const char *take_heard(void)
{
	static char text[sizeof(heard)];

	strcpy(text, heard);
	heard[0] = '\0';
	return text;
}

static inline void begin_controller(void)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
	manager = ends[0];
	our_end = ends[1];
	controller = trace_controller_adopt(ends[1]);
	heard[0] = '\0';
	*waits = '\0';
	polls = messages_asked = wrong_receives = wrong_closes = 0;
}

static inline void say_packet(unsigned what, uint32_t data32, uint64_t data64,
			      const void *payload, size_t len)
{
	const trace_provider_packet_t packet = {
		.request = (uint16_t)what,
		.data32 = data32,
		.data64 = data64,
	};

	tap_need(!tr2_message_send(manager, &packet, payload, len, -1));
}

static inline void answer_request(uint16_t error)
{
	const trace_provider_packet_t packet = {
		.request = TRACE_DONE,
		.data16 = error,
	};

	tap_need(!tr2_message_send(manager, &packet, NULL, 0, -1));
}

/* Returns the next request, or -1. */
static inline int receive_request(void)
{
	if (tr2_message_receive(manager, &request) <= 0)
		return -1;
	if (request.fd >= 0)
		archive_end = request.fd;
	return request.packet.request;
}

static inline void answer_later(void)
{
	const int what = receive_request();
	char text[16];

	if (what < 0)
		return;
	answers_left--;
	snprintf(text, sizeof(text), "[%x]", (unsigned)what);
	hear_text(text);
	answer_request(0);
}

static inline void end_archive(void)
{
	tap_need(write(late, "rest", 4) == 4);
	close(late);
	late = -1;
}

/*
 * What a client listens to
 */

static int archive_fails;

static inline int note_archive(void *into, const void *bytes, size_t len)
{
	char text[64];

	snprintf(text, sizeof(text), "<%.*s>", len < 9 ? (int)len : 9,
		 (const char *)bytes);
	hear_text(into == heard ? text : "?");
	return archive_fails;
}

static inline void note_alert(void *into, uint32_t provider, const char *name)
{
	char line[64];

	snprintf(line, sizeof(line), "alert %u/%s ", provider, name);
	hear_text(into == heard ? line : "?");
}

static inline void note_result(void *into,
			       const struct trace_provider_result *result)
{
	char line[128];

	snprintf(line, sizeof(line), "%u/%u/%s %d %d %d %s;", result->id,
		 result->pid, result->name, (int)result->events,
		 (int)result->bytes, (int)result->dropped, result->wrong);
	hear_text(into == heard ? line : "?");
}

/*
 * Connecting
 */

static int connected; /* what the host connects to */
static char connected_to[128];
static const char *named;

static inline int connect_to(int type, const char *path)
{
	tap_need(type == SOCK_SEQPACKET);
	strcpy(connected_to, path);
	errno = connected < 0 ? ECONNREFUSED : 0;
	return connected;
}

static inline const char *tell_variable(const char *name)
{
	return strcmp(name, "TRACE_MANAGER") ? NULL : named;
}

static inline void kit_install(struct tr2_host *host)
{
	memory_install(host);
	host->connect = connect_to;
	host->getenv = tell_variable;
	host->mono_ns = tell_time;
}

#endif
