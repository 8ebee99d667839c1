/* The rings of the kernel: how they are opened, read and closed. */
#include "record/kernel/rings_kit.h"

#include <time.h>

#include "kit/tap.h"
#include "trace/reader.h"

static struct {
	int magic, starts, switches, names, disorder, flaws;
	uint64_t last;
	char name[32];
} seen;

static void note_record(const struct trace_reader_record *record)
{
	seen.flaws += record->flawed;
	if (record->type == FXT_INITIALIZATION)
		seen.starts += record->id == 1000000000;
	else if (record->type == FXT_METADATA && record->name.len)
		snprintf(seen.name, sizeof(seen.name), "%.*s of %u",
			 (int)record->name.len, record->name.bytes,
			 record->provider);
	else if (record->type == FXT_SCHEDULING) {
		seen.switches++;
		seen.disorder += record->time <= seen.last;
		seen.last = record->time;
	} else
		seen.names += record->type == FXT_KERNEL_OBJECT;
}

/* What is in the archive by now. */
static void read_archive(void)
{
	struct trace_reader_options options = { 0 };
	struct trace_reader *in = trace_reader_new(&options);
	struct trace_reader_record record;

	memset(&seen, 0, sizeof(seen));
	trace_reader_feed(in, written, written_len);
	while (trace_reader_next(in, &record) > 0)
		note_record(&record);
	trace_reader_free(in);
}

/*
 * Tests
 */

static size_t map_size(void)
{
	char line[512];
	size_t begin, end, size = 0;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "/memfd:ring") &&
		    sscanf(line, "%zx-%zx", &begin, &end) == 2)
			size += end - begin;
	if (maps)
		fclose(maps);
	return size;
}

static bool is_event_for_all(const struct opened *event)
{
	const uint64_t fields =
		PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		(event->attr.type == PERF_TYPE_TRACEPOINT ? PERF_SAMPLE_RAW
							  : 0);

	return event->attr.size == sizeof(event->attr) && event->pid == -1 &&
	       event->group == -1 && event->flags == PERF_FLAG_FD_CLOEXEC &&
	       event->attr.sample_id_all && event->attr.use_clockid &&
	       event->attr.clockid == CLOCK_MONOTONIC &&
	       event->attr.sample_type == fields;
}

static bool is_switches(const struct opened *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_DUMMY &&
	       event->attr.context_switch && event->attr.comm;
}

static bool is_point(const struct opened *event, uint64_t id)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT &&
	       event->attr.config == id && event->attr.sample_period == 1 &&
	       event->output == fake.events[event->cpu].fd;
}

static void test_events(void)
{
	struct tr2_kernel *kernel;
	int all = 0, switches = 0, wakeups = 0, cpus = 0;
	const int before = count_descriptors();

	begin_fake(64, "/sys/kernel/tracing");
	kernel = tr2_kernel_begin(7, false);
	for (int i = 0; i < fake.count; i++) {
		all += is_event_for_all(&fake.events[i]);
		cpus += fake.events[i].cpu == i % CPUS;
		switches += is_switches(&fake.events[i]);
		wakeups += is_point(&fake.events[i], 3);
	}
	tap_int(fake.count, 2 * CPUS, "each CPU has a ring and wakeups");
	tap_int(all, 2 * CPUS, "all have the clock and fields of records");
	tap_int(cpus, 2 * CPUS, "each is about its CPU and all processes");
	tap_int(switches, CPUS, "rings get switches and names");
	tap_int(wakeups, CPUS, "each wakeup goes to the ring of its CPU");
	tap_int(tr2_kernel_refused(kernel), 0, "the kernel refused no part");
	tap_int((intmax_t)tr2_kernel_source(kernel)->id, 7,
		"the source has the provider's id");
	tap_str(tr2_kernel_source(kernel)->name, "kernel",
		"the source is named kernel");
	tr2_kernel_end(kernel);
	tap_int(count_descriptors(), before, "the end closes all");
}

