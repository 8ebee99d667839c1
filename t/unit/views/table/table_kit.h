/*
 * table_kit.h - a story of processes, told event by event, and some columns
 * of the rows that it becomes.
 *
 *	begin_story(TR2_FLAT_KIND_REGIONS);
 *	tell_event(GIT, 0, "region_enter", "\"category\":\"c\"");
 *	...
 *	tap_str(end_story("category wall_us"), "c -\n", ...);
 */
#ifndef UNIT_TABLE_TABLE_KIT_H
#define UNIT_TABLE_TABLE_KIT_H

#include "kit/validate.h"
#include "kit/json.h"
#include "views/table/event.h"

/* Two processes on a machine, each with its pid, and one inside another. */
#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT SID("01")
#define CHILD GIT "/" SID("02")
#define OTHER GIT "/" SID("03")

#define REGION(category, label) \
	"\"category\":\"" category "\",\"label\":\"" label "\""
#define CHILD_START(id)                                                    \
	"\"child_id\":" id ",\"child_class\":\"git\",\"use_shell\":false," \
	"\"argv\":[\"git\",\"x\"]"
#define CHILD_EXIT(id, pid) "\"child_id\":" id ",\"pid\":" pid ",\"code\":0"

static struct {
	struct tr2_flat_maker maker;
	struct tr2_flat_output output;
	struct tr2_select select;
	const char *thread;
	char shown[1 << 16];
} story;

/* With the columns of this filter file; NULL: none are added. */
static inline void begin_selection(enum tr2_flat_kind kind, const char *filter)
{
	struct tr2_flat_output *output = &story.output;
	int i;

	story.thread = "main";
	tap_need(!tr2_select_read(&story.select, filter));
	*output = (struct tr2_flat_output){ .kinds = 1U << kind };
	tr2_output_begin(&output->whole, "table", "-");
	for (i = 0; i < TR2_FLAT_KIND_COUNT; i++)
		output->columns[i] = tr2_flat_columns((enum tr2_flat_kind)i,
						      &output->counts[i]);
	output->columns[TR2_FLAT_KIND_PROCESSES] = story.select.columns.items;
	output->counts[TR2_FLAT_KIND_PROCESSES] = story.select.columns.count;
	memset(&story.maker, 0xa5, sizeof(story.maker));
	tr2_flat_maker_begin(&story.maker, output, &story.select);
}

static inline void begin_story(enum tr2_flat_kind kind)
{
	begin_selection(kind, NULL);
}

static inline void tell_line(const char *line)
{
	tap_need(read_record(line) == TR2_RECORD_OK);
	tr2_flat_event(&story.maker, &record);
}

/* An event at so many microseconds after ten o'clock; `rest` is JSON. */
static inline void tell_event(const char *sid, unsigned us, const char *event,
			      const char *rest)
{
	char line[2048];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\","
		 "\"time\":\"2026-01-14T10:%02u:%02u.%06uZ\"%s%s}",
		 event, sid, story.thread, us / 60000000, us / 1000000 % 60,
		 us % 1000000, *rest ? "," : "", rest);
	tell_line(line);
}

/* The same without `time`, as a brief log has it. */
static inline void tell_briefly(const char *sid, const char *event,
				const char *rest)
{
	char line[2048];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\"%s%s}",
		 event, sid, story.thread, *rest ? "," : "", rest);
	tell_line(line);
}

static inline void begin_process(const char *sid, unsigned us, const char *name)
{
	char rest[128];

	tell_event(sid, us, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	snprintf(rest, sizeof(rest), "\"t_abs\":0.0,\"argv\":[\"git\",\"%s\"]",
		 name);
	tell_event(sid, us, "start", rest);
}

/* The end at so many microseconds after ten and after its begin. */
static inline void end_process(const char *sid, unsigned us, unsigned wall,
			       int code)
{
	char rest[128];

	snprintf(rest, sizeof(rest), "\"t_abs\":0.%06u,\"code\":%d", wall,
		 code);
	tell_event(sid, us, "exit", rest);
	tell_event(sid, us, "atexit", rest);
}

/* A process that only begins and ends. */
static inline void tell_process(const char *sid, unsigned from, unsigned to,
				const char *name, int code)
{
	begin_process(sid, from, name);
	end_process(sid, to, to - from, code);
}

/* Put the value of a column: null as -, a text without quotes, "" as ''. */
static inline void show_cell(struct tr2_buf *out, const char *row,
			     const char *column)
{
	char name[64];
	const char *value;
	size_t len;

	snprintf(name, sizeof(name), "\"%s\":", column);
	value = strstr(row, name);
	tap_need(value);
	value += strlen(name);
	if (*value != '"') {
		len = strcspn(value, ",}");
		tr2_buf_add(out, *value == 'n' ? "-" : value,
			    *value == 'n' ? 1 : len);
		return;
	}
	for (len = 1; value[len] != '"'; len++)
		len += value[len] == '\\';
	tr2_buf_add(out, len > 1 ? value + 1 : "''", len > 1 ? len - 1 : 2);
}

/* The columns of a row in this order, separated by blanks. */
static inline void show_row(struct tr2_buf *out, const char *row,
			    const char *columns)
{
	char words[256], *word, *rest = words;

	snprintf(words, sizeof(words), "%s", columns);
	while ((word = strtok_r(rest, " ", &rest))) {
		show_cell(out, row, word);
		tr2_buf_byte(out, *rest ? ' ' : '\n');
	}
}

/* Returns these columns of all rows of a text; "*": the text itself. */
static inline const char *show_rows(char *rows, const char *columns)
{
	struct tr2_buf out = TR2_BUF_FIXED(story.shown);
	char *row;

	if (*columns == '*')
		tr2_buf_str(&out, rows);
	else
		while ((row = strtok_r(rows, "\n", &rows)))
			show_row(&out, row, columns);
	tr2_buf_byte(&out, '\0');
	return story.shown;
}

/*
 * Processes that have ended do not go on. Returns the rows so far, which are
 * then forgotten.
 */
static inline const char *take_rows(const char *columns)
{
	struct tr2_buf *rows = &story.output.whole.buf;
	const char *shown;

	tr2_forest_end_rested(&story.maker.forest);
	tr2_buf_byte(rows, '\0');
	shown = show_rows(rows->bytes, columns);
	tr2_buf_reset(rows);
	return shown;
}

/* There are no more logs. Returns the rows; valid until the next call. */
static inline const char *end_story(const char *columns)
{
	const char *shown;

	tr2_forest_end(&story.maker.forest);
	tr2_flat_maker_end(&story.maker);
	shown = take_rows(columns);
	tr2_flat_maker_release(&story.maker);
	tr2_buf_release(&story.output.whole.buf);
	tr2_select_release(&story.select);
	return shown;
}

#endif
