/*
 * fxt_numbers.h - the Fuchsia trace format: types and limits.
 */
#ifndef TRACE_FXT_NUMBERS_H
#define TRACE_FXT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

enum fxt_record {
	FXT_METADATA = 0,
	FXT_INITIALIZATION = 1,
	FXT_STRING = 2,
	FXT_THREAD = 3,
	FXT_EVENT = 4,
	FXT_BLOB = 5,
	FXT_USERSPACE_OBJECT = 6,
	FXT_KERNEL_OBJECT = 7,
	FXT_SCHEDULING = 8,
	FXT_LOG = 9,
	FXT_PROFILER = 10,
	FXT_LARGE = 15,
};

enum fxt_metadata {
	FXT_PROVIDER_INFO = 1,
	FXT_PROVIDER_SECTION = 2,
	FXT_PROVIDER_EVENT = 3,
	FXT_TRACE_INFO = 4,
};

enum fxt_event {
	FXT_INSTANT = 0,
	FXT_COUNTER = 1,
	FXT_DURATION_BEGIN = 2,
	FXT_DURATION_END = 3,
	FXT_DURATION_COMPLETE = 4,
	FXT_ASYNC_BEGIN = 5,
	FXT_ASYNC_INSTANT = 6,
	FXT_ASYNC_END = 7,
	FXT_FLOW_BEGIN = 8,
	FXT_FLOW_STEP = 9,
	FXT_FLOW_END = 10,
};

/* Whom an instant concerns. */
enum fxt_scope {
	FXT_SCOPE_THREAD = 0,
	FXT_SCOPE_PROCESS = 1,
	FXT_SCOPE_GLOBAL = 2,
};

enum fxt_arg {
	FXT_ARG_NULL = 0,
	FXT_ARG_INT32 = 1,
	FXT_ARG_UINT32 = 2,
	FXT_ARG_INT64 = 3,
	FXT_ARG_UINT64 = 4,
	FXT_ARG_DOUBLE = 5,
	FXT_ARG_STRING = 6,
	FXT_ARG_POINTER = 7,
	FXT_ARG_KOID = 8,
	FXT_ARG_BOOL = 9,
	FXT_ARG_BLOB = 10,
};

#define FXT_ARG_TYPES (FXT_ARG_BLOB + 1)

enum fxt_blob {
	FXT_BLOB_FILLER = 0, /* of ours: see fxt_filler() */
	FXT_BLOB_DATA = 1,
	FXT_BLOB_LAST_BRANCH = 2,
	FXT_BLOB_PERFETTO = 3,
};

/* What a kernel object is: its names are how processes are named. */
enum fxt_object {
	FXT_OBJECT_PROCESS = 1,
	FXT_OBJECT_THREAD = 2,
};

enum fxt_scheduling {
	FXT_SCHED_LEGACY_SWITCH = 0,
	FXT_SCHED_SWITCH = 1,
	FXT_SCHED_WAKEUP = 2,
};

enum fxt_thread_state {
	FXT_STATE_NEW = 0,
	FXT_STATE_RUNNING = 1,
	FXT_STATE_SUSPENDED = 2,
	FXT_STATE_BLOCKED = 3,
	FXT_STATE_DYING = 4,
	FXT_STATE_DEAD = 5,
};

enum fxt_profiler {
	FXT_PROFILER_MODULE = 0,
	FXT_PROFILER_MMAP = 1,
	FXT_PROFILER_BACKTRACE = 2,
};

enum fxt_large_format {
	FXT_LARGE_EVENT = 0,	  /* time, thread, arguments and a blob */
	FXT_LARGE_ATTACHMENT = 1, /* a blob alone */
};

/* SPEC: fxt.magic */
#define FXT_MAGIC UINT64_C(0x0016547846040010)
#define FXT_MAGIC_NUMBER UINT64_C(0x16547846)

#define FXT_WORD ((size_t)8)		/* bytes */
#define FXT_RECORD_WORDS ((size_t)4095) /* SPEC: fxt.record.large */
#define FXT_ARGS 15			/* at most, of one record */
#define FXT_STRINGS 0x7fff		/* the last index; the first is 1 */
#define FXT_THREADS 0xff		/* the last index; the first is 1 */
#define FXT_STRING_BYTES ((size_t)32000)
#define FXT_BLOB_BYTES ((size_t)32000)
#define FXT_NAME_BYTES ((size_t)255) /* of a provider */

#define FXT_BUFFER_FILLED_UP 0u /* the one provider event */

#define FXT_INLINE 0x8000u /* in a string reference: the bytes follow */

#endif
