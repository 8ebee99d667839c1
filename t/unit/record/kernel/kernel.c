/* The kernel's reports as records. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "record/kernel/kernel_kit.h"
#include "kit/tap.h"

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
	tap_str(take_records(), "1001 on 7 at 60 waker=70000; ",
		"a wakeup of a traced thread is a record");
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "70000 on 7 at 60 waker=1000; ",
		"and so is one by it");
	reader.waking.another = 0;
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "70000 on 1 at 60 waker=1000; ",
		"a kernel may not tell the new CPU");
	reader.waking.id = 0;
	wake_thread(TRACED, OTHER);
	tap_str(take_records(), "", "a tracepoint may be unknown");
	tap_int((intmax_t)reader.events, 4, "wakeups are counted");
}

static pthread_barrier_t barrier;
static uint32_t named_tid;

static void *run_named(void *unused)
{
	prctl(PR_SET_NAME, "second");
	named_tid = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

/* What a report about the second thread of this process tells. */
static const char *tell_second(void (*report)(uint32_t pid, uint32_t tid))
{
	begin_reader();
	report((uint32_t)getpid(), named_tid);
	return take_records();
}

static void leave_cpu(uint32_t pid, uint32_t tid)
{
	put_switch(pid, tid, OTHER, OTHER);
}

static void get_cpu(uint32_t pid, uint32_t tid)
{
	put_switch(OTHER, OTHER, pid, tid);
}

static void wake_other(uint32_t pid, uint32_t tid)
{
	sample_point(3, pid, tid, 60, (int64_t[]){ OTHER, 0 }, 24);
}

static void enter_call(uint32_t pid, uint32_t tid)
{
	sample_point(4, pid, tid, 60, (int64_t[]){ SYS_read, 0 }, 24);
}

/* Whatever tells of a thread first tells its name, too, and only once. */
static void test_threads(void)
{
	pthread_t thread;
	char name[64], text[160];

	pthread_barrier_init(&barrier, NULL, 2);
	tap_need(!pthread_create(&thread, NULL, run_named, NULL));
	pthread_barrier_wait(&barrier);
	snprintf(name, sizeof(name), "%u is second process=%d; ", named_tid,
		 getpid());
	snprintf(text, sizeof(text), "%s%u to 70000 on 1 at 50; ", name,
		 named_tid);
	tap_str(tell_second(leave_cpu), text, "a thread that leaves is named");
	leave_cpu((uint32_t)getpid(), named_tid);
	tap_str(take_records(), text + strlen(name), "it is named once");
	snprintf(text, sizeof(text), "%s70000 to %u on 1 at 50; ", name,
		 named_tid);
	tap_str(tell_second(get_cpu), text, "a thread that comes is named");
	snprintf(text, sizeof(text), "%s70000 on 0 at 60 waker=%u; ", name,
		 named_tid);
	tap_str(tell_second(wake_other), text, "a thread that wakes is named");
	tap_str(tell_second(enter_call), name, "a thread that calls is named");
	tap_int(wrong_owners, 0, "calls back have what was given for them");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
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
	call_enter(TRACED, SYS_read, 10);
	call_enter(TRACED + 1, SYS_write, 11);
	call_exit(TRACED, SYS_read, 1, 12);
	call_exit(TRACED + 1, SYS_write, 2, 13);
	tap_str(take_records(),
		"syscall read 10-12 1000/1000 result=1; "
		"syscall write 11-13 1000/1001 result=2; ",
		"calls of two threads may overlap");
	call_enter(TRACED, 1 << 20, 10);
	call_exit(TRACED, 1 << 20, -38, 20);
	tap_str(take_records(),
		"syscall syscall 1048576 10-20 1000/1000 result=-38; ",
		"an unknown call has its number");
	tap_int((intmax_t)reader.events, 5, "calls that return are counted");
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
	call_enter(TRACED, SYS_write, 13);
	tap_int((intmax_t)reader.dropped, 1,
		"a call that is interrupted by one of its thread is not");
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
	tap_str(take_records(), "0 on 0 at 1 waker=1000; ",
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
	tap_str(wake_with(16), "70000 on 7 at 60 waker=1000; ",
		"the last field may end with the sample");
	tap_str(wake_with(15), "70000 on 0 at 60 waker=1000; ",
		"a field that the sample cuts is 0");
	tap_str(wake_with(12), "70000 on 0 at 60 waker=1000; ",
		"the first field may be the last one");
	tap_str(wake_with(11), "0 on 0 at 60 waker=1000; ",
		"and it may be cut");
	tap_str(wake_with(52), "70000 on 7 at 60 waker=1000; ",
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
		"\tfield:u64 pid_ns;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"pid=%d\", REC->pid\n";
	struct tr2_kernel_point point = { 1, 2, 3 };

	tap_int(tr2_kernel_read_format(text, "pid", "ret", &point), 0,
		"the format of a tracepoint is read");
	tap_ok(point.id == 442 && point.field == 24 && point.another == 16,
	       "with its id and the places of fields");
	tap_int(tr2_kernel_read_format(text, "pid", "cpu", &point), 0,
		"a field may be missing");
	tap_int(point.another, 0, "if it is the other one");
	tap_int(tr2_kernel_read_format("pid;\nID: 7\n pid; offset:4;", "pid",
				       NULL, &point),
		0, "a format may begin with the name of a field");
	tap_ok(point.id == 7 && point.field == 4 && !point.another,
	       "what nobody asks for is 0");
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
	tap_run(test_switches, test_wakeups, test_threads, test_calls,
		test_bounds, test_lost, test_sizes, test_formats);
	return tap_done();
}
