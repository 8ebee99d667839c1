/*
 * rings_kit.h - the calls that open the kernel's events, made by hand: a ring
 * is a file in memory, and what the test puts into it the kernel would. The C
 * library's functions are replaced, so it has to be the first header.
 */
#ifndef UNIT_KERNEL_RINGS_KIT_H
#define UNIT_KERNEL_RINGS_KIT_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/kernel/kernel.h"
#include "record/kernel/switch_kit.h"
#include "kit/directory.h"

#define CPUS 3

/* An event that was opened. */
struct opened {
	struct perf_event_attr attr;
	int cpu, fd, output;
	pid_t pid;
	int group;
	unsigned long flags;
};

static struct {
	struct opened events[32];
	int count;
	size_t pages;	     /* of each ring's data */
	int fails_at, error; /* the event of this number, from 1 */
	int output_error;    /* of PERF_EVENT_IOC_SET_OUTPUT */
	const char *formats; /* where tracefs is, or NULL */
	char lacks[32];	     /* a tracepoint that is not there */
	bool is_odd;	     /* tracefs is not as we know it */
	int lowest;	     /* the event of this number is descriptor 0 */
	bool no_memory;	     /* for a ring */
} fake;

static inline void move_event(struct opened *event, int lowest)
{
	const int fd = fcntl(event->fd, F_DUPFD_CLOEXEC, lowest ? lowest : 0);

	if (event->fd == lowest || (event->fd > 2 && lowest)) {
		close(fd);
		return;
	}
	close(event->fd);
	event->fd = fd;
}

static inline long open_event(const struct perf_event_attr *attr, pid_t pid,
			      int cpu, int group, unsigned long flags)
{
	struct opened *event = &fake.events[fake.count++];
	const size_t size = (1 + fake.pages) * (size_t)sysconf(_SC_PAGESIZE);

	*event = (struct opened){ *attr, cpu, -1, -1, pid, group, flags };
	if (fake.count == fake.fails_at) {
		errno = fake.error;
		return -1;
	}
	event->fd = memfd_create("ring", MFD_CLOEXEC);
	if (event->fd < 0 || ftruncate(event->fd, (off_t)size))
		abort();
	if (fake.lowest) /* all others are above the standard streams */
		move_event(event, fake.count == fake.lowest ? 0 : 3);
	return event->fd;
}

/* The thread sanitizer calls these before it is ready to look at any. */
#ifdef __SANITIZE_THREAD__
#define UNSEEN __attribute__((no_sanitize_thread))
#else
#define UNSEEN
#endif

/* The C library's own function of that name. */
UNSEEN static inline void *find_real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	tap_need(found);
	return found;
}

UNSEEN long syscall(long number, ...)
{
	long (*real)(long, ...);
	long a[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open)
		return open_event((void *)a[0], (pid_t)a[1], (int)a[2],
				  (int)a[3], (unsigned long)a[4]);
	*(void **)&real = find_real("syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

UNSEEN int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	int output;

	va_start(list, request);
	output = va_arg(list, int);
	va_end(list);
	for (int i = 0; i < fake.count; i++)
		if (fake.events[i].fd == fd &&
		    request == PERF_EVENT_IOC_SET_OUTPUT)
			fake.events[i].output = output;
	errno = fake.output_error;
	return errno ? -1 : 0;
}

UNSEEN long sysconf(int name)
{
	long (*real)(int);

	if (name == _SC_NPROCESSORS_CONF)
		return CPUS;
	*(void **)&real = find_real("sysconf");
	return real(name);
}

UNSEEN void *mmap(void *at, size_t size, int protection, int flags, int fd,
		  off_t from)
{
	void *(*real)(void *, size_t, int, int, int, off_t);

	if (!fake.no_memory || fd < 0) {
		*(void **)&real = find_real("mmap");
		return real(at, size, protection, flags, fd, from);
	}
	errno = ENOMEM;
	return MAP_FAILED;
}

static inline const char *format_of(const char *point)
{
	if (fake.is_odd)
		return "\nID: 3\n other; offset:8;\n";
	if (!strcmp(point, "sched/sched_waking"))
		return "\nID: 3\n pid; offset:8; target_cpu; offset:12;\n";
	if (!strcmp(point, "raw_syscalls/sys_enter"))
		return "\nID: 4\n id; offset:8;\n";
	if (!strcmp(point, "raw_syscalls/sys_exit"))
		return "\nID: 5\n id; offset:8; ret; offset:16;\n";
	return NULL;
}

/* It has a descriptor, as a file has. */
static inline FILE *open_text(const char *text)
{
	int fd = memfd_create("format", MFD_CLOEXEC);

	tap_need(write(fd, text, strlen(text)) >= 0 && !lseek(fd, 0, SEEK_SET));
	return fdopen(fd, "r");
}

/* Files of the kernel's names are there if `fake.formats` says so. */
UNSEEN FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);
	char point[64] = "", place[64] = "";
	const char *text;

	if (strncmp(path, "/sys/kernel/", 12)) {
		*(void **)&real = find_real("fopen");
		return real(path, mode);
	}
	sscanf(path, "%63[^.]", place);
	*strstr(place, "/events/") = '\0';
	sscanf(strstr(path, "/events/"), "/events/%63s", point);
	*strrchr(point, '/') = '\0';
	text = format_of(point);
	errno = ENOENT;
	if (!text || !fake.formats || strcmp(place, fake.formats) ||
	    !strcmp(point, fake.lacks) || strcmp(mode, "re"))
		return NULL;
	return open_text(text);
}

