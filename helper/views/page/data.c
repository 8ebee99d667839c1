#include "views/page/spans.h"

#include <stdlib.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "views/result/result.h"
#include "lib/text/foreign.h"

void tr2_page_open(struct page_data *data, const char *name)
{
	const struct tr2_buf *out = data->out;

	if (out->len && out->bytes[out->len - 1] != '{')
		tr2_buf_byte(data->out, ',');
	tr2_buf_byte(data->out, '"');
	tr2_buf_str(data->out, name);
	tr2_buf_str(data->out, "\":[");
}

void tr2_page_close(struct page_data *data)
{
	struct tr2_buf *out = data->out;

	if (out->len && out->bytes[out->len - 1] == ',')
		out->len--;
	tr2_buf_byte(out, ']');
}

void tr2_page_put_number(struct page_data *data, int64_t value)
{
	tr2_buf_int(data->out, value);
	tr2_buf_byte(data->out, ',');
}

static void add_number(struct tr2_vec *vec, uint32_t value)
{
	*(uint32_t *)tr2_vec_add(vec, sizeof(value)) = value;
}

uint32_t tr2_page_place_text(struct page_data *data, uint32_t number)
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
	uint32_t i;

	if (!slot->value) {
		slot->value = list->count / count + UINT64_C(1);
		for (i = 0; i < count; i++)
			add_number(list, numbers[i]);
	}
	return (uint32_t)(slot->value - 1);
}

/* What to take away from times of the process. */
static int64_t find_origin(const struct page_data *data, uint32_t number)
{
	const struct tr2_page_process *process =
		tr2_page_process_at(data->spans, number);

	return process->timed ? data->spans->first : process->base;
}

typedef int64_t page_column_fn(struct page_data *data, uint32_t number);

#define PROCESS_TEXT(member)                                                \
	static int64_t find_##member(struct page_data *data, uint32_t n)    \
	{                                                                   \
		return tr2_page_place_text(                                 \
			data, tr2_page_process_at(data->spans, n)->member); \
	}

PROCESS_TEXT(sid)
PROCESS_TEXT(name)
PROCESS_TEXT(mode)
PROCESS_TEXT(words)
PROCESS_TEXT(argv)
PROCESS_TEXT(version)

static int64_t find_start(struct page_data *data, uint32_t number)
{
	return tr2_page_process_at(data->spans, number)->base -
	       find_origin(data, number);
}

static int64_t find_length(struct page_data *data, uint32_t number)
{
	const struct tr2_page_process *process =
		tr2_page_process_at(data->spans, number);

	return process->now - process->base;
}

static const struct tr2_timeline *find_timeline(const struct page_data *data,
						uint32_t number)
{
	return &tr2_page_process_at(data->spans, number)->timeline;
}

static int64_t find_code(struct page_data *data, uint32_t number)
{
	return tr2_timeline_exit(find_timeline(data, number), -1);
}

static int64_t find_signal(struct page_data *data, uint32_t number)
{
	return tr2_timeline_signal(find_timeline(data, number));
}

static int64_t find_ended(struct page_data *data, uint32_t number)
{
	return !tr2_timeline_is_unfinished(find_timeline(data, number));
}

static int64_t find_timed(struct page_data *data, uint32_t number)
{
	return tr2_page_process_at(data->spans, number)->timed;
}

static int64_t find_caller(struct page_data *data, uint32_t number)
{
	return (int32_t)tr2_page_process_at(data->spans, number)->caller;
}

static int64_t find_ran(struct page_data *data, uint32_t number)
{
	return (int32_t)tr2_page_process_at(data->spans, number)->span;
}

/* Those that have no time begin with the page. */
static int64_t find_wall(struct page_data *data)
{
	int64_t end, wall = 0;
	uint32_t i;

	for (i = 0; i < data->spans->processes.count; i++) {
		end = find_start(data, i) + find_length(data, i);
		if (end > wall)
			wall = end;
	}
	return wall;
}

static void put_processes(struct page_data *data)
{
	static const struct {
		const char *name;
		page_column_fn *find;
	} columns[] = {
		{ "sid", find_sid },	 { "name", find_name },
		{ "mode", find_mode },	 { "words", find_words },
		{ "argv", find_argv },	 { "version", find_version },
		{ "start", find_start }, { "length", find_length },
		{ "code", find_code },	 { "ended", find_ended },
		{ "timed", find_timed }, { "caller", find_caller },
		{ "span", find_ran },	 { "signal", find_signal },
	};
	size_t column;
	uint32_t i;

	tr2_buf_str(data->out, ",\n\"processes\":{");
	for (column = 0; column < sizeof(columns) / sizeof(columns[0]);
	     column++) {
		tr2_page_open(data, columns[column].name);
		for (i = 0; i < data->spans->processes.count; i++)
			tr2_page_put_number(data,
					    columns[column].find(data, i));
		tr2_page_close(data);
	}
	tr2_buf_byte(data->out, '}');
}

static void put_threads(struct page_data *data)
{
	uint32_t i;

	tr2_buf_str(data->out, ",\n\"threads\":{");
	tr2_page_open(data, "process");
	for (i = 0; i < data->spans->threads.count; i++)
		tr2_page_put_number(
			data, tr2_page_thread_at(data->spans, i)->process);
	tr2_page_close(data);
	tr2_page_open(data, "name");
	for (i = 0; i < data->spans->threads.count; i++)
		tr2_page_put_number(
			data,
			tr2_page_place_text(
				data,
				tr2_page_thread_at(data->spans, i)->name));
	tr2_page_close(data);
	tr2_buf_byte(data->out, '}');
}

