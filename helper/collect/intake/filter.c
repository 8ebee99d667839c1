#include "collect/intake/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "collect/journal/journal.h"
#include "lib/common/memory.h"
#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "read/origin.h"
#include "redact/redactor/line.h"
#include "rules/known.h"

/*
 * ---- The file of broken lines
 */

static void open_file(struct tr2_aside *aside)
{
	char path[TR2_SEGMENT_PATH];

	snprintf(path, sizeof(path), "%s/broken.log", aside->dir);
	aside->fd = tr2_own_open(path, O_WRONLY | O_APPEND | O_CREAT, 0600,
				 TR2_OWN_PRIVATE);
	if (aside->fd < 0 && !aside->told)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	aside->told = aside->fd < 0;
}

static void close_aside(struct tr2_aside *aside)
{
	if (aside->fd >= 0)
		close(aside->fd);
	aside->fd = -1;
}

/* Returns the size of the file, which is a new one if it was removed. */
static uint64_t find_size(struct tr2_aside *aside)
{
	struct stat st;

	if (aside->fd >= 0 && (fstat(aside->fd, &st) || !st.st_nlink)) {
		close_aside(aside);
		aside->added = 0; /* it went with the file */
	}
	if (aside->fd < 0)
		open_file(aside);
	if (aside->fd < 0 || fstat(aside->fd, &st) || !S_ISREG(st.st_mode))
		return UINT64_MAX;
	return (uint64_t)st.st_size;
}

/* A read begins. */
static void begin_aside(struct tr2_aside *aside)
{
	aside->added = 0;
	aside->refused = false;
}

/* Remove what was added since then: it will come again, or is dropped. */
static void undo_aside(struct tr2_aside *aside)
{
	struct stat st;

	if (!aside->added || aside->fd < 0 || fstat(aside->fd, &st) ||
	    (uint64_t)st.st_size < aside->added)
		return;
	if (ftruncate(aside->fd, st.st_size - (off_t)aside->added))
		close_aside(aside);
	aside->added = 0;
}

/* Append a line. False: it does not fit, or cannot be written. */
static bool keep_aside(struct tr2_aside *aside, const char *line, size_t len)
{
	uint64_t size = find_size(aside);

	aside->refused |= size == UINT64_MAX;
	if (size > aside->limit || aside->limit - size < len)
		return false;
	if (write(aside->fd, line, len) == (ssize_t)len) {
		aside->added += len;
		return true;
	}
	aside->refused = true;
	if (ftruncate(aside->fd, (off_t)size)) /* no half line stays */
		close_aside(aside);
	return false;
}

/*
 * ---- Is a line broken?
 */

/* More sessions than these at a time would take too much memory. */
#define SESSIONS_MOST ((size_t)64 << 10)

/* Only the first error of a line is of interest. */
static void take_error(struct tr2_sink *sink, struct tr2_finding *finding)
{
	struct tr2_judge *judge = sink->owner;

	if (!judge->rule && finding->level == TR2_ERROR && !finding->known &&
	    !tr2_known_find(sink->writer, finding))
		judge->rule = finding->id;
}

void tr2_judge_begin(struct tr2_judge *judge)
{
	*judge = (struct tr2_judge){ .rule = NULL };
	judge->report.totals = &judge->totals;
	tr2_checker_init(&judge->checker, &judge->report);
	judge->checker.alone = true;
	judge->checker.sink.take = take_error;
	judge->checker.sink.owner = judge;
	tr2_checker_begin_file(&judge->checker, "", 1);
}

void tr2_judge_release(struct tr2_judge *judge)
{
	tr2_checker_end_log(&judge->checker);
	tr2_checker_release(&judge->checker);
}

/* Other writers' lines came before, so nothing of them may count here. */
static void forget_lines(struct tr2_judge *judge)
{
	const struct tr2_checker_log *log = judge->checker.log;

	judge->rule = NULL;
	tr2_events_begin_log(&judge->checker.events);
	if (judge->checker.stream.sids.all.count >= SESSIONS_MOST ||
	    log->told.count >= SESSIONS_MOST) {
		tr2_judge_release(judge);
		tr2_judge_begin(judge);
	}
}

