#include "validate/listen.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/listen/writers.h"
#include "lib/text/text.h"
#include "read/kind.h"

#define HELD_MAX ((size_t)16 << 20)  /* bytes that wait to be checked */
#define LONG ((size_t)256 << 10)     /* of a line */
#define RESTS_MAX (4 * TR2_LINE_MAX) /* bytes of incomplete lines */

/*
 * ---- From the thread that reads to the one that checks
 */

struct queued {
	struct queued *next;
	struct tr2_worker_log *log;
	struct tr2_block block;
	bool last;
};

struct queue {
	struct tr2_worker *worker;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* The lock guards these. */
	struct queued *first, **end;
	size_t held; /* bytes of the waiting blocks */
	bool ended;
};

static void check_item(struct queue *queue, struct queued *item)
{
	tr2_worker_go_on(queue->worker, item->log);
	tr2_worker_take(queue->worker, &item->block);
	if (item->last) {
		tr2_worker_end_log(queue->worker);
		free(item->log);
	}
}

static struct queued *take_item(struct queue *queue)
{
	struct queued *item;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->ended)
		pthread_cond_wait(&queue->changed, &queue->lock);
	item = queue->first;
	if (item) {
		queue->first = item->next;
		if (!queue->first)
			queue->end = &queue->first;
	}
	pthread_mutex_unlock(&queue->lock);
	return item;
}

static void *work_queue(void *context)
{
	struct queue *queue = context;
	struct queued *item;
	size_t len;

	while ((item = take_item(queue))) {
		len = item->block.len;
		check_item(queue, item);
		pthread_mutex_lock(&queue->lock);
		queue->held -= len;
		pthread_mutex_unlock(&queue->lock);
		tr2_block_release(&item->block);
		free(item);
	}
	return NULL;
}

