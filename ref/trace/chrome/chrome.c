#include "trace/chrome/chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/chrome/values.h"
#include "trace/engine.h"
#include "host/host.h"
#include "host/system.h"
#include "base/json.h"

/* Known readers keep ids of processes and threads in 32 bits. */
static uint64_t cut_id(uint64_t id)
{
	return id & UINT32_MAX;
}

static void put_key(struct tr2_buf *out, const char *key)
{
	tr2_buf_str(out, ",\"");
	tr2_buf_str(out, key);
	tr2_buf_str(out, "\":");
}

/* Put nanoseconds as microseconds. */
static void put_time(struct tr2_buf *out, const char *key, uint64_t ns)
{
	put_key(out, key);
	tr2_buf_uint(out, ns / 1000);
	if (ns % 1000) {
		tr2_buf_byte(out, '.');
		tr2_buf_digits(out, (unsigned)(ns % 1000), 3);
	}
}

static void put_id(struct tr2_buf *out, uint64_t id)
{
	put_key(out, "id");
	tr2_buf_byte(out, '"');
	tr2_put_hex(out, id);
	tr2_buf_byte(out, '"');
}

static void begin_event(struct tr2_chrome *chrome, const char *phase,
			uint64_t process, uint64_t thread)
{
	struct tr2_buf *out = chrome->out;

	tr2_buf_str(out, chrome->any ? ",{\"ph\":\"" : "{\"ph\":\"");
	chrome->any = true;
	tr2_buf_str(out, phase);
	tr2_buf_str(out, "\",\"pid\":");
	tr2_buf_uint(out, cut_id(process));
	put_key(out, "tid");
	tr2_buf_uint(out, cut_id(thread));
}

static void put_common(struct tr2_chrome *chrome, const char *phase,
		       const struct trace_reader_record *record)
{
	struct tr2_buf *out = chrome->out;

	begin_event(chrome, phase, record->thread.process,
		    record->thread.thread);
	put_time(out, "ts", record->time);
	put_key(out, "cat");
	tr2_put_string(out, record->category);
	put_key(out, "name");
	tr2_put_string(out, record->name);
}

static void end_event(struct tr2_chrome *chrome)
{
	tr2_buf_str(chrome->out, "}\n");
}

static void put_args(struct tr2_buf *out,
		     const struct trace_reader_record *record)
{
	if (!record->args_count)
		return;
	put_key(out, "args");
	tr2_put_args(out, record);
}

/* Viewers draw a series, so it consists only of numbers. */
static void put_series(struct tr2_buf *out,
		       const struct trace_reader_record *record)
{
	const char *before = "";

	put_key(out, "args");
	tr2_buf_byte(out, '{');
	for (unsigned i = 0; i < record->args_count; i++) {
		if (!tr2_is_number(&record->args[i]))
			continue;
		tr2_buf_str(out, before);
		tr2_put_string(out, record->args[i].name);
		tr2_buf_byte(out, ':');
		tr2_put_value(out, &record->args[i]);
		before = ",";
	}
	tr2_buf_byte(out, '}');
}

/* SPEC: chrome.scope */
static void put_scope(struct tr2_buf *out, uint64_t scope)
{
	const char *letter = "\"t\"";

	if (scope == FXT_SCOPE_PROCESS)
		letter = "\"p\"";
	else if (scope == FXT_SCOPE_GLOBAL)
		letter = "\"g\"";
	put_key(out, "s");
	tr2_buf_str(out, letter);
}

enum more { NOTHING, SCOPE, SERIES, LENGTH, ID, FLOW_ID };

static void put_event(struct tr2_chrome *chrome,
		      const struct trace_reader_record *record)
{
	static const struct {
		const char *phase;
		enum more more;
	} forms[] = {
		/* "i" means the same, but DevTools knows only this one */
		[FXT_INSTANT] = { "I", SCOPE },
		[FXT_COUNTER] = { "C", SERIES },
		[FXT_DURATION_BEGIN] = { "B", NOTHING },
		[FXT_DURATION_END] = { "E", NOTHING },
		[FXT_DURATION_COMPLETE] = { "X", LENGTH },
		[FXT_ASYNC_BEGIN] = { "b", ID },
		[FXT_ASYNC_INSTANT] = { "n", ID },
		[FXT_ASYNC_END] = { "e", ID },
		[FXT_FLOW_BEGIN] = { "s", FLOW_ID },
		[FXT_FLOW_STEP] = { "t", FLOW_ID },
		[FXT_FLOW_END] = { "f", FLOW_ID },
	};
	enum more more = forms[record->subtype].more;
	struct tr2_buf *out = chrome->out;

	put_common(chrome, forms[record->subtype].phase, record);
	if (more == SCOPE)
		put_scope(out, record->id);
	else if (more == LENGTH)
		put_time(out, "dur", record->end - record->time);
	else if (more >= ID || (more == SERIES && record->id))
		put_id(out, record->id);
	if (more == FLOW_ID) /* otherwise it would bind to the next slice */
		tr2_buf_str(out, ",\"bp\":\"e\"");
	if (more == SERIES)
		put_series(out, record);
	else
		put_args(out, record);
	end_event(chrome);
}

