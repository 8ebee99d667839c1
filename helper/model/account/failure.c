#include "model/account/forest.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "model/account/name.h"
#include "model/account/resolve.h"
#include "redact/secret/secret.h"

static void copy_text(struct tr2_buf *to, const struct tr2_buf *from)
{
	tr2_buf_reset(to);
	tr2_buf_add(to, from->bytes, from->len);
	tr2_must_hold(to);
}

static bool is_later(const struct tr2_failure *one,
		     const struct tr2_failure *other)
{
	if (one->end != other->end)
		return one->end > other->end;
	return one->begun != other->begun ? one->begun > other->begun
					  : one->key > other->key;
}

/* Become the other one, without its texts. */
static void become_failure(struct tr2_failure *failure,
			   const struct tr2_failure *other)
{
	const struct tr2_failure before = *failure;

	*failure = *other;
	failure->message = before.message;
	failure->line = before.line;
	failure->error = before.error;
	failure->cause = before.cause;
	failure->is_raw = false;
}

/* Count it. True: it is the last one so far. */
static bool count_failure(struct tr2_failure *failure,
			  const struct tr2_failure *other)
{
	const uint64_t before = failure->count;

	failure->count += other->count;
	if (before && !is_later(other, failure))
		return false;
	become_failure(failure, other);
	failure->count += before;
	return true;
}

static void end_message(struct tr2_buf *text)
{
	tr2_must_end(text);
	text->len = tr2_text_cut(text->bytes, strlen(text->bytes),
				 TR2_FAILURE_MESSAGE);
	text->bytes[text->len] = '\0';
}

void tr2_failure_offer(struct tr2_failure *failure,
		       const struct tr2_failure *other, const char *message)
{
	if (!count_failure(failure, other))
		return;
	tr2_buf_reset(&failure->message);
	tr2_buf_str(&failure->message, message);
	end_message(&failure->message);
}

/*
 * These say "no" by exit code 1, and `config` that there is nothing to unset by
 * 5, which is no failure. What another program says in their place may be one.
 */
static bool is_answer(const struct tr2_rows *rows,
		      const struct tr2_failure *failure, bool speaks,
		      bool is_replaced)
{
	static const char askers[] =
		"cat-file check-attr check-ignore check-ref-format config diff "
		"diff-files diff-index diff-tree grep ls-files merge-base "
		"merge-tree rev-parse show-ref symbolic-ref update-index "
		"for-each-repo";
	const char *name = tr2_rows_text(rows, failure->name, NULL);

	return !failure->signal && !speaks &&
	       (failure->code == 5
			? !strcmp(name, "config")
			: failure->code == 1 &&
				  (is_replaced ||
				   tr2_words_list_has(askers, name)));
}

/* Only of the last one secrets are searched, in the end. */
static void keep_texts(struct tr2_failure *failure,
		       const struct tr2_summary_process *process)
{
	copy_text(&failure->line, &process->line);
	copy_text(&failure->error, &process->error);
	copy_text(&failure->cause, &process->cause);
	failure->is_raw = true;
}

#define INNER_MOST 32 /* of the last ones one is the cause */

static void keep_inner(struct tr2_vec *inner, const struct tr2_failure *failure,
		       const struct tr2_summary_process *process)
{
	struct tr2_failure *one, *first = inner->items;
	uint32_t i;

	if (inner->count < INNER_MOST) {
		first = tr2_vec_renew(inner, inner->count, sizeof(*first));
	} else {
		for (i = 1, one = first + 1; i < inner->count; i++, one++)
			first = is_later(first, one) ? one : first;
		if (!is_later(failure, first))
			return;
	}
	become_failure(first, failure);
	keep_texts(first, process);
}

/* It is printed where others may see it, as in a job's output. */
static uint32_t name_line(struct tr2_rows *rows, const struct tr2_buf *line)
{
	struct tr2_buf shown = TR2_BUF_INIT;

	tr2_secret_hide(&shown, line->bytes, line->len - 1);
	return tr2_rows_take(rows, &shown);
}

