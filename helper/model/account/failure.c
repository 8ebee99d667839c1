#include "model/account/failure.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "model/account/forest.h"
#include "model/account/name.h"
#include "redact/secret/secret.h"

/* Returns the text "index.lock" of "'/r/.git/index.lock': File exists", or 0. */
static uint32_t find_lock_file(struct tr2_rows *rows, const char *text)
{
	const char *end = strstr(text, ".lock'"), *begin;

	if (!end || !strstr(end, "exists"))
		return 0;
	end += strlen(".lock");
	for (begin = end;
	     begin > text && begin[-1] != '/' && begin[-1] != '\'';)
		begin--;
	return tr2_rows_name(rows, begin, (size_t)(end - begin));
}

/*
 * "cannot lock ref 'HEAD': is at 1234 but expected 5678": nobody holds it. Nor
 * does anybody where a directory is missing, or a ref has the name of one.
 */
static uint32_t find_lock(struct tr2_rows *rows, const char *text)
{
	static const struct {
		const char *begin, *within, *lock;
	} kinds[] = {
		{ "could not lock config file", ": File exists",
		  "config.lock" },
		{ "cannot lock references", "", TR2_LOCK_REF },
		{ "cannot lock ref '", " but expected ", TR2_LOCK_MOVED },
	};
	uint32_t lock = find_lock_file(rows, text);
	size_t i;

	for (i = 0; !lock && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(text, kinds[i].begin, strlen(kinds[i].begin)) &&
		    strstr(text, kinds[i].within))
			lock = tr2_rows_word(rows, kinds[i].lock);
	return lock;
}

/* Copy the text, and a NUL. */
static void set_text(struct tr2_buf *to, const char *text, size_t len)
{
	tr2_buf_reset(to);
	tr2_buf_add(to, text, len);
	tr2_must_end(to);
}

void tr2_failure_take_error(struct tr2_forest *forest,
			    struct tr2_summary_process *process,
			    struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_MSG, &len);

	const char *end = text ? memchr(text, '\n', len) : NULL;

	if (!text)
		return;
	if (end)
		len = (size_t)(end - text);
	if (len > TR2_FAILURE_MESSAGE)
		len = TR2_FAILURE_MESSAGE;
	if (process->error.len && !process->cause.len)
		set_text(&process->cause, process->error.bytes,
			 process->error.len - 1);
	set_text(&process->error, text, len);
	if (!process->lock)
		process->lock = find_lock(&forest->rows, process->error.bytes);
}

static bool is_later(const struct tr2_failure *one,
		     const struct tr2_failure *other)
{
	return one->end != other->end ? one->end > other->end
				      : one->key > other->key;
}

/* Count it. True: it is the last one so far. */
static bool count_failure(struct tr2_failure *failure,
			  const struct tr2_failure *other)
{
	const struct tr2_failure before = *failure;

	failure->count += other->count;
	if (before.count && !is_later(other, &before))
		return false;
	*failure = *other;
	failure->count += before.count;
	failure->message = before.message;
	failure->line = before.line;
	failure->error = before.error;
	failure->cause = before.cause;
	failure->is_raw = false;
	return true;
}

void tr2_failure_offer(struct tr2_failure *failure,
		       const struct tr2_failure *other, const char *message)
{
	if (!count_failure(failure, other))
		return;
	tr2_buf_reset(&failure->message);
	tr2_buf_add(&failure->message, message,
		    strnlen(message, TR2_FAILURE_MESSAGE));
	tr2_must_hold(&failure->message);
}

/* These say "no" by exit code 1, which is no failure. */
static bool is_answer(const struct tr2_rows *rows,
		      const struct tr2_summary_process *process,
		      const struct tr2_failure *failure)
{
	static const char askers[] =
		"cat-file check-attr check-ignore config diff diff-files "
		"diff-index diff-tree grep ls-files merge-base rev-parse "
		"show-ref symbolic-ref for-each-repo";

	return !failure->signal && failure->code == 1 && !process->error.len &&
	       tr2_words_list_has(askers,
				  tr2_rows_text(rows, failure->name, NULL));
}

static void copy_text(struct tr2_buf *to, const struct tr2_buf *from)
{
	tr2_buf_reset(to);
	tr2_buf_add(to, from->bytes, from->len);
	if (to->failed)
		tr2_memory_out();
}

