#include "views/table/process.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"

struct tr2_flat_process *tr2_flat_process_new(const char *sid, size_t len)
{
	struct tr2_flat_process *process = tr2_must_zeros(sizeof(*process));

	tr2_buf_add(&process->sid, sid, len);
	if (process->sid.failed)
		tr2_memory_out();
	return process;
}

void tr2_flat_process_free(struct tr2_flat_process *process)
{
	struct tr2_flat_value *value = process->values.items;
	struct tr2_flat_region *region = process->regions.items;
	uint32_t i;

	for (i = 0; i < process->values.count; i++)
		tr2_buf_release(&value[i].text);
	for (i = 0; i < process->regions.count; i++)
		free(region[i].msg);
	tr2_vec_release(&process->values);
	tr2_vec_release(&process->regions);
	tr2_vec_release(&process->children);
	tr2_buf_release(&process->sid);
	tr2_buf_release(&process->argv);
	free(process);
}

/* Its length goes before it. */
static void write_text(struct tr2_buf *out, const struct tr2_buf *text)
{
	tr2_buf_add(out, &text->len, sizeof(text->len));
	if (text->len)
		tr2_buf_add(out, text->bytes, text->len);
}

void tr2_flat_process_write(struct tr2_buf *out,
			    const struct tr2_flat_process *process)
{
	const struct tr2_flat_value *value = process->values.items;
	uint32_t i;

	tr2_buf_add(out, &process->facts, sizeof(process->facts));
	write_text(out, &process->sid);
	write_text(out, &process->argv);
	tr2_buf_add(out, &process->values.count, sizeof(process->values.count));
	for (i = 0; i < process->values.count; i++) {
		tr2_buf_add(out, &value[i].number, sizeof(value[i].number));
		write_text(out, &value[i].text);
	}
	if (out->failed)
		tr2_memory_out();
}

static void read_bytes(void *to, const char **from, size_t len)
{
	memcpy(to, *from, len);
	*from += len;
}

static void read_text(struct tr2_buf *text, const char **from)
{
	size_t len;

	read_bytes(&len, from, sizeof(len));
	tr2_buf_add(text, *from, len);
	if (text->failed)
		tr2_memory_out();
	*from += len;
}

struct tr2_flat_process *tr2_flat_process_read(const char *bytes)
{
	struct tr2_flat_process *process = tr2_must_zeros(sizeof(*process));
	struct tr2_flat_value *value;
	uint32_t count, i;

	read_bytes(&process->facts, &bytes, sizeof(process->facts));
	read_text(&process->sid, &bytes);
	read_text(&process->argv, &bytes);
	read_bytes(&count, &bytes, sizeof(count));
	for (i = 0; i < count; i++) {
		value = tr2_vec_renew(&process->values, i, sizeof(*value));
		read_bytes(&value->number, &bytes, sizeof(value->number));
		read_text(&value->text, &bytes);
	}
	return process;
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
	uint32_t i;

	for (i = 0; i < child->values.count; i++) {
		to = tr2_flat_value_at(process, i, child->values.count);
		to->number = tr2_capped_add(to->number, from[i].number);
		if (to->text.len && from[i].text.len)
			tr2_buf_byte(&to->text, ',');
		if (from[i].text.len)
			tr2_buf_add(&to->text, from[i].text.bytes,
				    from[i].text.len);
		if (to->text.failed)
			tr2_memory_out();
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

void tr2_flat_process_join(struct tr2_flat_process *process,
			   const struct tr2_flat_process *other)
{
	process->joined++;
	process->joined_failed += other->facts.failed;
	process->facts.errors += other->facts.errors;
	join_error(process, other->facts.error, other->facts.error_time);
	join_values(process, other);
}
