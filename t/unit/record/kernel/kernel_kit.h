/*
 * kernel_kit.h - reports of the kernel made by hand, and the records that
 * they become, in words.
 */
#ifndef UNIT_KERNEL_KIT_H
#define UNIT_KERNEL_KIT_H

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/kernel/record.h"
#include "record/kernel/switch_kit.h"
#include "trace/reader.h"

static struct tr2_kernel_reader reader;
static uint64_t words[4096];
static size_t count;
static int wrong_owners;
static int wrong_texts; /* that have a NUL */

static inline void put_words(void *owner, const uint64_t *from, size_t more)
{
	wrong_owners += owner != words;
	memcpy(words + count, from, more * sizeof(*from));
	count += more;
}

static inline bool is_traced(void *context, pid_t pid)
{
	wrong_owners += context != &count;
	return pid == (pid_t)TRACED || pid == getpid();
}

static inline void begin_reader(void)
{
	memset(&reader, 0, sizeof(reader));
	reader.wants = is_traced;
	reader.context = &count;
	reader.put = put_words;
	reader.owner = words;
	reader.waking = (struct tr2_kernel_point){ 3, 8, 12 };
	reader.enter = (struct tr2_kernel_point){ 4, 8, 0 };
	reader.exit = (struct tr2_kernel_point){ 5, 8, 16 };
	count = 0;
}

static inline void look_at_text(const struct trace_reader_text *text)
{
	wrong_texts += text->len && memchr(text->bytes, '\0', text->len);
}

/* The record in words: what a person would be shown of it. */
static inline int print_record(char *text, size_t room,
			       const struct trace_reader_record *record)
{
	const struct trace_reader_text *name = &record->name;
	const struct trace_reader_arg *arg = record->args;
	const int tid = (int)record->thread.thread;

	if (record->type != FXT_SCHEDULING)
		look_at_text(name);
	if (record->type == FXT_EVENT)
		look_at_text(&record->category);
	if (record->args_count)
		look_at_text(&arg->name);
	if (record->type == FXT_EVENT)
		return snprintf(text, room,
				"%.*s %.*s %d-%d %d/%d %.*s=%" PRId64 "%s; ",
				(int)record->category.len,
				record->category.bytes, (int)name->len,
				name->bytes, (int)record->time,
				(int)record->end, (int)record->thread.process,
				tid, (int)arg->name.len, arg->name.bytes,
				arg->value.integer,
				arg->type == FXT_ARG_INT64 ? "" : " ?");
	if (record->type == FXT_KERNEL_OBJECT)
		return snprintf(text, room, "%s%d is %.*s %.*s=%d; ",
				record->subtype == FXT_OBJECT_THREAD ? "" : "?",
				(int)record->id, (int)name->len, name->bytes,
				(int)arg->name.len, arg->name.bytes,
				(int)arg->value.word);
	if (record->subtype == FXT_SCHED_WAKEUP)
		return snprintf(text, room, "%d on %u at %d %.*s=%d; ", tid,
				record->cpu, (int)record->time,
				(int)arg->name.len, arg->name.bytes,
				(int)arg->value.word);
	return snprintf(text, room, "%d to %d on %u at %d%s; ", tid,
			(int)record->other.thread, record->cpu,
			(int)record->time,
			record->state == FXT_STATE_BLOCKED   ? ""
			: record->state == FXT_STATE_RUNNING ? " early"
							     : " ?");
}

/* Returns the records so far as text, one after the other, and drops them. */
static inline const char *take_records(void)
{
	static char text[4096];
	struct trace_reader_options options = {
		.flags = TRACE_READER_FRAGMENT | TRACE_READER_UNBALANCED,
	};
	struct trace_reader *in = trace_reader_new(&options);
	struct trace_reader_record record;
	size_t len = 0;

	*text = '\0';
	trace_reader_feed(in, words, count * sizeof(*words));
	while (trace_reader_next(in, &record) > 0) {
		if (record.flawed)
			len += (size_t)sprintf(text + len, "FLAW ");
		len += (size_t)print_record(text + len, sizeof(text) - len,
					    &record);
	}
	trace_reader_free(in);
	count = 0;
	return text;
}

/*
 * Reports
 */

static inline void put_any_switch(uint32_t pid, uint32_t tid, uint32_t next_pid,
				  uint32_t next, unsigned misc)
{
	struct switch_report report = make_switch(50);

	report.header.misc = (uint16_t)misc;
	report.pid = pid;
	report.tid = tid;
	report.next_pid = next_pid;
	report.next = next;
	tr2_kernel_take(&reader, &report, sizeof(report));
}

static inline void put_switch(uint32_t pid, uint32_t tid, uint32_t next_pid,
			      uint32_t next)
{
	put_any_switch(pid, tid, next_pid, next, PERF_RECORD_MISC_SWITCH_OUT);
}

static inline void switch_out(uint32_t tid, uint32_t next_pid, uint32_t next,
			      unsigned misc)
{
	put_any_switch(tid == OTHER ? OTHER : TRACED, tid, next_pid, next,
		       misc);
}

static inline void sample_point(uint16_t point, uint32_t pid, uint32_t tid,
				uint64_t time, const int64_t *data,
				uint32_t size)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, unused;
		uint32_t size;
		uint16_t id;
		uint16_t more[23];
	} report = { .header = { PERF_RECORD_SAMPLE, 0, sizeof(report) } };

	report.pid = pid;
	report.tid = tid;
	report.time = time;
	report.cpu = 1;
	report.size = size;
	report.id = point;
	memcpy(&report.more[3], data, 16);
	tr2_kernel_take(&reader, &report, sizeof(report));
}

static inline void call_enter(uint32_t tid, int64_t number, uint64_t time)
{
	const int64_t data[] = { number, 0 };

	sample_point(4, tid == OTHER ? OTHER : TRACED, tid, time, data, 24);
}

static inline void call_exit(uint32_t tid, int64_t number, int64_t result,
			     uint64_t time)
{
	const int64_t data[] = { number, result };

	sample_point(5, tid == OTHER ? OTHER : TRACED, tid, time, data, 24);
}

static inline void wake_thread(uint32_t waker, uint32_t woken)
{
	const int32_t halves[] = { (int32_t)woken, 7, 0, 0 };
	int64_t data[2];

	memcpy(data, halves, sizeof(data));
	sample_point(3, waker == OTHER ? OTHER : TRACED, waker, 60, data, 24);
}

static inline void rename_thread(uint32_t pid, uint32_t tid, const char *name)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[16];
		uint64_t trailer[3];
	} report = { .header = { PERF_RECORD_COMM, 0, sizeof(report) } };

	report.pid = pid;
	report.tid = tid;
	strcpy(report.name, name);
	tr2_kernel_take(&reader, &report, sizeof(report));
}

#endif