/* Only of the last one secrets are searched, in the end. */
static void keep_failure(struct tr2_failure *failures,
			 const struct tr2_failure *failure,
			 const struct tr2_summary_process *process)
{
	if (!count_failure(failures, failure))
		return;
	copy_text(&failures->line, &process->line);
	copy_text(&failures->error, &process->error);
	copy_text(&failures->cause, &process->cause);
	failures->is_raw = true;
}

/* It is printed where others may see it, as in a job's output. */
static uint32_t name_line(struct tr2_rows *rows, const struct tr2_buf *line)
{
	struct tr2_buf shown = TR2_BUF_INIT;

	tr2_secret_hide(&shown, line->bytes, line->len - 1);
	return tr2_rows_take(rows, &shown);
}

/* "failed to write commit object (first: gpg failed to sign the data)" */
static void put_message(struct tr2_failure *failure)
{
	struct tr2_buf *text = &failure->message;
	const struct tr2_buf *error = &failure->error, *cause = &failure->cause;

	tr2_buf_reset(text);
	if (error->len)
		tr2_secret_hide(text, error->bytes, error->len - 1);
	if (cause->len && strcmp(cause->bytes, error->bytes) != 0) {
		tr2_buf_str(text, " (first: ");
		tr2_secret_hide(text, cause->bytes, cause->len - 1);
		tr2_buf_byte(text, ')');
	}
	tr2_must_end(text);
	text->len = strnlen(text->bytes, TR2_FAILURE_MESSAGE);
}

static void show_failure(struct tr2_rows *rows, struct tr2_failure *failure)
{
	if (!failure->is_raw)
		return;
	failure->is_raw = false;
	put_message(failure);
	if (failure->line.len > 1)
		failure->name = name_line(rows, &failure->line);
}

/* It ends with 0, whatever its server said: git goes by its answer. */
static bool hides_failure(const struct tr2_forest *forest,
			  const struct tr2_summary_process *process)
{
	return process->life.self.has_parent && process->error.len &&
	       tr2_name_fits(tr2_rows_text(&forest->rows, process->names.name,
					   NULL),
			     "remote-curl");
}

void tr2_failure_note(struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	const struct tr2_timeline *timeline = &process->life.timeline;
	struct tr2_failure failure = {
		.count = 1,
		.end = process->end,
		.key = process->root,
		.signal = tr2_timeline_signal(timeline),
		.code = tr2_timeline_exit(timeline, 0),
	};

	if (!tr2_timeline_failed(timeline) && !hides_failure(forest, process))
		return;
	if (process->life.self.has_parent) {
		if (process->error.len)
			keep_failure(&forest->inner, &failure, process);
		return;
	}
	failure.name = tr2_name_command(&forest->rows, &process->names);
	if (is_answer(&forest->rows, process, &failure))
		return;
	failure.has_code = timeline->has_code && !failure.signal;
	keep_failure(&forest->failure, &failure, process);
}

/* "expected flush after ref listing (first: RPC failed; HTTP 429)" */
static void add_inner(struct tr2_buf *message, struct tr2_buf *inner)
{
	static const char first[] = " (first: ";
	const char *end;

	if (!message->len) {
		tr2_buf_add(message, inner->bytes, inner->len);
		return;
	}
	end = tr2_text_find(inner->bytes, inner->len, first);
	tr2_buf_byte(inner, '\0');
	inner->len = end ? (size_t)(end - inner->bytes) : inner->len - 1;
	inner->bytes[inner->len] = '\0';
	if (tr2_text_find(message->bytes, message->len, first) ||
	    tr2_text_find(message->bytes, message->len, inner->bytes))
		return;
	tr2_buf_str(message, first);
	tr2_buf_add(message, inner->bytes, inner->len);
	tr2_buf_byte(message, ')');
}

void tr2_failure_settle(struct tr2_forest *forest)
{
	struct tr2_buf *inner = &forest->inner.message;
	struct tr2_failure *failure = &forest->failure;

	show_failure(&forest->rows, &forest->inner);
	show_failure(&forest->rows, failure);
	if (!failure->count || !inner->len || failure->key != forest->inner.key)
		return;
	add_inner(&failure->message, inner);
	tr2_must_hold(&failure->message);
	tr2_must_hold(inner);
}

void tr2_failure_release(struct tr2_failure *failure)
{
	tr2_buf_release(&failure->message);
	tr2_buf_release(&failure->line);
	tr2_buf_release(&failure->error);
	tr2_buf_release(&failure->cause);
}
