/*
 * kernel.h - the kernel as a trace provider. It records when the threads of
 * traced processes get and lose a CPU and who wakes them, as scheduling
 * records with the clock of all other records, the names of these threads,
 * and on request their system calls.
 *
 * The kernel writes the events of each CPU to a ring that it shares with us
 * (perf_event_open(2), PERF_RECORD_SWITCH_CPU_WIDE). We read the rings from
 * time to time and keep the records about traced processes. This needs root
 * or CAP_PERFMON, or a value of 0 or below in perf_event_paranoid. Wakeups and
 * system calls are tracepoints, which also need tracefs to be mounted and
 * readable. Without them the rest is recorded.
 *
 * This room knows nothing of the trace manager that uses it, and sees no
 * process that the manager did not name.
 *
 *	kernel.c	the rings
 *	points.c	tracefs
 *	record.c	what is in the rings, as records
 *	syscalls.c	names of system calls
 */
#ifndef TR2_KERNEL_KERNEL_H
#define TR2_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/reader/archive.h"

#define TR2_KERNEL_NAME "kernel"

/* How often to call tr2_kernel_step(), in ns. */
#define TR2_KERNEL_EVERY UINT64_C(50000000)

struct tr2_kernel;

/*
 * NULL and errno if the kernel refuses or memory fails. `id` is the
 * provider's id; `calls` asks for system calls.
 */
struct tr2_kernel *tr2_kernel_begin(uint32_t id, bool calls);

/* Why wakeups and system calls are missing, as an errno value; or 0. */
int tr2_kernel_refused(const struct tr2_kernel *kernel);

/* Is this process traced? Called for each process that got or lost a CPU. */
typedef bool tr2_kernel_wants(void *context, pid_t pid);

/* Put the events since the last call into the archive. */
void tr2_kernel_step(struct tr2_kernel *kernel, struct tr2_archive *archive,
		     tr2_kernel_wants *wants, void *context);

/*
 * The kernel's share of the trace: events, bytes, and records that it
 * dropped.
 */
const struct tr2_archive_source *
tr2_kernel_source(const struct tr2_kernel *kernel);

void tr2_kernel_end(struct tr2_kernel *kernel);

#endif
