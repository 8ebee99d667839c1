#include "views/page/spans.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

static int64_t read_member(struct page_data *data,
			   const struct page_column *column, const char *item)
{
	uint32_t number = 0;
	int64_t value = 0;
	bool flag;

	if (column->kind == PAGE_BOOL) {
		memcpy(&flag, item + column->at, sizeof(flag));
		return flag;
	}
	if (column->kind == PAGE_INT64) {
		memcpy(&value, item + column->at, sizeof(value));
		return value;
	}
	memcpy(&number, item + column->at, sizeof(number));
	if (column->kind == PAGE_TEXT)
		return place_text(data, number);
	return (int32_t)number;
}

/* A column has a member of each item, or what a function finds. */
void tr2_page_put_columns(struct page_data *data, const char *name,
			  const struct tr2_vec *items, size_t size,
			  const struct page_column *column)
{
	const char *item;

	tr2_buf_str(data->out, name);
	for (; column->name; column++) {
		tr2_object_open(data->out, column->name, '[');
		item = items->items;
		for (uint32_t i = 0; i < items->count; i++, item += size)
			tr2_page_put_number(
				data,
				column->find ? column->find(data, i)
					     : read_member(data, column, item));
		tr2_buf_byte(data->out, ']');
	}
}

static const struct tr2_page_process *process_at(const struct page_data *data,
						 uint32_t number)
{
	return tr2_page_process_at(data->spans, number);
}

/* Those that have a time begin with the first of them. */
static int64_t find_start(struct page_data *data, uint32_t number)
{
	const struct tr2_page_process *process = process_at(data, number);

	return process->timed ? process->base - data->spans->first : 0;
}

static int64_t find_length(struct page_data *data, uint32_t number)
{
	return process_at(data, number)->now - process_at(data, number)->base;
}

/* Those that have no time begin with the page. */
static int64_t find_wall(struct page_data *data)
{
	int64_t end, wall = 0;

	for (uint32_t i = 0; i < data->spans->processes.count; i++) {
		end = find_start(data, i) + find_length(data, i);
		if (end > wall)
			wall = end;
	}
	return wall;
}

