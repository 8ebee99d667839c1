/*
 * receiver_kit.h - a receiver of OTLP/HTTP in a thread, which answers what a
 * test wants, and keeps the last POST.
 */
#ifndef UNIT_DELIVERY_RECEIVER_KIT_H
#define UNIT_DELIVERY_RECEIVER_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "collect/delivery/fake_kit.h"

static struct {
	int fd, port;
	pthread_t thread;
	int posts;	    /* how many came; guarded by `lock`, as all are */
	const char *status; /* of the next answers, such as "200 OK" */
	const char *extra;  /* headers of them, each with CR and LF */
	const char *answer; /* bodies of them */
	char head[4096];    /* of the last POST */
	char *body;
	size_t len, room;
} receiver;

static inline bool read_head(int fd)
{
	size_t used = 0;

	while (used < sizeof(receiver.head) - 1 &&
	       recv(fd, receiver.head + used, 1, 0) == 1) {
		receiver.head[++used] = '\0';
		if (strstr(receiver.head, "\r\n\r\n"))
			return true;
	}
	return false;
}

static inline void read_body(int fd)
{
	const char *length = strstr(receiver.head, "Content-Length: ");
	size_t used = 0;
	ssize_t got;

	receiver.len = length ? strtoul(length + 16, NULL, 10) : 0;
	receiver.body = realloc(receiver.body, receiver.len + 1);
	tap_need(receiver.body);
	while (used < receiver.len) {
		got = recv(fd, receiver.body + used, receiver.len - used, 0);
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	receiver.body[used] = '\0';
}

static inline void answer_post(int fd)
{
	char text[1024];
	int len;

	pthread_mutex_lock(&lock);
	if (read_head(fd)) {
		read_body(fd);
		receiver.posts++;
		len = snprintf(text, sizeof(text),
			       "HTTP/1.1 %s\r\nContent-Length: %zu\r\n"
			       "%sConnection: close\r\n\r\n%s",
			       receiver.status, strlen(receiver.answer),
			       receiver.extra, receiver.answer);
		(void)!send(fd, text, (size_t)len, MSG_NOSIGNAL);
	}
	pthread_mutex_unlock(&lock);
	close(fd);
}

static inline void *run_receiver(void *context)
{
	int fd;

	while ((fd = accept(receiver.fd, NULL, NULL)) >= 0)
		answer_post(fd);
	return context;
}

static inline void answer_with(const char *status, const char *extra,
			       const char *answer)
{
	pthread_mutex_lock(&lock);
	receiver.status = status;
	receiver.extra = extra;
	receiver.answer = answer;
	pthread_mutex_unlock(&lock);
}

/* What came so far may be read by the test. */
static inline void settle_receiver(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static inline void begin_receiver(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	receiver.fd = socket(AF_INET, SOCK_STREAM, 0);
	tap_need(!bind(receiver.fd, (struct sockaddr *)&address,
		       sizeof(address)) &&
		 !listen(receiver.fd, 8) &&
		 !getsockname(receiver.fd, (struct sockaddr *)&address, &len));
	receiver.port = ntohs(address.sin_port);
	answer_with("200 OK", "", "{}");
	pthread_create(&receiver.thread, NULL, run_receiver, NULL);
}

static inline void end_receiver(void)
{
	shutdown(receiver.fd, SHUT_RDWR);
	pthread_join(receiver.thread, NULL);
	close(receiver.fd);
	free(receiver.body);
}

#endif
