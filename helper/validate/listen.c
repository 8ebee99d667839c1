#include "validate/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "read/bytes/lines.h"
#include "lib/common/memory.h"
#include "validate/queue.h"
#include "read/kind.h"
#include "lib/text/text.h"

#define HELD_MAX ((size_t)16 << 20)  /* bytes that wait to be checked */
#define BUFFER ((size_t)256 << 10)   /* more than a datagram can hold */
#define RESTS_MAX (4 * TR2_LINE_MAX) /* bytes of incomplete lines */
#define READS 16
#define LAST_READS 4096 /* limit for the reads after a signal */
#define FIXED 2		/* polled before the connections */

struct connection {
	int fd;
	unsigned visit;
	bool begun, ignored;
	enum tr2_log_format format;
	struct tr2_worker_log *log;
	struct tr2_buf rest; /* the beginning of an incomplete line */
	bool skipping;	     /* skip to an LF: the line was too long */
	unsigned long dropped;
};

struct listener {
	const struct tr2_socket *socket;
	struct tr2_queue queue;
	struct tr2_vec connections; /* struct connection */
	struct tr2_vec polled;	    /* struct pollfd */
	unsigned accepted;
	bool full; /* there is no descriptor for another connection */
	bool stopping;
	int reads; /* reads of one connection before the next one's turn */
	unsigned long files, other_files, dropped;
	uint64_t bytes;
	size_t rests; /* bytes of all incomplete lines */
	char buffer[BUFFER];
};

static int stop_fd; /* readable when it is time to stop */

/* ---- From bytes to blocks */

static void name_log(const struct listener *listener,
		     const struct connection *connection,
		     struct tr2_block *block)
{
	const char *path = listener->socket->address.sun_path;

	block->name = listener->socket->stream
			      ? tr2_text_print("%s#%u", path, connection->visit)
			      : tr2_must_copy(path);
}

/* The first lines decide the format of the whole connection. */
static void begin_log(struct listener *listener, struct connection *connection,
		      struct tr2_block *block)
{
	connection->format = tr2_kind_of(block->text, block->len);
	if (connection->format == TR2_LOG_FXT ||
	    connection->format == TR2_LOG_CHROME)
		connection->format = TR2_LOG_UNKNOWN;
	connection->ignored = connection->format == TR2_LOG_UNKNOWN;
	connection->begun = true;
	connection->log = tr2_must_zeros(sizeof(*connection->log));
	name_log(listener, connection, block);
	listener->files++;
	listener->other_files += connection->ignored;
}

static void add_drop(struct listener *listener, struct connection *connection,
		     unsigned long lines)
{
	connection->dropped += lines;
	listener->dropped += lines;
}

/* Queue lines; if `torn`, the last one has no LF. */
static void put_lines(struct listener *listener, struct connection *connection,
		      const char *text, size_t len, bool torn)
{
	struct tr2_block block = { .len = len,
				   .room = len,
				   .torn = torn,
				   .datagram = !listener->socket->stream,
				   .visit = connection->visit };

	if (connection->ignored)
		return;
	if (tr2_queue_held(&listener->queue) + len > HELD_MAX) {
		add_drop(listener, connection, tr2_text_count_lines(text, len));
		return;
	}
	block.text = tr2_must_grow(NULL, len + TR2_TOKENS_PADDING);
	memcpy(block.text, text, len);
	if (!connection->begun)
		begin_log(listener, connection, &block);
	block.format = connection->format;
	block.dropped = connection->dropped;
	connection->dropped = 0;
	tr2_queue_put(&listener->queue, connection->log, &block, false);
}

/* The memory is kept for the next line unless it is large. */
static void forget_rest(struct listener *listener,
			struct connection *connection)
{
	struct tr2_buf *rest = &connection->rest;

	listener->rests -= rest->len;
	if (rest->len > BUFFER)
		tr2_buf_release(rest);
	else
		tr2_buf_reset(rest);
}

