/*
 * listen_kit.h - a listener and those who write to it, in one thread: when
 * it would wait, the next step of a script is taken. Behind the last one
 * comes a signal. What it asks the system for is looked at on its way.
 */
#ifndef UNIT_VALIDATE_LISTEN_KIT_H
#define UNIT_VALIDATE_LISTEN_KIT_H

#include "kit/validate.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "kit/destination.h"
#include "validate/lines_kit.h"
#include "validate/listen.h"

struct step {
	unsigned who; /* writes, or */
	void (*act)(void);
	const char *text; /* NULL: closes. ' is ", and a tab is blanks */
	size_t len;	  /* with the blanks */
	unsigned times;	  /* that it is written at once, if not once */
	bool at_once;	  /* the next step follows without a wait */
};

#define WRITERS 10
#define TURNS_MAX 100 /* of the listener, between two steps */

static struct {
	const struct tr2_socket *socket;
	const struct step *next;
	int writers[WRITERS]; /* their sockets, or 0 */
	bool connected[WRITERS];
	char text[(16 << 20) + (1 << 10)];
	size_t len, sent; /* of the text */
	int turns;
	bool stopped;
	int accept_faults[4], recv_faults[4]; /* what they fail with at first */
	int poll_faults[2], pipe_faults[2];
	unsigned more;		    /* times that writer 1 writes first */
	const char *wrong;	    /* what the listener should not do */
	int signal_fd;		    /* receives the signal */
	int last_read;		    /* the connection, since it waited */
	int reads, turn, last_turn; /* from one at a time */
} kit;

static inline void kit_begin(const struct tr2_socket *socket,
			     const struct step *script)
{
	kit.socket = socket;
	kit.next = script;
	kit.stopped = false;
	kit.wrong = NULL;
	kit.more = 0;
	kit.sent = 0;
	kit.turns = kit.turn = kit.last_turn = 0;
}

static inline void kit_wrong(bool is_wrong, const char *what)
{
	if (is_wrong && !kit.wrong)
		kit.wrong = what;
}

/* The next fault of the list: -1 and errno, or 0. */
static inline int kit_fault(int *faults, size_t count)
{
	if (!*faults)
		return 0;
	errno = *faults;
	memmove(faults, faults + 1, (count - 1) * sizeof(*faults));
	faults[count - 1] = 0;
	return -1;
}

#define KIT_FAULT(faults) \
	kit_fault((faults), sizeof(faults) / sizeof(*(faults)))

/* ---- The writers */

static inline void kit_begin_writer(unsigned who)
{
	int type = kit.socket->stream ? SOCK_STREAM : SOCK_DGRAM;
	int size = 1 << 20;

	if (kit.writers[who])
		return;
	kit.writers[who] = socket(AF_UNIX, type | SOCK_NONBLOCK, 0);
	kit_require(kit.writers[who] > 0, "no socket");
	setsockopt(kit.writers[who], SOL_SOCKET, SO_SNDBUF, &size,
		   sizeof(size));
}

static inline void kit_connect(unsigned who)
{
	kit_begin_writer(who);
	if (!kit.connected[who])
		kit_require(!connect(kit.writers[who],
				     (const void *)&kit.socket->address,
				     sizeof(kit.socket->address)),
			    "no connection");
	kit.connected[who] = true;
}

static inline void kit_close_writer(unsigned who)
{
	if (kit.writers[who])
		close(kit.writers[who]);
	kit.writers[who] = 0;
	kit.connected[who] = false;
}

static inline void kit_add(const char *text, size_t len)
{
	kit_require(kit.len + len <= sizeof(kit.text), "too much is written");
	memcpy(kit.text + kit.len, text, len);
	kit.len += len;
}

static inline void kit_make_text(const struct step *step)
{
	const char *text = step->text, *tab = strchr(text, '\t');
	unsigned i, times = step->times ? step->times : 1;
	size_t before = tab ? (size_t)(tab - text) : 0;
	char *at = kit.text;

	kit.len = 0;
	if (tab) {
		kit_add(text, before);
		memset(kit.text + before, ' ', step->len - before);
		kit.len = step->len - strlen(tab + 1);
		text = tab + 1;
	}
	for (i = 0; i < times; i++)
		kit_add(text, strlen(text));
	while ((at = memchr(at, '\'', (size_t)(kit.text + kit.len - at))))
		*at = '"';
}

/* As much of it as there is room for. Was that all? */
static inline bool kit_send(const struct step *step)
{
	ssize_t sent;

	kit_connect(step->who);
	if (!kit.sent)
		kit_make_text(step);
	do {
		sent = send(kit.writers[step->who], kit.text + kit.sent,
			    kit.len - kit.sent, MSG_NOSIGNAL);
		kit.sent += sent > 0 ? (size_t)sent : 0;
	} while (kit.sent < kit.len && sent > 0);
	kit_require(sent >= 0 || errno == EAGAIN, "nothing is sent");
	if (kit.sent < kit.len)
		return false;
	kit.sent = 0;
	return true;
}

