#include "views/table/event.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"

struct tr2_flat_process *tr2_flat_process_new(const char *sid, size_t len)
{
	struct tr2_flat_process *process = tr2_must_zeros(sizeof(*process));

	tr2_buf_add(&process->sid, sid, len);
	tr2_must_hold(&process->sid);
	return process;
}

void tr2_flat_process_free(struct tr2_flat_process *process)
{
	struct tr2_flat_value *value = process->values.items;
	struct tr2_flat_open *open = process->open.items;

	for (uint32_t i = 0; i < process->values.count; i++)
		tr2_buf_release(&value[i].text);
	for (uint32_t i = 0; i < process->open.count; i++)
		tr2_flat_row_release(&open[i].row);
	tr2_vec_release(&process->values);
	tr2_vec_release(&process->open);
	tr2_buf_release(&process->sid);
	tr2_buf_release(&process->argv);
	free(process);
}

struct pass { /* Of a process: to bytes, or from them. */
	struct tr2_buf *out;
	const char *from; /* if `out` is NULL */
};

static void pass_bytes(struct pass *pass, void *bytes, size_t len)
{
	if (pass->out) {
		tr2_buf_add(pass->out, bytes, len);
		return;
	}
	memcpy(bytes, pass->from, len);
	pass->from += len;
}

/* Its length goes before it. */
static void pass_text(struct pass *pass, struct tr2_buf *text)
{
	size_t len = text->len;

	pass_bytes(pass, &len, sizeof(len));
	if (!pass->out) {
		tr2_buf_add(text, pass->from, len);
		tr2_must_hold(text);
		pass->from += len;
	} else if (len) {
		tr2_buf_add(pass->out, text->bytes, len);
	}
}

static void pass_process(struct pass *pass, struct tr2_flat_process *process)
{
	uint32_t count = process->values.count;
	struct tr2_flat_value *value;

	pass_bytes(pass, &process->facts, sizeof(process->facts));
	pass_text(pass, &process->sid);
	pass_text(pass, &process->argv);
	pass_bytes(pass, &count, sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		value = tr2_vec_reach(&process->values, i, sizeof(*value));
		pass_bytes(pass, &value->number, sizeof(value->number));
		pass_text(pass, &value->text);
	}
}

struct tr2_flat_value *tr2_flat_value_at(struct tr2_flat_process *process,
					 size_t field, size_t count)
{
	while (process->values.count < count)
		tr2_vec_renew(&process->values, process->values.count,
			      sizeof(struct tr2_flat_value));
	return (struct tr2_flat_value *)process->values.items + field;
}

static void join_values(struct tr2_flat_process *process,
			const struct tr2_flat_process *child)
{
	const struct tr2_flat_value *from = child->values.items;
	struct tr2_flat_value *to;

	for (uint32_t i = 0; i < child->values.count; i++) {
		to = tr2_flat_value_at(process, i, child->values.count);
		to->number = tr2_capped_add(to->number, from[i].number);
		if (to->text.len && from[i].text.len)
			tr2_buf_byte(&to->text, ',');
		if (from[i].text.len)
			tr2_buf_add(&to->text, from[i].text.bytes,
				    from[i].text.len);
		tr2_must_hold(&to->text);
	}
}

static void join_error(struct tr2_flat_process *process, uint32_t error,
		       int64_t time)
{
	if (!error || (process->other_error && process->other_time <= time))
		return;
	process->other_error = error;
	process->other_time = time;
}

static void join_process(struct tr2_flat_process *process,
			 const struct tr2_flat_process *other)
{
	process->joined++;
	process->joined_failed += other->facts.failed;
	process->facts.errors += other->facts.errors;
	join_error(process, other->facts.error, other->facts.error_time);
	join_values(process, other);
}

static uint64_t place_of(const struct tr2_flat_join *join, uint32_t number)
{
	const uint64_t *places = join->places.items;

	return number < join->places.count
		       ? places[number]
		       : join->texts.spilled + join->texts.text.len;
}

void tr2_flat_join_keep(struct tr2_flat_join *join,
			struct tr2_flat_process *process)
{
	struct tr2_buf text = TR2_BUF_INIT;

	pass_process(&(struct pass){ .out = &text }, process);
	tr2_must_hold(&text);
	TR2_VEC_COPY(&join->places, uint64_t,
		     tr2_spill_add(&join->texts, text.bytes, text.len));
	tr2_buf_release(&text);
}

/* Returns NULL if its text is lost. */
static struct tr2_flat_process *load_process(struct tr2_flat_join *join,
					     uint32_t number)
{
	uint64_t at = place_of(join, number), end = place_of(join, number + 1);
	struct tr2_flat_process *process = NULL;
	struct tr2_buf text = TR2_BUF_INIT;

	if (tr2_spill_read(&join->texts, at, (size_t)(end - at), &text)) {
		join->failed = true;
	} else {
		tr2_must_hold(&text);
		process = tr2_must_zeros(sizeof(*process));
		pass_process(&(struct pass){ .from = text.bytes }, process);
	}
	tr2_buf_release(&text);
	return process;
}

/* Those below join in the order in which they ended. */
static void join_below(struct tr2_flat_join *join,
		       struct tr2_flat_process *process)
{
	const uint32_t *below = join->below.items;
	struct tr2_flat_process *child;

	for (uint32_t i = join->below.count; i; i--) {
		child = load_process(join, below[i - 1]);
		if (!child)
			return;
		join_process(process, child);
		tr2_flat_process_free(child);
	}
}

static void put_row(struct tr2_flat_join *join)
{
	struct tr2_flat_process *process =
		join->has_root ? load_process(join, join->root.number) : NULL;

	if (process) {
		process->wall = join->root.wall;
		process->self = join->root.self;
		process->waited = join->root.waited;
		join_below(join, process);
		join->put(join->context, process);
		tr2_flat_process_free(process);
	}
	join->below.count = 0;
}

void tr2_flat_join_take(struct tr2_flat_join *join,
			const struct tr2_resolved *resolved)
{
	uint32_t *below;

	if (resolved->is_root) {
		put_row(join);
		join->root = *resolved;
		join->has_root = true;
		return;
	}
	below = tr2_vec_add(&join->below, sizeof(*below));
	*below = resolved->number;
}

void tr2_flat_join_end(struct tr2_flat_join *join)
{
	put_row(join);
	join->has_root = false;
}

void tr2_flat_join_release(struct tr2_flat_join *join)
{
	tr2_spill_release(&join->texts);
	tr2_vec_release(&join->places);
	tr2_vec_release(&join->below);
}
