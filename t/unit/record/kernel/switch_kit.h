/* switch_kit.h - what the kernel reports when a thread loses its CPU. */
#ifndef UNIT_KERNEL_SWITCH_KIT_H
#define UNIT_KERNEL_SWITCH_KIT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define TRACED 1000u /* the only traced process, and its first thread */
#define OTHER 70000u /* a process that is not traced, and its first thread */

/* The layout is the kernel's. */
struct switch_report {
	struct perf_event_header header;
	uint32_t next_pid, next, pid, tid;
	uint64_t time; /* ns */
	uint32_t cpu, unused;
};

/* The traced thread loses CPU 1 to the other process. */
static inline struct switch_report make_switch(uint64_t time)
{
	return (struct switch_report){
		.header = { PERF_RECORD_SWITCH_CPU_WIDE,
			    PERF_RECORD_MISC_SWITCH_OUT,
			    sizeof(struct switch_report) },
		.next_pid = OTHER,
		.next = OTHER,
		.pid = TRACED,
		.tid = TRACED,
		.time = time,
		.cpu = 1,
	};
}

#endif
