#include "views/page/data.h"

#include <stdlib.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "views/result/advice.h"
#include "views/result/result.h"
#include "lib/text/foreign.h"

struct page_data { /* A page's data while it is put. */
	struct tr2_buf *out;
	const struct tr2_page_spans *spans;
	uint32_t *places;    /* of texts on the page; 0: it is not there yet */
	struct tr2_vec used; /* uint32_t: numbers of texts, by place */
	struct tr2_map kinds;
	struct tr2_vec whats; /* uint32_t: three for each kind of span, */
	struct tr2_vec keys;  /* two for each kind of mark */
};

static void open_column(struct page_data *data, const char *name)
{
	const struct tr2_buf *out = data->out;

	if (out->len && out->bytes[out->len - 1] != '{')
		tr2_buf_byte(data->out, ',');
	tr2_buf_byte(data->out, '"');
	tr2_buf_str(data->out, name);
	tr2_buf_str(data->out, "\":[");
}

static void close_column(struct page_data *data)
{
	struct tr2_buf *out = data->out;

	if (out->len && out->bytes[out->len - 1] == ',')
		out->len--;
	tr2_buf_byte(out, ']');
}

static void put_number(struct page_data *data, int64_t value)
{
	tr2_buf_int(data->out, value);
	tr2_buf_byte(data->out, ',');
}

static void add_number(struct tr2_vec *vec, uint32_t value)
{
	*(uint32_t *)tr2_vec_add(vec, sizeof(value)) = value;
}

/* Returns the text's place on the page. */
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
		return place_text(                                          \
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
		open_column(data, columns[column].name);
		for (i = 0; i < data->spans->processes.count; i++)
			put_number(data, columns[column].find(data, i));
		close_column(data);
	}
	tr2_buf_byte(data->out, '}');
}

static void put_threads(struct page_data *data)
{
	uint32_t i;

	tr2_buf_str(data->out, ",\n\"threads\":{");
	open_column(data, "process");
	for (i = 0; i < data->spans->threads.count; i++)
		put_number(data, tr2_page_thread_at(data->spans, i)->process);
	close_column(data);
	open_column(data, "name");
	for (i = 0; i < data->spans->threads.count; i++)
		put_number(
			data,
			place_text(data,
				   tr2_page_thread_at(data->spans, i)->name));
	close_column(data);
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

	open_column(data, "counts");
	for (thread = 0; thread < data->spans->threads.count; thread++) {
		for (from = i; i < count && find(data, i) == thread;)
			i++;
		put_number(data, i - from);
	}
	close_column(data);
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

	open_column(data, "start");
	for (i = 0; i < data->spans->spans.count; i++, before = span) {
		span = tr2_page_span_at(data->spans, i);
		put_number(data,
			   span->start -
				   (before && before->thread == span->thread
					    ? before->start
					    : find_base(data, span->thread)));
	}
	close_column(data);
}

static void put_span_whats(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, what[3];

	open_column(data, "what");
	for (i = 0; i < data->spans->spans.count; i++) {
		span = tr2_page_span_at(data->spans, i);
		what[0] = span->kind;
		what[1] = place_text(data, span->first);
		what[2] = place_text(data, span->second);
		put_number(data, place_kind(data, &data->whats, what, 3));
	}
	close_column(data);
}

/* Few spans have these; each is put with the span's number before it. */
static void put_span_rest(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, count = data->spans->spans.count;

	open_column(data, "notes");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		if (!span->note)
			continue;
		put_number(data, i);
		put_number(data, place_text(data, span->note));
	}
	close_column(data);
	open_column(data, "codes");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		if (span->kind != TR2_PAGE_CHILD || !span->code)
			continue;
		put_number(data, i);
		put_number(data, span->code);
	}
	close_column(data);
	open_column(data, "unclosed");
	for (i = 0; i < count; i++)
		if (tr2_page_span_at(data->spans, i)->unclosed)
			put_number(data, i);
	close_column(data);
}

