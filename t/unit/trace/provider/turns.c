/* What a provider's thread does, turn by turn. */
#define _GNU_SOURCE
#include "trace/provider/turns_kit.h"

#include "trace/event.h"
#include "trace/engine/writer.h"

static void wait_only(void)
{
}

#define INIT TRACE_INITIALIZE
#define START TRACE_START
#define STOP TRACE_STOP
#define TERMINATE TRACE_TERMINATE

/*
 * A connection
 */

static void wake_host(void)
{
	const trace_provider_packet_t packet = {
		.request = TRACE_PROVIDER_ALERT,
	};

	if (write(provider.wake.writer.fd, &packet, sizeof(packet)) < 0)
		abort();
}

static void accept_now(void)
{
	refuses = 0;
}

static void close_there(void)
{
	close(there);
	there = -1;
}

static void test_connecting(void)
{
	static const struct step steps[] = {
		{ .act = wake_host },  /* goes on waiting */
		{ .act = wait_only },  /* tries again */
		{ .act = accept_now }, /* comes */
		{ .request = INIT },	{ .request = TERMINATE },
		{ .act = close_there }, { 0 },
	};

	refuses = 1;
	play_steps(steps);
	tap_str(turns, "100s/1 100s/1 200s/2 1000s/3 1000s/3 1000s/3 100s/3 ",
		"a provider waits longer and longer, until all goes well");
	tap_str(heard, "200:1 380 ",
		"then it registers, and does as it is told");
}

static void test_strangers(void)
{
	static const struct step steps[] = { { .act = wait_only }, { 0 } };

	is_strange = 1;
	play_steps(steps);
	is_strange = 0;
	tap_str(heard, "end end ", "a provider says nothing to somebody else");
}

static void test_registered(void)
{
	static const struct step steps[] = {
		{ .request = TRACE_REGISTERED, .data16 = 1 },
		{ .request = TRACE_REGISTERED },
		{ .act = close_there },
		{ 0 },
	};

	play_steps(steps);
	tap_str(turns, "1000/1 1000/1 1000s/1 100s/1 ",
		"it knows how things are when no trace is to come");
}

static void test_descriptors(void)
{
	const struct step steps[] = {
		{ .request = TRACE_REGISTERED, .passed = buffer }, { 0 }
	};
	const int before = open_sum();

	play_steps(steps);
	tap_int(open_sum(), before, "what comes along unasked is closed");
}

/*
 * Buffers
 */

static int initializes_with(int fd)
{
	const struct step steps[] = { { .request = INIT, .passed = fd },
				      { 0 } };

	play_steps(steps);
	return strcmp(heard, "200:1 end ") || strcmp(turns, "1000/1 100s/1 ");
}

