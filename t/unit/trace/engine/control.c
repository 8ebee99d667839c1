/*
 * Switching the engine on and off: what is refused, kept, cleared and
 * reported.
 */
#include "kit/trace/meet.h"

#include "trace/engine/control_kit.h"

#include <limits.h>

#define OFF 50 /* ms; of trace_engine_service() */

/*
 * What the process needs
 */

static int initialize_handler(struct trace_handler *handler)
{
	static uint64_t memory[8192];

	return trace_engine_initialize(handler, TRACE_BUFFERING_MODE_CIRCULAR,
				       memory, sizeof(memory));
}

static void test_process(void)
{
	pthread_key_t keys[PTHREAD_KEYS_MAX];
	int count = 0;

	while (count < PTHREAD_KEYS_MAX &&
	       !pthread_key_create(&keys[count], NULL))
		count++;
	tap_int(initialize_handler(deaf_handler()), ENOMEM,
		"an engine needs a key");
	while (count)
		pthread_key_delete(keys[--count]);
	fork_handlers_fail = 1;
	tap_int(initialize_handler(deaf_handler()), ENOMEM,
		"it wants to hear of forks");
	fork_handlers_fail = 0;
	pages_fail_at = 1;
	tap_int(initialize_handler(deaf_handler()), ENOMEM, "and needs memory");
	tap_ok(pages_calls == 1 && trace_engine_start(0) == EINVAL,
	       "without any of these it has no buffer");
	pages_fail_at = 2;
	pages_calls = 0;
	ticks_asked = 0;
	tap_ok(!initialize_handler(deaf_handler()) && ticks_asked == 1,
	       "it asks for the CPU's counter");
	tap_ok(!trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) &&
		       !tr2_trace_self && !tr2_trace.space.durable_end,
	       "it starts though there is no memory for a record");
	pages_fail_at = 0;
	trace_one();
	trace_engine_terminate();
	pages_calls = 0;
	tap_ok(!initialize_handler(deaf_handler()) && !pages_calls &&
		       fork_handlers == 2,
	       "what a process needs it gets once");
	trace_engine_terminate();
}

/*
 * What is refused
 */

static void test_refused_files(void)
{
	const size_t chunk = TRACE_BUFFER_CHUNK_MAX;
	const size_t most = TRACE_BUFFER_MAX;
	struct trace_handler none = { NULL };
	struct trace_buffer_header header;
	static uint64_t space[1];
	const struct {
		struct trace_buffer_header *header;
		void *space;
		size_t have, max;
	} rows[] = {
		{ NULL, space, chunk, chunk },
		{ &header, NULL, chunk, chunk },
		{ &header, (char *)space + 4, chunk, chunk },
		{ &header, space, 0, chunk },
		{ &header, space, 2 * chunk, chunk },
		{ &header, space, chunk - 8, chunk },
		{ &header, space, chunk + 8, 2 * chunk },
		{ &header, space, chunk, 2 * chunk - 8 },
		{ &header, space, chunk, chunk + 8 },
		{ &header, space, chunk, most + chunk },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (trace_engine_initialize_file(deaf_handler(), rows[i].header,
						 rows[i].space, rows[i].have,
						 rows[i].max) != EINVAL)
			break;
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"a file that can't be one is refused");
	tap_ok(trace_engine_initialize_file(NULL, &header, space, chunk,
					    chunk) == EINVAL &&
		       trace_engine_initialize_file(&none, &header, space,
						    chunk, chunk) == EINVAL,
	       "a file's engine needs a handler that has functions");
	tap_int(trace_engine_initialize_file(deaf_handler(), &header, space,
					     chunk, most),
		0, "one of four gigabytes is taken");
	tap_ok(tr2_trace.space.chunks == 1 &&
		       tr2_trace.space.max_chunks == most / chunk &&
		       header.total_size == most + 128 &&
		       header.rolling_buffer_size == most &&
		       header.buffering_mode == TRACE_BUFFERING_MODE_ONESHOT,
	       "its header says so, whatever the last one was");
	tap_ok(trace_engine_initialize_file(deaf_handler(), &header, kit_buffer,
					    2 * chunk, 2 * chunk) == EBUSY &&
		       tr2_trace.space.chunks == 1,
	       "while it is used there is no other");
	trace_engine_terminate();
}

/*
 * Epochs: multiples of 4, and 2 while the engine is started
 */

