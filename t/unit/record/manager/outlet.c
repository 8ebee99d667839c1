#define _GNU_SOURCE
/* An archive's way to its client, who may be slow or gone. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kit/tap.h"
#include "kit/trace/manager.h"
#include "record/manager/manager_part.h"

#define MUCH ((size_t)1 << 20)

static struct tr2_outlet outlet;
static int client;
static unsigned char sent[MUCH], got[MUCH];
static size_t got_len;

static void open_outlet(void)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	memset(&outlet, 0, sizeof(outlet));
	outlet.fd = ends[0];
	client = ends[1];
	got_len = 0;
}

static void close_all(void)
{
	tr2_outlet_close(&outlet);
	if (client >= 0)
		close(client);
}

/* The client reads at most so many bytes. */
static void read_bytes(size_t most)
{
	ssize_t len;

	if (most > MUCH - got_len)
		most = MUCH - got_len;
	len = recv(client, got + got_len, most, MSG_DONTWAIT);
	got_len += len > 0 ? (size_t)len : 0;
}

/* Bytes are put in pieces of many sizes, and the client reads them in others. */
static void test_slow(void)
{
	size_t put = 0, piece = 1, most = 0;
	int failed = 0;

	for (size_t i = 0; i < MUCH; i++)
		sent[i] = (unsigned char)(i * 31 + i / 256);
	open_outlet();
	while (got_len < MUCH) {
		piece = piece * 5 % 40961 + 1;
		if (piece > MUCH - put)
			piece = MUCH - put;
		failed |= tr2_outlet_put(&outlet, sent + put, piece);
		put += piece;
		failed |= tr2_outlet_flush(&outlet);
		if (tr2_outlet_waiting(&outlet) > most)
			most = tr2_outlet_waiting(&outlet);
		read_bytes(put < MUCH ? piece / 2 : MUCH);
	}
	tap_int(failed, 0, "a client that is slow is no failure");
	tap_ok(most > 0, "what it does not take waits");
	tap_ok(!memcmp(sent, got, MUCH), "every byte comes once, in its order");
	close_all();
}

/* The client reads a little less than there is, again and again. */
static void test_steady(void)
{
	const size_t piece = 4096;
	size_t pieces = 200;

	open_outlet();
	tr2_outlet_put(&outlet, sent, piece);
	for (size_t i = 1; i <= pieces; i++) {
		outlet.start += piece / 2;
		tr2_outlet_put(&outlet, sent + i * piece, piece / 2);
	}
	tap_int((intmax_t)tr2_outlet_waiting(&outlet), (intmax_t)piece,
		"what is sent does not wait any more");
	tap_ok(outlet.buf.room <= 8 * piece,
	       "its memory is used for what comes");
	tap_ok(!memcmp(outlet.buf.bytes + outlet.buf.len - piece / 2,
		       sent + pieces * piece, piece / 2),
	       "the last bytes stand at the end");
	close_all();
}

static void test_closed(void)
{
	const struct tr2_outlet none = { .fd = -1 };
	int fd;

	open_outlet();
	fd = outlet.fd;
	tr2_outlet_put(&outlet, "abc", 3);
	tr2_outlet_close(&outlet);
	tap_ok(fcntl(fd, F_GETFD) < 0, "a closed outlet has no descriptor");
	tap_ok(!memcmp(&outlet, &none, sizeof(none)),
	       "a closed outlet keeps nothing of its bytes");
	tap_int(tr2_outlet_put(&outlet, "x", 1), -1, "it takes no bytes");
	tap_int((intmax_t)tr2_outlet_waiting(&outlet), 0, "and none wait");
	tr2_outlet_close(&outlet);
	tap_int(outlet.fd, -1, "it may be closed once more");
	close_all();
}

int main(void)
{
	tap_run(test_slow, test_steady, test_closed);
	return tap_done();
}
