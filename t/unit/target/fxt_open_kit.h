/*
 * fxt_open_kit.h - files, engine, provider and agent for the FXT and Chrome
 * targets, which note how they are called, and fail on request.
 */
#ifndef UNIT_TARGET_FXT_OPEN_KIT_H
#define UNIT_TARGET_FXT_OPEN_KIT_H

#include "kit/destination.h"

#include "kit/note.h"

#include "trace/provider/provider.h"
#include "trace/agent/agent.h"
#include "trace/tracing/chrome_file.h"
#include "trace/outside/outside.h"
#include "trace/engine.h"
#include "trace/engine/session.h"
#include "descriptor/trace_file.h"
#include "event/event.h"
#include "target/chrome.h"
#include "target/fxt.h"
#include "fxt/engine.h"
#include "fxt/file.h"
#include "fxt/guard.h"
#include "target/target.h"
#include "config/settings.h"

static struct {
	int begin[2]; /* errno of tr2_fxt_file_begin(), the next one first */
	int open, initialize, start, chrome;
	int has_no_provider;
	int enabled; /* the engine's answer about categories */
} world;

/* Nobody owns the engine, unless a test sets this. */
struct tr2_trace_session tr2_trace;

static struct trace_handler *handler;
static struct trace_buffer_header *header;
static char space[8];
static struct tr2_fxt_file *file_begun;
static uint64_t dropped;

int tr2_fxt_file_begin(struct tr2_fxt_file *file, int fd, pid_t pid,
		       uint64_t max, int is_child)
{
	int error = world.begin[0];

	file_begun = file;
	/* 999: a number at the top of the table, whichever it is */
	add_note("begin %d %d %llu; ", fd > 900 ? 999 : fd, (int)pid,
		 (unsigned long long)max);
	*file = (struct tr2_fxt_file){ .fd = fd,
				       .space = space,
				       .have = 100,
				       .max = 200,
				       .is_child = is_child };
	world.begin[0] = world.begin[1];
	errno = error;
	return !error;
}

size_t tr2_fxt_file_grow(struct tr2_fxt_file *file, uint64_t have)
{
	file->have = have + 10;
	return (size_t)file->fd;
}

void tr2_fxt_file_trim(const struct tr2_fxt_file *file, uint64_t used)
{
	add_note("trim %d %d; ", file->fd, (int)used);
}

void tr2_fxt_file_forget(struct tr2_fxt_file *file)
{
	add_note("forget %d; ", file->fd);
	*file = (struct tr2_fxt_file){ .fd = -1 };
	errno = EXDEV;
}

/* What others have done to the file, as a test has it. */
static enum tr2_fxt_state state;

enum tr2_fxt_state tr2_fxt_file_state(const struct tr2_fxt_file *file)
{
	(void)file;
	return state;
}

void *tr2_fxt_file_place(const struct tr2_fxt_file *file, uint64_t at)
{
	return file->space + at;
}

void *tr2_fxt_file_window(const struct tr2_fxt_file *file, size_t which,
			  size_t *size)
{
	(void)file;
	(void)which;
	(void)size;
	return NULL;
}

size_t tr2_fxt_file_open_bytes(const struct tr2_fxt_file *file)
{
	return (size_t)file->have + 1;
}

void tr2_fxt_file_give_up(struct tr2_fxt_file *file)
{
	add_note("give up %d; ", file->fd);
}

void tr2_fxt_file_close(struct tr2_fxt_file *file)
{
	if (file->fd >= 0)
		add_note("close %d; ", file->fd);
	file->fd = -1;
	errno = EXDEV;
}

/*
 * The guard: how many bytes, which function, and how many threads asked for
 * it. Its other sizes are that of the file.
 */
static struct {
	size_t size;
	void (*lost)(void);
	int threads;
} guard;

void tr2_fxt_guard_begin(void *map, size_t size, void (*lost)(void))
{
	(void)map;
	guard.size = size;
	guard.lost = lost;
}

void tr2_fxt_guard_add(size_t which, void *map, size_t size)
{
	(void)which;
	(void)map;
	(void)size;
}

void tr2_fxt_guard_widen(size_t size)
{
	guard.size = size;
}

void tr2_fxt_guard_thread(void)
{
	guard.threads++;
}

void tr2_fxt_guard_end(void)
{
	guard.size = 0;
}

void tr2_trace_abandon(int more)
{
	add_note("abandon %d; ", more);
}

int trace_engine_initialize_file(struct trace_handler *own,
				 struct trace_buffer_header *head, void *at,
				 size_t have, size_t max)
{
	handler = own;
	header = head;
	add_note("engine %d %d %d; ", at == space, (int)have, (int)max);
	return world.initialize;
}

int trace_engine_start(enum trace_start_mode mode)
{
	add_note("start %d; ", mode == TRACE_START_CLEAR_ENTIRE_BUFFER);
	return world.start;
}

void trace_engine_stop(int disposition)
{
	add_note("stop %d; ", disposition);
}

void trace_engine_terminate(void)
{
	add_note("terminate; ");
}

uint64_t trace_engine_dropped(void)
{
	return dropped;
}

