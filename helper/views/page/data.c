#include "views/page/spans.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "views/result/result.h"
#include "lib/text/foreign.h"
#include "lib/text/object.h"

void tr2_page_put_number(struct page_data *data, int64_t value)
{
	tr2_object_next(data->out);
	tr2_buf_int(data->out, value);
}

static void add_number(struct tr2_vec *vec, uint32_t value)
{
	*(uint32_t *)tr2_vec_add(vec, sizeof(value)) = value;
}

static uint32_t place_text(struct page_data *data, uint32_t number)
{
	if (number && !data->places[number]) {
		data->places[number] = data->used.count;
		add_number(&data->used, number);
	}
	return number ? data->places[number] : 0;
}

void tr2_page_put_text(struct page_data *data, uint32_t number)
{
	tr2_page_put_number(data, place_text(data, number));
}

/* Returns the place of these numbers in the list of kinds. */
static uint32_t place_kind(struct page_data *data, struct tr2_vec *list,
			   const uint32_t *numbers, uint32_t count)
{
	struct tr2_map_slot *slot = tr2_map_enter(
		&data->kinds,
		tr2_hash((const char *)numbers, count * sizeof(*numbers)).a |
			1);

	if (!slot->value) {
		slot->value = list->count / count + UINT64_C(1);
		for (uint32_t i = 0; i < count; i++)
			add_number(list, numbers[i]);
	}
	return (uint32_t)(slot->value - 1);
}

/* Those that have no time begin with the page. */
static int64_t find_start(const struct page_data *data,
			  const struct tr2_page_process *process)
{
	return process->timed ? process->base - data->spans->first : 0;
}

static int64_t find_wall(const struct page_data *data)
{
	const struct tr2_page_process *process = data->spans->processes.items;
	int64_t wall = 0;

	for (uint32_t i = 0; i < data->spans->processes.count; i++, process++)
		wall = tr2_most(wall, find_start(data, process) + process->now -
					      process->base);
	return wall;
}

static void put_process(struct page_data *data,
			const struct tr2_page_process *process)
{
	const uint32_t texts[] = {
		process->sid,	     process->names.name,
		process->names.mode, process->names.words,
		process->argv,	     process->names.version
	};
	const struct tr2_page_place *span = &process->span;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		tr2_page_put_text(data, texts[i]);
	tr2_page_put_number(data, find_start(data, process));
	tr2_page_put_number(data, process->now - process->base);
	tr2_page_put_number(data, process->code);
	tr2_page_put_number(data, process->ended);
	tr2_page_put_number(data, process->timed);
	tr2_page_put_number(data, (int32_t)process->caller);
	tr2_page_put_number(
		data,
		process->runs_in_span
			? tr2_page_thread_at(data->spans, span->thread)->first +
				  (int64_t)span->at
			: -1);
	tr2_page_put_number(data, process->signal);
}

static void put_processes(struct page_data *data)
{
	const struct tr2_page_process *process = data->spans->processes.items;

	tr2_object_open(data->out, "processes", '[');
	for (uint32_t i = 0; i < data->spans->processes.count; i++)
		put_process(data, process + i);
	tr2_buf_byte(data->out, ']');
}

static void put_threads(struct page_data *data)
{
	struct tr2_page_thread *thread = data->spans->threads.items;
	uint32_t first = 0;

	tr2_object_open(data->out, "threads", '[');
	for (uint32_t i = 0; i < data->spans->threads.count; i++, thread++) {
		thread->first = first;
		first += thread->spans.count;
		tr2_page_put_number(data, thread->process);
		tr2_page_put_text(data, thread->name);
		tr2_page_put_number(data, thread->spans.count);
		tr2_page_put_number(data, thread->marks.count);
	}
	tr2_buf_byte(data->out, ']');
}

static int64_t find_length(const struct page_data *data,
			   const struct tr2_page_thread *thread,
			   const struct tr2_page_span *span)
{
	const struct tr2_page_process *process =
		tr2_page_process_at(data->spans, thread->process);

	if (!span->ends_last)
		return span->length;
	return tr2_most(process->now - process->base - span->start, 0);
}