/* Keep the beginning of a line until its end arrives. */
static void keep_rest(struct listener *listener, struct connection *connection,
		      const char *text, size_t len)
{
	struct tr2_buf *rest = &connection->rest;

	if (rest->len + len > TR2_LINE_MAX ||
	    listener->rests + len > RESTS_MAX) {
		forget_rest(listener, connection);
		connection->skipping = true;
		add_drop(listener, connection, 1);
	} else {
		listener->rests += len;
		tr2_buf_add(rest, text, len);
	}
	tr2_must_hold(rest);
}

/* Queue whole lines; the first one may have begun in the rest. */
static void put_whole(struct listener *listener, struct connection *connection,
		      const char *bytes, const char *end)
{
	struct tr2_buf *rest = &connection->rest;
	size_t len = (size_t)(end - bytes);

	if (!rest->len) {
		put_lines(listener, connection, bytes, len, false);
		return;
	}
	tr2_buf_add(rest, bytes, len);
	tr2_must_hold(rest);
	listener->rests += len;
	put_lines(listener, connection, rest->bytes, rest->len, false);
	forget_rest(listener, connection);
}

static void take_bytes(struct listener *listener, struct connection *connection,
		       const char *bytes, size_t len)
{
	const struct tr2_buf *rest = &connection->rest;
	const char *end = bytes + len, *lf;

	if (connection->skipping) {
		lf = memchr(bytes, '\n', len);
		if (!lf)
			return;
		connection->skipping = false;
		bytes = lf + 1;
	}
	/* If there is no room for a long line, the next line may still fit. */
	lf = rest->len > BUFFER ? memchr(bytes, '\n', len) : NULL;
	if (lf) {
		put_whole(listener, connection, bytes, lf + 1);
		bytes = lf + 1;
	}
	lf = tr2_text_find_end(bytes, (size_t)(end - bytes));
	if (lf) {
		put_whole(listener, connection, bytes, lf);
		bytes = lf;
	}
	keep_rest(listener, connection, bytes, (size_t)(end - bytes));
}

/* A line that is incomplete when we are told to stop is not a defect. */
static void end_connection(struct listener *listener,
			   struct connection *connection)
{
	struct tr2_block end = { .text = NULL };

	if (connection->rest.len && !listener->stopping)
		put_lines(listener, connection, connection->rest.bytes,
			  connection->rest.len, true);
	if (connection->begun)
		tr2_queue_put(&listener->queue, connection->log, &end, true);
	forget_rest(listener, connection);
	tr2_buf_release(&connection->rest);
	if (listener->socket->stream)
		close(connection->fd);
	connection->fd = -1;
	listener->full = false;
}

/*
 * ---- What can be read
 */

static void read_stream(struct listener *listener,
			struct connection *connection)
{
	ssize_t got;
	int i;

	for (i = 0; i < listener->reads; i++) {
		got = recv(connection->fd, listener->buffer, BUFFER, 0);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (got <= 0) {
			end_connection(listener, connection);
			break;
		}
		listener->bytes += (uint64_t)got;
		take_bytes(listener, connection, listener->buffer, (size_t)got);
	}
}

/* A datagram without an LF at its end is torn, like the last line of a log. */
static void read_datagrams(struct listener *listener,
			   struct connection *connection)
{
	const char *buffer = listener->buffer;
	ssize_t got;
	int i;

	for (i = 0; i < listener->reads; i++) {
		got = recv(connection->fd, listener->buffer, BUFFER, MSG_TRUNC);
		if (got < 0)
			break;
		listener->bytes += (uint64_t)got;
		if ((size_t)got > BUFFER)
			add_drop(listener, connection, 1);
		else if (got)
			put_lines(listener, connection, buffer, (size_t)got,
				  buffer[got - 1] != '\n');
	}
}

static void add_connection(struct listener *listener, int fd)
{
	struct connection *connection =
		tr2_vec_add(&listener->connections, sizeof(*connection));

	*connection =
		(struct connection){ .fd = fd, .visit = ++listener->accepted };
}