bool tr2_chrome_is_metadata(const struct trace_reader_record *record)
{
	static const char category[] = TRACE_METADATA_CATEGORY;
	const struct trace_reader_text text = record->category;

	return record->type == FXT_EVENT && record->subtype == FXT_INSTANT &&
	       record->id == FXT_SCOPE_PROCESS &&
	       text.len == sizeof(category) - 1 &&
	       !memcmp(text.bytes, category, text.len);
}

/* SPEC: chrome.metadata.event */
static void put_metadata(struct tr2_chrome *chrome,
			 const struct trace_reader_record *record)
{
	put_common(chrome, "M", record);
	put_key(chrome->out, "args");
	tr2_put_arg_tree(chrome->out, record);
	end_event(chrome);
}

static void put_log(struct tr2_chrome *chrome,
		    const struct trace_reader_record *record)
{
	static const struct trace_reader_text name = { "log", 3 };
	struct trace_reader_record event = *record;

	event.name = event.category = name;
	put_common(chrome, "I", &event);
	tr2_buf_str(chrome->out, ",\"s\":\"g\",\"args\":{\"message\":");
	tr2_put_string(chrome->out, record->payload);
	tr2_buf_byte(chrome->out, '}');
	end_event(chrome);
}

static void put_name(struct tr2_chrome *chrome,
		     const struct trace_reader_record *record)
{
	bool thread = record->subtype == FXT_OBJECT_THREAD;
	uint64_t process = record->id;

	if (thread)
		process = record->args_count ? record->args[0].value.word : 0;
	begin_event(chrome, "M", process, record->id);
	put_key(chrome->out, "name");
	tr2_buf_str(chrome->out,
		    thread ? "\"thread_name\"" : "\"process_name\"");
	tr2_buf_str(chrome->out, ",\"args\":{\"name\":");
	tr2_put_string(chrome->out, record->name);
	tr2_buf_byte(chrome->out, '}');
	end_event(chrome);
}

/*
 * What the kernel reports has a process of its own, in which each CPU is a
 * thread: records of scheduling do not say of which process a thread is.
 */
#define KERNEL 0

