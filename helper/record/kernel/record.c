#include "record/kernel/record.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "trace/engine/fxt.h"

#define SYSCALL_CATEGORY "syscall"
#define NAME_MAX_BYTES 64

/* PERF_RECORD_SWITCH_CPU_WIDE, with the sample id that kernel.c asks for. */
struct cpu_switch {
	struct perf_event_header header;
	uint32_t other_pid, other_tid;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
};

/* PERF_RECORD_LOST: the ring was full. */
struct lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t count;
};

/* PERF_RECORD_COMM: a thread has changed its name. */
struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

/* PERF_RECORD_SAMPLE of a tracepoint; the data begin with its id. */
struct sample {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, unused;
	uint32_t size;
	char data[];
};

static size_t place_of(uint32_t thread)
{
	return thread & (TR2_KERNEL_THREADS - 1);
}

static bool is_wanted(const struct tr2_kernel_reader *reader, uint32_t pid)
{
	return reader->wants(reader->context, (pid_t)pid);
}

/*
 * Names
 */

static void put_name(struct tr2_kernel_reader *reader, uint32_t pid,
		     uint32_t tid, const char *name)
{
	const struct fxt_text key = fxt_inline("process", 7);
	const struct fxt_text text =
		fxt_inline(name, strnlen(name, NAME_MAX_BYTES));
	uint64_t words[TR2_KERNEL_WORDS], *at = words + 2;

	at = fxt_put_text(at, text);
	at = fxt_put_arg64(at, FXT_ARG_KOID, key, pid);
	words[0] = fxt_kernel_object_header(FXT_OBJECT_THREAD,
					    (size_t)(at - words), 1, text.ref);
	words[1] = tid;
	reader->put(reader->owner, words, (size_t)(at - words));
	reader->named[place_of(tid)] = tid;
}

/* Find the name of a thread that is seen first. It may have ended. */
static void introduce_thread(struct tr2_kernel_reader *reader, uint32_t pid,
			     uint32_t tid)
{
	char path[64], name[NAME_MAX_BYTES];
	FILE *file;

	if (!tid || reader->named[place_of(tid)] == tid)
		return;
	reader->named[place_of(tid)] = tid;
	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = '\0';
		put_name(reader, pid, tid, name);
	}
	fclose(file);
}

static void take_comm(struct tr2_kernel_reader *reader,
		      const struct comm *event)
{
	if (is_wanted(reader, event->pid) ||
	    reader->named[place_of(event->tid)] == event->tid)
		put_name(reader, event->pid, event->tid, event->name);
}

/*
 * Scheduling
 */

/* A thread that loses the CPU was preempted, or it waits for something. */
static enum fxt_thread_state state_of(const struct cpu_switch *event)
{
	return event->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
		       ? FXT_STATE_RUNNING
		       : FXT_STATE_BLOCKED;
}

/* Is the process traced? If so, remember the thread. */
static bool note_thread(struct tr2_kernel_reader *reader, uint32_t pid,
			uint32_t tid)
{
	bool wanted = is_wanted(reader, pid);

	if (wanted)
		reader->traced[place_of(tid)] = tid;
	return wanted;
}

/*
 * The kernel reports each switch twice: for the thread that leaves and for
 * the one that comes. Only the first report has the reason.
 */
static void take_switch(struct tr2_kernel_reader *reader,
			const struct cpu_switch *event)
{
	bool wanted = note_thread(reader, event->pid, event->tid);
	uint64_t words[4];

	wanted |= note_thread(reader, event->other_pid, event->other_tid);
	if (!wanted || !(event->header.misc & PERF_RECORD_MISC_SWITCH_OUT))
		return;
	introduce_thread(reader, event->pid, event->tid);
	introduce_thread(reader, event->other_pid, event->other_tid);
	words[0] = fxt_context_switch_header(4, 0, (uint16_t)event->cpu,
					     state_of(event));
	words[1] = event->time;
	words[2] = event->tid;
	words[3] = event->other_tid;
	reader->put(reader->owner, words, 4);
	reader->events++;
}

/*
 * Samples
 */

/* Returns the int32 or the start of a longer number in the data. */
static int32_t read_int(const struct sample *sample, uint16_t offset)
{
	int32_t value = 0;

	if (offset + sizeof(value) <= sample->size)
		memcpy(&value, sample->data + offset, sizeof(value));
	return value;
}

static int64_t read_long(const struct sample *sample, uint16_t offset)
{
	long value = 0;

	if (offset + sizeof(value) <= sample->size)
		memcpy(&value, sample->data + offset, sizeof(value));
	return value;
}

/* The sample's own thread is the waker. */
static void take_wakeup(struct tr2_kernel_reader *reader,
			const struct sample *sample)
{
	const struct tr2_kernel_point *point = &reader->waking;
	const struct fxt_text key = fxt_inline("waker", 5);
	uint32_t woken = (uint32_t)read_int(sample, point->field);
	uint32_t cpu = sample->cpu;
	uint64_t words[TR2_KERNEL_WORDS], *at = words + 3;

	if (reader->traced[place_of(woken)] != woken &&
	    !is_wanted(reader, sample->pid))
		return;
	if (point->another)
		cpu = (uint32_t)read_int(sample, point->another);
	introduce_thread(reader, sample->pid, sample->tid);
	at = fxt_put_arg64(at, FXT_ARG_KOID, key, sample->tid);
	words[0] = fxt_wakeup_header((size_t)(at - words), 1, (uint16_t)cpu);
	words[1] = sample->time;
	words[2] = woken;
	reader->put(reader->owner, words, (size_t)(at - words));
	reader->events++;
}