/* Signals must go to the thread that reads. 0, or an error number. */
static int begin_queue(struct queue *queue, struct tr2_worker *worker)
{
	sigset_t all, before;
	int error;

	*queue = (struct queue){ .worker = worker,
				 .lock = PTHREAD_MUTEX_INITIALIZER,
				 .changed = PTHREAD_COND_INITIALIZER,
				 .end = &queue->first };
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&queue->thread, NULL, work_queue, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static size_t count_held(struct queue *queue)
{
	size_t held;

	pthread_mutex_lock(&queue->lock);
	held = queue->held;
	pthread_mutex_unlock(&queue->lock);
	return held;
}

/*
 * Queue the contents of the block, which is empty afterwards. Only the checking
 * thread uses the log. With `last` it ends, and is freed when this block has
 * been checked.
 */
static void put_block(struct queue *queue, struct tr2_worker_log *log,
		      struct tr2_block *block, bool last)
{
	struct queued *item = tr2_must_grow(NULL, sizeof(*item));

	*item = (struct queued){ .log = log, .block = *block, .last = last };
	*block = (struct tr2_block){ .text = NULL };
	pthread_mutex_lock(&queue->lock);
	queue->held += item->block.len;
	*queue->end = item;
	queue->end = &item->next;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
}

/* Wait until everything is checked. */
static void end_queue(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->ended = true;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
}

/*
 * ---- From bytes to blocks
 */

/* A writer's state. */
struct heard {
	bool ignored;
	enum tr2_log_format format;
	struct tr2_worker_log *log; /* NULL: it has not begun */
	unsigned long dropped;
};

struct listener {
	const struct tr2_socket *socket;
	struct queue queue;
	struct tr2_writers writers;
	struct tr2_buf room;
	unsigned long files, other_files, dropped;
};

static int stop_fd; /* readable when it is time to stop */

static struct heard *find_heard(struct tr2_connection *writer)
{
	if (!writer->state)
		writer->state = tr2_must_zeros(sizeof(struct heard));
	return writer->state;
}

static void name_log(const struct listener *listener,
		     const struct tr2_connection *writer,
		     struct tr2_block *block)
{
	const char *path = listener->socket->address.sun_path;

	block->name = writer->stream
			      ? tr2_text_print("%s#%u", path, writer->number)
			      : tr2_must_copy(path);
}

/* The first lines decide the format of the whole connection. */
static void begin_log(struct listener *listener, struct tr2_connection *writer,
		      struct tr2_block *block)
{
	struct heard *heard = writer->state;

	heard->format = tr2_kind_of(block->text, block->len);
	if (heard->format == TR2_LOG_FXT || heard->format == TR2_LOG_CHROME)
		heard->format = TR2_LOG_UNKNOWN;
	heard->ignored = heard->format == TR2_LOG_UNKNOWN;
	heard->log = tr2_must_zeros(sizeof(*heard->log));
	name_log(listener, writer, block);
	listener->files++;
	listener->other_files += heard->ignored;
}

/* Without a writer, a connection is lost. */
static void drop_lines(void *owner, struct tr2_connection *writer,
		       enum tr2_lost why, uint64_t lines)
{
	struct listener *listener = owner;

	(void)why;
	if (writer)
		find_heard(writer)->dropped += lines;
	listener->dropped += lines;
}

/* Queue lines; if `torn`, the last one has no LF. */
static void put_lines(struct listener *listener, struct tr2_connection *writer,
		      const char *text, size_t len, bool torn)
{
	struct heard *heard = find_heard(writer);
	struct tr2_block block = { .len = len,
				   .room = len,
				   .torn = torn,
				   .datagram = !writer->stream,
				   .visit = writer->number };

	if (heard->ignored)
		return;
	if (count_held(&listener->queue) + len > HELD_MAX) {
		drop_lines(listener, writer, TR2_LOST_ROOM,
			   tr2_text_count_lines(text, len));
		return;
	}
	block.text = tr2_must_grow(NULL, len + TR2_TOKENS_PADDING);
	memcpy(block.text, text, len);
	if (!heard->log)
		begin_log(listener, writer, &block);
	block.format = heard->format;
	block.dropped = heard->dropped;
	heard->dropped = 0;
	put_block(&listener->queue, heard->log, &block, false);
}

/*
 * ---- What writers write
 */

static char *make_room(void *owner, size_t len)
{
	struct tr2_buf *room = &((struct listener *)owner)->room;

	tr2_buf_reset(room);
	tr2_buf_take(room, len);
	tr2_must_hold(room);
	return room->bytes;
}

/*
 * If there is no room for a long line, the next line may still fit. A line that
 * is incomplete when we are told to stop is not a defect.
 */
static void take_lines(void *owner, struct tr2_connection *writer,
		       const char *bytes, size_t len, bool torn)
{
	struct listener *listener = owner;
	const char *lf = len > LONG ? memchr(bytes, '\n', len) : NULL;
	size_t first = lf ? (size_t)(lf + 1 - bytes) : 0;

	if (torn && writer->stream && listener->writers.ending)
		return;
	if (first > LONG && first < len)
		put_lines(listener, writer, bytes, first, false);
	else
		first = 0;
	put_lines(listener, writer, bytes + first, len - first - torn, torn);
}

static void end_log(void *owner, struct tr2_connection *writer)
{
	struct listener *listener = owner;
	struct heard *heard = writer->state;
	struct tr2_block end = { .text = NULL };

	if (heard && heard->log)
		put_block(&listener->queue, heard->log, &end, true);
	free(heard);
}

static const struct tr2_writers_owner calls = {
	.make_room = make_room,
	.take = take_lines,
	.lose = drop_lines,
	.end = end_log,
};

const char *tr2_listen_begin(struct tr2_socket *socket)
{
	tr2_socket_raise_limit();
	stop_fd = tr2_socket_catch_stops(false);
	return stop_fd < 0 ? strerror(errno) : tr2_socket_open(socket);
}

static void receive_all(struct tr2_writers *writers)
{
	tr2_writers_begin(writers);
	while (tr2_writers_wait(writers, stop_fd, -1))
		tr2_writers_read(writers);
	tr2_writers_end(writers);
}

unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *worker)
{
	struct listener *listener = tr2_must_zeros(sizeof(*listener));
	unsigned long dropped;

	listener->socket = socket;
	listener->writers = (struct tr2_writers){
		.command = "validate",
		.sockets = socket,
		.socket_count = 1,
		.calls = &calls,
		.owner = listener,
		.line_most = TR2_LINE_MAX,
		.rests_most = RESTS_MAX,
		.most = UINT32_MAX,
		.others = true,
	};
	if (begin_queue(&listener->queue, worker))
		tr2_memory_out();
	receive_all(&listener->writers);
	tr2_socket_close(socket);
	end_queue(&listener->queue);
	worker->totals.files = listener->files;
	worker->totals.other_files = listener->other_files;
	worker->totals.bytes = listener->writers.bytes;
	dropped = listener->dropped;
	tr2_buf_release(&listener->room);
	free(listener);
	return dropped;
}