static const struct tr2_page_mark *mark_at(const struct page_data *data,
					   uint32_t number)
{
	return (const struct tr2_page_mark *)data->spans->marks.items + number;
}

static uint32_t find_span_thread(const struct page_data *data, uint32_t number)
{
	return tr2_page_span_at(data->spans, number)->thread;
}

static uint32_t find_mark_thread(const struct page_data *data, uint32_t number)
{
	return mark_at(data, number)->thread;
}

/* How many items each thread has; they are sorted by thread. */
static void put_counts(struct page_data *data, uint32_t count,
		       uint32_t (*find)(const struct page_data *data,
					uint32_t number))
{
	uint32_t thread, i = 0, from;

	tr2_page_open(data, "counts");
	for (thread = 0; thread < data->spans->threads.count; thread++) {
		for (from = i; i < count && find(data, i) == thread;)
			i++;
		tr2_page_put_number(data, i - from);
	}
	tr2_page_close(data);
}

/* The first time of a thread is a difference to that of its process. */
static int64_t find_base(const struct page_data *data, uint32_t thread)
{
	return tr2_page_process_at(
		       data->spans,
		       tr2_page_thread_at(data->spans, thread)->process)
		->base;
}

static void put_span_starts(struct page_data *data)
{
	const struct tr2_page_span *span, *before = NULL;
	uint32_t i;

	tr2_page_open(data, "start");
	for (i = 0; i < data->spans->spans.count; i++, before = span) {
		span = tr2_page_span_at(data->spans, i);
		tr2_page_put_number(
			data,
			span->start -
				(before && before->thread == span->thread
					 ? before->start
					 : find_base(data, span->thread)));
	}
	tr2_page_close(data);
}

static void put_span_whats(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, what[3];

	tr2_page_open(data, "what");
	for (i = 0; i < data->spans->spans.count; i++) {
		span = tr2_page_span_at(data->spans, i);
		what[0] = span->kind;
		what[1] = tr2_page_place_text(data, span->first);
		what[2] = tr2_page_place_text(data, span->second);
		tr2_page_put_number(data,
				    place_kind(data, &data->whats, what, 3));
	}
	tr2_page_close(data);
}

/* Few spans have these; each is put with the span's number before it. */
static void put_span_rest(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, count = data->spans->spans.count;

	tr2_page_open(data, "notes");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		if (!span->note)
			continue;
		tr2_page_put_number(data, i);
		tr2_page_put_number(data,
				    tr2_page_place_text(data, span->note));
	}
	tr2_page_close(data);
	tr2_page_open(data, "codes");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		if (span->kind != TR2_PAGE_CHILD || !span->code)
			continue;
		tr2_page_put_number(data, i);
		tr2_page_put_number(data, span->code);
	}
	tr2_page_close(data);
	tr2_page_open(data, "unclosed");
	for (i = 0; i < count; i++)
		if (tr2_page_span_at(data->spans, i)->unclosed)
			tr2_page_put_number(data, i);
	tr2_page_close(data);
}

static void put_spans(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, count = data->spans->spans.count;

	tr2_buf_str(data->out, ",\n\"spans\":{");
	put_counts(data, count, find_span_thread);
	put_span_starts(data);
	tr2_page_open(data, "length");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		tr2_page_put_number(data, span->end - span->start);
	}
	tr2_page_close(data);
	put_span_whats(data);
	put_span_rest(data);
	tr2_buf_byte(data->out, '}');
}

static void put_mark_times(struct page_data *data)
{
	const struct tr2_page_mark *mark, *before = NULL;
	uint32_t i;

	tr2_page_open(data, "time");
	for (i = 0; i < data->spans->marks.count; i++, before = mark) {
		mark = mark_at(data, i);
		tr2_page_put_number(
			data,
			mark->time - (before && before->thread == mark->thread
					      ? before->time
					      : find_base(data, mark->thread)));
	}
	tr2_page_close(data);
}

static void put_marks(struct page_data *data)
{
	const struct tr2_page_mark *mark;
	uint32_t i, count = data->spans->marks.count, key[2];

	tr2_buf_str(data->out, ",\n\"marks\":{");
	put_counts(data, count, find_mark_thread);
	put_mark_times(data);
	tr2_page_open(data, "key");
	for (i = 0; i < count; i++) {
		mark = mark_at(data, i);
		key[0] = tr2_page_place_text(data, mark->category);
		key[1] = tr2_page_place_text(data, mark->key);
		tr2_page_put_number(data,
				    place_kind(data, &data->keys, key, 2));
	}
	tr2_page_close(data);
	tr2_page_open(data, "value");
	for (i = 0; i < count; i++)
		tr2_page_put_number(
			data,
			tr2_page_place_text(data, mark_at(data, i)->value));
	tr2_page_close(data);
	tr2_buf_byte(data->out, '}');
}

static void put_kinds(struct page_data *data, const char *name,
		      const struct tr2_vec *list)
{
	const uint32_t *number = list->items;
	uint32_t i;

	tr2_buf_byte(data->out, '\n');
	tr2_page_open(data, name);
	for (i = 0; i < list->count; i++)
		tr2_page_put_number(data, number[i]);
	tr2_page_close(data);
}

static void put_texts(struct page_data *data)
{
	const uint32_t *number = data->used.items;
	uint32_t i;

	tr2_page_open(data, "texts");
	for (i = 0; i < data->used.count; i++) {
		tr2_foreign_json(data->out, tr2_rows_text(data->spans->texts,
							  number[i], NULL));
		tr2_buf_byte(data->out, ',');
	}
	tr2_page_close(data);
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