/* Calls that do not return. */
static bool is_last_call(uint32_t number)
{
	return number == SYS_exit || number == SYS_exit_group;
}

static void take_enter(struct tr2_kernel_reader *reader,
		       const struct sample *sample)
{
	struct tr2_kernel_call *call = &reader->calls[place_of(sample->tid)];
	uint32_t number = (uint32_t)read_long(sample, reader->enter.field);

	if (!is_wanted(reader, sample->pid))
		return;
	introduce_thread(reader, sample->pid, sample->tid);
	reader->dropped += call->thread && call->thread != sample->tid;
	*call = (struct tr2_kernel_call){
		.thread = is_last_call(number) ? 0 : sample->tid,
		.number = number,
		.time = sample->time,
	};
}

static void put_call(struct tr2_kernel_reader *reader,
		     const struct sample *sample,
		     const struct tr2_kernel_call *call, int64_t result)
{
	const struct fxt_thread_ref thread = { sample->pid, sample->tid, 0 };
	const struct fxt_text category = fxt_inline(SYSCALL_CATEGORY, 7);
	const struct fxt_text key = fxt_inline("result", 6);
	const char *known = tr2_kernel_syscall_name(call->number);
	uint64_t words[TR2_KERNEL_WORDS], *at = words + 1;
	char other[32];
	struct fxt_text name;

	snprintf(other, sizeof(other), "syscall %u", call->number);
	name = fxt_inline(known ? known : other, strlen(known ? known : other));
	*at++ = call->time;
	at = fxt_put_thread(at, thread);
	at = fxt_put_text(at, category);
	at = fxt_put_text(at, name);
	at = fxt_put_arg64(at, FXT_ARG_INT64, key, (uint64_t)result);
	*at++ = sample->time;
	words[0] = fxt_event_header(FXT_DURATION_COMPLETE, (size_t)(at - words),
				    1, 0, category.ref, name.ref);
	reader->put(reader->owner, words, (size_t)(at - words));
	reader->events++;
}

/* A call that began before the recording has no beginning to show. */
static void take_exit(struct tr2_kernel_reader *reader,
		      const struct sample *sample)
{
	struct tr2_kernel_call *call = &reader->calls[place_of(sample->tid)];
	uint32_t number = (uint32_t)read_long(sample, reader->exit.field);

	if (call->thread != sample->tid)
		return;
	if (call->number == number)
		put_call(reader, sample, call,
			 read_long(sample, reader->exit.another));
	call->thread = 0;
}

static void take_sample(struct tr2_kernel_reader *reader,
			const struct sample *sample)
{
	uint16_t id;

	memcpy(&id, sample->data, sizeof(id));
	if (!id)
		return;
	if (id == reader->waking.id)
		take_wakeup(reader, sample);
	else if (id == reader->enter.id)
		take_enter(reader, sample);
	else if (id == reader->exit.id)
		take_exit(reader, sample);
}

static bool is_sample(const struct sample *sample, size_t size)
{
	return size >= offsetof(struct sample, data) + sizeof(uint16_t) &&
	       sample->size >= sizeof(uint16_t) &&
	       sample->size <= size - offsetof(struct sample, data);
}

void tr2_kernel_take(struct tr2_kernel_reader *reader, const void *record,
		     size_t size)
{
	const struct perf_event_header *header = record;

	if (header->type == PERF_RECORD_SWITCH_CPU_WIDE &&
	    size >= sizeof(struct cpu_switch))
		take_switch(reader, record);
	else if (header->type == PERF_RECORD_LOST &&
		 size >= sizeof(struct lost))
		reader->dropped += ((const struct lost *)record)->count;
	else if (header->type == PERF_RECORD_COMM && size > sizeof(struct comm))
		take_comm(reader, record);
	else if (header->type == PERF_RECORD_SAMPLE && is_sample(record, size))
		take_sample(reader, record);
}

/*
 * Tracepoints
 */

/* Returns the offset of the field, or 0 if there is none of that name. */
static uint16_t find_field(const char *text, const char *name)
{
	const size_t len = strlen(name);
	const char *at = text, *offset;

	while ((at = strstr(at, name))) {
		if (at != text && at[-1] == ' ' && at[len] == ';') {
			offset = strstr(at, "offset:");
			return offset ? (uint16_t)strtoul(offset + 7, NULL, 10)
				      : 0;
		}
		at += len;
	}
	return 0;
}

int tr2_kernel_read_format(const char *text, const char *field,
			   const char *another, struct tr2_kernel_point *point)
{
	const char *id = strstr(text, "\nID: ");

	*point = (struct tr2_kernel_point){ 0 };
	point->field = find_field(text, field);
	if (!id || !point->field)
		return -1;
	if (another)
		point->another = find_field(text, another);
	point->id = (uint16_t)strtoul(id + 5, NULL, 10);
	return point->id ? 0 : -1;
}
