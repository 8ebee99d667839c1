/*
 * fxt_open_kit.h - files, engine, provider and agent for the FXT and Chrome
 * targets, which note what they are told, and fail when a test says so.
 */
#ifndef FXT_OPEN_KIT_H
#define FXT_OPEN_KIT_H

#include "destination_kit.h"

#include "note_kit.h"

#include "trace-provider/provider.h"
#include "trace/agent.h"
#include "trace/chrome_file.h"
#include "trace/engine.h"
#include "trace/session.h"
#include "tr2_fxt.h"
#include "tr2_fxt_file.h"
#include "tr2_session.h"
#include "tr2_settings.h"

static struct {
	int begin[2]; /* errno of tr2_fxt_file_begin(), the next one first */
	int open, initialize, start, chrome;
	int has_no_provider;
	int enabled; /* is what the engine says of categories */
} world;

/* Nobody has the engine, unless a test says so. */
struct tr2_trace_session tr2_trace;

static struct trace_handler *handler;
static struct trace_buffer_header *header;
static char space[8];
static uint64_t dropped;

int tr2_fxt_file_begin(struct tr2_fxt_file *file, int fd, pid_t pid,
		       uint64_t max)
{
	int error = world.begin[0];

	/* 999: a number at the top of the table, whichever it is */
	note("begin %d %d %llu; ", fd > 900 ? 999 : fd, (int)pid,
	     (unsigned long long)max);
	*file = (struct tr2_fxt_file){
		.fd = fd, .space = space, .have = 100, .max = 200
	};
	world.begin[0] = world.begin[1];
	errno = error;
	return !error;
}

size_t tr2_fxt_file_grow(struct tr2_fxt_file *file)
{
	return (size_t)file->fd;
}

void tr2_fxt_file_trim(const struct tr2_fxt_file *file, uint64_t used)
{
	note("trim %d %d; ", file->fd, (int)used);
}

void tr2_fxt_file_forget(struct tr2_fxt_file *file)
{
	note("forget %d; ", file->fd);
	*file = (struct tr2_fxt_file){ .fd = -1 };
	errno = EXDEV;
}

int trace_engine_initialize_file(struct trace_handler *own,
				 struct trace_buffer_header *head, void *at,
				 size_t have, size_t max)
{
	handler = own;
	header = head;
	note("engine %d %d %d; ", at == space, (int)have, (int)max);
	return world.initialize;
}

int trace_engine_start(enum trace_start_mode mode)
{
	note("start %d; ", mode == TRACE_START_CLEAR_ENTIRE_BUFFER);
	return world.start;
}

void trace_engine_stop(int disposition)
{
	note("stop %d; ", disposition);
}

void trace_engine_terminate(void)
{
	note("terminate; ");
}

uint64_t trace_engine_dropped(void)
{
	return dropped;
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

	note("provider %s %u%s; ", options->socket, options->wait_ms,
	     options->name ? " with a name" : "");
	return world.has_no_provider ? NULL : &provider;
}

void trace_provider_destroy(trace_provider_t *provider)
{
	if (provider)
		note("destroy; ");
}

void tr2_agent_hurry(void)
{
	note("hurry; ");
}

static struct tr2_chrome_file *chrome_file;

int tr2_chrome_file_begin(struct tr2_chrome_file *file, int fd)
{
	chrome_file = file;
	note("chrome %s %s%s, %s, %u %d; ", fd == -1 ? "" : "fd",
	     file->nested ? "nested " : "", file->client.categories,
	     file->variable ? file->variable : "silent", file->rotation,
	     (int)file->lost);
	if (fd >= 0)
		close(fd);
	return world.chrome;
}

void tr2_chrome_file_end(struct tr2_chrome_file *file)
{
	note("end %d; ", file == chrome_file);
}

void tr2_chrome_file_forget(struct tr2_chrome_file *file)
{
	note("leave %d; ", file == chrome_file);
	errno = EXDEV;
}

static int opened_flags;

static int open_noted(const char *path, int flags, mode_t mode)
{
	size_t dir = strlen(kit_dir) + 1;
	int fd;

	if (strlen(path) > 1000)
		note("open %d bytes %s; ", (int)strlen(path),
		     path + strlen(path) - 10);
	else
		note("open %s %o; ", path + dir, mode);
	opened_flags = flags;
	errno = world.open;
	if (world.open)
		return -1;
	if (!(flags & O_EXCL))
		return 20;
	fd = open(path, flags, mode);
	if (fd < 0)
		return fd;
	dup2(fd, 30);
	close(fd);
	return 30;
}

static int close_noted(int fd)
{
	note("close %d; ", fd);
	errno = EXDEV;
	return 0;
}

static pid_t own_pid(void)
{
	return 1000;
}

#endif