static void put_spans(struct page_data *data)
{
	const struct tr2_page_span *span;
	uint32_t i, count = data->spans->spans.count;

	tr2_buf_str(data->out, ",\n\"spans\":{");
	put_counts(data, count, find_span_thread);
	put_span_starts(data);
	open_column(data, "length");
	for (i = 0; i < count; i++) {
		span = tr2_page_span_at(data->spans, i);
		put_number(data, span->end - span->start);
	}
	close_column(data);
	put_span_whats(data);
	put_span_rest(data);
	tr2_buf_byte(data->out, '}');
}

static void put_mark_times(struct page_data *data)
{
	const struct tr2_page_mark *mark, *before = NULL;
	uint32_t i;

	open_column(data, "time");
	for (i = 0; i < data->spans->marks.count; i++, before = mark) {
		mark = mark_at(data, i);
		put_number(data,
			   mark->time -
				   (before && before->thread == mark->thread
					    ? before->time
					    : find_base(data, mark->thread)));
	}
	close_column(data);
}

static void put_marks(struct page_data *data)
{
	const struct tr2_page_mark *mark;
	uint32_t i, count = data->spans->marks.count, key[2];

	tr2_buf_str(data->out, ",\n\"marks\":{");
	put_counts(data, count, find_mark_thread);
	put_mark_times(data);
	open_column(data, "key");
	for (i = 0; i < count; i++) {
		mark = mark_at(data, i);
		key[0] = place_text(data, mark->category);
		key[1] = place_text(data, mark->key);
		put_number(data, place_kind(data, &data->keys, key, 2));
	}
	close_column(data);
	open_column(data, "value");
	for (i = 0; i < count; i++)
		put_number(data, place_text(data, mark_at(data, i)->value));
	close_column(data);
	tr2_buf_byte(data->out, '}');
}

static void put_kinds(struct page_data *data, const char *name,
		      const struct tr2_vec *list)
{
	const uint32_t *number = list->items;
	uint32_t i;

	tr2_buf_byte(data->out, '\n');
	open_column(data, name);
	for (i = 0; i < list->count; i++)
		put_number(data, number[i]);
	close_column(data);
}

static void put_texts(struct page_data *data)
{
	const uint32_t *number = data->used.items;
	uint32_t i;

	open_column(data, "texts");
	for (i = 0; i < data->used.count; i++) {
		tr2_foreign_json(data->out, tr2_rows_text(data->spans->texts,
							  number[i], NULL));
		tr2_buf_byte(data->out, ',');
	}
	close_column(data);
}

static void put_advice(struct tr2_buf *out, const struct tr2_result *result)
{
	struct tr2_buf lines = TR2_BUF_INIT;

	tr2_advice_put(&lines, result);
	tr2_buf_byte(&lines, '\0');
	if (lines.failed)
		tr2_memory_out();
	tr2_buf_str(out, ",\n\"advice\":");
	tr2_foreign_json(out, lines.bytes);
	tr2_buf_release(&lines);
}

void tr2_page_data_put(struct tr2_buf *out, const struct tr2_page_spans *spans,
		       const struct tr2_result *result)
{
	struct page_data data = { .out = out, .spans = spans };
	int64_t epoch = tr2_time_read("1970-01-01T00:00:00.000000Z");

	data.places = tr2_must_zeros((spans->texts->texts.count + 1U) *
				     sizeof(*data.places));
	add_number(&data.used, 0);
	tr2_buf_str(out, "{\"version\":1,\"origin\":");
	tr2_buf_int(out, spans->first ? (spans->first - epoch) / 1000 : 0);
	tr2_buf_str(out, ",\"wall\":");
	tr2_buf_int(out, find_wall(&data));
	put_processes(&data);
	put_threads(&data);
	put_spans(&data);
	put_marks(&data);
	put_kinds(&data, "whats", &data.whats);
	put_kinds(&data, "keys", &data.keys);
	put_texts(&data);
	tr2_buf_str(out, ",\n\"summary\":");
	tr2_result_json(out, result);
	put_advice(out, result);
	free(data.places);
	tr2_vec_release(&data.used);
	tr2_vec_release(&data.whats);
	tr2_vec_release(&data.keys);
	tr2_map_release(&data.kinds);
}
