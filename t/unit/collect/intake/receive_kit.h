/* receive_kit.h - an intake in a thread, and programs that write to it. */
#ifndef UNIT_INTAKE_RECEIVE_KIT_H
#define UNIT_INTAKE_RECEIVE_KIT_H

#include "collect/intake/intake_kit.h"

#include <sys/socket.h>

#define STREAM "af_unix:stream:stream"
#define DGRAM "af_unix:dgram:dgram"

static struct tr2_socket sockets[2];
static int stop[2];
static pthread_t service;

static inline void *run_intake(void *context)
{
	tr2_collect_receive(&intake, stop[0]);
	return context;
}

static inline void open_sockets(void)
{
	tr2_socket_parse(&sockets[0], STREAM);
	tr2_socket_parse(&sockets[1], DGRAM);
	tap_need(!tr2_socket_open(&sockets[0]) &&
		 !tr2_socket_open(&sockets[1]) && !pipe(stop));
	intake.sockets = sockets;
	intake.socket_count = 2;
}

static inline void begin_service(void)
{
	begin_intake();
	open_sockets();
}

static inline void start_service(void)
{
	pthread_create(&service, NULL, run_intake, NULL);
}

/* What was written is read, and the service ends. Returns its lines. */
static inline const char *stop_service(void)
{
	close(stop[1]);
	pthread_join(service, NULL);
	return read_new();
}

static inline void end_service(void)
{
	tr2_socket_close(&sockets[0]);
	tr2_socket_close(&sockets[1]);
	close(stop[0]);
	end_intake();
}

static inline int connect_to(const struct tr2_socket *named)
{
	int fd = socket(AF_UNIX, named->stream ? SOCK_STREAM : SOCK_DGRAM, 0);

	tap_need(!connect(fd, (const struct sockaddr *)&named->address,
			  sizeof(named->address)));
	return fd;
}

static inline void send_text(int fd, const char *text)
{
	tap_need(send(fd, text, strlen(text), MSG_NOSIGNAL) ==
		 (ssize_t)strlen(text));
}

/* So many bytes of one line, without an end. */
static inline void send_long(int fd, size_t len)
{
	static char bytes[64 << 10];
	ssize_t done;

	memset(bytes, 'x', sizeof(bytes));
	for (; len; len -= (size_t)done) {
		done = send(fd, bytes,
			    len < sizeof(bytes) ? len : sizeof(bytes), 0);
		tap_need(done >= 0);
	}
}

/* Were so many lines received? If not, wait for a moment. */
static inline bool wait_shortly(uint64_t count)
{
	uint64_t received;

	pthread_mutex_lock(&journal.mutex);
	received = intake.shown.received;
	pthread_mutex_unlock(&journal.mutex);
	if (received < count)
		take_nap();
	return received >= count;
}

/* Wait until so many lines were received. False: it takes too long. */
static inline bool wait_for_lines(uint64_t count)
{
	int i = 0;

	while (i < 10000 && !wait_shortly(count))
		i++;
	return i < 10000;
}

/* The counts of a service that has ended: "received lines dropped torn". */
static inline const char *show_counts(void)
{
	static char text[128];
	const struct tr2_collect_counts *counts = &intake.shown;

	snprintf(text, sizeof(text),
		 "%d received, %d lines, %d dropped, %d torn",
		 (int)counts->received, (int)counts->lines,
		 (int)counts->dropped, (int)counts->torn);
	return text;
}

#endif