static inline bool kit_take(const struct step *step)
{
	if (step->act)
		step->act();
	else if (step->text)
		return kit_send(step);
	else
		kit_close_writer(step->who);
	return true;
}

static inline void kit_stop(int number)
{
	kit.stopped = true;
	raise(number);
}

/* Take the next step, and those that go with it. */
static inline void kit_go_on(void)
{
	bool at_once = true;

	for (; at_once && (kit.next->who || kit.next->act); kit.next++) {
		if (!kit_take(kit.next))
			return;
		at_once = kit.next->at_once;
	}
	if (at_once)
		kit_stop(SIGTERM);
}

/*
 * ---- What the listener asks for: in the place of the system's functions,
 * whose declarations promise other things.
 */

int kit_poll(struct pollfd *polled, nfds_t count, int timeout) __asm__("poll");
int kit_accept(int fd, void *address, socklen_t *len) __asm__("accept");
int kit_pipe(int *ends) __asm__("pipe");
ssize_t kit_recv(int fd, void *bytes, size_t len, int flags) __asm__("recv");

static inline void kit_look_at(const struct pollfd *polled, nfds_t count,
			       int timeout)
{
	nfds_t i;

	kit.signal_fd = polled[0].fd;
	kit_wrong(timeout >= 0 && timeout != 500, "it does not wait");
	kit_wrong(polled[1].fd >= 0 && polled[1].fd != kit.socket->fd,
		  "it polls what it does not listen to");
	for (i = 0; i < count; i++)
		kit_wrong(polled[i].fd >= 0 &&
				  fcntl(polled[i].fd, F_GETFD) != FD_CLOEXEC,
			  "it polls what is closed or stays open at exec()");
}

int kit_poll(struct pollfd *polled, nfds_t count, int timeout)
{
	static const struct timespec now;
	int ready, steps;

	kit_look_at(polled, count, timeout);
	kit.last_read = -1;
	if (KIT_FAULT(kit.poll_faults))
		return -1;
	kit_require(++kit.turns < TURNS_MAX, "it polls again and again");
	for (steps = 0; !(ready = ppoll(polled, count, &now, NULL)); steps++) {
		kit_require(steps < TURNS_MAX, "it takes nothing");
		kit.turns = 0;
		kit_go_on();
	}
	return ready;
}

int kit_pipe(int *ends)
{
	return KIT_FAULT(kit.pipe_faults) ? -1 : pipe2(ends, 0);
}

int kit_accept(int fd, void *address, socklen_t *len)
{
	int got;

	if (KIT_FAULT(kit.accept_faults))
		return -1;
	got = accept4(fd, address, len, 0);
	kit_wrong(got < 0 && errno == EOPNOTSUPP,
		  "it accepts where nobody connects");
	return got;
}

static inline void kit_count_read(int fd)
{
	int *most = kit.stopped ? &kit.last_turn : &kit.turn;

	if (kit.last_read != fd)
		kit.reads = 0;
	kit.last_read = fd;
	if (++kit.reads > *most)
		*most = kit.reads;
}

ssize_t kit_recv(int fd, void *bytes, size_t len, int flags)
{
	static const struct step line = { .who = 1, .text = VERSION("a") };
	ssize_t got;

	kit_wrong(!(flags & MSG_DONTWAIT),
		  "it may have to wait for a connection");
	if (KIT_FAULT(kit.recv_faults))
		return -1;
	if (kit.more && kit.more--)
		kit_wrong(!kit_send(&line), "it does not read");
	got = recvfrom(fd, bytes, len, flags, NULL, NULL);
	kit_wrong(got < 0 && kit.last_read != fd && !kit.stopped,
		  "it reads where nothing came");
	kit_count_read(fd);
	return got;
}

#ifndef __SANITIZE_THREAD__
int kit_lock(pthread_mutex_t *mutex) __asm__("pthread_mutex_lock");
int kit_unlock(pthread_mutex_t *mutex) __asm__("pthread_mutex_unlock");

static _Thread_local int kit_locked; /* how many locks this thread has */

static inline int kit_call(const char *name, pthread_mutex_t *mutex)
{
	int (*fn)(pthread_mutex_t *);

	*(void **)&fn = dlsym(RTLD_NEXT, name);
	return fn(mutex);
}

int kit_lock(pthread_mutex_t *mutex)
{
	kit_locked++;
	return kit_call("pthread_mutex_lock", mutex);
}

int kit_unlock(pthread_mutex_t *mutex)
{
	kit_wrong(kit_locked-- < 1, "it unlocks what it has not locked");
	return kit_call("pthread_mutex_unlock", mutex);
}

int kit_close_file(int fd) __asm__("close");

int kit_close_file(int fd)
{
	int rc = (int)syscall(SYS_close, fd);

	kit_wrong(rc && errno == EBADF, "it closes what is not open");
	return rc;
}
#endif

#endif