#define PIPE_SIGNAL 13 /* SIGPIPE, of which git alone writes an event */

/* "failed to write commit object (first: gpg failed to sign the data)" */
static void put_message(struct tr2_failure *failure)
{
	struct tr2_buf *text = &failure->message;
	const struct tr2_buf *error = &failure->error, *cause = &failure->cause;

	tr2_buf_reset(text);
	if (error->len)
		tr2_secret_hide(text, error->bytes, error->len - 1);
	else if (failure->signal == PIPE_SIGNAL)
		tr2_buf_str(text, "whoever read its output was gone");
	if (cause->len && strcmp(cause->bytes, error->bytes) != 0) {
		tr2_buf_str(text, " (first: ");
		tr2_secret_hide(text, cause->bytes, cause->len - 1);
		tr2_buf_byte(text, ')');
	}
	end_message(text);
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

/*
 * By the clock of its last line: its length may count from long before its
 * first one. One that executed a program ends with that. Without times the order of lines tells which is later.
 */
static int64_t find_end(const struct tr2_summary_process *process)
{
	if (process->life.timeline.is_replaced)
		return process->life.self.end;
	if (process->life.self.timed)
		return process->life.timeline.latest;
	return process->line_at ? process->line_at : process->life.self.end;
}

void tr2_failure_note(struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	const struct tr2_timeline *timeline = &process->life.timeline;
	struct tr2_failure failure = {
		.count = 1,
		.end = find_end(process),
		.said = process->error.len && !process->error_is_late
				? process->life.self.begin + process->error_at
				: find_end(process),
		.key = process->root,
		.number = forest->ended.count - 1,
		.signal = tr2_timeline_signal(timeline),
		.code = tr2_timeline_exit(timeline, 0),
	};

	if (!process->life.self.timed)
		failure.said = failure.number;
	if (!tr2_timeline_failed(timeline) && !hides_failure(forest, process))
		return;
	failure.name = process->command;
	if (process->life.self.has_parent) {
		failure.end = failure.said;
		if (process->error.len)
			keep_inner(&forest->inner, &failure, process);
		return;
	}
	if (is_answer(&forest->rows, &failure, process->error.len,
		      timeline->is_replaced))
		return;
	failure.has_code = timeline->has_code && !failure.signal;
	failure.begun = timeline->base;
	if (count_failure(&forest->failure, &failure))
		keep_texts(&forest->failure, process);
}

/* Is it git, and no hook, script or filter, which has words of its own? */
static bool is_own(const struct tr2_forest *forest, uint32_t call)
{
	static const char *const heads[] = { "git ", "git-remote-",
					     "git-upload-",
					     "git-receive-pack" };
	const struct tr2_row *row;
	const char *class, *name;

	if (call == TR2_TREE_NONE)
		return false;
	row = tr2_rows_at(&forest->rows, tr2_kept_call_at(forest, call)->row);
	class = tr2_rows_text(&forest->rows, row->name[0], NULL);
	name = tr2_rows_text(&forest->rows, row->name[1], NULL);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(name, heads[i], strlen(heads[i])))
			return true;
	return !strncmp(class, "transport/", 10);
}

/*
 * May the script have ended because of this process? None that it ran ended
 * later, and it passed on the code, of which a system may keep 8 bits.
 */
static bool ends_script(const struct tr2_forest *forest, uint32_t number,
			int32_t code)
{
	const struct tr2_tree_process *process = forest->tree.processes.items;
	const struct tr2_tree_call *calls = forest->tree.calls.items;
	const uint32_t call = process[number].call;
	const bool is_child = call != TR2_TREE_NONE &&
			      calls[call].kind != TR2_CALL_EXEC;

	if ((code ^ (is_child ? tr2_kept_call_at(forest, call)->code
			      : (int32_t)forest->failure.code)) &
	    0xff)
		return false;
	for (uint32_t i = 0; i < forest->tree.processes.count; i++)
		if (process[i].call == call &&
		    process[i].caller == process[number].caller &&
		    (process[i].timed ? process[i].end > process[number].end
				      : i > number))
			return false;
	return true;
}