static void test_calls(void)
{
	struct tr2_kernel *kernel;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int before = count_descriptors();
	int enters = 0, exits = 0;

	begin_fake(512, "/sys/kernel/debug/tracing");
	kernel = tr2_kernel_begin(7, true);
	for (int i = 0; i < fake.count; i++) {
		enters += is_point(&fake.events[i], 4);
		exits += is_point(&fake.events[i], 5);
	}
	tap_int(fake.count, 4 * CPUS, "system calls are events, too");
	tap_int(enters, CPUS, "each CPU tells where calls begin");
	tap_int(exits, CPUS, "each CPU tells where calls end");
	tap_int((intmax_t)map_size(), (intmax_t)(CPUS * 513 * page),
		"the rings of calls are large");
	tap_int(tr2_kernel_refused(kernel), 0,
		"tracefs may be where older systems have it");
	tr2_kernel_end(kernel);
	tap_int((intmax_t)map_size(), 0, "the end gives the rings back");
	tap_int(count_descriptors(), before, "and closes the events of calls");
}

static void test_refusal(void)
{
	struct tr2_kernel *kernel;
	const int before = count_descriptors();

	begin_fake(64, NULL);
	fake.fails_at = 2;
	fake.error = EACCES;
	errno = 0;
	kernel = tr2_kernel_begin(7, false);
	tap_ok(!kernel, "a CPU that is refused refuses the kernel");
	tap_int(errno, EACCES, "the reason is the one of that CPU");
	tap_int(count_descriptors(), before, "what was open is closed then");
}

static void test_no_memory(void)
{
	const int before = count_descriptors();

	begin_fake(64, NULL);
	fake.no_memory = true;
	errno = 0;
	tap_ok(!tr2_kernel_begin(7, false), "rings need memory");
	tap_int(errno, ENOMEM, "rings without memory set errno");
	tap_int(count_descriptors(), before, "and no ring stays open then");
	fake.no_memory = false;
}

/* Standard input is closed, and this event gets its descriptor. */
static void begin_lowest(int number)
{
	const int before = dup(0);
	struct tr2_kernel *kernel;

	close(0);
	begin_fake(64, "/sys/kernel/tracing");
	fake.lowest = number;
	kernel = tr2_kernel_begin(7, false);
	tap_ok(kernel && !tr2_kernel_refused(kernel),
	       number > CPUS ? "a tracepoint may be the first descriptor"
			     : "a ring may be the first descriptor");
	if (kernel)
		tr2_kernel_end(kernel);
	tap_ok(fcntl(0, F_GETFD) < 0,
	       number > CPUS ? "such a tracepoint is closed at the end"
			     : "such a ring is closed at the end");
	dup2(before, 0);
	close(before);
}

static void test_offline(void)
{
	struct tr2_kernel *kernel;
	struct side side;
	int of_two = 0;

	begin_fake(64, "/sys/kernel/tracing");
	fake.fails_at = 2;
	fake.error = ENODEV;
	kernel = tr2_kernel_begin(7, false);
	tap_ok(kernel != NULL, "a CPU may be offline");
	for (int i = 0; i < fake.count; i++)
		of_two += fake.events[i].cpu == 1;
	tap_int(of_two, 1, "it has no wakeups either");
	begin_archive();
	side = open_side(2);
	put_switch(&side, 10);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	read_archive();
	tap_int(seen.switches, 1, "the CPU after it is read");
	close_side(&side);
	tr2_kernel_end(kernel);
}

/* Begins a kernel, and returns why it lacks a part. */
static int refused_part(bool calls)
{
	const int before = count_descriptors();
	struct tr2_kernel *kernel = tr2_kernel_begin(7, calls);
	int refused = kernel ? tr2_kernel_refused(kernel) : -1;

	if (kernel)
		tr2_kernel_end(kernel);
	return count_descriptors() == before ? refused : -2;
}

