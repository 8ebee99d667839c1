/* Messages of a trace manager's socket, one at a time. */
#define _GNU_SOURCE /* ucred, syscall */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "kit/tap.h"
#include "host/host.h"
#include "trace/provider/message.h"

static int ends[2];

/* The user of this program and of the other side, according to the system. */
static int says_users;
static uid_t own_user, peer_user;

uid_t geteuid(void)
{
	return says_users ? own_user : (uid_t)syscall(SYS_geteuid);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	int got = (int)syscall(SYS_getsockopt, fd, level, name, value, len);

	if (says_users && name == SO_PEERCRED)
		((struct ucred *)value)->uid = peer_user;
	return got;
}

static void begin_provider(void)
{
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
}

static void end_provider(void)
{
	close(ends[0]);
	close(ends[1]);
}

/* The lowest number that a descriptor would get. */
static int lowest_free(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static const trace_provider_packet_t packet = {
	.request = TRACE_START, .data16 = 7, .data32 = 8, .data64 = 9
};

/* Dirty: what is not received is not what it looks like. */
static struct tr2_message message;

static int receive_message(void)
{
	memset(&message, 0x55, sizeof(message));
	errno = 0;
	return tr2_message_receive(ends[1], &message);
}

/* `bytes` of a message with so many descriptors. */
static void send_raw(size_t bytes, int count)
{
	static char zeros[TRACE_PAYLOAD_MAX + 64];
	struct iovec part = { zeros, bytes };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(16 * sizeof(int))];
	} control;
	struct msghdr raw = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *header = &control.align;

	memset(&control, 0, sizeof(control));
	if (count) {
		raw.msg_control = control.bytes;
		raw.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
	}
	for (int i = 0; i < count; i++)
		memcpy(CMSG_DATA(header) + i * (int)sizeof(int), &ends[0],
		       sizeof(int));
	sendmsg(ends[0], &raw, 0);
}

static void test_many_descriptors(void)
{
	static const int counts[] = { 2, 3, 8, 16 };
	const int before = lowest_free();
	size_t i;

	begin_provider();
	for (i = 0; i < 4; i++) {
		const int free_one = lowest_free();

		send_raw(sizeof(packet), counts[i]);
		if (receive_message() != 1 || message.fd != free_one ||
		    message.fd_count != (counts[i] > 8 ? 8 : counts[i]) ||
		    lowest_free() != free_one + 1)
			break;
		close(message.fd);
	}
	tap_int((intmax_t)i, 4, "of many descriptors one is left open");
	end_provider();
	tap_int(lowest_free(), before, "no descriptor is lost");
}

/* Valgrind has a limit of its own. */
static void test_no_room(void)
{
	static const char name[] = "a descriptor without room is lost";
	struct rlimit old, none;

	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip(name, "valgrind keeps descriptors");
		return;
	}
	begin_provider();
	tr2_message_send(ends[0], &packet, NULL, 0, 0);
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	tap_ok(tr2_message_receive(ends[1], &message) > 0 && message.fd_lost &&
		       message.fd < 0 && !message.fd_count,
	       name);
	setrlimit(RLIMIT_NOFILE, &old);
	close(ends[0]);
	close(ends[1]);
}

static void test_refused(void)
{
	static const struct {
		size_t bytes;
		int fds;
	} rows[] = {
		{ 1, 0 },
		{ sizeof(packet) - 1, 0 },
		{ sizeof(packet) - 1, 1 },
		{ sizeof(packet) + TRACE_PAYLOAD_MAX + 1, 0 },
		{ sizeof(packet) + TRACE_PAYLOAD_MAX + 1, 2 },
	};
	size_t i;

	begin_provider();
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const int free_one = lowest_free();

		send_raw(rows[i].bytes, rows[i].fds);
		if (receive_message() != -1 || errno != EBADMSG ||
		    message.fd != -1 || lowest_free() != free_one)
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"what is no message is refused, and its descriptors closed");
	send_raw(sizeof(packet), 0);
	tap_int(receive_message(), 1, "the next message is received");
	end_provider();
}

/* Descriptor 0 that comes with what is no message is closed as well. */
static void test_refused_zero(void)
{
	int zero = dup(0);

	begin_provider();
	send_raw(1, 1);
	close(0);
	receive_message();
	tap_ok(fcntl(0, F_GETFD) < 0, "number 0 is closed where it came so");
	dup2(zero, 0);
	close(zero);
	end_provider();
}

static void test_ends(void)
{
	int i;

	begin_provider();
	tap_ok(receive_message() == -1 && errno == EAGAIN,
	       "where there is no message, nobody waits");
	for (i = 0; i < 100000; i++)
		if (tr2_message_send(ends[0], &packet, NULL, 0, -1))
			break;
	tap_ok(i < 100000 && errno == EAGAIN,
	       "where nobody reads, nobody waits either");
	while (receive_message() > 0)
		;
	send_raw(0, 0);
	tap_int(receive_message(), 0, "an empty message is an end");
	send_raw(sizeof(packet), 0);
	close(ends[0]);
	tap_int(receive_message(), 1,
		"what was sent before an end is received");
	tap_int(receive_message(), 0, "then the other side is gone");
	tap_int(tr2_message_send(ends[1], &packet, NULL, 0, -1), -1,
		"nothing is sent to who is gone, nor a signal raised");
	close(ends[1]);
	begin_provider();
	tr2_message_send(ends[1], &packet, NULL, 0, -1);
	close(ends[0]);
	tap_int(receive_message(), 0,
		"one that left without reading is gone, too");
	close(ends[1]);
	tap_ok(receive_message() == -1 && errno == EBADF,
	       "else an error is told");
}

/*
 * Getting there
 */

/* A socket may report the sender with each message. */
static void test_other_news(void)
{
	const int yes = 1;

	begin_provider();
	setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	tr2_message_send(ends[0], &packet, "abc", 3, -1);
	tap_ok(receive_message() == 1 && !message.fd_count && message.fd == -1,
	       "what else comes along is no descriptor");
	end_provider();
}

static void test_peer(void)
{
	pid_t pid = -1;

	begin_provider();
	tap_ok(tr2_message_peer(ends[0], &pid) && pid == getpid(),
	       "the other side is who it is");
	says_users = 1;
	own_user = peer_user = 1000;
	tap_ok(tr2_message_peer(ends[0], &pid), "the same user is trusted");
	peer_user = 0;
	tap_ok(tr2_message_peer(ends[0], &pid), "as is the system");
	peer_user = 1001;
	tap_ok(!tr2_message_peer(ends[0], &pid), "but nobody else");
	says_users = 0;
	end_provider();
	pid = -1;
	tap_ok(!tr2_message_peer(-1, &pid) && pid == -1,
	       "nobody is at the other side of nothing");
}

static void test_lists_of_names(void)
{
	static const char list[] = "one\0two\0\0four";
	const size_t len = sizeof(list);

	tap_ok(tr2_message_has_category(list, 0, "any") &&
		       tr2_message_has_category(list, len, "one") &&
		       tr2_message_has_category(list, len, "two") &&
		       tr2_message_has_category(list, len, "") &&
		       tr2_message_has_category(list, len, "four") &&
		       !tr2_message_has_category(list, len, "three") &&
		       !tr2_message_has_category(list, 4, "two"),
	       "a message's list has its names, and an empty one all");
}

int main(void)
{
	tap_run(test_many_descriptors, test_no_room, test_refused,
		test_refused_zero, test_ends, test_other_news, test_peer,
		test_lists_of_names);
	return tap_done();
}