/* Does its end tell why the last command failed? */
static bool explains_failure(const struct tr2_forest *forest,
			     const struct tr2_failure *inner, bool speaks)
{
	const struct tr2_failure *outer = &forest->failure;
	const struct tr2_tree_process *process = forest->tree.processes.items;
	const struct tr2_kept *ended = forest->ended.items;
	uint32_t number = inner->number, call;
	int32_t code = ended[number].code;

	if (inner->key != outer->key || inner->end > outer->said)
		return false;
	while (process[number].caller != TR2_TREE_NONE) {
		call = process[number].call;
		if (!is_own(forest, call) &&
		    (speaks || !ends_script(forest, number, code)))
			return false;
		number = process[number].caller;
		/* What another program replaced ends with its code. */
		if (call == TR2_TREE_NONE ||
		    tr2_tree_call_at(&forest->tree, call)->kind !=
			    TR2_CALL_EXEC)
			code = ended[number].code;
	}
	return true;
}

/* Who reads a pack says this if the other side ended before it was whole. */
static bool saw_end(const struct tr2_failure *failure)
{
	return !strcmp(failure->error.bytes, "early EOF");
}

/*
 * Of two that failed one after the other the second one counts, but if it only
 * passes on what the first one said.
 */
static bool passes_on(const struct tr2_forest *forest,
		      const struct tr2_failure *first,
		      const struct tr2_failure *second)
{
	const struct tr2_tree_process *process = forest->tree.processes.items;
	uint32_t number = first->number;

	if (saw_end(second))
		return true;
	if (tr2_name_fits(tr2_rows_text(&forest->rows, first->name, NULL),
			  "remote-curl"))
		return tr2_words_list_has(
			"index-pack unpack-objects fetch-pack send-pack "
			"remote-curl",
			tr2_rows_text(&forest->rows, second->name, NULL));
	while (number != second->number && number != TR2_TREE_NONE)
		number = process[number].caller;
	return number != TR2_TREE_NONE;
}

/* By when they spoke, in whatever order the files came. */
static int compare_words(const void *left, const void *right)
{
	const struct tr2_failure *a = left, *b = right;
	int order = is_later(a, b) - is_later(b, a);

	return order ? order : strcmp(a->error.bytes, b->error.bytes);
}

/* Its last words, unless these are told already; curl's come before git's. */
static const struct tr2_buf *choose_text(const struct tr2_failure *inner,
					 const struct tr2_buf *told)
{
	const struct tr2_buf *cause = &inner->cause;

	return cause->len && (!strncmp(cause->bytes, "RPC failed", 10) ||
			      !strcmp(inner->error.bytes, told->bytes))
		       ? cause
		       : &inner->error;
}

/* A command without a word of its own has the last one that was said. */
static void find_cause(struct tr2_forest *forest)
{
	const struct tr2_failure *one = forest->inner.items, *found = NULL;
	struct tr2_failure *failure = &forest->failure;
	const bool speaks = failure->error.len;

	tr2_vec_sort(&forest->inner, sizeof(*one), compare_words);
	for (uint32_t i = 0; i < forest->inner.count; i++, one++) {
		if (!explains_failure(forest, one, speaks))
			continue;
		if (!speaks)
			copy_text(&failure->error, &one->error);
		if (!found || !passes_on(forest, found, one))
			found = one;
	}
	if (found)
		copy_text(&failure->cause, choose_text(found, &failure->error));
}

void tr2_failure_settle(struct tr2_forest *forest)
{
	struct tr2_failure *failure = &forest->failure;

	if (!failure->is_raw)
		return;
	failure->is_raw = false;
	find_cause(forest);
	put_message(failure);
	tr2_kept_find_refusal(forest);
	if (failure->line.len > 1)
		failure->name = name_line(&forest->rows, &failure->line);
}

void tr2_failure_release(struct tr2_failure *failure)
{
	tr2_buf_release(&failure->message);
	tr2_buf_release(&failure->line);
	tr2_buf_release(&failure->error);
	tr2_buf_release(&failure->cause);
}
