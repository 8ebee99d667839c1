/* The space of a buffer: which chunk is next, and the durable records. */
#include "kit/trace/meet.h"

#include <errno.h>

#include "trace/engine/parts/space_kit.h"

/* Returns the next chunks as "wrapped.index", until there are no more. */
static const char *take_space(int most)
{
	static char taken[256];
	struct tr2_trace_chunk chunk;
	uint64_t place = space.place;
	size_t len = 0;

	taken[0] = '\0';
	while (most-- && tr2_trace_space_next(&space, &place, &chunk) > 0)
		len += (size_t)snprintf(taken + len, sizeof(taken) - len,
					"%u.%u ", chunk.wrapped, chunk.index);
	return taken;
}

static void test_streaming(void)
{
	begin_space(TRACE_BUFFERING_MODE_STREAMING);
	tap_str(take_space(9), "0.0 0.1 0.2 1.0 1.1 1.2 ",
		"streaming fills both parts and waits");
	tap_ok(space.place == (TR2_TRACE_PENDING | PLACE(1, 3)),
	       "the first is to be saved");
	tap_int(tr2_trace_space_turn(&space), EAGAIN,
		"it does not turn back to what is not saved");
	space.place &= ~TR2_TRACE_PENDING;
	tap_str(take_space(1), "2.0 ", "what was saved is written to again");
	tap_int((intmax_t)buffer.header.wrapped_count, 2, "and that is said");
	tr2_trace_space_close(&space);
	tap_ok(buffer.header.rolling_data_end[0] == CHUNK * 8 &&
		       buffer.header.rolling_data_end[1] == 3 * CHUNK * 8,
	       "the part that waits is whole");
	space.place &= ~TR2_TRACE_PENDING;
	tr2_trace_space_close(&space);
	tap_ok(buffer.header.rolling_data_end[0] == CHUNK * 8 &&
		       buffer.header.rolling_data_end[1] == 0,
	       "a part that was saved is empty");
}

static void test_turn(void)
{
	begin_space(TRACE_BUFFERING_MODE_STREAMING);
	tap_int(tr2_trace_space_turn(&space), ENODATA,
		"from an empty part nobody turns");
	take_space(2);
	tap_int(tr2_trace_space_turn(&space), 0, "a part may be left early");
	tap_ok(space.place == (TR2_TRACE_PENDING | PLACE(1, 0)) &&
		       buffer.header.wrapped_count == 1 &&
		       buffer.header.rolling_data_end[0] == 2 * CHUNK * 8 &&
		       buffer.header.rolling_data_end[1] == 0,
	       "then its end is where it was left");
	space.place = PLACE(1, 1) | TR2_TRACE_FULL;
	tap_int(tr2_trace_space_turn(&space), ENODATA,
		"when nothing is written any more, nobody turns");
	tap_str(take_space(9), "", "nor gets a chunk");
	space.mode = TRACE_BUFFERING_MODE_CIRCULAR;
	space.place = PLACE(1, 1);
	tap_int(tr2_trace_space_turn(&space), ENODATA,
		"in other modes nobody turns");
}

/* Two threads that write a word at once */

static struct trace_buffer_header *header;

/* What is written first and what is written next are on different pages. */
static struct trace_buffer_header *split_header(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return (void *)(pages + size -
			offsetof(struct trace_buffer_header, total_size));
}

static void turn_first(void)
{
	space.place |= TR2_TRACE_PENDING;
}

static void raise_durable(void)
{
	header->durable_data_end = 16;
}

static void raise_wrapped(void)
{
	header->wrapped_count = 1;
}

/* Another writer has moved on since we looked. */
static void test_overtaken(void)
{
	struct tr2_trace_chunk chunk = { 5, 5 };
	uint64_t place = PLACE(0, 1);

	begin_space(TRACE_BUFFERING_MODE_CIRCULAR);
	space.place = PLACE(0, 2);
	tap_ok(tr2_trace_space_next(&space, &place, &chunk) == -1 &&
		       place == PLACE(0, 2) && space.place == PLACE(0, 2),
	       "who is overtaken tries again from there");
	tap_ok(tr2_trace_space_next(&space, &place, &chunk) == 1 &&
		       place == PLACE(0, 3) && space.place == PLACE(0, 3) &&
		       chunk.index == 2 && !chunk.wrapped,
	       "and gets the next chunk");
	buffer.header.wrapped_count = 7;
	take_space(1);
	tap_int(buffer.header.wrapped_count, 7,
		"the count of parts never goes back");
}

