/* The kernel's reports as records: every report is made by hand. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kit/tap.h"
#include "kernel/record.h"
#include "trace/reader.h"

#define TRACED 1000u /* the only traced process, and its first thread */
#define OTHER 70000u /* a process that is not traced, and its thread */

static struct tr2_kernel_reader reader;
static uint64_t words[4096];
static size_t count;

static void put_words(void *owner, const uint64_t *from, size_t more)
{
	(void)owner;
	memcpy(words + count, from, more * sizeof(*from));
	count += more;
}

static bool is_traced(void *context, pid_t pid)
{
	(void)context;
	return pid == (pid_t)TRACED || pid == getpid();
}

static void begin_reader(void)
{
	memset(&reader, 0, sizeof(reader));
	reader.wants = is_traced;
	reader.put = put_words;
	reader.waking = (struct tr2_kernel_point){ 3, 8, 12 };
	reader.enter = (struct tr2_kernel_point){ 4, 8, 0 };
	reader.exit = (struct tr2_kernel_point){ 5, 8, 16 };
	count = 0;
}

/* The record in words: what a person would be shown of it. */
static int print_record(char *text, size_t room,
			const struct trace_reader_record *record)
{
	const struct trace_reader_text *name = &record->name;
	const struct trace_reader_arg *arg = record->args;
	const int tid = (int)record->thread.thread;

	if (record->type == FXT_EVENT)
		return snprintf(text, room, "%.*s %.*s %d-%d %d/%d %.*s=%d; ",
				(int)record->category.len,
				record->category.bytes, (int)name->len,
				name->bytes, (int)record->time,
				(int)record->end, (int)record->thread.process,
				tid, (int)arg->name.len, arg->name.bytes,
				(int)arg->value.integer);
	if (record->type == FXT_KERNEL_OBJECT)
		return snprintf(text, room, "%d is %.*s of %d; ",
				(int)record->id, (int)name->len, name->bytes,
				(int)arg->value.word);
	if (record->subtype == FXT_SCHED_WAKEUP)
		return snprintf(text, room, "%d wakes %d for %u at %d; ",
				(int)arg->value.word, tid, record->cpu,
				(int)record->time);
	return snprintf(text, room, "%d to %d on %u at %d%s; ", tid,
			(int)record->other.thread, record->cpu,
			(int)record->time,
			record->state == FXT_STATE_RUNNING ? " early" : "");
}

/* Returns the records so far as text, one after the other, and drops them. */
static const char *take_records(void)
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

static void switch_out(uint32_t tid, uint32_t next_pid, uint32_t next,
		       unsigned misc)
{
	const struct {
		struct perf_event_header header;
		uint32_t next_pid, next, pid, tid;
		uint64_t time;
		uint32_t cpu, unused;
	} report = {
		{ PERF_RECORD_SWITCH_CPU_WIDE, (uint16_t)misc, sizeof(report) },
		next_pid,
		next,
		tid == OTHER ? OTHER : TRACED,
		tid,
		50,
		1,
		0,
	};

	tr2_kernel_take(&reader, &report, sizeof(report));
}

static void sample_point(uint16_t point, uint32_t pid, uint32_t tid,
			 uint64_t time, const int64_t *data, uint32_t size)
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

static void call_enter(uint32_t tid, int64_t number, uint64_t time)
{
	const int64_t data[] = { number, 0 };

	sample_point(4, tid == OTHER ? OTHER : TRACED, tid, time, data, 24);
}

static void call_exit(uint32_t tid, int64_t number, int64_t result,
		      uint64_t time)
{
	const int64_t data[] = { number, result };

	sample_point(5, tid == OTHER ? OTHER : TRACED, tid, time, data, 24);
}

static void wake_thread(uint32_t waker, uint32_t woken)
{
	const int32_t halves[] = { (int32_t)woken, 7, 0, 0 };
	int64_t data[2];

	memcpy(data, halves, sizeof(data));
	sample_point(3, waker == OTHER ? OTHER : TRACED, waker, 60, data, 24);
}

static void rename_thread(uint32_t pid, uint32_t tid, const char *name)
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

/*
 * Tests
 */