static void put_spans_of(struct page_data *data,
			 const struct tr2_page_thread *thread)
{
	const struct tr2_page_span *span = thread->spans.items;
	int64_t before = 0;
	uint32_t what[3];

	for (uint32_t i = 0; i < thread->spans.count; i++, span++) {
		tr2_page_put_number(data, span->start - before);
		before = span->start;
		tr2_page_put_number(data, find_length(data, thread, span));
		what[0] = span->kind;
		what[1] = place_text(data, span->first);
		what[2] = place_text(data, span->second);
		tr2_page_put_number(data,
				    place_kind(data, &data->whats, what, 3));
	}
}

static void put_marks_of(struct page_data *data,
			 const struct tr2_page_thread *thread)
{
	const struct tr2_page_mark *mark = thread->marks.items;
	int64_t before = 0;
	uint32_t key[2];

	for (uint32_t i = 0; i < thread->marks.count; i++, mark++) {
		tr2_page_put_number(data, mark->time - before);
		before = mark->time;
		key[0] = place_text(data, mark->category);
		key[1] = place_text(data, mark->key);
		tr2_page_put_number(data,
				    place_kind(data, &data->keys, key, 2));
		tr2_page_put_text(data, mark->value);
	}
}

/* Few spans have any of this. */
static void put_few_of(struct page_data *data,
		       const struct tr2_page_thread *thread)
{
	const struct tr2_page_span *span = thread->spans.items;

	for (uint32_t i = 0; i < thread->spans.count; i++, span++) {
		if (!span->note && !span->code && !span->unclosed)
			continue;
		tr2_page_put_number(data, thread->first + i);
		tr2_page_put_text(data, span->note);
		tr2_page_put_number(data, span->code);
		tr2_page_put_number(data, span->unclosed);
	}
}

/* Put what all threads have, one after the other. */
static void put_of_threads(struct page_data *data)
{
	static const struct {
		const char *name;
		void (*put)(struct page_data *data,
			    const struct tr2_page_thread *thread);
	} lists[] = {
		{ "spans", put_spans_of },
		{ "marks", put_marks_of },
		{ "few", put_few_of },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		tr2_object_open(data->out, lists[i].name, '[');
		for (uint32_t at = 0; at < data->spans->threads.count; at++)
			lists[i].put(data, tr2_page_thread_at(data->spans, at));
		tr2_buf_byte(data->out, ']');
	}
}

static void put_kinds(struct page_data *data, const char *name,
		      const struct tr2_vec *list)
{
	const uint32_t *number = list->items;

	tr2_buf_byte(data->out, '\n');
	tr2_object_open(data->out, name, '[');
	for (uint32_t i = 0; i < list->count; i++)
		tr2_page_put_number(data, number[i]);
	tr2_buf_byte(data->out, ']');
}

static void put_texts(struct page_data *data)
{
	const uint32_t *number = data->used.items;

	tr2_object_open(data->out, "texts", '[');
	for (uint32_t i = 0; i < data->used.count; i++) {
		tr2_object_next(data->out);
		tr2_foreign_json(data->out, tr2_rows_text(data->spans->texts,
							  number[i], NULL));
	}
	tr2_buf_byte(data->out, ']');
}

void tr2_page_data_put(struct tr2_buf *out, const struct tr2_page_spans *spans,
		       const struct tr2_result *result)
{
	struct page_data data = { .out = out, .spans = spans };

	data.places = tr2_must_zeros((spans->texts->texts.count + 1U) *
				     sizeof(*data.places));
	add_number(&data.used, 0);
	tr2_buf_str(out, "{\"version\":1,\"origin\":");
	tr2_buf_int(out,
		    spans->first ? (spans->first - TR2_TIME_1970) / 1000 : 0);
	tr2_buf_str(out, ",\"wall\":");
	tr2_buf_int(out, find_wall(&data));
	put_threads(&data);
	put_processes(&data);
	put_of_threads(&data);
	put_kinds(&data, "whats", &data.whats);
	put_kinds(&data, "keys", &data.keys);
	tr2_page_put_flame(&data, result->forest);
	tr2_page_put_explained(&data);
	put_texts(&data);
	tr2_buf_str(out, ",\n\"summary\":");
	tr2_result_json(out, result);
	tr2_page_put_lines(out, result);
	free(data.places);
	tr2_vec_release(&data.used);
	tr2_vec_release(&data.whats);
	tr2_vec_release(&data.keys);
	tr2_map_release(&data.kinds);
}
