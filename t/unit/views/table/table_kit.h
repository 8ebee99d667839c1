/* table_kit.h - processes, told event by event, as rows of a table. */
#ifndef UNIT_TABLE_TABLE_KIT_H
#define UNIT_TABLE_TABLE_KIT_H

#include "kit/validate.h"
#include "kit/json.h"
#include "views/table/event.h"

/* Two processes on a machine, each with its pid, and one inside another. */
#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT SID("01")
#define CHILD GIT "/" SID("02")

#define REGION(category, label) \
	"\"category\":\"" category "\",\"label\":\"" label "\""

static struct {
	struct tr2_flat_maker maker;
	struct tr2_flat_output output;
	struct tr2_select select;
	const char *thread;
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

#endif