static void pass_two(void)
{
	const trace_provider_packet_t packet = { .request = INIT,
						 .data64 = SIZE };
	struct iovec part = { (void *)(uintptr_t)&packet, sizeof(packet) };
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { .header = { .cmsg_len = CMSG_LEN(2 * sizeof(int)),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	const struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	const int fds[2] = { buffer, buffer };

	memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
	if (sendmsg(there, &message, 0) < 0)
		abort();
}

static void test_buffers(void)
{
	static const struct step two[] = { { .act = pass_two }, { 0 } };
	char path[] = "/tmp/provider-XXXXXX";
	int sealed = make_buffer(F_SEAL_SEAL),
	    file = lift_descriptor(mkstemp(path));

	tap_need(!unlink(path) && !ftruncate(file, SIZE));
	tap_ok(!initializes_with(sealed) && !initializes_with(file),
	       "a buffer is memory that can't shrink");
	close(file);
	close(sealed);
	play_steps(two);
	tap_str(turns, "1000/1 100s/1 ", "there is one buffer");
	tap_int(count_mapped(), 0, "no other is kept");
}

/*
 * Tracing
 */

static struct trace_buffer_header header_was, header;
static int mapped_then, enabled;

static void look_at_state(void)
{
	header_was = header;
	mapped_then = count_mapped();
	if (pread(buffer, &header, sizeof(header), 0) < 0)
		abort();
}

static void trace_one(void)
{
	TRACE_INSTANT("a", "name", TRACE_SCOPE_THREAD);
	look_at_state();
}

static void test_tracing(void)
{
	static const struct step steps[] = {
		{ .request = INIT, .data16 = TRACE_BUFFERING_MODE_CIRCULAR },
		{ .request = START },
		{ .act = trace_one, .request = STOP },
		{ .request = START, .data16 = TRACE_START_RETAIN_BUFFER },
		{ .act = look_at_state, .request = TERMINATE },
		{ .act = wait_only },
		{ 0 },
	};

	play_steps(steps);
	tap_str(heard, "200:1 1:1 3 1:1 380 end ",
		"a provider answers what it was asked, and nothing else");
	tap_str(turns, "1000/1 1000/1 10st/1 1000st/1 1st/1 1000st/1 1000st/1 ",
		"it comes back to a trace soon");
	tap_ok(header.buffering_mode == TRACE_BUFFERING_MODE_CIRCULAR &&
		       header.durable_data_end == header_was.durable_data_end,
	       "it traces as it is told");
	tap_ok(mapped_then == 1 && !count_mapped(), "its buffer is let go of");
}

static void fill_buffer(void)
{
	const uint64_t before = trace_engine_dropped();

	while (trace_engine_dropped() == before)
		TRACE_INSTANT("a", "name", TRACE_SCOPE_THREAD);
}

/* A thread that stays inside a record */

static uint64_t resting;
static void *left;

static void hang_inside(void)
{
	TRACE_INSTANT("a", "name", TRACE_SCOPE_THREAD);
	resting = tr2_trace_self->state;
	tr2_trace_self->state = TR2_TRACE_BUSY;
	left = provider.buffer;
}

static void go_on(void)
{
	tr2_trace_self->state = resting;
}

static void ask_host(void)
{
	enabled = trace_engine_category_enabled("a") * 2 +
		  trace_engine_category_enabled("b");
}

static void test_categories(void)
{
	static const struct step steps[] = {
		{ .request = INIT, .categories = "b", .len = 2 },
		{ .request = TERMINATE },
		{ .request = INIT, .categories = "a", .len = 2 },
		{ .request = START },
		{ .act = ask_host },
		{ 0 },
	};
	static const struct step all[] = { { .request = INIT },
					   { .request = START },
					   { .act = ask_host },
					   { 0 } };
	int before;

	play_steps(all);
	tap_int(enabled, 3, "an empty list of categories has them all");
	before = memory_live;
	play_steps(steps);
	tap_int(enabled, 2, "one that is not empty has what it has");
	tap_int(memory_live, before, "and takes the place of the one before");
}

static void test_streaming(void)
{
	static const struct step steps[] = {
		{ .request = INIT, .data16 = TRACE_BUFFERING_MODE_STREAMING },
		{ .request = START },
		{ .act = fill_buffer },
		{ .request = TRACE_PROVIDER_BUFFER_SAVED },
		{ .act = fill_buffer },
		{ .act = wait_only },
		{ 0 },
	};

	play_steps(steps);
	tap_str(heard, "200:1 1:1 2:0 2:1 end ",
		"a part that is full is told, and another one when it is saved");
	tap_str(turns, "1000/1 1000/1 1st/1 1st/1 1st/1 1st/1 1st/1 ",
		"of a trace that goes on");
}

static void test_left_behind(void)
{
	static const struct step steps[] = {
		{ .request = INIT },
		{ .request = START },
		{ .act = hang_inside, .request = STOP },
		{ .act = go_on, .request = TERMINATE },
		{ .request = INIT },
		{ .request = START },
		{ .act = look_at_state },
		{ 0 },
	};

	play_steps(steps);
	tap_int(mapped_then, 2, "where a thread hangs its buffer stays");
	tap_int(count_mapped(), 1, "and no other does");
	munmap(left, SIZE);
}

/*
 * A program that traces itself
 */

static int host_survives(unsigned request)
{
	const struct step steps[] = { { .request = request },
				      { .act = wait_only },
				      { 0 } };
	const uint32_t before = trace_internal_epoch;

	play_steps(steps);
	return trace_internal_epoch == before && !count_mapped();
}

static void test_others_engine(void)
{
	static const struct trace_handler_ops ops = { 0 };
	static uint64_t memory[8192];
	struct trace_handler handler = { &ops };

	trace_engine_initialize(&handler, TRACE_BUFFERING_MODE_STREAMING,
				memory, sizeof(memory));
	tap_ok(host_survives(START),
	       "the engine of somebody else is not started");
	tap_int(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER), 0,
		"nor lost");
	tap_ok(host_survives(STOP) && host_survives(TERMINATE), "nor stopped");
	tap_ok(host_survives(INIT), "nor taken");
	fill_buffer();
	trace_engine_service();
	tap_ok(host_survives(TRACE_PROVIDER_BUFFER_SAVED) &&
		       !trace_engine_mark_buffer_saved(0, 0),
	       "nor is a part of it saved by others");
	trace_engine_terminate();
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	wrong_closes = 0; /* the kit's, before */
	begin_thread(&host);
	tap_run(test_descriptors, test_connecting, test_strangers,
		test_registered, test_buffers, test_tracing, test_left_behind,
		test_others_engine, test_categories, test_streaming);
	memory_free(provider.categories);
	tap_ok(!wrong_closes && !odd_polls && !locks_wrong && !memory_broken,
	       "a provider waits for what it has, and closes that alone");
	return tap_done();
}
