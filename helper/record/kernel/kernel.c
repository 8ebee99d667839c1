#define _GNU_SOURCE
#include "record/kernel/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/kernel/record.h"
#include "trace/engine/fxt.h"

/* The tracepoints of the kernel, as tracefs describes them. */

/* Where tracefs is mounted: today, and by older systems. */
static const char *const places[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
	NULL,
};

static int read_point(const char *place, const char *name, const char *field,
		      const char *another, struct tr2_kernel_point *point)
{
	char path[128], text[4096];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s/events/%s/format", place, name);
	file = fopen(path, "re");
	if (!file)
		return errno;
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return tr2_kernel_read_format(text, field, another, point) ? EINVAL : 0;
}

static int read_place(const char *place, struct tr2_kernel_reader *reader,
		      bool calls)
{
	int error = read_point(place, "sched/sched_waking", "pid", "target_cpu",
			       &reader->waking);

	if (!error && calls)
		error = read_point(place, "raw_syscalls/sys_enter", "id", NULL,
				   &reader->enter);
	if (!error && calls)
		error = read_point(place, "raw_syscalls/sys_exit", "id", "ret",
				   &reader->exit);
	return error;
}

static int find_points(struct tr2_kernel_reader *reader, bool calls)
{
	int error = ENOENT;

	for (size_t i = 0; error == ENOENT && places[i]; i++)
		error = read_place(places[i], reader, calls);
	return error;
}

#define RING_PAGES 64	     /* pages of data: a power of two */
#define RING_PAGES_CALLS 512 /* with system calls */
#define RECORD_MAX 512	     /* largest record that is read, in bytes */

struct ring {
	int fd;
	int points[3]; /* tracepoints that share the ring, or -1 */
	struct perf_event_mmap_page *page; /* the data follow it */
};

struct tr2_kernel {
	struct tr2_archive_source source;
	struct ring *rings; /* one for each CPU */
	long count;
	size_t page_size;
	size_t pages; /* of data of each ring */
	int refused;  /* errno of the tracepoints, or 0 */
	bool initialized;
	struct tr2_archive *archive; /* during a step */
	struct tr2_kernel_reader reader;
};

/*
 * CLOCK_MONOTONIC is the clock of all other records. All events of a ring
 * have the same fields at the end of their records.
 */
static int open_event(struct perf_event_attr *attr, int cpu)
{
	attr->size = sizeof(*attr);
	attr->sample_type |= PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			     PERF_SAMPLE_CPU;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/*
 * A dummy event counts nothing; it carries the context switches and the names
 * of all threads on one CPU.
 */
static int open_dummy(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.context_switch = 1,
		.comm = 1,
	};

	return open_event(&attr, cpu);
}

/* Let a tracepoint write to the ring. 0, or -1 and errno. */
static int open_point(struct ring *ring, int i, uint16_t id, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
	};

	ring->points[i] = open_event(&attr, cpu);
	if (ring->points[i] < 0)
		return -1;
	return ioctl(ring->points[i], PERF_EVENT_IOC_SET_OUTPUT, ring->fd);
}

static int open_ring(struct tr2_kernel *kernel, struct ring *ring, int cpu)
{
	void *page;

	ring->fd = open_dummy(cpu);
	if (ring->fd < 0)
		return -1;
	page = mmap(NULL, (1 + kernel->pages) * kernel->page_size,
		    PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (page == MAP_FAILED)
		return -1;
	ring->page = page;
	return 0;
}

static int open_rings(struct tr2_kernel *kernel)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);

	kernel->page_size = (size_t)sysconf(_SC_PAGESIZE);
	kernel->rings = calloc((size_t)count, sizeof(*kernel->rings));
	if (!kernel->rings)
		return -1;
	for (long cpu = 0; cpu < count; cpu++)
		kernel->rings[cpu] = (struct ring){ -1, { -1, -1, -1 }, NULL };
	kernel->count = count;
	for (long cpu = 0; cpu < count; cpu++)
		/* A CPU that is offline is not an error. */
		if (open_ring(kernel, &kernel->rings[cpu], (int)cpu) &&
		    errno != ENODEV)
			return -1;
	return 0;
}

