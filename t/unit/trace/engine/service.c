/* Stops, the calls of the handler meanwhile, and parts that are full. */
#include "trace/engine/control_kit.h"

/* Results of trace_engine_service() in milliseconds. */
#define BUSY 1
#define OFF 50

static void start_streaming(void)
{
	memset(&kit_heard, 0, sizeof(kit_heard));
	start_engine(TRACE_BUFFERING_MODE_STREAMING);
}

/* Go on until the first chunk of the next part is in use. */
static void fill_part(void)
{
	uint32_t wrapped = kit_header()->wrapped_count;

	while (kit_header()->wrapped_count == wrapped)
		trace_one();
}

/*
 * Stops
 */

static void test_disposition(void)
{
	memset(&kit_heard, 0, sizeof(kit_heard));
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	tap_int(kit_heard.started, 1, "the handler hears of a start");
	fill_part();
	tap_int((intmax_t)kit_header()->rolling_data_end[1], 0,
		"a part in use has no end");
	trace_engine_terminate();
	tap_ok(kit_heard.stopped == 1 && kit_heard.terminated == 1 &&
		       !kit_heard.disposition,
	       "of a stop without a reason");
	tap_ok(kit_header()->rolling_data_end[1] == 3840 &&
		       kit_heard.written ==
			       128 + kit_header()->durable_data_end + 30720 +
				       3840,
	       "and how much was written, which the header has, too");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_stop_engine(EIO);
	tap_ok(kit_heard.disposition == EIO && kit_heard.terminated == 2,
	       "of a stop with one");
}

static void test_dropping(void)
{
	start_engine(TRACE_BUFFERING_MODE_STREAMING);
	while (!trace_engine_dropped())
		trace_one();
	trace_many(9);
	trace_engine_stop(0);
	tap_ok(kit_heard.disposition == ENOSPC &&
		       kit_header()->num_records_dropped == 10,
	       "of records that found no room, which the header counts");
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	trace_engine_stop(EIO);
	tap_int(kit_heard.disposition, EIO,
		"but another reason comes before that");
	tap_int((intmax_t)trace_engine_dropped(), 10,
		"what is kept has dropped them still");
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	trace_engine_stop(0);
	tap_int(kit_heard.disposition, 0, "what is cleared has not");
}

static void test_inside(void)
{
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_one();
	slept = 0;
	leaves_at = 300000;
	enter_record();
	trace_engine_stop(0);
	tap_ok(slept == 300000 && !kit_heard.disposition,
	       "a stop waits until a thread inside a record leaves it");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_one();
	slept = leaves_at = 0;
	enter_record();
	trace_engine_stop(EIO);
	tap_ok(slept == 60000000 && kit_heard.disposition == ETIMEDOUT,
	       "but no longer than a tenth of a second");
	leave_record();
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_one();
	slept = 0;
	enter_record();
	trace_engine_terminate();
	tap_ok(slept && !slept_cancellable,
	       "a thread that waits is not cancelled");
	leave_record();
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_one();
	slept = 0;
	tr2_trace_self->state = TR2_TRACE_BUSY;
	trace_engine_stop(0);
	tap_ok(!slept && kit_heard.disposition == ETIMEDOUT,
	       "a signal handler does not wait for the record that it has "
	       "interrupted");
	tr2_trace_self->state = TR2_TRACE_NONE;
}

/*
 * Streaming
 */

static void test_telling(void)
{
	int64_t whole;

	start_streaming();
	fill_part();
	whole = (int64_t)kit_header()->durable_data_end;
	tap_ok(trace_engine_service() == BUSY && kit_heard.full == 1 &&
		       !kit_heard.wrapped &&
		       (int64_t)kit_heard.durable == whole,
	       "a full part is told, and what is durable of it");
	tap_ok(trace_engine_service() == BUSY && kit_heard.full == 1, "once");
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	fill_part();
	trace_engine_service();
	tap_int(kit_heard.full, 2, "and again when all began anew");
}

static void test_not_yet(void)
{
	uint64_t *room, began;

	start_streaming();
	fill_part();
	tr2_trace_self->state = TR2_TRACE_BUSY | TR2_TRACE_TAKING;
	trace_engine_service();
	tap_int(kit_heard.full, 0, "not while a thread is inside");
	leave_record();
	room = tr2_trace_space_durable(&tr2_trace.space, 1);
	trace_engine_service();
	tap_int(kit_heard.full, 0, "nor while a durable record is");
	*room = fxt_string_header(9, 0);
	trace_engine_service();
	tap_int(kit_heard.full, 1, "but then");
	start_streaming();
	fill_part();
	began = *durable_data();
	*(uint64_t *)(uintptr_t)durable_data() = 0;
	trace_engine_service();
	tap_ok(began == 0x21 && kit_heard.full == 1 && !kit_heard.durable,
	       "a part may be full though nothing is durable");
}

static void test_saved(void)
{
	start_streaming();
	fill_part();
	tap_int(trace_engine_mark_buffer_saved(0, 0), EINVAL,
		"what was not told can't be saved");
	trace_engine_service();
	tap_ok(trace_engine_mark_buffer_saved(1, 0) == EINVAL &&
		       trace_engine_mark_buffer_saved(UINT32_MAX, 0) == EINVAL,
	       "nor what is not full");
	tap_ok(!trace_engine_mark_buffer_saved(0, 0) &&
		       trace_engine_mark_buffer_saved(0, 0) == EINVAL,
	       "nor anything twice");
	fill_part();
	tap_ok(trace_engine_mark_buffer_saved(0, 0) == EINVAL &&
		       trace_engine_mark_buffer_saved(1, 0) == EINVAL,
	       "nor the other part with it");
	trace_engine_service();
	tap_ok(kit_heard.full == 2 && !trace_engine_mark_buffer_saved(1, 0),
	       "which comes next");
	tap_int(trace_engine_turn(), 0, "a part can be left early");
	trace_engine_service();
	tap_ok(kit_heard.full == 3 && kit_heard.wrapped == 2 &&
		       trace_engine_turn() == EAGAIN,
	       "it is told like a full one");
}

static void test_turning_off(void)
{
	start_streaming();
	trace_one();
	trace_engine_stop(0);
	tap_int(trace_engine_turn(), ENODATA, "who is stopped turns nowhere");
}

/*
 * A fork's child
 */

static void test_child(void)
{
	static uint64_t memory[8192];
	struct tr2_trace_writer *writer;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_one();
	tr2_trace.lost = 3;
	writer = tr2_trace_self;
	enter_record();
	trace_engine_stop(0);
	leave_record();
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	run_in_child();
	tap_ok(trace_internal_epoch % 4 == 0 && !trace_engine_dropped() &&
		       !tr2_trace_self && trace_engine_service() == OFF,
	       "in a child the engine is off, and dropped nothing");
	trace_one();
	tap_ok(writer->state != TR2_TRACE_BUSY && !tr2_trace_self,
	       "its parent's writers are left alone");
	tap_ok(!trace_start_engine(deaf_handler(),
				   TRACE_BUFFERING_MODE_CIRCULAR, memory,
				   sizeof(memory)),
	       "it may trace on its own");
	trace_engine_terminate();
}

int main(void)
{
	kit_begin_control();
	tap_run(test_disposition, test_dropping, test_inside, test_telling,
		test_not_yet, test_saved, test_turning_off, test_child);
	tap_int(locks_wrong, 0, "no lock is taken twice, nor given up twice");
	return kit_end_words();
}