const char *tr2_judge_line(struct tr2_judge *judge, const char *line,
			   size_t len)
{
	const struct tr2_line whole = {
		.text = line,
		.len = len,
		.number = 2, /* the first line may have a byte order mark */
		.ended = true,
	};

	forget_lines(judge);
	tr2_checker_line(&judge->checker, &whole);
	return judge->rule;
}

/*
 * ---- Lines
 */

#define KEPT ((size_t)1 << 20) /* memory that stays for the next lines */

/* A tr2_events_fn. The first collector knows the machine. */
static void note_start(void *context, struct tr2_record *record)
{
	struct tr2_line_filter *filter = context;

	filter->is_start = record->is == TR2_IS_START && !tr2_origin_of(record);
}

void tr2_filter_begin(struct tr2_line_filter *filter)
{
	filter->aside.fd = -1;
	filter->starts.take = note_start;
	filter->starts.taker = filter;
	if (filter->redact && !filter->redactor)
		filter->plain = tr2_redactor_open(0, NULL, 0);
	if (!filter->check)
		return;
	filter->judge = tr2_must_zeros(sizeof(*filter->judge));
	tr2_judge_begin(filter->judge);
}

void tr2_filter_end(struct tr2_line_filter *filter)
{
	if (filter->judge)
		tr2_judge_release(filter->judge);
	free(filter->judge);
	if (filter->plain)
		tr2_redactor_close(filter->plain);
	tr2_events_release(&filter->starts);
	close_aside(&filter->aside);
	tr2_buf_release(&filter->in);
	tr2_buf_release(&filter->out);
	tr2_buf_release(&filter->line);
}

static void reset_buffer(struct tr2_buf *buf)
{
	if (buf->room > KEPT)
		tr2_buf_release(buf);
	tr2_buf_reset(buf);
}

char *tr2_filter_room(struct tr2_line_filter *filter, size_t len)
{
	reset_buffer(&filter->in);
	if (tr2_buf_grow(&filter->in, len + TR2_TOKENS_PADDING))
		return NULL;
	return filter->in.bytes;
}

static void count_rule(struct tr2_filter_counts *counts, const char *id)
{
	struct tr2_filter_rule *row = counts->rules;
	const struct tr2_filter_rule *last = row + TR2_FILTER_RULES - 1;

	while (row < last && row->id && strcmp(row->id, id))
		row++;
	if (!row->id)
		row->id = row < last ? id : "other";
	row->lines++;
}

/* A NUL ends a text, so that a secret after it would stay. */
static void replace_nuls(char *line, size_t len)
{
	char *nul;

	while ((nul = memchr(line, '\0', len))) {
		*nul = '?';
		len -= (size_t)(nul - line);
		line = nul;
	}
}

/* Does a string end here that did not begin in the line? */
static bool ends_string(const char *line, const char *quote)
{
	return quote > line && memchr(",:]}", quote[1], 4) &&
	       !memchr(" \t,:=([{'", quote[-1], 9);
}

/* Is it a part of an event whose begin, with names of secrets, is lost? */
static bool is_rest(const char *line, size_t len)
{
	const char *quote = memchr(line, '"', len);

	while (len && memchr(" \t\r", line[len - 1], 3))
		len--;
	while (quote && quote > line && quote[-1] == '\\')
		quote = memchr(quote + 1, '"',
			       len - (size_t)(quote + 1 - line));
	if (!quote || *line == '{')
		return false;
	return line[len - 1] == '}' || ends_string(line, quote) ||
	       (memchr("\",:", *line, 3) && (tr2_text_find(line, len, "\",") ||
					     tr2_text_find(line, len, "\":")));
}

/* Cut the line off the end of `out`: something else is made of it. */
static const struct tr2_buf *take_line(struct tr2_line_filter *filter,
				       size_t start)
{
	struct tr2_buf *out = &filter->out, *line = &filter->line;

	reset_buffer(line);
	tr2_buf_add(line, out->bytes + start, out->len - start);
	out->len = start;
	out->failed |= line->failed;
	return line;
}

static void mark_line(struct tr2_line_filter *filter, size_t start,
		      const char *rule)
{
	const struct tr2_buf *line = take_line(filter, start);
	struct tr2_buf *out = &filter->out;

	tr2_buf_str(out, "{\"broken\":\"");
	tr2_buf_str(out, rule);
	tr2_buf_str(out, "\",\"line\":\"");
	tr2_json_escape(out, line->bytes, line->len);
	tr2_buf_str(out, "\"}");
}

