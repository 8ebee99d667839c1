/* What runs of sweep left: line by line. */
#define _GNU_SOURCE
#include <string.h>

#include "sweep.h"

int sweep_is_equal(const struct tr2_buf *one, const struct tr2_buf *other)
{
	return one->len == other->len &&
	       (!one->len || !memcmp(one->bytes, other->bytes, one->len));
}

static size_t line_len(const char *at, const char *end)
{
	const char *lf = memchr(at, '\n', (size_t)(end - at));

	return (size_t)(lf ? lf + 1 - at : end - at);
}

/*
 * What may come in addition: the report of drops, and on standard error
 * that settings could not be read.
 */
static int is_told(const char *line, size_t len)
{
	static const char drops[] = "trace2: events dropped: ";
	static const char config[] = "warning: unable to access ";

	return memmem(line, len, drops, strlen(drops)) ||
	       (len > strlen(config) && !memcmp(line, config, strlen(config)));
}

static const char *skip_told(const char *at, const char *end)
{
	while (at < end && is_told(at, line_len(at, end)))
		at += line_len(at, end);
	return at;
}

/* There may be none. */
static const char *text_of(const struct tr2_buf *buf)
{
	return buf->len ? buf->bytes : "";
}

int sweep_is_part(const struct tr2_buf *part, const struct tr2_buf *whole,
		  int all)
{
	const char *at = text_of(part), *end = at + part->len;
	const char *want = text_of(whole), *want_end = want + whole->len;

	at = skip_told(at, end);
	want = skip_told(want, want_end);
	while (at < end && want < want_end) {
		size_t len = line_len(at, end);
		size_t want_len = line_len(want, want_end);

		if (want_len == len && !memcmp(at, want, len))
			at = skip_told(at + len, end);
		else if (all)
			return 0;
		want = skip_told(want + want_len, want_end);
	}
	return at == end && (!all || want == want_end);
}

static int has_whole_lines(const struct tr2_buf *text)
{
	return !text->len || text->bytes[text->len - 1] == '\n';
}

/* In EVENT every line is an object. */
static int has_objects(const struct tr2_buf *text)
{
	const char *at = text_of(text), *end = at + text->len;

	while (at < end) {
		size_t len = line_len(at, end);

		if (len < 12 || memcmp(at, "{\"event\":\"", 10) ||
		    at[len - 2] != '}')
			return 0;
		at += len;
	}
	return 1;
}

int sweep_processes(const struct tr2_buf *event)
{
	static const char begin[] = "{\"event\":\"version\"";
	const char *at = event->bytes, *end = at + event->len;
	int count = 0;

	while (event->len && at < end) {
		size_t len = line_len(at, end);

		count += len > strlen(begin) &&
			 !memcmp(at, begin, strlen(begin));
		at += len;
	}
	return count;
}

/* Each process of several may lose another target. */
static int is_one_cut(const struct sweep_seen *seen,
		      const struct sweep_seen *good)
{
	int several = sweep_processes(&good->target[SWEEP_TARGETS - 1]) > 1;
	int cut = 0, i;

	for (i = 0; i < SWEEP_TARGETS; i++) {
		if (!sweep_is_part(&seen->target[i], &good->target[i], 0))
			return 0;
		cut += !sweep_is_part(&seen->target[i], &good->target[i], 1);
	}
	return several || cut <= 1;
}

static int are_same(const struct sweep_seen *seen,
		    const struct sweep_seen *good)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++)
		if (!sweep_is_equal(&seen->target[i], &good->target[i]))
			return 0;
	return 1;
}

static int are_whole(const struct sweep_seen *seen)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++)
		if (!has_whole_lines(&seen->target[i]))
			return 0;
	return has_objects(&seen->target[SWEEP_TARGETS - 1]);
}

int sweep_is_as(const struct sweep_seen *seen, const struct sweep_seen *good,
		enum sweep_outcome outcome)
{
	switch (outcome) {
	case SWEEP_SAME:
		return are_same(seen, good);
	case SWEEP_ONE_IS_CUT:
		return are_whole(seen) && is_one_cut(seen, good);
	case SWEEP_WHOLE:
		return are_whole(seen);
	case SWEEP_ANYTHING:
		break;
	}
	return 1;
}