static void put_cpu_name(struct tr2_chrome *chrome, unsigned cpu)
{
	struct tr2_buf *out = chrome->out;

	if (cpu >= 64 || chrome->cpus >> cpu & 1)
		return;
	chrome->cpus |= UINT64_C(1) << cpu;
	begin_event(chrome, "M", KERNEL, cpu);
	tr2_buf_str(out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU ");
	tr2_buf_uint(out, cpu);
	tr2_buf_str(out, "\"}");
	end_event(chrome);
}

static void put_state(struct tr2_buf *out, unsigned state)
{
	static const char *const names[] = {
		[FXT_STATE_NEW] = "new",
		[FXT_STATE_RUNNING] = "running",
		[FXT_STATE_SUSPENDED] = "suspended",
		[FXT_STATE_BLOCKED] = "blocked",
		[FXT_STATE_DYING] = "dying",
		[FXT_STATE_DEAD] = "dead",
	};

	put_key(out, "state");
	if (state > FXT_STATE_DEAD)
		tr2_buf_uint(out, state);
	else
		tr2_json_string(out, names[state]);
}

static void put_scheduling(struct tr2_chrome *chrome,
			   const struct trace_reader_record *record)
{
	const bool is_wakeup = record->subtype == FXT_SCHED_WAKEUP;
	struct tr2_buf *out = chrome->out;

	put_cpu_name(chrome, record->cpu);
	begin_event(chrome, "I", KERNEL, record->cpu);
	put_time(out, "ts", record->time);
	tr2_buf_str(out, ",\"cat\":\"sched\",\"name\":");
	tr2_buf_str(out,
		    is_wakeup ? "\"wakeup\",\"s\":\"t\",\"args\":{\"thread\":"
			      : "\"switch\",\"s\":\"t\",\"args\":{\"out\":");
	tr2_buf_uint(out, cut_id(record->thread.thread));
	if (!is_wakeup) {
		put_state(out, record->state);
		put_key(out, "in");
		tr2_buf_uint(out, cut_id(record->other.thread));
	}
	put_args(out, record);
	tr2_buf_byte(out, '}');
	end_event(chrome);
}

static void put_large(struct tr2_chrome *chrome,
		      const struct trace_reader_record *record)
{
	struct tr2_buf *out = chrome->out;

	put_common(chrome, "I", record);
	tr2_buf_str(out, ",\"s\":\"t\",\"args\":{\"blob\":\"");
	tr2_put_base64(out, record->payload);
	tr2_buf_byte(out, '"');
	if (record->args_count) {
		put_key(out, "args");
		tr2_put_args(out, record);
	}
	tr2_buf_byte(out, '}');
	end_event(chrome);
}

void tr2_chrome_begin(struct tr2_chrome *chrome, struct tr2_buf *out)
{
	*chrome = (struct tr2_chrome){ .out = out };
	tr2_buf_str(out, "[\n");
}

/* Does the record only define how to read others? */
static bool is_definition(enum fxt_record type)
{
	return type == FXT_METADATA || type == FXT_INITIALIZATION ||
	       type == FXT_STRING || type == FXT_THREAD;
}

void tr2_chrome_record(void *context, const struct trace_reader_record *record)
{
	struct tr2_chrome *chrome = context;
	enum fxt_record type = record->type;

	if (is_definition(type))
		return;
	if (record->unknown)
		chrome->left_out[type]++;
	else if (tr2_chrome_is_metadata(record))
		put_metadata(chrome, record);
	else if (type == FXT_EVENT)
		put_event(chrome, record);
	else if (type == FXT_LOG)
		put_log(chrome, record);
	else if (type == FXT_KERNEL_OBJECT)
		put_name(chrome, record);
	else if (type == FXT_SCHEDULING)
		put_scheduling(chrome, record);
	else if (type == FXT_LARGE && record->subtype == FXT_LARGE_EVENT)
		put_large(chrome, record);
	else
		chrome->left_out[type]++;
}

void tr2_chrome_end(struct tr2_chrome *chrome)
{
	tr2_buf_str(chrome->out, "]\n");
}

/*
 * Lines of this process
 */

/* Write a line of metadata; `value` is JSON. */
static void put_meta(struct tr2_chrome *chrome, const char *name,
		     uint64_t thread, const char *key, const char *value)
{
	struct tr2_buf *out = chrome->out;

	begin_event(chrome, "M", (uint64_t)tr2_host->getpid(), thread);
	put_key(out, "name");
	tr2_json_string(out, name);
	put_key(out, "args");
	tr2_buf_str(out, "{\"");
	tr2_buf_str(out, key);
	tr2_buf_str(out, "\":");
	tr2_buf_str(out, value);
	tr2_buf_byte(out, '}');
	end_event(chrome);
}

void tr2_chrome_put_start(struct tr2_chrome *chrome)
{
	const int64_t ticks = tr2_host_process_ticks();
	char text[24];

	if (!ticks)
		return;
	snprintf(text, sizeof(text), "%" PRId64, ticks);
	put_meta(chrome, "process_start", (uint64_t)tr2_host->getpid(), "ticks",
		 text);
}

void tr2_chrome_put_writer(struct tr2_chrome *chrome)
{
	const uint64_t pid = (uint64_t)tr2_host->getpid();

	put_meta(chrome, "version", pid, "libtrace2", "\"" TRACE2_VERSION "\"");
	put_meta(chrome, "process_sort_index", pid, "sort_index", "0");
}

void tr2_chrome_put_name(struct tr2_chrome *chrome,
			 const struct trace_reader_record *record, int place)
{
	char number[16];
	struct tr2_buf index = TR2_BUF_FIXED(number);

	tr2_chrome_record(chrome, record);
	if (!place || record->subtype != FXT_OBJECT_THREAD)
		return;
	tr2_buf_int(&index, place);
	tr2_buf_byte(&index, '\0');
	put_meta(chrome, "thread_sort_index", record->id, "sort_index", number);
}

/* SPEC: chrome.dropped */
void tr2_chrome_put_dropped(struct tr2_chrome *chrome, uint64_t dropped)
{
	static const struct trace_reader_text name = { "dropped", 7 };
	static const struct trace_reader_text key = { "count", 5 };
	const uint64_t pid = (uint64_t)tr2_host->getpid();
	struct trace_reader_record record = {
		.type = FXT_EVENT,
		.subtype = FXT_INSTANT,
		.thread = { pid, pid },
		.time = trace_ticks_now(),
		.category = { TRACE_METADATA_CATEGORY,
			      sizeof(TRACE_METADATA_CATEGORY) - 1 },
		.name = name,
		.args_count = 1,
	};

	record.args[0].type = FXT_ARG_UINT64;
	record.args[0].name = key;
	record.args[0].value.word = dropped;
	tr2_chrome_record(chrome, &record);
}