/* A whole event alone. The line gets the padding that a reader needs. */
static bool is_start(struct tr2_line_filter *filter, size_t start)
{
	struct tr2_buf *out = &filter->out;
	struct tr2_line whole = { .number = 2, .ended = true };

	if (!filter->attributes || out->len == start ||
	    !tr2_text_find(out->bytes + start, out->len - start, "\"start\""))
		return false;
	tr2_buf_fill(out, '\0', TR2_TOKENS_PADDING);
	if (out->failed)
		return false;
	out->len -= TR2_TOKENS_PADDING;
	whole.text = out->bytes + start;
	whole.len = out->len - start;
	filter->is_start = false;
	tr2_events_begin_log(&filter->starts);
	return tr2_events_line(&filter->starts, &whole) && filter->is_start;
}

static void add_attributes(struct tr2_line_filter *filter, size_t start)
{
	const struct tr2_buf *line = take_line(filter, start);

	tr2_origin_put(&filter->out, line->bytes, line->len,
		       filter->attributes);
}

/* The line has its LF. */
static void set_aside(struct tr2_line_filter *filter, size_t start)
{
	struct tr2_buf *out = &filter->out;

	if (keep_aside(&filter->aside, out->bytes + start, out->len - start))
		filter->counts.aside++;
	else
		filter->counts.unkept++;
	out->len = start;
}

/* The line without its secrets is the end of `out`. */
static void place_line(struct tr2_line_filter *filter, size_t start,
		       const char *rule)
{
	const bool aside = rule && filter->check == TR2_FILTER_ASIDE;

	if (rule && filter->check == TR2_FILTER_MARK)
		mark_line(filter, start, rule);
	else if (!aside && is_start(filter, start))
		add_attributes(filter, start);
	tr2_buf_byte(&filter->out, '\n');
	if (!aside)
		filter->lines++;
	else if (!filter->out.failed)
		set_aside(filter, start);
}

/* Put the line without its secrets. False: nobody knows where they are. */
static bool put_redacted(struct tr2_line_filter *filter, char *line, size_t len)
{
	line[len] = '\0';
	replace_nuls(line, len);
	return !is_rest(line, len) &&
	       tr2_redactor_any(filter->plain, line, len, &filter->out);
}

/* Put the line with placeholders. False: it is no event. */
static bool put_hidden(struct tr2_line_filter *filter, const char *line,
		       size_t len)
{
	const char *hidden = tr2_redactor_line(filter->redactor, line, &len);

	if (hidden)
		tr2_buf_add(&filter->out, hidden, len);
	return hidden;
}

/* False: the line must not go on. */
static bool hide_what_is_wanted(struct tr2_line_filter *filter, char *line,
				size_t len)
{
	const struct tr2_buf *out = &filter->out;
	const size_t start = out->len;
	bool known = true;

	if (filter->redactor)
		known = put_hidden(filter, line, len);
	else if (filter->redact)
		known = put_redacted(filter, line, len);
	else
		tr2_buf_add(&filter->out, line, len);
	filter->counts.unknown += !known;
	filter->counts.redacted += known && !out->failed &&
				   (out->len - start != len ||
				    memcmp(out->bytes + start, line, len));
	return known;
}

/* An LF follows the line. */
static void filter_line(struct tr2_line_filter *filter, char *line, size_t len)
{
	const size_t start = filter->out.len;
	const char *rule = NULL;

	if (filter->judge)
		rule = tr2_judge_line(filter->judge, line, len);
	if (rule)
		count_rule(&filter->counts, rule);
	if (hide_what_is_wanted(filter, line, len))
		place_line(filter, start, rule);
	else
		filter->out.len = start;
}

bool tr2_filter_lines(struct tr2_line_filter *filter, size_t len)
{
	char *line = filter->in.bytes, *end = line + len, *lf;

	reset_buffer(&filter->out);
	filter->lines = 0;
	filter->before = filter->counts;
	begin_aside(&filter->aside);
	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		filter_line(filter, line, (size_t)(lf - line));
	}
	return !filter->out.failed;
}

void tr2_filter_undo(struct tr2_line_filter *filter)
{
	filter->counts = filter->before;
	undo_aside(&filter->aside);
}