static void test_epochs(void)
{
	uint32_t before;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_engine_stop(0);
	before = trace_internal_epoch;
	tap_int(before % 4, 0, "a stopped engine's epoch is a multiple of 4");
	trace_engine_stop(0);
	trace_engine_renew_categories();
	tap_ok(trace_internal_epoch == before, "and stays as it is");
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	tap_int(trace_internal_epoch, before + 4 + 2, "a start is a new one");
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	tap_int(trace_internal_epoch, before + 4 + 2, "one that fails is none");
	trace_engine_renew_categories();
	tap_int(trace_internal_epoch, before + 8 + 2,
		"as are new answers about categories");
	trace_engine_stop(0);
	tap_int(trace_internal_epoch, before + 12, "and a stop");
}

/*
 * What a start clears
 */

/* Returns the words after the durable ones that are not 0. */
static size_t durable_rest(void)
{
	size_t at = tr2_trace.space.durable_end, set = 0;

	for (; at < tr2_trace.space.durable_words; at++)
		set += durable_data()[at] != 0;
	return set;
}

static void test_clearing(void)
{
	struct trace_buffer_header *header;
	uint64_t first;
	struct tr2_trace_writer *writer = tr2_trace_self;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	header = kit_header();
	first = header->durable_data_end;
	trace_many(3000);
	fill_strings();
	while (tr2_trace_space_durable(&tr2_trace.space, 1))
		;
	trace_one();
	trace_engine_stop(0);
	header->rolling_data_end[0] = header->rolling_data_end[1] = 800;
	tap_ok(header->wrapped_count == 1 && header->num_records_dropped == 1,
	       "a trace wraps and drops");
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	tap_ok(!header->wrapped_count && !header->num_records_dropped &&
		       !header->rolling_data_end[0] &&
		       !header->rolling_data_end[1] && !tr2_trace.space.place,
	       "a start that clears begins at the beginning");
	tap_ok(header->durable_data_end == first && !durable_rest(),
	       "with its first records, and nothing behind them");
	tap_ok(tr2_trace_self == writer && !trace_engine_dropped(),
	       "the thread has its writer yet, and dropped nothing so far");
}

static void test_keeping(void)
{
	char before[sizeof(hex_text)];
	uint64_t place;

	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	trace_many(400);
	trace_engine_stop(0);
	place = tr2_trace.space.place;
	strcpy(before, durable_from(0));
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	tap_ok(tr2_trace.space.place == place &&
		       !strcmp(durable_from(0), before),
	       "a start that retains keeps all");
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER);
	tap_ok(!tr2_trace.space.place && !strcmp(durable_from(0), before),
	       "one that keeps the durable records begins none again");
	trace_engine_terminate();
	initialize_handler(kit_handler());
	trace_engine_start(TRACE_START_RETAIN_BUFFER);
	tap_ok(tr2_trace.space.durable_end && tr2_trace.space.nonce,
	       "the first start of a buffer clears it, whatever it asks for");
	trace_engine_terminate();
	initialize_handler(kit_handler());
	tr2_trace.space.header->num_records_dropped = 9;
	trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER);
	tap_ok(tr2_trace.space.durable_end &&
		       !tr2_trace.space.header->num_records_dropped,
	       "all of it");
	trace_engine_terminate();
}

/* Two threads that do the same at once */

static void save_first(void)
{
	trace_engine_mark_buffer_saved(0, 0);
}

static void take_number(void)
{
	tr2_trace.threads = 5;
}

static void test_meeting(void)
{
	int saved;

#ifdef __SANITIZE_THREAD__
	tap_skip("threads that meet", "more is written beside the engine");
	return;
#endif
	start_engine(TRACE_BUFFERING_MODE_STREAMING);
	trace_one();
	trace_engine_turn();
	trace_engine_service();
	meet_at(&tr2_trace.space.place, save_first);
	saved = trace_engine_mark_buffer_saved(0, 0);
	tap_ok(meet_was() && saved == EINVAL, "a part is saved once");
	start_engine(TRACE_BUFFERING_MODE_CIRCULAR);
	meet_at(&tr2_trace.threads, take_number);
	trace_one();
	tap_ok(meet_was() && tr2_trace.threads == 6 &&
		       tr2_trace_self->thread.ref == 6,
	       "two threads have two numbers");
}

/*
 * Stops
 */

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

static void test_turning_off(void)
{
	start_engine(TRACE_BUFFERING_MODE_STREAMING);
	trace_one();
	trace_engine_stop(0);
	tap_int(trace_engine_turn(), ENODATA, "who is stopped turns nowhere");
}

int main(void)
{
	kit_begin_control();
	kit_buffer = malloc(1 << 16);
	tap_run(test_process, test_refused_files, test_epochs, test_keeping,
		test_meeting, test_inside, test_turning_off, test_clearing,
		test_not_yet, test_child);
	tap_int(locks_wrong, 0, "nobody takes a lock twice, nor gives one so");
	return kit_end_words();
}