static int agent_fails; /* it can't begin in a child */

void tr2_trace_awake(void)
{
	add_note("awake; ");
	if (agent_fails)
		tr2_outside_note_file(false);
}

int tr2_trace_leave_record(void)
{
	return 0;
}

void trace_event_write(const struct trace_event *event)
{
	add_note("record %s; ", event->name);
}

void trace_name_process(const char *name)
{
	add_note("process %s; ", name);
}

void trace_name_thread(const char *name)
{
	add_note("thread %s; ", name);
}

bool trace_engine_category_enabled(const char *category)
{
	(void)category;
	return world.enabled;
}

struct trace_provider {
	int unused;
};

trace_provider_t *
trace_provider_create_with_options(const struct trace_provider_options *options)
{
	static struct trace_provider provider;

	add_note("provider %s %u%s; ", options->socket, options->wait_ms,
		 options->name ? " with a name" : "");
	return world.has_no_provider ? NULL : &provider;
}

void trace_provider_destroy(trace_provider_t *provider)
{
	if (provider)
		add_note("destroy; ");
}

void tr2_agent_flush(void)
{
	add_note("flush; ");
	errno = EXDEV;
}

void tr2_agent_hurry(void)
{
	add_note("hurry; ");
}

static struct tr2_chrome_file *chrome_file;

int tr2_chrome_file_begin(struct tr2_chrome_file *file, int fd)
{
	chrome_file = file;
	add_note("chrome %s %s%s, %s, %u %d; ", fd == -1 ? "" : "fd",
		 file->nested ? "nested " : "", file->client.categories,
		 file->variable ? file->variable : "silent", file->rotation,
		 (int)file->lost);
	if (fd >= 0)
		close(fd);
	return world.chrome;
}

void tr2_chrome_file_end(struct tr2_chrome_file *file)
{
	add_note("end %d; ", file == chrome_file);
}

void tr2_chrome_file_forget(struct tr2_chrome_file *file)
{
	add_note("leave %d; ", file == chrome_file);
	errno = EXDEV;
}

static int opened_flags, opened_made;

static inline void note_path(const char *path, mode_t mode)
{
	size_t dir = strlen(kit_dir) + 1;

	if (strlen(path) > 1000)
		add_note("open %d bytes %s; ", (int)strlen(path),
			 path + strlen(path) - 10);
	else
		add_note("open %s %o; ", path + dir, mode);
}

int tr2_trace_file_open(const char *path, int flags, int is_made)
{
	note_path(path, 0666);
	opened_flags = flags;
	opened_made = is_made;
	errno = world.open;
	return world.open ? -1 : 20;
}

void tr2_trace_file_unlock(const struct tr2_descriptor *known)
{
	(void)known;
	add_note("unlock; ");
}

/* In a directory. */
static int open_noted(const char *path, int flags, mode_t mode)
{
	int fd;

	note_path(path, mode);
	opened_flags = flags;
	fd = open(path, flags, mode);
	if (fd < 0)
		return fd;
	dup2(fd, 30);
	close(fd);
	return 30;
}

static int close_noted(int fd)
{
	add_note("close %d; ", fd);
	errno = EXDEV;
	return 0;
}

static pid_t own_pid(void)
{
	return 1000;
}

/*
 * A process that opens its targets
 */

static struct tr2_settings settings;
static struct tr2_target_options session;

/* A process without settings, but that it warns. */
static inline void renew_process(void)
{
	memset(&world, 0, sizeof(world));
	settings = (struct tr2_settings){ .destination_debug = 1,
					  .fxt_max = 4321 };
	settings.target[TR2_TARGET_FXT].variable = "GIT_TRACE2_FXT";
	settings.target[TR2_TARGET_CHROME].variable = "GIT_TRACE2_CHROME";
	session = (struct tr2_target_options){
		.settings = &settings,
		.component = "sid",
	};
	get_notes();
	kit_stderr();
}

static inline char *value_of(const char *text)
{
	return (char *)(uintptr_t)text;
}

static inline void set_fxt(const char *text)
{
	settings.target[TR2_TARGET_FXT].destination = value_of(text);
}

static inline int open_targets(void)
{
	errno = EDOM;
	return tr2_targets_open(&session);
}

static inline int open_fxt(const char *text)
{
	set_fxt(text);
	return open_targets();
}

static inline int open_chrome(const char *text)
{
	settings.target[TR2_TARGET_CHROME].destination = value_of(text);
	return open_targets();
}

static inline int is_on(void)
{
	return tr2_targets.on != 0;
}

static inline int reopen_targets(void)
{
	tr2_targets_reopen(&session);
	return is_on();
}

/* The calls of the targets in a signal handler. */
static inline void die_by_signal(void)
{
	struct tr2_event event = { .kind = TR2_EVENT_SIGNAL };
	char line[64];
	struct tr2_target_memory memory = { .line = TR2_BUF_FIXED(line) };

	tr2_targets_event_in_signal(&event, &memory);
}

static inline int is_full(void)
{
	return tr2_fxt_has_too_many_files(NULL) ||
	       tr2_chrome_has_too_many_files(NULL);
}

#endif
