/*
 * kernel.h - the kernel as a trace provider: when the threads of traced
 * processes got and lost a CPU, as scheduling records on the clock of all
 * other records.
 *
 * The kernel writes what happens on each CPU to a ring that is shared with
 * us (perf_event_open(2), PERF_RECORD_SWITCH_CPU_WIDE); we read the rings
 * now and then and keep what is about processes that are traced. It needs
 * root or CAP_PERFMON, or perf_event_paranoid at 0 or below.
 */
#ifndef TR2_KERNEL_H
#define TR2_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/reader/archive.h"

#define TR2_KERNEL_NAME "kernel"
#define TR2_KERNEL_CATEGORY "kernel:sched"

/* How often to call tr2_kernel_step(), in ns. */
#define TR2_KERNEL_EVERY UINT64_C(50000000)

struct tr2_kernel;

/* NULL and errno where the kernel refuses, or memory. `id` is ours. */
struct tr2_kernel *tr2_kernel_begin(uint32_t id);

/* Is this process traced? Asked about each one that got or lost a CPU. */
typedef bool tr2_kernel_wants(void *context, pid_t pid);

/* Put what happened since into the archive. */
void tr2_kernel_step(struct tr2_kernel *kernel, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context);

/* What it gave: events, bytes, and records that the kernel had to drop. */
const struct tr2_source *tr2_kernel_source(const struct tr2_kernel *kernel);

void tr2_kernel_end(struct tr2_kernel *kernel);

#endif