static void accept_all(struct listener *listener)
{
	int fd;

	for (;;) {
		fd = accept(listener->socket->fd, NULL, NULL);
		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			break;
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, O_NONBLOCK);
		add_connection(listener, fd);
	}
	listener->full = errno == EMFILE || errno == ENFILE;
}

static void read_connection(struct listener *listener,
			    struct connection *connection)
{
	if (listener->socket->stream)
		read_stream(listener, connection);
	else
		read_datagrams(listener, connection);
}

/*
 * ---- The loop
 */

static void add_polled(struct listener *listener, int fd)
{
	struct pollfd *polled = tr2_vec_add(&listener->polled, sizeof(*polled));

	*polled = (struct pollfd){ .fd = fd, .events = POLLIN };
}

/* Wait; `ready` is the first connection among the polled descriptors. */
static struct pollfd *wait_for_more(struct listener *listener)
{
	const struct connection *connection = listener->connections.items;
	bool accepts = listener->socket->stream && !listener->full;
	uint32_t i;

	tr2_vec_clear(&listener->polled);
	add_polled(listener, stop_fd);
	add_polled(listener, accepts ? listener->socket->fd : -1);
	for (i = 0; i < listener->connections.count; i++)
		add_polled(listener, connection[i].fd);
	/* After an interruption no descriptor counts as ready. */
	poll(listener->polled.items, listener->polled.count, -1);
	return listener->polled.items;
}

static void forget_ended(struct listener *listener)
{
	struct connection *connection = listener->connections.items;
	uint32_t i, count = 0;

	for (i = 0; i < listener->connections.count; i++)
		if (connection[i].fd >= 0)
			connection[count++] = connection[i];
	listener->connections.count = count;
}

static void end_all(struct listener *listener)
{
	struct connection *connection = listener->connections.items;
	uint32_t i;

	for (i = 0; i < listener->connections.count; i++, connection++) {
		read_connection(listener, connection);
		if (connection->fd >= 0)
			end_connection(listener, connection);
	}
	forget_ended(listener);
}

/*
 * Read what was written before the signal: it has arrived by now. If
 * descriptors are short, each round frees some; a connection that gets none
 * even then has lost a line.
 */
static void stop_listening(struct listener *listener)
{
	bool more;

	listener->stopping = true;
	listener->reads = LAST_READS;
	do {
		if (listener->socket->stream)
			accept_all(listener);
		more = listener->full && listener->connections.count;
		if (listener->full && !more)
			listener->dropped++;
		end_all(listener);
	} while (more);
}

static void receive_all(struct listener *listener)
{
	const struct pollfd *polled;
	struct connection *connection;
	uint32_t i, count;

	for (;;) {
		count = listener->connections.count;
		polled = wait_for_more(listener);
		if (polled[0].revents)
			break;
		connection = listener->connections.items;
		for (i = 0; i < count; i++)
			if (polled[FIXED + i].revents)
				read_connection(listener, &connection[i]);
		if (polled[1].revents)
			accept_all(listener);
		forget_ended(listener);
	}
	stop_listening(listener);
}

const char *tr2_listen_begin(struct tr2_socket *socket)
{
	tr2_socket_raise_limit();
	stop_fd = tr2_socket_catch_stops(false);
	return stop_fd < 0 ? strerror(errno) : tr2_socket_open(socket);
}

unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *worker)
{
	struct listener *listener = tr2_must_zeros(sizeof(*listener));
	unsigned long dropped;

	listener->socket = socket;
	listener->reads = READS;
	if (tr2_queue_begin(&listener->queue, worker))
		tr2_memory_out();
	if (!socket->stream)
		add_connection(listener, socket->fd);
	receive_all(listener);
	tr2_socket_close(socket);
	tr2_queue_end(&listener->queue);
	worker->totals.files = listener->files;
	worker->totals.other_files = listener->other_files;
	worker->totals.bytes = listener->bytes;
	dropped = listener->dropped;
	tr2_vec_release(&listener->connections);
	tr2_vec_release(&listener->polled);
	free(listener);
	return dropped;
}