static void test_parts(void)
{
	begin_fake(64, NULL);
	tap_int(refused_part(false), ENOENT,
		"without tracefs there are switches only");
	tap_int(fake.count, CPUS, "and no other event is tried");
	begin_fake(512, "/sys/kernel/tracing");
	strcpy(fake.lacks, "raw_syscalls/sys_exit");
	tap_int(refused_part(true), ENOENT,
		"a tracepoint that is wanted may be missing");
	begin_fake(64, "/sys/kernel/tracing");
	strcpy(fake.lacks, "raw_syscalls/sys_exit");
	tap_int(refused_part(false), 0, "one that is not wanted may be too");
	strcpy(fake.lacks, "raw_syscalls/sys_enter");
	tap_int(refused_part(false), 0, "and so may the other one");
	begin_fake(512, "/sys/kernel/tracing");
	strcpy(fake.lacks, "raw_syscalls/sys_enter");
	tap_int(refused_part(true), ENOENT, "calls need their beginning");
	begin_fake(512, "/sys/kernel/tracing");
	strcpy(fake.lacks, "sched/sched_waking");
	tap_int(refused_part(true), ENOENT, "calls need wakeups, too");
	begin_fake(64, "/sys/kernel/tracing");
	fake.fails_at = CPUS + 2;
	fake.error = EPERM;
	tap_int(refused_part(false), EPERM, "a tracepoint may be refused");
	tap_int(fake.count, 2 * CPUS, "the others are opened all the same");
	begin_fake(64, "/sys/kernel/tracing");
	fake.output_error = EINVAL;
	tap_int(refused_part(false), EINVAL, "a ring may refuse to be shared");
	begin_fake(64, "/sys/kernel/tracing");
	fake.is_odd = true;
	tap_int(refused_part(false), EINVAL,
		"a tracepoint without its field is no use");
	begin_fake(8, "/sys/kernel/tracing");
	fake.fails_at = CPUS + 1;
	fake.error = EPERM;
	fake.output_error = EINVAL;
	tap_int(refused_part(false), EPERM, "the first refusal is told");
}

static void test_steps(void)
{
	struct tr2_kernel *kernel;
	struct side sides[CPUS];
	const struct tr2_archive_source *source;

	begin_fake(64, "/sys/kernel/tracing");
	kernel = tr2_kernel_begin(7, false);
	source = tr2_kernel_source(kernel);
	begin_archive();
	for (int i = 0; i < CPUS; i++)
		sides[i] = open_side(i);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	read_archive();
	tap_ok(!*seen.name && !seen.starts,
	       "a kernel that told nothing is not in the archive");
	for (int i = 0; i < CPUS; i++)
		put_switch(&sides[i], 10 + (unsigned)i);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	read_archive();
	tap_str(seen.name, "kernel of 7", "the archive names the kernel");
	tap_int(seen.switches, CPUS, "each ring is read");
	tap_int((intmax_t)source->events, CPUS, "events are counted");
	put_switch(&sides[0], 20);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	read_archive();
	tap_int(seen.switches, CPUS + 1, "nothing is read twice");
	tap_int(seen.starts, 1, "the clock is told once");
	tap_ok(sides[0].page->data_tail == sides[0].page->data_head,
	       "the kernel is told what was read");
	tap_int(seen.flaws, 0, "all records are sound");
	put_lost(&sides[1], 17);
	put_name(&sides[1], 512);
	put_name(&sides[1], 520);
	tr2_kernel_step(kernel, &archive, is_traced, written);
	read_archive();
	tap_int((intmax_t)source->dropped, 17,
		"what the kernel dropped is counted");
	tap_int(seen.names, 1, "a record of 512 bytes is read, none longer");
	for (int i = 0; i < CPUS; i++)
		close_side(&sides[i]);
	tr2_kernel_end(kernel);
}

/* More than a batch and more than a ring: all come, and in their order. */
static void test_many(void)
{
	struct tr2_kernel *kernel;
	struct side side;
	uint64_t time = 0;

	begin_fake(64, "/sys/kernel/tracing");
	kernel = tr2_kernel_begin(7, false);
	begin_archive();
	side = open_side(0);
	side.page->data_head = side.page->data_tail = 40;
	for (int step = 0; step < 6; step++) {
		for (int i = 0; i < 2000; i++)
			put_switch(&side, ++time);
		put_other(&side, 504 + 8 * (unsigned)step);
		tr2_kernel_step(kernel, &archive, is_traced, written);
	}
	read_archive();
	tap_int(seen.switches, 12000, "no record is lost at the ring's end");
	tap_int(seen.disorder, 0, "they are in their order");
	tap_int((intmax_t)seen.last, 12000, "up to the last one");
	tap_int(seen.flaws, 0, "no record is cut at the end of the ring");
	close_side(&side);
	tr2_kernel_end(kernel);
}

int main(void)
{
	tap_run(test_events, test_calls, test_refusal, test_no_memory);
	begin_lowest(1);
	begin_lowest(CPUS + 1);
	tap_run(test_offline, test_parts, test_steps, test_many);
	return tap_done();
}
