#include "views/convert/convert_part.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

/* How much text is held at a time. */
#define MUCH ((size_t)64 << 20)

struct tr2_sorter_line {
	uint64_t thread; /* they count from 1 */
	size_t begin, end;
};

TR2_COMPARE(compare_lines, tr2_sorter_line, TR2_BY(thread, TR2_BY(begin, 0)));

/* Only its strings are foreign, and they have no LF. */
static void write_line(struct tr2_buf *out, const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	size_t start = out->len, shown = end ? (size_t)(end - text) : len;

	tr2_buf_add(out, text, shown);
	tr2_foreign_json_from(out, start);
	tr2_buf_add(out, text + shown, len - shown);
}

/* The threads are in the order of their first lines. */
static void write_all(struct tr2_sorter *sorter)
{
	const struct tr2_sorter_line *line;

	tr2_vec_sort(&sorter->lines, sizeof(*line), compare_lines);
	line = sorter->lines.items;
	for (uint32_t i = 0; i < sorter->lines.count; i++, line++) {
		write_line(&sorter->output->buf,
			   sorter->text.bytes + line->begin,
			   line->end - line->begin);
		tr2_output_step(sorter->output);
	}
	tr2_buf_reset(&sorter->text);
	tr2_map_release(&sorter->known);
	sorter->lines.count = 0;
}

/*
 * Returns the thread under which the record is shown: a name belongs to the
 * thread or process that it names, and scheduling to its CPU.
 */
static uint64_t thread_of(const struct trace_reader_record *record)
{
	uint64_t ids[2] = { record->thread.process, record->thread.thread };

	if (record->type == FXT_KERNEL_OBJECT) {
		ids[0] = ids[1] = record->id;
		if (record->subtype == FXT_OBJECT_THREAD && record->args_count)
			ids[0] = record->args[0].value.word;
	}
	if (record->type == FXT_SCHEDULING)
		ids[1] = record->cpu;
	return tr2_hash((const char *)ids, sizeof(ids)).a;
}

/*
 * A record that has no form in Chrome's JSON writes no text, and chrome.c has
 * counted it.
 */
void tr2_sorter_put(struct tr2_sorter *sorter,
		    const struct trace_reader_record *record)
{
	size_t begin = sorter->text.len;
	struct tr2_map_slot *slot;

	tr2_chrome_record(&sorter->chrome, record);
	tr2_must_hold(&sorter->text);
	if (sorter->text.len == begin)
		return;
	slot = tr2_map_enter(&sorter->known, thread_of(record));
	if (!slot->value)
		slot->value = sorter->known.count;
	TR2_VEC_PUT(&sorter->lines, struct tr2_sorter_line, slot->value, begin,
		    sorter->text.len);
	if (sorter->text.len >= MUCH)
		write_all(sorter);
}

/* Chrome's first line goes straight to the output, the events to `text`. */
void tr2_sorter_begin(struct tr2_sorter *sorter, struct tr2_output *output)
{
	sorter->output = output;
	tr2_chrome_begin(&sorter->chrome, &output->buf);
	sorter->chrome.out = &sorter->text;
}

void tr2_sorter_end(struct tr2_sorter *sorter)
{
	write_all(sorter);
	sorter->chrome.out = &sorter->output->buf;
	tr2_chrome_end(&sorter->chrome);
}

void tr2_sorter_release(struct tr2_sorter *sorter)
{
	tr2_buf_release(&sorter->text);
	tr2_map_release(&sorter->known);
	tr2_vec_release(&sorter->lines);
}
