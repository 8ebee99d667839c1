/*
 * engine_limits.h - verbs about what records may not need: system calls,
 * memory, room; and about children of a process that traces.
 */
#ifndef UNIT_TRACE_ENGINE_PROGRAMS_ENGINE_LIMITS_H
#define UNIT_TRACE_ENGINE_PROGRAMS_ENGINE_LIMITS_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "trace/engine/programs/engine_threads.h"

static enum trace_buffering_mode find_mode_of(const char *word)
{
	static const char *const modes[] = { "oneshot", "circular",
					     "streaming" };
	int mode = 0;

	while (strcmp(modes[mode], word) != 0)
		tap_need(++mode < 3);
	return (enum trace_buffering_mode)mode;
}

/*
 * ---- A filter that kills at any system call but exit, and no allocator
 */

static int allocations;

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	allocations++;
	return NULL;
}

static void *refuse_pages(size_t size)
{
	return refuse_memory(NULL, size);
}

static void trace_much(void)
{
	char text[] = "text";

	for (uint32_t i = 0; i < 50000; i++) {
		TRACE_DURATION("cat", "duration", "text", TA_STRING(text));
		TRACE_INSTANT("cat", "instant", TRACE_SCOPE_THREAD, "i",
			      TA_UINT32(i));
		TRACE_INSTANT("off", "off", TRACE_SCOPE_THREAD);
	}
	trace_name_process("process");
	trace_name_thread("thread");
}

/* 0, or there is no such filter. */
static int allow_exit_alone(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Its exit code is the number of allocations. */
static void trace_strictly(enum trace_buffering_mode mode)
{
	static struct tr2_host host;

	kit_start(mode, 1 << 20);
	TRACE_INSTANT("cat", "first", TRACE_SCOPE_THREAD);
	host = *tr2_host;
	host.realloc = refuse_memory;
	host.pages = refuse_pages;
	tr2_host = &host;
	if (allow_exit_alone())
		_exit(99);
	trace_much();
	syscall(SYS_exit, allocations);
}

/* `strictly oneshot`: after its first record a child runs under the filter. */
static const char *run_strictly(char **word)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		trace_strictly(find_mode_of(word[0]));
	waitpid(child, &status, 0);
	return script_say_number(status);
}

/*
 * ---- Children
 */

static bool is_shared; /* is the buffer memory that children would change? */

/* `share MODE BYTES` */
static const char *share_trace(char **word)
{
	const size_t size = (size_t)script_number(word[1], 0);

	trace_engine_terminate();
	free(kit_buffer);
	kit_size = size;
	kit_buffer = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	is_shared = true;
	return script_say_error(trace_start_engine(
		kit_handler(), find_mode_of(word[0]), kit_buffer, size));
}

static void drop_shared(void)
{
	if (is_shared)
		munmap(kit_buffer, kit_size);
	if (is_shared)
		kit_buffer = NULL;
	is_shared = false;
}

/*
 * ---- No room
 */

#define NAMES 8192

/* One that nothing has been called by yet. */
static const char *new_name(void)
{
	static char names[NAMES][20];
	static int next;
	char *name = names[next++ % NAMES];

	snprintf(name, sizeof(*names), "name %d", next);
	return name;
}

static void put_event(void)
{
	TRACE_INSTANT("a", new_name(), TRACE_SCOPE_THREAD, new_name(),
		      TA_STRING(new_name()));
}

static void put_blob(void)
{
	TRACE_BLOB(TRACE_BLOB_TYPE_DATA, new_name(), "bytes", 5);
}

static void put_attachment(void)
{
	TRACE_BLOB_ATTACHMENT(new_name(), new_name(), "bytes", 5);
}

static void put_blob_event(void)
{
	TRACE_BLOB_EVENT("a", new_name(), "bytes", 5, new_name(), TA_INT32(1));
}

static void put_object(void)
{
	TRACE_KERNEL_OBJECT((uint64_t)getpid(), new_name(), TA_INT32(1));
}

static void put_name(void)
{
	trace_name_thread(new_name());
}

static const struct {
	const char *name;
	void (*put)(void);
} kinds[] = {
	{ "event", put_event },		  { "blob", put_blob },
	{ "attachment", put_attachment }, { "blob-event", put_blob_event },
	{ "object", put_object },	  { "name", put_name },
};

/*
 * `no-room blob oneshot`: the end of a buffer comes at every point of such a
 * record. In how many buffers is not all whole, or not told?
 */
static const char *meet_end(char **word)
{
	static const char bytes[8 * 48];
	int wrong = 0;
	size_t i = 0;

	while (strcmp(kinds[i].name, word[0]) != 0)
		tap_need(++i < sizeof(kinds) / sizeof(*kinds));
	for (size_t pad = 1; pad < 48; pad++) {
		kit_start(find_mode_of(word[1]), 16384);
		TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "pad", bytes, 8 * pad);
		while (trace_engine_dropped() < 3)
			kinds[i].put();
		trace_engine_stop(0);
		wrong += !is_sound() || kit_heard.disposition != ENOSPC;
	}
	return script_say_number(wrong);
}

/* clang-format off */
#define ENGINE_LIMITS \
	{ "strictly", run_strictly }, { "share", share_trace }, \
	{ "no-room", meet_end }
/* clang-format on */

#endif
