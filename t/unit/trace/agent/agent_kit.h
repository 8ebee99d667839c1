/*
 * agent_kit.h - the modules that the agent uses, in one thread: each notes
 * how it is called, and fails on request. Time passes only when a test moves
 * it.
 */
#ifndef UNIT_TRACE_AGENT_AGENT_KIT_H
#define UNIT_TRACE_AGENT_AGENT_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kit/locks.h"
#include "kit/memory.h"
#include "kit/fork_note.h"
#include "kit/tap.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"
#include "trace/engine.h"
#include "trace/engine/loop.h"
#include "trace/engine/session.h"
#include "trace/tracing.h"

static struct {
	int pipe, feed, create, watch, thread; /* fails: errno */
	int wait_ms;			       /* the feed's answer */
	int step_us;			       /* the time of a step */
	int wakes_at; /* the thread gets on at that step; 0: it does not */
	int passes;   /* it passes on a record in each step */
	int dies;     /* another thread, while the feed ends */
} world;

static uint64_t time_ns;

static struct trace_loop {
	struct trace_loop_watch *watch;
} kit_loop;
static const struct tr2_agent_feed_sink *sink;
static int ends[2]; /* of the last pipe */
static const struct trace_reader_record world_record = { .type = FXT_EVENT };
static int steps;
static void (*served)(void); /* what it finds then */

/*
 * The system
 */

int pipe2(int fds[2], int flags)
{
	if (world.pipe) {
		errno = world.pipe;
		return -1;
	}
	return (int)syscall(SYS_pipe2, fds, flags);
}

/* The end of the same pipe that is written to, or -1. */
static int find_writer(int reader)
{
	struct stat want, st;
	int fd;

	for (fd = 1023; fd >= 0 && !fstat(reader, &want); fd--)
		if (!fstat(fd, &st) && st.st_ino == want.st_ino &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
			return fd;
	return -1;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const uint64_t ns = clock == CLOCK_MONOTONIC ? time_ns : 0;

	now->tv_sec = (time_t)(ns / 1000000000);
	now->tv_nsec = (long)(ns % 1000000000);
	return 0;
}

/*
 * The feed, the loop, the engine
 */

int tr2_agent_feed_begin(const struct tr2_agent_feed_sink *records)
{
	sink = records;
	add_note("begin; ");
	return world.feed;
}

int tr2_agent_feed_serve(void)
{
	add_note("serve; ");
	if (served)
		served();
	return world.wait_ms;
}

void tr2_agent_feed_flush(void)
{
	add_note("flush; ");
}

static const uint64_t definitions[3];

void tr2_agent_feed_repeat(trace_buffer_run *run, void *context)
{
	run(context, definitions, 3);
}

void tr2_agent_feed_end(void)
{
	add_note("end; ");
	if (world.dies)
		tr2_agent_hurry();
}

void tr2_agent_feed_forget(void)
{
	add_note("forget; ");
}

void tr2_agent_feed_step(void)
{
	steps++;
	time_ns += (uint64_t)world.step_us * 1000;
	if (world.passes)
		sink->record(&world_record);
	if (steps == world.wakes_at)
		kit_loop.watch->wake(kit_loop.watch, POLLIN);
	errno = EXDEV;
}

struct trace_loop *trace_loop_create(void)
{
	add_note("create; ");
	return world.create ? NULL : &kit_loop;
}

int trace_loop_watch(struct trace_loop *loop, struct trace_loop_watch *watch)
{
	loop->watch = watch;
	ends[0] = watch->fd;
	ends[1] = find_writer(watch->fd);
	add_note("watch %s%d %d; ", watch->fd >= 10 ? "" : "another ",
		 watch->events == POLLIN, watch->wait_ms);
	return world.watch;
}

int tr2_loop_start_own_thread(struct trace_loop *loop, const char *name)
{
	add_note("%s%s; ", loop == &kit_loop ? "" : "another ", name);
	return world.thread;
}

void trace_loop_shutdown(struct trace_loop *loop)
{
	(void)loop;
	add_note("leave; ");
}

void trace_loop_quit(struct trace_loop *loop)
{
	(void)loop;
	add_note("quit; ");
}

void trace_loop_destroy(struct trace_loop *loop)
{
	if (loop)
		add_note("destroy; ");
}

struct tr2_trace_session tr2_trace;

void tr2_trace_await(int (*begin)(void))
{
	tr2_trace.awaited = begin;
}

void tr2_trace_awake(void)
{
}

/* Returns what the agent does with it. */
static const char *meet_first_event(void)
{
	int (*begin)(void) = tr2_trace.awaited;

	get_notes();
	tr2_trace.awaited = NULL;
	if (begin && !begin())
		tr2_trace.awaited = begin;
	return get_notes();
}

int trace_engine_turn(void)
{
	add_note("turn; ");
	return 0;
}

void trace_event_write(const struct trace_event *event)
{
	add_note("write %s/%s %d; ", event->category, event->name,
		 (int)event->arg_count);
}

uint64_t trace_ticks_now(void)
{
	return 0;
}

void trace_engine_renew_categories(void)
{
	add_note("renew; ");
}

/*
 * Clients, and what the thread finds for them
 */

struct listener {
	struct tr2_agent_client client; /* the first member */
	char name;
};

static void hear_event(struct tr2_agent_client *client,
		       const struct trace_reader_record *record)
{
	add_note("%c:%.*s ", ((struct listener *)(void *)client)->name,
		 (int)record->name.len, record->name.bytes);
}

static void hear_name(struct tr2_agent_client *client,
		      const struct trace_reader_record *record, int place)
{
	add_note("%c:%d %d.%d:%.*s of %d ",
		 ((struct listener *)(void *)client)->name, place,
		 record->type == FXT_KERNEL_OBJECT ? (int)record->subtype : -1,
		 (int)record->id, (int)record->name.len, record->name.bytes,
		 record->args_count == 1 ? (int)record->args[0].value.word
					 : -1);
}

static void hear_flush(struct tr2_agent_client *client, uint64_t dropped)
{
	add_note("%c:flush %d ", ((struct listener *)(void *)client)->name,
		 (int)dropped);
}

static struct listener listeners[20];

static struct tr2_agent_client *new_client(char name, const char *categories)
{
	struct listener *listener = &listeners[name - 'a'];

	*listener = (struct listener){
		.client = { .categories = categories,
			    .event = hear_event,
			    .name = hear_name,
			    .flush = hear_flush },
		.name = name,
	};
	return &listener->client;
}

/* What the thread finds in the engine. */
static inline void give_record(enum fxt_record type, unsigned subtype,
			       const char *category)
{
	static char name[16];
	struct trace_reader_record record = {
		.type = type,
		.subtype = subtype,
		.category = { category, strlen(category) },
		.name = { name, strlen(category) + 1 },
	};

	snprintf(name, sizeof(name), "%s!", category);

	sink->record(&record);
}

static inline void find_name(unsigned subtype, int id, const char *name)
{
	struct trace_reader_record record = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = subtype,
		.id = (uint64_t)id,
		.name = { name, strlen(name) },
		.offset = 99,
		.provider = 98,
		.args_count = subtype == FXT_OBJECT_THREAD,
	};

	record.args[0].value.word = 40;
	record.args[1].value.word = 41;
	sink->record(&record);
}

static inline int are_ends_closed(void)
{
	return fcntl(ends[0], F_GETFD) < 0 && fcntl(ends[1], F_GETFD) < 0;
}

static inline void wake_at(uint64_t ns, short ready)
{
	time_ns = ns;
	kit_loop.watch->wake(kit_loop.watch, ready);
}

#endif
