/*
 * record.h - what the kernel reports, as records of an archive.
 *
 *	perf's record			records
 *	context switch			scheduling; the threads' names
 *	sample of sched_waking		scheduling, with the waker
 *	samples of sys_enter, sys_exit	a complete duration of `syscall`
 *	comm				a thread's name
 *	lost				none: they are counted
 *
 * The memory is bounded: of each kind of thread a table remembers one for
 * each of TR2_KERNEL_THREADS places. If two threads need the same place, a
 * name may be written twice, a wakeup of a thread may be left out, or a
 * system call is dropped and counted.
 */
#ifndef TR2_KERNEL_RECORD_H
#define TR2_KERNEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/kernel/kernel.h"

#define TR2_KERNEL_THREADS 4096 /* a power of two */

/* The longest record that is made, in words. */
#define TR2_KERNEL_WORDS 32

/* A tracepoint: its id, and where its fields are in a sample's data. */
struct tr2_kernel_point {
	uint16_t id;	  /* 0: it is not recorded */
	uint16_t field;	  /* pid (sched_waking) or id (sys_enter, sys_exit) */
	uint16_t another; /* target_cpu or ret; 0: there is none */
};

struct tr2_kernel_call {
	uint32_t thread; /* 0: none */
	uint32_t number;
	uint64_t time;
};

struct tr2_kernel_reader {
	/* The owner sets these. */
	struct tr2_kernel_point waking, enter, exit;
	tr2_kernel_wants *wants;
	void *context;
	/* Receives a record of at most TR2_KERNEL_WORDS. */
	void (*put)(void *owner, const uint64_t *words, size_t count);
	void *owner;

	/* The reader keeps these. */
	uint64_t events, dropped;
	uint32_t named[TR2_KERNEL_THREADS];  /* threads whose name is written */
	uint32_t traced[TR2_KERNEL_THREADS]; /* threads of traced processes */
	struct tr2_kernel_call calls[TR2_KERNEL_THREADS];
};

/* Perf's record, whole and aligned; `size` is that of its header. */
void tr2_kernel_take(struct tr2_kernel_reader *reader, const void *record,
		     size_t size);

/*
 * Read the text of a tracepoint's `format` file: 0, or -1 if it lacks the id
 * or the field of that name. `another` may be NULL, or be missing.
 */
int tr2_kernel_read_format(const char *text, const char *field,
			   const char *another, struct tr2_kernel_point *point);

/* Returns the name of a system call of this machine, or NULL. */
const char *tr2_kernel_syscall_name(uint32_t number);

#endif
