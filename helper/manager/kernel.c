#define _GNU_SOURCE
#include "manager/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/engine/fxt.h"

#define RING_PAGES 64  /* pages of data: a power of two */
#define RECORD_MAX 512 /* largest record that is read, in bytes */

/* Records are collected up to this size before they go to the archive. */
#define BATCH_WORDS ((size_t)2048)

struct ring {
	int fd;
	struct perf_event_mmap_page *page; /* the data follow it */
};

struct tr2_kernel {
	struct tr2_archive_source source;
	struct ring *rings; /* one for each CPU */
	long count;
	size_t page_size;
	bool initialized;
	uint64_t batch[BATCH_WORDS];
	size_t used;
};

/*
 * The layout of PERF_RECORD_SWITCH_CPU_WIDE with the sample id that
 * open_event() asks for.
 */
struct cpu_switch {
	struct perf_event_header header;
	uint32_t other_pid, other_tid;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
};

/*
 * PERF_RECORD_LOST: the kernel dropped `count` records because the ring was
 * full.
 */
struct lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t count;
};

/*
 * A dummy event counts nothing; it carries the context switches of all
 * processes on one CPU. CLOCK_MONOTONIC is the clock of all other records.
 */
static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU,
		.sample_id_all = 1,
		.context_switch = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static int open_ring(struct tr2_kernel *kernel, struct ring *ring, int cpu)
{
	void *page;

	ring->fd = open_event(cpu);
	if (ring->fd < 0)
		return -1;
	page = mmap(NULL, (1 + RING_PAGES) * kernel->page_size,
		    PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (page == MAP_FAILED)
		return -1;
	ring->page = page;
	return 0;
}

static int open_rings(struct tr2_kernel *kernel)
{
	long cpu, count = sysconf(_SC_NPROCESSORS_CONF);

	kernel->page_size = (size_t)sysconf(_SC_PAGESIZE);
	kernel->rings = calloc((size_t)count, sizeof(*kernel->rings));
	if (!kernel->rings)
		return -1;
	for (cpu = 0; cpu < count; cpu++)
		kernel->rings[cpu].fd = -1;
	kernel->count = count;
	for (cpu = 0; cpu < count; cpu++)
		/* A CPU that is offline is not an error. */
		if (open_ring(kernel, &kernel->rings[cpu], (int)cpu) &&
		    errno != ENODEV)
			return -1;
	return 0;
}

struct tr2_kernel *tr2_kernel_begin(uint32_t id)
{
	struct tr2_kernel *kernel = calloc(1, sizeof(*kernel));
	int error;

	if (!kernel)
		return NULL;
	kernel->source.id = id;
	strcpy(kernel->source.name, TR2_KERNEL_NAME);
	if (!open_rings(kernel))
		return kernel;
	error = errno;
	tr2_kernel_end(kernel);
	errno = error;
	return NULL;
}

/* Also called for a kernel whose beginning failed half-way. */
void tr2_kernel_end(struct tr2_kernel *kernel)
{
	struct ring *ring;
	long cpu;

	for (cpu = 0; cpu < kernel->count; cpu++) {
		ring = &kernel->rings[cpu];
		if (ring->page)
			munmap(ring->page,
			       (1 + RING_PAGES) * kernel->page_size);
		if (ring->fd >= 0)
			close(ring->fd);
	}
	tr2_archive_source_release(&kernel->source);
	free(kernel->rings);
	free(kernel);
}

const struct tr2_archive_source *
tr2_kernel_source(const struct tr2_kernel *kernel)
{
	return &kernel->source;
}

/*
 * The provider's initialization record comes before its first batch. If the
 * kernel had nothing to say, the archive does not mention it.
 */
static void flush_batch(struct tr2_kernel *kernel, struct tr2_archive *archive)
{
	const uint64_t ticks[] = { fxt_initialization_header(), 1000000000 };

	if (!kernel->used)
		return;
	if (!kernel->initialized)
		tr2_archive_put_records(archive, &kernel->source, ticks, 2);
	kernel->initialized = true;
	tr2_archive_put_records(archive, &kernel->source, kernel->batch,
				kernel->used);
	kernel->used = 0;
}

/* A thread that loses the CPU was preempted, or it waits for something. */
static enum fxt_thread_state state_of(const struct cpu_switch *event)
{
	return event->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
		       ? FXT_STATE_RUNNING
		       : FXT_STATE_BLOCKED;
}

/*
 * The kernel reports each switch twice: for the thread that leaves and for
 * the one that comes. Only the first report has the reason.
 */
static void take_switch(struct tr2_kernel *kernel, struct tr2_archive *archive,
			const struct cpu_switch *event, tr2_kernel_wants *wants,
			void *context)
{
	uint64_t *at;

	if (!(event->header.misc & PERF_RECORD_MISC_SWITCH_OUT) ||
	    (!wants(context, (pid_t)event->pid) &&
	     !wants(context, (pid_t)event->other_pid)))
		return;
	if (kernel->used + 4 > BATCH_WORDS)
		flush_batch(kernel, archive);
	at = kernel->batch + kernel->used;
	*at++ = fxt_context_switch_header(4, 0, (uint16_t)event->cpu,
					  state_of(event));
	*at++ = event->time;
	*at++ = event->tid;
	*at++ = event->other_tid;
	kernel->used += 4;
	kernel->source.events++;
}

/* Copy a record that may continue at the start of the ring. */
static void copy_record(const struct tr2_kernel *kernel,
			const struct ring *ring, uint64_t from, char *record,
			size_t len)
{
	const char *data = (const char *)ring->page + kernel->page_size;
	size_t size = RING_PAGES * kernel->page_size;
	size_t at = from & (size - 1);
	size_t first = len < size - at ? len : size - at;

	memcpy(record, data + at, first);
	memcpy(record + first, data, len - first);
}

/*
 * The kernel moves the head, we move the tail. A record of an impossible size
 * means that the ring makes no sense; its rest is skipped.
 */
static void read_ring(struct tr2_kernel *kernel, struct ring *ring,
		      struct tr2_archive *archive, tr2_kernel_wants *wants,
		      void *context)
{
	uint64_t head =
		__atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	union {
		struct perf_event_header header;
		struct cpu_switch cpu_switch;
		struct lost lost;
		char bytes[RECORD_MAX];
	} record;

	while (tail < head) {
		copy_record(kernel, ring, tail, record.bytes,
			    sizeof(record.header));
		if (record.header.size < sizeof(record.header) ||
		    record.header.size > RECORD_MAX)
			break;
		copy_record(kernel, ring, tail, record.bytes,
			    record.header.size);
		if (record.header.type == PERF_RECORD_SWITCH_CPU_WIDE)
			take_switch(kernel, archive, &record.cpu_switch, wants,
				    context);
		else if (record.header.type == PERF_RECORD_LOST)
			kernel->source.dropped += record.lost.count;
		tail += record.header.size;
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void tr2_kernel_step(struct tr2_kernel *kernel, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context)
{
	long cpu;

	for (cpu = 0; cpu < kernel->count; cpu++)
		if (kernel->rings[cpu].page)
			read_ring(kernel, &kernel->rings[cpu], archive, wants,
				  context);
	flush_batch(kernel, archive);
}
