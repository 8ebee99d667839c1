/*
 * writer_kit.h - the writers of threads that one thread plays.
 */
#ifndef UNIT_TRACE_ENGINE_PARTS_WRITER_KIT_H
#define UNIT_TRACE_ENGINE_PARTS_WRITER_KIT_H

#include "kit/memory.h"

#include "kit/tap.h"
#include "trace/engine/writer.h"

#define BATCH 10 /* writers are made at a time */

/* Nothing can be written after these pages. */
static inline void *give_pages(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size + page - 1) / page * page;
	char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(memory != MAP_FAILED &&
		 !mprotect(memory + room, page, PROT_NONE));
	return memory + room - size;
}

static inline pid_t tell_pid(void)
{
	return 100;
}

static inline pid_t tell_thread(char *name, size_t size)
{
	static pid_t thread = 200;

	memset(name, 'x', size - 1);
	name[size - 1] = '\0';
	return thread++;
}

static struct tr2_trace_writer *writers[2 * BATCH];

static inline void attach_writers(int count)
{
	int i;

	tr2_trace_writer_forget();
	for (i = 0; i < count; i++)
		writers[i] = tr2_trace_writer_attach();
}

static inline void kit_install(struct tr2_host *host)
{
	host->pages = give_pages;
	host->getpid = tell_pid;
	host->thread = tell_thread;
	tr2_host = host;
}

#endif