/*
 * The tests' own tools
 */

static inline void begin_fake(size_t pages, const char *formats)
{
	memset(&fake, 0, sizeof(fake));
	fake.pages = pages;
	fake.formats = formats;
}

static struct tr2_archive archive;
static char written[1 << 20];
static size_t written_len;

static inline int put_bytes(void *context, const void *bytes, size_t len)
{
	(void)context;
	tap_need(written_len + len <= sizeof(written));
	memcpy(written + written_len, bytes, len);
	written_len += len;
	return 0;
}

static inline void begin_archive(void)
{
	memset(&archive, 0, sizeof(archive));
	archive.put = put_bytes;
	written_len = 0;
	tr2_archive_begin(&archive);
}

static inline bool is_traced(void *context, pid_t pid)
{
	return context == written && pid == (pid_t)TRACED;
}

/* A ring as the kernel sees it. */
struct side {
	struct perf_event_mmap_page *page;
	char *data;
	size_t size;
};

static inline struct side open_side(int cpu)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, (1 + fake.pages) * page, PROT_READ | PROT_WRITE,
			 MAP_SHARED, fake.events[cpu].fd, 0);

	tap_need(map != MAP_FAILED);
	return (struct side){ (void *)map, map + page, fake.pages * page };
}

static inline void close_side(const struct side *side)
{
	munmap(side->page, side->size + (size_t)sysconf(_SC_PAGESIZE));
}

static inline void put_report(const struct side *side, const void *report,
			      size_t len)
{
	const char *from = report;

	for (size_t i = 0; i < len; i++)
		side->data[side->page->data_head++ % side->size] = from[i];
}

/* A traced thread loses the CPU at that time. */
static inline void put_switch(const struct side *side, uint64_t time)
{
	const struct switch_report report = make_switch(time);

	put_report(side, &report, sizeof(report));
}

static inline void put_lost(const struct side *side, uint64_t count)
{
	const struct {
		struct perf_event_header header;
		uint64_t id, count;
	} report = { { PERF_RECORD_LOST, 0, sizeof(report) }, 1, count };

	put_report(side, &report, sizeof(report));
}

/* A traced thread gets a name, in a report of that many bytes. */
static inline void put_name(const struct side *side, size_t size)
{
	char report[4096] = { 0 };
	const uint32_t ids[] = { TRACED, TRACED };
	const struct perf_event_header header = { PERF_RECORD_COMM, 0,
						  (uint16_t)size };

	memcpy(report, &header, sizeof(header));
	memcpy(report + sizeof(header), ids, sizeof(ids));
	strcpy(report + sizeof(header) + sizeof(ids), "name");
	put_report(side, report, size);
}

/* A report that nobody reads, of that many bytes. */
static inline void put_other(const struct side *side, size_t size)
{
	char report[4096] = { 0 };
	const struct perf_event_header header = { PERF_RECORD_MMAP, 0,
						  (uint16_t)size };

	memcpy(report, &header, sizeof(header));
	put_report(side, report, size);
}

#endif
