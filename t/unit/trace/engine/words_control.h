/*
 * words_control.h - verbs that switch the engine on and off, with replacements
 * for what it calls: locks, sleeps that take no time, forks that do not fork.
 */
#ifndef UNIT_TRACE_ENGINE_WORDS_CONTROL_H
#define UNIT_TRACE_ENGINE_WORDS_CONTROL_H

#include "kit/trace/meet.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

#include "host/generation.h"
#include "kit/locks.h"
#include "trace/engine/words_events.h"

/*
 * ---- What the engine calls
 */

static uint64_t slept;
static int slept_cancellable; /* it could have been cancelled meanwhile */
static int leaves_at;	      /* then the writer inside a record leaves it */

static struct tr2_trace_writer *other; /* another thread's, inside a record */

static const char *leave_record(SCRIPT_NONE)
{
	other->state = TR2_TRACE_NONE;
	tr2_trace_self = other;
	return NULL;
}

/* Another thread enters a record; this one has not traced yet. */
static const char *enter_record(SCRIPT_NONE)
{
	other = tr2_trace_self;
	other->state = TR2_TRACE_BUSY;
	tr2_trace_self = NULL;
	return NULL;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest)
{
	int cancel;

	(void)rest;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_setcancelstate(cancel, NULL);
	slept_cancellable |= cancel == PTHREAD_CANCEL_ENABLE;
	slept += (uint64_t)wanted->tv_sec * 1000000000 +
		 (uint64_t)wanted->tv_nsec;
	if (leaves_at && slept >= (uint64_t)leaves_at)
		leave_record(NULL);
	return 0;
}

static int fork_handlers, forks_fail;
static void (*run_in_child)(void);

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	fork_handlers++;
	run_in_child = child;
	return forks_fail ? ENOMEM : 0;
}

static int pages_calls, pages_fail_at; /* that call fails, and all later ones */
static int ticks_asked;

static void *give_pages(size_t size)
{
	pages_calls++;
	return pages_fail_at && pages_calls >= pages_fail_at
		       ? NULL
		       : tr2_host_system.pages(size);
}

/* The CPU's counter does not serve. */
static int tell_ticks(void)
{
	ticks_asked++;
	return 0;
}

static void begin_control(void)
{
	tr2_generation(); /* has a handler of its own */
	fork_handlers = 0;
	host.pages = give_pages;
	host.has_constant_ticks = tell_ticks;
}

/* What was asked of it, since it was last told. */
static const char *tell_asked(SCRIPT_NONE)
{
	const int pages = pages_calls, ticks = ticks_asked;

	pages_calls = ticks_asked = 0;
	return script_say("pages %d, ticks %d, forks %d", pages, ticks,
			  fork_handlers);
}

static const char *tell_slept(SCRIPT_NONE)
{
	const uint64_t ns = slept;

	slept = 0;
	return script_say("%" PRIu64 "%s", ns,
			  slept_cancellable ? " cancellable" : "");
}

/*
 * ---- Switches
 */

static const struct trace_handler_ops deaf_ops;

/* `initialize [start]`, for a handler that wants to hear nothing. */
static const char *initialize_engine(char **word)
{
	static struct trace_handler deaf = { &deaf_ops };
	static uint64_t memory[8192];

	return script_say_error((*word[0] ? trace_start_engine
					  : trace_engine_initialize)(
		&deaf, TRACE_BUFFERING_MODE_CIRCULAR, memory, sizeof(memory)));
}

/* The same where the process has no key left. */
static const char *initialize_keyless(char **word)
{
	pthread_key_t keys[PTHREAD_KEYS_MAX];
	const char *answer;
	int count = 0;

	while (count < PTHREAD_KEYS_MAX &&
	       !pthread_key_create(&keys[count], NULL))
		count++;
	answer = initialize_engine(word);
	while (count)
		pthread_key_delete(keys[--count]);
	return answer;
}

/* In bytes; `most`, which depends on the machine, or `more` than that. */
static size_t find_size(const char *word)
{
	return *word != 'm' ? (size_t)script_number(word, 0)
	       : word[2] == 's'
		       ? (size_t)TRACE_BUFFER_MAX
		       : (size_t)TRACE_BUFFER_MAX + TRACE_BUFFER_CHUNK_MAX;
}

/*
 * `file HEADER SPACE HAVE MAX [HANDLER]`: of these three `none` is NULL; a
 * space may be `odd`, and a handler `empty`.
 */
static const char *initialize_file(char **word)
{
	static struct trace_buffer_header header;
	static struct trace_handler deaf = { &deaf_ops }, empty = { NULL };
	static uint64_t space[1];
	char *const at = (char *)space + (!strcmp(word[1], "odd") ? 4 : 0);

	return script_say_error(trace_engine_initialize_file(
		!strcmp(word[4], "none") ? NULL
		: *word[4]		 ? &empty
					 : &deaf,
		strcmp(word[0], "none") ? &header : NULL,
		strcmp(word[1], "none") ? at : NULL, find_size(word[2]),
		find_size(word[3])));
}

static const char *tell_layout(SCRIPT_NONE)
{
	const struct tr2_trace_space *space = &tr2_trace.space;
	const uint64_t most = TRACE_BUFFER_MAX;
	const bool is_most = space->header->total_size == most + 128 &&
			     space->header->rolling_buffer_size == most &&
			     space->max_chunks == most / TRACE_BUFFER_CHUNK_MAX;

	return script_say("%u chunks of %s, mode %d", space->chunks,
			  is_most ? "most" : "less",
			  space->header->buffering_mode);
}

