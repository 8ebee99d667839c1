#define _GNU_SOURCE /* fopencookie is not of POSIX */
#include "lib/files/ready.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* A pipe or a socket that poll(2) calls writable takes so many at once. */
#define BYTES_AT_ONCE ((size_t)4096)

static int await_descriptor(int fd, short events, int timeout_ms)
{
	struct pollfd polls = { .fd = fd, .events = events };
	int ready;

	do
		ready = poll(&polls, 1, timeout_ms);
	while (ready < 0 && errno == EINTR);
	return ready;
}

/* After a failure: wait if it is only a matter of time. */
static bool may_retry(int fd, short events)
{
	if (errno == EINTR)
		return true;
	return (errno == EAGAIN || errno == EWOULDBLOCK) &&
	       await_descriptor(fd, events, -1) > 0;
}

ssize_t tr2_ready_read(int fd, void *bytes, size_t room)
{
	ssize_t got;

	do
		got = read(fd, bytes, room);
	while (got < 0 && may_retry(fd, POLLIN));
	return got;
}

size_t tr2_ready_write(int fd, const void *bytes, size_t len)
{
	size_t done = 0;
	ssize_t put;

	while (done < len) {
		put = write(fd, (const char *)bytes + done, len - done);
		if (put < 0 && !may_retry(fd, POLLOUT))
			break;
		done += put > 0 ? (size_t)put : 0;
	}
	return done;
}

/*
 * ---- Streams
 */

#ifdef __GLIBC__

struct outlet {
	int fd;
	bool keeps;
	struct tr2_buf kept; /* bytes that the reader has not taken */
	size_t lost;	     /* bytes for which there was no room */
};

static char room[TR2_READY_KEPT];
static struct outlet standard_output = { .fd = STDOUT_FILENO };
static struct outlet standard_error = { .fd = STDERR_FILENO,
					.kept = TR2_BUF_FIXED(room) };

/*
 * Write what was kept, as long as the reader takes something within the time.
 */
static void offer_kept(struct outlet *outlet, int timeout_ms)
{
	struct tr2_buf *kept = &outlet->kept;
	ssize_t put = 0;

	while (put >= 0 && kept->len &&
	       await_descriptor(outlet->fd, POLLOUT, timeout_ms) > 0) {
		put = write(outlet->fd, kept->bytes,
			    kept->len < BYTES_AT_ONCE ? kept->len
						      : BYTES_AT_ONCE);
		if (put <= 0)
			continue;
		kept->len -= (size_t)put;
		memmove(kept->bytes, kept->bytes + put, kept->len);
	}
}

static ssize_t keep_bytes(struct outlet *outlet, const char *bytes, size_t len)
{
	offer_kept(outlet, 0);
	tr2_buf_add(&outlet->kept, bytes, len);
	if (outlet->kept.failed)
		outlet->lost += len;
	outlet->kept.failed = 0;
	offer_kept(outlet, 0);
	return (ssize_t)len;
}

/* A function of fopencookie(3): less than `len` means a failure. */
static ssize_t put_bytes(void *context, const char *bytes, size_t len)
{
	struct outlet *outlet = context;

	return outlet->keeps ? keep_bytes(outlet, bytes, len)
			     : (ssize_t)tr2_ready_write(outlet->fd, bytes, len);
}

static FILE *open_stream(struct outlet *outlet, int mode)
{
	const cookie_io_functions_t functions = { .write = put_bytes };
	struct stat status;
	FILE *stream = NULL;

	if (!fstat(outlet->fd, &status) && !S_ISREG(status.st_mode))
		stream = fopencookie(outlet, "w", functions);
	if (stream)
		setvbuf(stream, NULL, mode, BUFSIZ);
	return stream;
}

void tr2_ready_adopt_streams(void)
{
	int mode = isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF;
	FILE *out = open_stream(&standard_output, mode);
	FILE *err = open_stream(&standard_error, _IONBF);

	stdout = out ? out : stdout;
	stderr = err ? err : stderr;
}

void tr2_ready_keep_errors(void)
{
	standard_error.keeps = true;
}

void tr2_ready_end_errors(int timeout_ms)
{
	struct outlet *outlet = &standard_error;
	size_t lost = outlet->lost;

	offer_kept(outlet, timeout_ms);
	if (!lost || outlet->kept.len)
		return;
	outlet->lost = 0;
	fprintf(stderr,
		"trace2: %zu bytes of messages were lost: nobody read them\n",
		lost);
}

#else

/* Other C libraries do not let a program replace its streams. */

void tr2_ready_adopt_streams(void)
{
}

void tr2_ready_keep_errors(void)
{
}

void tr2_ready_end_errors(int timeout_ms)
{
	(void)timeout_ms;
}

#endif