static void put_processes(struct page_data *data)
{
	static const struct page_column columns[] = {
#define PROCESS(name, member, kind) \
	{ name, PAGE_##kind, offsetof(struct tr2_page_process, member), NULL }
		PROCESS("sid", sid, TEXT),
		PROCESS("name", names.name, TEXT),
		PROCESS("mode", names.mode, TEXT),
		PROCESS("words", names.words, TEXT),
		PROCESS("argv", argv, TEXT),
		PROCESS("version", names.version, TEXT),
		{ .name = "start", .find = find_start },
		{ .name = "length", .find = find_length },
		PROCESS("code", code, INT64),
		PROCESS("ended", ended, BOOL),
		PROCESS("timed", timed, BOOL),
		PROCESS("caller", caller, INT32),
		PROCESS("span", span, INT32),
		PROCESS("signal", signal, INT64),
		{ .name = NULL },
	};

	tr2_page_put_columns(data, ",\n\"processes\":{",
			     &data->spans->processes,
			     sizeof(struct tr2_page_process), columns);
	tr2_buf_byte(data->out, '}');
}

static void put_threads(struct page_data *data)
{
	static const struct page_column columns[] = {
		{ "process", PAGE_INT32,
		  offsetof(struct tr2_page_thread, process), NULL },
		{ "name", PAGE_TEXT, offsetof(struct tr2_page_thread, name),
		  NULL },
		{ .name = NULL },
	};

	tr2_page_put_columns(data, ",\n\"threads\":{", &data->spans->threads,
			     sizeof(struct tr2_page_thread), columns);
	tr2_buf_byte(data->out, '}');
}

static const struct tr2_page_span *span_at(const struct page_data *data,
					   uint32_t number)
{
	return tr2_page_span_at(data->spans, number);
}

TR2_VEC_AT(mark_at, page_data, spans->marks, tr2_page_mark);

/* How many items each thread has; they are sorted by thread. */
static void put_counts(struct page_data *data, const struct tr2_vec *items,
		       size_t size, size_t thread_at)
{
	const char *at = (const char *)items->items + thread_at;
	uint32_t thread, of, from, i = 0;

	tr2_object_open(data->out, "counts", '[');
	for (thread = 0; thread < data->spans->threads.count; thread++) {
		for (from = i; i < items->count; i++, at += size) {
			memcpy(&of, at, sizeof(of));
			if (of != thread)
				break;
		}
		tr2_page_put_number(data, i - from);
	}
	tr2_buf_byte(data->out, ']');
}

/* The first time of a thread is a difference to that of its process. */
static int64_t find_base(const struct page_data *data, uint32_t thread)
{
	return process_at(data,
			  tr2_page_thread_at(data->spans, thread)->process)
		->base;
}

static int64_t find_span_start(struct page_data *data, uint32_t number)
{
	const struct tr2_page_span *span = span_at(data, number);

	return span->start - (number && span[-1].thread == span->thread
				      ? span[-1].start
				      : find_base(data, span->thread));
}

static int64_t find_span_length(struct page_data *data, uint32_t number)
{
	return span_at(data, number)->end - span_at(data, number)->start;
}

static int64_t find_what(struct page_data *data, uint32_t number)
{
	const struct tr2_page_span *span = span_at(data, number);
	uint32_t what[3] = { span->kind };

	what[1] = place_text(data, span->first);
	what[2] = place_text(data, span->second);
	return place_kind(data, &data->whats, what, 3);
}

/* Few spans have these; each is put with the span's number before it. */
static void put_span_rest(struct page_data *data)
{
	const struct tr2_page_span *span = data->spans->spans.items;
	uint32_t count = data->spans->spans.count;

	tr2_object_open(data->out, "notes", '[');
	for (uint32_t i = 0; i < count; i++) {
		if (!span[i].note)
			continue;
		tr2_page_put_number(data, i);
		tr2_page_put_number(data, place_text(data, span[i].note));
	}
	tr2_buf_byte(data->out, ']');
	tr2_object_open(data->out, "codes", '[');
	for (uint32_t i = 0; i < count; i++) {
		if (span[i].kind != TR2_PAGE_CHILD || !span[i].code)
			continue;
		tr2_page_put_number(data, i);
		tr2_page_put_number(data, span[i].code);
	}
	tr2_buf_byte(data->out, ']');
	tr2_object_open(data->out, "unclosed", '[');
	for (uint32_t i = 0; i < count; i++)
		if (span[i].unclosed)
			tr2_page_put_number(data, i);
	tr2_buf_byte(data->out, ']');
}

static void put_spans(struct page_data *data)
{
	static const struct page_column columns[] = {
		{ .name = "start", .find = find_span_start },
		{ .name = "length", .find = find_span_length },
		{ .name = "what", .find = find_what },
		{ .name = NULL },
	};

	tr2_buf_str(data->out, ",\n\"spans\":{");
	put_counts(data, &data->spans->spans, sizeof(struct tr2_page_span),
		   offsetof(struct tr2_page_span, thread));
	tr2_page_put_columns(data, "", &data->spans->spans,
			     sizeof(struct tr2_page_span), columns);
	put_span_rest(data);
	tr2_buf_byte(data->out, '}');
}

static int64_t find_mark_time(struct page_data *data, uint32_t number)
{
	const struct tr2_page_mark *mark = mark_at(data, number);

	return mark->time - (number && mark[-1].thread == mark->thread
				     ? mark[-1].time
				     : find_base(data, mark->thread));
}

static int64_t find_key(struct page_data *data, uint32_t number)
{
	const struct tr2_page_mark *mark = mark_at(data, number);
	uint32_t key[2];

	key[0] = place_text(data, mark->category);
	key[1] = place_text(data, mark->key);
	return place_kind(data, &data->keys, key, 2);
}

static void put_marks(struct page_data *data)
{
	static const struct page_column columns[] = {
		{ .name = "time", .find = find_mark_time },
		{ .name = "key", .find = find_key },
		{ "value", PAGE_TEXT, offsetof(struct tr2_page_mark, value),
		  NULL },
		{ .name = NULL },
	};

	tr2_buf_str(data->out, ",\n\"marks\":{");
	put_counts(data, &data->spans->marks, sizeof(struct tr2_page_mark),
		   offsetof(struct tr2_page_mark, thread));
	tr2_page_put_columns(data, "", &data->spans->marks,
			     sizeof(struct tr2_page_mark), columns);
	tr2_buf_byte(data->out, '}');
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
	put_processes(&data);
	put_threads(&data);
	put_spans(&data);
	put_marks(&data);
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
