/*
 * How a trace begins: with the first event, if somebody waits for it, and with
 * the first records.
 */
#include <errno.h>
#include <time.h>

#include "ending/death.h"
#include "host/gate.h"
#include "host/generation.h"
#include "host/hold.h"
#include "trace/engine/session.h"

/* How long a thread waits while another one begins: a tenth of a second. */
#define FIRST_TRIES 1000
#define FIRST_STEP_NS 100000

/*
 * Waiting for the first event
 */

void tr2_trace_begin_epoch(uint32_t started)
{
	uint32_t now = trace_internal_now(), next;

	do
		next = ((now & ~TRACE_INTERNAL_STARTED) + 4) | started;
	while (!__atomic_compare_exchange_n(&trace_internal_epoch, &now, next,
					    0, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED));
}

void tr2_trace_await(int (*begin)(void))
{
	__atomic_store_n(&tr2_trace.awaited, begin, __ATOMIC_RELEASE);
	if (!begin || tr2_trace_handler())
		return;
	tr2_trace_set_waiting(1);
	tr2_trace_begin_epoch(TRACE_INTERNAL_STARTED);
	tr2_trace.waiting_epoch = trace_internal_now();
}

/* There is no engine, and nobody makes one. */
static void stop_waiting(void)
{
	if (trace_internal_now() == tr2_trace.waiting_epoch)
		tr2_trace_begin_epoch(0);
	tr2_trace_set_waiting(0);
}

/* A thread that left in the middle would keep all others waiting. */
static void call_awaited(void)
{
	const int only_waits = tr2_trace_only_waits();
	struct tr2_hold hold;
	int (*begin)(void);

	tr2_hold_begin_all(&hold);
	__atomic_add_fetch(&tr2_trace.beginners, only_waits, __ATOMIC_SEQ_CST);
	begin = __atomic_exchange_n(&tr2_trace.awaited, NULL, __ATOMIC_SEQ_CST);
	if (begin && !begin())
		tr2_trace_await(begin);
	else if (begin && tr2_trace_only_waits())
		stop_waiting();
	__atomic_sub_fetch(&tr2_trace.beginners, only_waits, __ATOMIC_SEQ_CST);
	tr2_hold_end(&hold, 0, 0);
}

void tr2_trace_awake(void)
{
	if (!tr2_gate_try(TR2_GATE_FIRST))
		return;
	call_awaited();
	tr2_gate_open(TR2_GATE_FIRST);
}

int tr2_trace_is_beginning(void)
{
	return __atomic_load_n(&tr2_trace.beginners, __ATOMIC_SEQ_CST) != 0;
}

/*
 * Another thread begins what this one has found awaited. Events would be lost
 * meanwhile, so this one waits, but not for ever: the other one may wait for
 * it.
 */
static void wait_for_beginning(void)
{
	const struct timespec step = { 0, FIRST_STEP_NS };

	for (int tries = 0; tries < FIRST_TRIES && tr2_trace_is_beginning();
	     tries++)
		nanosleep(&step, NULL);
}

/*
 * All of it asks the host, which may trace then. A child of vfork(2) would
 * begin threads and open files for itself alone.
 */
void tr2_trace_awake_for_event(void)
{
	const int error = errno;

	if ((!tr2_trace_is_awaited() && !tr2_trace_is_beginning()) ||
	    !tr2_gate_try(TR2_GATE_FIRST))
		return;
	if (!tr2_death_may_be_in_handler() && !tr2_generation_is_guest()) {
		call_awaited();
		wait_for_beginning();
	}
	tr2_gate_open(TR2_GATE_FIRST);
	errno = error;
}

/*
 * The first records
 */

/* The buffer is empty, so there is room. */
static void put_initialization(struct tr2_trace_writer *writer)
{
	uint64_t *at = tr2_trace_lasting_room(writer, 2);

	at[1] = TRACE_TICKS_PER_SECOND;
	tr2_trace_lasting_commit(writer, at, fxt_initialization_header(), 2);
}

/* A trace begins with the unit of its times and the name of its process. */
void tr2_trace_put_first_records(void)
{
	struct tr2_trace_writer *writer = tr2_trace_self;
	char stat[512];
	const char *name;

	if (!writer)
		writer = tr2_trace_writer_attach();
	if (!writer)
		return;
	tr2_trace_writer_begin(writer); /* this thread is not inside a record */
	put_initialization(writer);
	name = tr2_trace_own_name(writer->thread.process, stat, sizeof(stat));
	if (!tr2_trace_name_object(writer, FXT_OBJECT_PROCESS,
				   writer->thread.process, name ? name : "",
				   NULL, 0))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}