/* `resume clear`, or what it is to `retain`: all, or what is `durable`. */
static const char *resume_engine(char **word)
{
	return script_say_error(trace_engine_start(
		*word[0] == 'c'	  ? TRACE_START_CLEAR_ENTIRE_BUFFER
		: *word[0] == 'r' ? TRACE_START_RETAIN_BUFFER
				  : TRACE_START_CLEAR_NONDURABLE_BUFFER));
}

static const char *stop_engine(char **word)
{
	trace_engine_stop(script_value_of(word[0]));
	return NULL;
}

static const char *terminate_engine(SCRIPT_NONE)
{
	trace_engine_terminate();
	return NULL;
}

static const char *renew_categories(SCRIPT_NONE)
{
	trace_engine_renew_categories();
	return NULL;
}

static const char *serve_engine(SCRIPT_NONE)
{
	return script_say_number(trace_engine_service());
}

static const char *turn_engine(SCRIPT_NONE)
{
	return script_say_error(trace_engine_turn());
}

static const char *enter_child(SCRIPT_NONE)
{
	run_in_child();
	return NULL;
}

/* How much greater it is than at the last question, and its remainder. */
static const char *tell_epoch(SCRIPT_NONE)
{
	static uint32_t last;
	const uint32_t before = last;

	last = trace_internal_epoch;
	return script_say("%u more, %u of 4", last - before, last % 4);
}

static const char *tell_heard(SCRIPT_NONE)
{
	return script_say("%s, full %d, durable %" PRIu64,
			  script_say_error(kit_heard.disposition),
			  kit_heard.full, kit_heard.durable);
}

/*
 * ---- Records
 */

static const char *trace_one(SCRIPT_NONE)
{
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	return NULL;
}

/* Go on until the first chunk of the next part is in use. */
static const char *fill_part(SCRIPT_NONE)
{
	const uint32_t wrapped = kit_header()->wrapped_count;

	while (kit_header()->wrapped_count == wrapped)
		trace_one(NULL);
	return NULL;
}

static uint64_t *room; /* the last durable one */

static const char *take_durable(SCRIPT_NONE)
{
	room = tr2_trace_space_durable(&tr2_trace.space, 1);
	return NULL;
}

static const char *write_durable(SCRIPT_NONE)
{
	*room = fxt_string_header(9, 0);
	return NULL;
}

static const char *fill_durable(SCRIPT_NONE)
{
	do
		take_durable(NULL);
	while (room);
	return NULL;
}

static const char *spoil_durable(SCRIPT_NONE)
{
	*(uint64_t *)(uintptr_t)durable_data() = 0;
	return NULL;
}

static const char *spoil_header(SCRIPT_NONE)
{
	struct trace_buffer_header *header = tr2_trace.space.header;

	header->rolling_data_end[0] = header->rolling_data_end[1] = 800;
	header->num_records_dropped = 9;
	return NULL;
}

/* `rest` is how many words are set behind the durable ones. */
static const char *tell_space(SCRIPT_NONE)
{
	const struct tr2_trace_space *space = &tr2_trace.space;
	const struct trace_buffer_header *header = space->header;
	size_t rest = 0;

	for (size_t i = space->durable_end; i < space->durable_words; i++)
		rest += space->durable[i] != 0;
	return script_say("wrapped %u, dropped %" PRIu64 ", ends %" PRIu64
			  " %" PRIu64 ", place %#" PRIx64
			  ", durable %zu, rest %zu",
			  header->wrapped_count, header->num_records_dropped,
			  header->rolling_data_end[0],
			  header->rolling_data_end[1], space->place,
			  (size_t)space->durable_end, rest);
}

/*
 * ---- Threads
 */

/* `state busy`, `state taking`: of a signal handler in a record; or `none`. */
static const char *set_state(char **word)
{
	tr2_trace_self->state = *word[0] == 'b' ? TR2_TRACE_BUSY
				: *word[0] == 't'
					? TR2_TRACE_BUSY | TR2_TRACE_TAKING
					: TR2_TRACE_NONE;
	return NULL;
}

/* Is the thread's writer that of the last question? */
static const char *tell_writer(SCRIPT_NONE)
{
	static const struct tr2_trace_writer *last;
	const bool is_same = last == tr2_trace_self;

	last = tr2_trace_self;
	return !last ? "none" : is_same ? "the same" : "another";
}

static const char *ask_busy(SCRIPT_NONE)
{
	return script_say_yes(other->state == TR2_TRACE_BUSY);
}

static const char *set_lost(char **word)
{
	tr2_trace.lost = (uint64_t)script_number(word[0], 0);
	return NULL;
}

static void save_first(void)
{
	trace_engine_mark_buffer_saved(0, 0);
}

/* Two threads save a part at once. */
static const char *meet_save(SCRIPT_NONE)
{
	int saved;

	meet_at(&tr2_trace.space.place, save_first);
	saved = trace_engine_mark_buffer_saved(0, 0);
	return meet_was() ? script_say_error(saved) : "nobody met";
}

static void take_number(void)
{
	tr2_trace.threads = 5;
}

/* Two threads trace for the first time at once. */
static const char *meet_trace(SCRIPT_NONE)
{
	meet_at(&tr2_trace.threads, take_number);
	trace_one(NULL);
	return meet_was() ? script_say("%u of %u", tr2_trace_self->thread.ref,
				       tr2_trace.threads)
			  : "nobody met";
}

#endif