static void test_switches(void)
{
	begin_reader();
	switch_out(TRACED, OTHER, OTHER, PERF_RECORD_MISC_SWITCH_OUT);
	tap_str(take_records(), "1000 to 70000 on 1 at 50; ",
		"a switch away from a traced process is a record");
	switch_out(TRACED, OTHER, OTHER, 0);
	tap_str(take_records(), "", "its second report is not");
	switch_out(OTHER, TRACED, TRACED + 1, PERF_RECORD_MISC_SWITCH_OUT);
	tap_str(take_records(), "70000 to 1001 on 1 at 50; ",
		"a switch to it is one");
	switch_out(OTHER, 5, 5, PERF_RECORD_MISC_SWITCH_OUT);
	tap_str(take_records(), "", "no other switch is");
	tap_int((intmax_t)reader.events, 2, "records are counted");
	switch_out(TRACED, OTHER, OTHER,
		   PERF_RECORD_MISC_SWITCH_OUT |
			   PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	tap_str(take_records(), "1000 to 70000 on 1 at 50 early; ",
		"a thread that is preempted goes on running");
}

static void test_wakeups(void)
{
	begin_reader();
	wake_thread(OTHER, TRACED + 1);
	tap_str(take_records(), "", "who wakes an unknown thread is unknown");
	switch_out(TRACED + 1, OTHER, OTHER, PERF_RECORD_MISC_SWITCH_OUT);
	take_records();
	wake_thread(OTHER, TRACED + 1);
	tap_str(take_records(), "70000 wakes 1001 for 7 at 60; ",
		"a wakeup of a traced thread is a record");
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "1000 wakes 70000 for 7 at 60; ",
		"and so is one by it");
	reader.waking.another = 0;
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "1000 wakes 70000 for 1 at 60; ",
		"a kernel may not tell the new CPU");
	reader.waking.id = 0;
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "", "a tracepoint may be unknown");
}

static void test_names(void)
{
	char expected[64];

	prctl(PR_SET_NAME, "tester");
	begin_reader();
	sample_point(4, (uint32_t)getpid(), (uint32_t)getpid(), 1,
		     (int64_t[]){ SYS_read, 0 }, 24);
	snprintf(expected, sizeof(expected), "%d is tester of %d; ", getpid(),
		 getpid());
	tap_str(take_records(), expected, "a thread that is seen has its name");
	rename_thread(TRACED, TRACED, "new");
	tap_str(take_records(), "1000 is new of 1000; ",
		"a new name of a traced process is a record");
	rename_thread(OTHER, OTHER, "none");
	tap_str(take_records(), "", "another's is not");
	rename_thread(OTHER, (uint32_t)getpid(), "again");
	snprintf(expected, sizeof(expected), "%d is again of %d; ", getpid(),
		 OTHER);
	tap_str(take_records(), expected, "unless the thread was seen before");
	switch_out(TRACED, OTHER, 0, PERF_RECORD_MISC_SWITCH_OUT);
	tap_str(take_records(), "1000 to 0 on 1 at 50; ",
		"an idle CPU has no name");
}

static void test_calls(void)
{
	begin_reader();
	call_enter(TRACED, SYS_read, 10);
	tap_str(take_records(), "", "a call is a record when it returns");
	call_exit(TRACED, SYS_read, 42, 20);
	tap_str(take_records(), "syscall read 10-20 1000/1000 result=42; ",
		"with its name, its times and its result");
	call_enter(TRACED + 1, SYS_read, 11);
	call_exit(TRACED + 1, SYS_read, INT32_MIN, 21);
	tap_str(take_records(),
		"syscall read 11-21 1000/1001 result=-2147483648; ",
		"it is of the thread that made it");
	call_exit(TRACED, SYS_read, 42, 30);
	tap_str(take_records(), "", "an end without a beginning is none");
	call_enter(TRACED, SYS_read, 10);
	call_exit(TRACED, SYS_write, 1, 20);
	tap_str(take_records(), "", "nor is the end of another call");
	call_enter(OTHER, SYS_read, 10);
	call_exit(OTHER, SYS_read, 1, 20);
	tap_str(take_records(), "", "nor a call of another process");
	call_enter(TRACED, 1 << 20, 10);
	call_exit(TRACED, 1 << 20, -38, 20);
	tap_str(take_records(),
		"syscall syscall 1048576 10-20 1000/1000 result=-38; ",
		"an unknown call has its number");
	tap_ok(!tr2_kernel_syscall_name(UINT32_MAX) &&
		       !strcmp(tr2_kernel_syscall_name(SYS_close), "close"),
	       "the compiler knows the names");
}

static void test_bounds(void)
{
	begin_reader();
	call_enter(TRACED, SYS_exit_group, 10);
	call_enter(TRACED + TR2_KERNEL_THREADS, SYS_read, 11);
	tap_int((intmax_t)reader.dropped, 0, "a last call waits for nothing");
	call_enter(TRACED, SYS_read, 12);
	tap_int((intmax_t)reader.dropped, 1,
		"a call whose place another thread needs is dropped");
	call_exit(TRACED + TR2_KERNEL_THREADS, SYS_read, 0, 13);
	tap_str(take_records(), "", "and no record");
	call_enter(TRACED, SYS_exit, 14);
	call_exit(TRACED, SYS_exit, 0, 15);
	tap_str(take_records(), "", "an exit does not return");
}

