/*
 * Lines of git's older tracing, which it prints itself, beside Trace2: it needs
 * no target, and a target gets the message as an event of its own (key.c).
 */
#undef _FORTIFY_SOURCE /* ends a host for its format: %n, or %2$s alone */
#include "trace2.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "destination/value.h"
#include "event/event.h"
#include "event/format.h"
#include "host/gate.h"
#include "host/hold.h"
#include "host/host.h"
#include "host/wait.h"

/* Where messages begin, as git has them. */
#define MESSAGE_COLUMN 40

/* These lines have an account of their own: they are no events. */
static uint64_t waited_ns;

static struct tr2_destination_value value_of(const char *variable)
{
	return tr2_destination_parse(tr2_host->getenv(variable));
}

int trace_older_is_on(const char *variable)
{
	const enum tr2_destination_form form = value_of(variable).form;

	return form == TR2_FORM_DESCRIPTOR || form == TR2_FORM_PATH;
}

static void put_place(struct tr2_buf *out, const char *file, int line)
{
	struct tr2_second local = TR2_SECOND_INIT;
	struct tr2_event event = { .file = file, .line = line };

	event.wall_us = tr2_host->wall_us();
	event.utc_offset = tr2_host->utc_offset(event.wall_us);
	tr2_text_clock(out, &event, &local);
	tr2_text_file_line(out, &event);
	tr2_buf_byte(out, ' ');
	tr2_buf_pad(out, MESSAGE_COLUMN);
}

__attribute__((format(printf, 2, 0))) static void
put_message(struct tr2_buf *out, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0 || tr2_buf_grow(out, (size_t)len + 1))
		return;
	vsnprintf(out->bytes + out->len, (size_t)len + 1, fmt, ap);
	out->len += (size_t)len;
	if (!len || out->bytes[out->len - 1] != '\n')
		tr2_buf_byte(out, '\n');
}

/* A reader that does not read delays the host no longer than a target does. */
static int may_write(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };

	while (poll(&poll_fd, 1, 0) == 0)
		if (!tr2_wait_writable(&waited_ns, fd))
			return 0;
	return 1;
}

/* A pipe that can be written takes so many bytes at once. */
static void write_line(int fd, const struct tr2_buf *line)
{
	size_t at = 0, len;
	ssize_t put = 1;

	for (; at < line->len && put > 0 && may_write(fd); at += (size_t)put) {
		len = line->len - at;
		put = tr2_hold_write(fd, line->bytes + at,
				     len < PIPE_BUF ? len : PIPE_BUF);
	}
}

static void write_to(const struct tr2_destination_value *value,
		     const char *path, const struct tr2_buf *line)
{
	int fd = value->fd;

	if (value->form == TR2_FORM_PATH)
		fd = tr2_host->open(
			path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0666);
	if (fd < 0)
		return;
	write_line(fd, line);
	if (value->form == TR2_FORM_PATH)
		tr2_host->close(fd);
}

__attribute__((format(printf, 4, 0))) static void
print_line(const char *file, int line, const char *variable, const char *fmt,
	   va_list ap)
{
	struct tr2_buf text = TR2_BUF_INIT;
	const struct tr2_destination_value value = value_of(variable);

	if (value.form != TR2_FORM_DESCRIPTOR && value.form != TR2_FORM_PATH)
		return;
	/* The host's open and write may trace themselves. */
	if (!tr2_gate_try(TR2_GATE_OLDER))
		return;
	put_place(&text, file, line);
	put_message(&text, fmt, ap);
	if (!text.failed)
		write_to(&value, tr2_host->getenv(variable), &text);
	tr2_buf_release(&text);
	tr2_gate_open(TR2_GATE_OLDER);
}

void trace_older_printf_fl(const char *file, int line, struct trace2_key *key,
			   const char *fmt, ...)
{
	const int error = errno;
	va_list ap;

	va_start(ap, fmt);
	print_line(file, line, key->variable, fmt, ap);
	va_end(ap);
	va_start(ap, fmt);
	if (__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		trace2_printf_key_va_fl(file, line, key, fmt, ap);
	va_end(ap);
	errno = error;
}
