/* Reports of the kernel that are short, odd, or about other threads. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/prctl.h>

#include "kit/directory.h"
#include "kit/tap.h"

#include "record/kernel/kernel_kit.h"

#define STRANGER 90000u /* a process that is not traced either */

/*
 * ---- Threads
 */

static void wake_by_stranger(uint32_t woken)
{
	const int32_t halves[] = { (int32_t)woken, 7, 0, 0 };
	int64_t data[2];

	memcpy(data, halves, sizeof(data));
	sample_point(3, STRANGER, STRANGER, 60, data, 24);
}

static void test_other_threads(void)
{
	begin_reader();
	put_switch(TRACED, TRACED, OTHER, OTHER);
	take_records();
	wake_by_stranger(OTHER);
	tap_str(take_records(), "",
		"a thread that follows a traced one is not traced itself");
	put_switch(OTHER, OTHER, TRACED, TRACED + 1);
	take_records();
	wake_by_stranger(TRACED + 1);
	tap_str(take_records(), "1001 on 7 at 60 waker=90000; ",
		"a thread that has come to a CPU is known when it is woken");
	rename_thread(TRACED, TRACED + 2, "new");
	tap_str(take_records(), "1002 is new process=1000; ",
		"each thread of a traced process has a name");
}

/* A thread is renamed before it has any other record. */
static void test_renamed_first(void)
{
	const uint32_t pid = (uint32_t)getpid();
	char text[64];

	prctl(PR_SET_NAME, "early");
	begin_reader();
	rename_thread(pid, pid, "early");
	snprintf(text, sizeof(text), "%u is early process=%u; ", pid, pid);
	tap_str(take_records(), text, "a name may come before its thread");
	put_switch(pid, pid, OTHER, OTHER);
	snprintf(text, sizeof(text), "%u to 70000 on 1 at 50; ", pid);
	tap_str(take_records(), text, "then it is not told again");
}

/* A thread of this process, whose name is looked for. */
static void test_seen_first(void)
{
	const uint32_t pid = (uint32_t)getpid();
	char text[80];

	prctl(PR_SET_NAME, "seen");
	begin_reader();
	put_switch(pid, pid, OTHER, OTHER);
	snprintf(text, sizeof(text),
		 "%u is seen process=%u; %u to 70000 on 1 at 50; ", pid, pid,
		 pid);
	tap_str(take_records(), text, "a thread may come before its name");
}

/*
 * ---- Values
 */

static void test_large_values(void)
{
	begin_reader();
	wake_thread(TRACED, 0x41000005);
	tap_str(take_records(), "1090519045 on 7 at 60 waker=1000; ",
		"a thread may have a high number");
	call_enter(TRACED, SYS_read, 10);
	call_exit(TRACED, SYS_read, INT64_C(-2), 20);
	tap_str(take_records(), "syscall read 10-20 1000/1000 result=-2; ",
		"a result has all its bytes");
}

static void test_missing_values(void)
{
	const int64_t none[2] = { SYS_read, 77 };

	begin_reader();
	call_enter(TRACED, SYS_read, 10);
	sample_point(5, TRACED, TRACED, 20, none, 16);
	tap_str(take_records(), "syscall read 10-20 1000/1000 result=0; ",
		"a result that is cut is 0");
}

static void test_calls_in_turn(void)
{
	begin_reader();
	call_enter(TRACED, SYS_read, 10);
	call_exit(TRACED, SYS_read, 1, 20);
	call_enter(TRACED, SYS_read, 30);
	tap_int((intmax_t)reader.dropped, 0,
		"a call that has returned leaves its place");
	sample_point(9, TRACED, TRACED, 40, (int64_t[]){ SYS_read, 1 }, 24);
	take_records();
	call_exit(TRACED, SYS_read, 1, 50);
	tap_str(take_records(), "syscall read 30-50 1000/1000 result=1; ",
		"an unknown tracepoint ends no call");
}

/*
 * ---- Short and odd reports
 */

static void test_unknown_point(void)
{
	begin_reader();
	reader.waking.id = 0;
	sample_point(0, TRACED, TRACED, 60, (int64_t[]){ OTHER, 0 }, 24);
	tap_str(take_records(), "", "a tracepoint that is unknown has no id");
}

/* A wakeup, as a report of this type and size whose sample has that size. */
static const char *take_wakeup(uint32_t type, size_t size, uint32_t sample)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, unused;
		uint32_t size;
		uint16_t id, more;
	} report = { .header = { type, 0, (uint16_t)size } };

	report.pid = report.tid = TRACED;
	report.size = sample;
	report.id = 3;
	tr2_kernel_take(&reader, &report, size);
	return take_records();
}

static void test_short_samples(void)
{
	const char *wakeup = "0 on 0 at 0 waker=1000; ";
	size_t head = 36; /* bytes before the data */

	begin_reader();
	tap_str(take_wakeup(PERF_RECORD_SAMPLE, head + 2, 2), wakeup,
		"a sample may have no more than its id");
	tap_str(take_wakeup(PERF_RECORD_SAMPLE, head + 4, 1), "",
		"a part of an id is none");
	tap_str(take_wakeup(PERF_RECORD_SAMPLE, head + 1, 2), "",
		"nor is one that the report cuts");
	tap_str(take_wakeup(PERF_RECORD_SAMPLE, head + 1, 1), "",
		"nor a part that the report ends with");
	tap_str(take_wakeup(PERF_RECORD_SAMPLE, head - 2, 2), "",
		"nor is there one without data");
	tap_str(take_wakeup(PERF_RECORD_MMAP, head + 2, 2), "",
		"another report is no sample");
}

static void test_short_switch(void)
{
	const struct switch_report report = make_switch(50);

	begin_reader();
	tr2_kernel_take(&reader, &report, sizeof(report) - 1);
	tap_str(take_records(), "", "a switch that is cut is none");
	tr2_kernel_take(&reader, &report, sizeof(report));
	tap_str(take_records(), "1000 to 70000 on 1 at 50; ",
		"a whole one is a record");
}

/*
 * ---- Formats and names
 */

static void test_formats(void)
{
	struct tr2_kernel_point point = { 1, 2, 3 };

	tap_int(tr2_kernel_read_format("\nID: 7\n pid; offset:4;", "pid", NULL,
				       &point),
		0, "a format may have one field");
	tap_int(point.another, 0, "then nothing is known of another");
	tap_int(tr2_kernel_read_format("\nID: 7\n pid;", "pid", NULL, &point),
		-1, "a field has a place");
	tap_int(point.id, 0, "a format that is refused has no id");
}

static void test_syscalls(void)
{
	uint32_t number, last = 0, odd = 0;
	const char *name;

	for (number = 0; number < 100000; number++) {
		name = tr2_kernel_syscall_name(number);
		if (!name)
			continue;
		last = number;
		odd += *name < '_' || *name > 'z' || strlen(name) > 40;
	}
	tap_int((intmax_t)odd, 0, "each system call has a name or none");
	tap_ok(last >= SYS_close && last < 10000, "there are some hundreds");
}

int main(void)
{
	const int before = count_descriptors();

	tap_run(test_other_threads, test_renamed_first, test_seen_first,
		test_large_values, test_missing_values, test_calls_in_turn,
		test_unknown_point, test_short_samples, test_short_switch,
		test_formats, test_syscalls);
	tap_int(wrong_owners, 0, "records go to their owner");
	tap_int(wrong_texts, 0, "no text has a NUL");
	tap_int(count_descriptors(), before, "no file of a name stays open");
	return tap_done();
}