static void test_lost(void)
{
	struct {
		struct perf_event_header header;
		uint64_t id, count;
	} report = { { PERF_RECORD_LOST, 0, sizeof(report) }, 0, 17 };

	begin_reader();
	tr2_kernel_take(&reader, &report, sizeof(report));
	tap_int((intmax_t)reader.dropped, 17,
		"what the kernel lost is counted");
	tr2_kernel_take(&reader, &report, sizeof(report) - 1);
	report.header.type = PERF_RECORD_SWITCH_CPU_WIDE;
	tr2_kernel_take(&reader, &report, sizeof(report));
	report.header.type = PERF_RECORD_COMM;
	tr2_kernel_take(&reader, &report, 16);
	report.header.type = PERF_RECORD_SAMPLE;
	tr2_kernel_take(&reader, &report, sizeof(report));
	report.header.type = PERF_RECORD_MMAP;
	tr2_kernel_take(&reader, &report, sizeof(report));
	tap_ok(reader.dropped == 17 && !count, "a short report is none");
	sample_point(5, TRACED, TRACED, 1, (int64_t[]){ 0, 0 }, 1000);
	sample_point(5, TRACED, TRACED, 1, (int64_t[]){ 0, 0 }, 1);
	sample_point(0, TRACED, TRACED, 1, (int64_t[]){ 0, 0 }, 24);
	sample_point(9, TRACED, TRACED, 1, (int64_t[]){ 0, 0 }, 24);
	sample_point(4, TRACED, TRACED, 1, (int64_t[]){ 9, 0 }, 2);
	sample_point(3, TRACED, TRACED, 1, (int64_t[]){ 9, 0 }, 2);
	tap_str(take_records(), "1000 wakes 0 for 0 at 1; ",
		"fields that are missing are 0");
}

/* A wakeup whose data are that long. */
static const char *wake_with(uint32_t size)
{
	const int32_t halves[] = { (int32_t)OTHER, 7, 0, 0 };
	int64_t data[2];

	memcpy(data, halves, sizeof(data));
	sample_point(3, TRACED, TRACED, 60, data, size);
	return take_records();
}

/* A sample may end within or just after a field, and within the report. */
static void test_sizes(void)
{
	begin_reader();
	tap_str(wake_with(16), "1000 wakes 70000 for 7 at 60; ",
		"the last field may end with the sample");
	tap_str(wake_with(15), "1000 wakes 70000 for 0 at 60; ",
		"a field that the sample cuts is 0");
	tap_str(wake_with(12), "1000 wakes 70000 for 0 at 60; ",
		"the first field may be the last one");
	tap_str(wake_with(11), "1000 wakes 0 for 0 at 60; ",
		"and it may be cut");
	tap_str(wake_with(52), "1000 wakes 70000 for 7 at 60; ",
		"a sample may end with its report");
	tap_str(wake_with(53), "", "a sample beyond its report is none");
	sample_point(4, TRACED, TRACED, 10, (int64_t[]){ SYS_close, 0 }, 16);
	call_exit(TRACED, SYS_close, 5, 20);
	tap_str(take_records(), "syscall close 10-20 1000/1000 result=5; ",
		"the number of a call may end with the sample");
	sample_point(4, TRACED, TRACED, 10, (int64_t[]){ SYS_close, 0 }, 15);
	call_exit(TRACED, SYS_close, 5, 20);
	tap_str(take_records(), "", "a number that is cut is that of no call");
}

static void test_formats(void)
{
	static const char text[] =
		"name: sys_exit\nID: 442\nformat:\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"pid=%d\", REC->pid\n";
	struct tr2_kernel_point point;

	tap_int(tr2_kernel_read_format(text, "pid", "ret", &point), 0,
		"the format of a tracepoint is read");
	tap_ok(point.id == 442 && point.field == 24 && point.another == 16,
	       "with its id and the places of fields");
	tap_int(tr2_kernel_read_format(text, "pid", "cpu", &point), 0,
		"a field may be missing");
	tap_int(point.another, 0, "if it is the other one");
	tap_int(tr2_kernel_read_format(text, "none", NULL, &point), -1,
		"a format without the field is refused");
	tap_int(tr2_kernel_read_format("\n pid;", "pid", NULL, &point), -1,
		"and so is one without offsets");
	tap_int(tr2_kernel_read_format("\n pid; offset:4;", "pid", NULL,
				       &point),
		-1, "or without an id");
	tap_int(tr2_kernel_read_format("\nID: 0\n pid; offset:4;", "pid", NULL,
				       &point),
		-1, "or with none");
}

int main(void)
{
	test_switches();
	test_wakeups();
	test_names();
	test_calls();
	test_bounds();
	test_lost();
	test_sizes();
	test_formats();
	return tap_done();
}