static void test_meeting(void)
{
	int turned;

	begin_space(TRACE_BUFFERING_MODE_STREAMING);
	space.place = PLACE(0, 2);
	meet_at(&space.place, turn_first);
	turned = tr2_trace_space_turn(&space);
	tap_ok(meet_was() && turned == EAGAIN, "one of two turns");
	begin_space(TRACE_BUFFERING_MODE_CIRCULAR);
	header = space.header = split_header();
	meet_at(&header->durable_data_end, raise_durable);
	tr2_trace_space_durable(&space, 3);
	tap_ok(meet_was() && header->durable_data_end == 24,
	       "the later of two ends of durable records counts");
	space.place = PLACE(1, 3);
	meet_at(&header->wrapped_count, raise_wrapped);
	take_space(1);
	tap_ok(meet_was() && header->wrapped_count == 2,
	       "and the later of two counts of parts");
}

/*
 * Growing
 */

static size_t asked, given;

static size_t give_space(struct trace_handler *handler, size_t have)
{
	(void)handler;
	asked = have;
	errno = ENOSPC;
	return given;
}

static void test_growing(void)
{
	static const struct trace_handler_ops ops = { .grow = give_space };
	struct trace_handler handler = { &ops };

	begin_space(TRACE_BUFFERING_MODE_ONESHOT);
	space.grower = &handler;
	space.chunks = 1;
	given = CHUNK * 8 * 2 + 500;
	tap_str(take_space(1), "0.0 ", "a file begins with what it has");
	take_space(1);
	tap_ok(asked == CHUNK * 8 && space.chunks == 2,
	       "then asks for more, and uses what is whole of it");
	tap_str(take_space(1), "0.1 ", "and goes on there");
	given = CHUNK * 8 * 2;
	errno = EXDEV;
	tap_ok(!*take_space(1) && asked == CHUNK * 8 * 2 && space.chunks == 2,
	       "it may get nothing");
	tap_int(errno, EXDEV, "growing keeps errno, whatever the file does");
	asked = 0;
	tap_ok(!*take_space(1) && !asked,
	       "a file that could not grow is not asked again");
	begin_space(TRACE_BUFFERING_MODE_ONESHOT);
	space.grower = &handler;
	space.chunks = 2;
	space.place = PLACE(0, 2);
	given = CHUNK * 8 * 100;
	take_space(1);
	tap_ok(space.chunks == 3, "or more than it may have");
	take_space(1);
	asked = 0;
	tap_ok(!*take_space(1) && !asked, "but does not ask beyond that");
}

/*
 * Chunks and records
 */

static void test_durable(void)
{
	uint64_t *at;

	begin_space(TRACE_BUFFERING_MODE_CIRCULAR);
	at = tr2_trace_space_durable(&space, 3);
	tap_ok(at == buffer.durable && *at == fxt_filler(3) &&
		       space.durable_end == 3 &&
		       buffer.header.durable_data_end == 24,
	       "a durable record has its room at once");
	tap_int((intmax_t)tr2_trace_space_durable_whole(&space), -1,
		"it is not whole before it is there");
	*at = fxt_header(FXT_THREAD, 3);
	tap_int((intmax_t)tr2_trace_space_durable_whole(&space), 3,
		"then it is");
	space.durable_end = 0;
	tap_ok(tr2_trace_space_durable(&space, 5) == at + 3 &&
		       buffer.header.durable_data_end == 64,
	       "the next one stands behind it, whoever was first");
	at[3] = fxt_header(FXT_STRING, 5);
	space.durable_end = 0;
	buffer.header.durable_data_end = 120;
	tap_ok(tr2_trace_space_durable(&space, 1) == at + 8 &&
		       buffer.header.durable_data_end == 120,
	       "the end never goes back");
	at[8] = fxt_header(FXT_STRING, 1);
	tap_ok(!space.place && !tr2_trace_space_durable(&space, 8) &&
		       space.place == TR2_TRACE_FULL,
	       "one that does not fit ends the trace");
	tap_ok(tr2_trace_space_durable(&space, 7) == at + 9 &&
		       buffer.header.durable_data_end == 128,
	       "one that fits may take the last word");
	at[9] = fxt_header(FXT_STRING, 7);
	buffer.rolling[0][0] = fxt_filler(2);
	tap_int((intmax_t)tr2_trace_space_durable_whole(&space), 16,
		"a full part is whole, too");
}

static void test_description(void)
{
	static const struct trace_buffer_header want = {
		.magic = TRACE_BUFFER_MAGIC,
		.version = TRACE_BUFFER_VERSION,
		.buffering_mode = TRACE_BUFFERING_MODE_STREAMING,
		.total_size = 4096,
		.durable_buffer_size = 128,
		.rolling_buffer_size = 3 * CHUNK * 8,
		.chunk_size = CHUNK * 8,
	};

	begin_space(TRACE_BUFFERING_MODE_STREAMING);
	memset(&buffer.header, 0x55, sizeof(buffer.header));
	tr2_trace_space_describe(&space, 4096);
	tap_ok(!memcmp(&buffer.header, &want, sizeof(want)),
	       "a header describes its buffer, and nothing else");
}

int main(void)
{
	tap_run(test_streaming, test_turn, test_meeting, test_growing,
		test_durable, test_description, test_overtaken);
	return tap_done();
}