/* Without tracepoints there are context switches only. */
static void open_points(struct tr2_kernel *kernel, int calls)
{
	const struct tr2_kernel_reader *reader = &kernel->reader;
	const uint16_t ids[] = { reader->waking.id, reader->enter.id,
				 reader->exit.id };
	int i;

	for (long cpu = 0; cpu < kernel->count; cpu++)
		for (i = 0; kernel->rings[cpu].page && i < (calls ? 3 : 1); i++)
			if (open_point(&kernel->rings[cpu], i, ids[i],
				       (int)cpu) &&
			    !kernel->refused)
				kernel->refused = errno;
}

struct tr2_kernel *tr2_kernel_begin(uint32_t id, bool calls)
{
	struct tr2_kernel *kernel = calloc(1, sizeof(*kernel));
	int error;

	if (!kernel)
		return NULL;
	kernel->source.id = id;
	strcpy(kernel->source.name, TR2_KERNEL_NAME);
	kernel->pages = calls ? RING_PAGES_CALLS : RING_PAGES;
	if (!open_rings(kernel)) {
		kernel->refused = find_points(&kernel->reader, calls);
		if (!kernel->refused)
			open_points(kernel, calls);
		return kernel;
	}
	error = errno;
	tr2_kernel_end(kernel);
	errno = error;
	return NULL;
}

int tr2_kernel_refused(const struct tr2_kernel *kernel)
{
	return kernel->refused;
}

/* Also called for a kernel whose beginning failed half-way. */
void tr2_kernel_end(struct tr2_kernel *kernel)
{
	struct ring *ring;

	for (long cpu = 0; cpu < kernel->count; cpu++) {
		ring = &kernel->rings[cpu];
		for (int i = 0; i < 3; i++)
			if (ring->points[i] >= 0)
				close(ring->points[i]);
		if (ring->page)
			munmap(ring->page,
			       (1 + kernel->pages) * kernel->page_size);
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
 * The provider's initialization record comes before its first one. If the
 * kernel had nothing to say, the archive does not mention it.
 */
static void put_record(void *owner, const uint64_t *words, size_t count)
{
	const uint64_t ticks[] = { fxt_initialization_header(), 1000000000 };
	struct tr2_kernel *kernel = owner;

	if (!kernel->initialized)
		tr2_archive_put_records(kernel->archive, &kernel->source, ticks,
					2);
	kernel->initialized = true;
	tr2_archive_put_records(kernel->archive, &kernel->source, words, count);
}

/* Copy a record that may continue at the start of the ring. */
static void copy_record(const struct tr2_kernel *kernel,
			const struct ring *ring, uint64_t from, char *record,
			size_t len)
{
	const char *data = (const char *)ring->page + kernel->page_size;
	size_t size = kernel->pages * kernel->page_size;
	size_t at = from & (size - 1);
	size_t first = len < size - at ? len : size - at;

	memcpy(record, data + at, first);
	memcpy(record + first, data, len - first);
}

/*
 * The kernel moves the head, we move the tail. A record of an impossible size
 * means that the ring makes no sense; its rest is skipped. One that is longer
 * than we need is skipped alone.
 */
static void read_ring(struct tr2_kernel *kernel, struct ring *ring)
{
	uint64_t head =
		__atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	union {
		struct perf_event_header header;
		char bytes[RECORD_MAX];
	} record;

	while (tail < head) {
		copy_record(kernel, ring, tail, record.bytes,
			    sizeof(record.header));
		if (record.header.size < sizeof(record.header))
			break;
		if (record.header.size <= RECORD_MAX) {
			copy_record(kernel, ring, tail, record.bytes,
				    record.header.size);
			tr2_kernel_take(&kernel->reader, record.bytes,
					record.header.size);
		}
		tail += record.header.size;
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

void tr2_kernel_step(struct tr2_kernel *kernel, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context)
{
	struct tr2_kernel_reader *reader = &kernel->reader;

	kernel->archive = archive;
	reader->wants = wants;
	reader->context = context;
	reader->put = put_record;
	reader->owner = kernel;
	for (long cpu = 0; cpu < kernel->count; cpu++)
		if (kernel->rings[cpu].page)
			read_ring(kernel, &kernel->rings[cpu]);
	kernel->source.events = reader->events;
	kernel->source.dropped = reader->dropped;
}
