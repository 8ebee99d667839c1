/* Reading a buffer that is in use, word by word; the test is the engine. */
#include "kit/note.h"

#include "kit/tap.h"
#include "trace/agent/live.h"
#include "trace/engine/fxt.h"

#define CHUNK 64 /* words */
#define CHUNKS 3
#define DURABLE 16

static struct {
	struct trace_buffer_header header;
	uint64_t durable[DURABLE];
	uint64_t parts[2][CHUNKS][CHUNK];
} buffer;

/* Makes a chunk of `pass`, with a filler over all its space. */
static void open_chunk(uint32_t pass, int index)
{
	uint64_t *chunk = buffer.parts[pass & 1][index];

	chunk[0] = fxt_filler(2);
	chunk[1] = (uint64_t)buffer.header.nonce << 32 | pass;
	chunk[2] = fxt_filler(CHUNK - 2);
}

/* Puts a record of two words, with that number, at the word. */
static void put_record(uint32_t pass, int index, int at, uint64_t number)
{
	uint64_t *chunk = buffer.parts[pass & 1][index];

	chunk[at + 1] = number;
	if (at + 2 < CHUNK)
		chunk[at + 2] = fxt_filler((size_t)(CHUNK - at - 2));
	chunk[at] = fxt_header(FXT_INITIALIZATION, 2);
}

static int limit = CHUNK;

/* Takes as many words as the limit allows. */
static size_t take_records(const uint64_t *records, size_t words)
{
	size_t at;

	if (words > (size_t)limit)
		words = (size_t)limit;
	for (at = 0; at < words; at += fxt_record_words(records[at]))
		add_note("%s%d ", fxt_is_filler(records[at]) ? "f" : "",
			 (int)records[at + 1]);
	return words;
}

static const char *read_pass(uint32_t pass)
{
	get_notes();
	tr2_live_measure(pass, CHUNKS);
	tr2_live_read(pass, take_records);
	return get_notes();
}

static void begin_agent(void)
{
	memset(&buffer, 0, sizeof(buffer));
	buffer.header.durable_buffer_size = sizeof(buffer.durable);
	buffer.header.rolling_buffer_size = sizeof(buffer.parts[0]);
	buffer.header.chunk_size = sizeof(buffer.parts[0][0]);
	buffer.header.nonce = 7;
	tr2_live_begin(&buffer.header);
	limit = CHUNK;
}

static void test_once(void)
{
	begin_agent();
	tap_str(read_pass(0), "", "a chunk that is not used has no records");
	open_chunk(0, 0);
	tap_str(read_pass(0), "", "nor has one that is free");
	put_record(0, 0, 2, 1);
	put_record(0, 0, 4, 2);
	open_chunk(0, 2);
	put_record(0, 2, 2, 3);
	tap_str(read_pass(0), "1 2 3 ", "records are read chunk by chunk");
	tap_str(read_pass(0), "", "and once");
	put_record(0, 0, 6, 4);
	open_chunk(0, 1);
	put_record(0, 1, 2, 5);
	tap_str(read_pass(0), "4 5 ", "new ones are read the next time");
	put_record(0, 2, CHUNK - 2, 6);
	buffer.parts[0][2][4] = fxt_filler(CHUNK - 6);
	buffer.parts[0][2][5] = 99;
	tap_str(read_pass(0), "f99 6 ", "up to the end of the chunk");
	limit = 2;
	put_record(0, 1, 4, 7);
	put_record(0, 1, 6, 8);
	tap_str(read_pass(0), "7 ", "a reader may take less");
	tap_str(read_pass(0), "8 ", "and gets the rest again");
}

static void test_passes(void)
{
	begin_agent();
	open_chunk(4, 0);
	put_record(4, 0, 2, 1);
	open_chunk(5, 0);
	put_record(5, 0, 2, 2);
	tap_str(read_pass(5), "2 ", "each pass has its part");
	tap_str(read_pass(4), "1 ", "whichever is read first");
	tap_str(read_pass(6), "", "another pass of the part has nothing");
	open_chunk(6, 0);
	put_record(6, 0, 2, 3);
	put_record(6, 0, 4, 4);
	tr2_live_forget(4);
	tap_str(read_pass(6), "3 4 ", "before it is written");
	buffer.header.nonce = 8;
	tap_str(read_pass(6), "", "nor has another session");
	tr2_live_begin(&buffer.header);
	buffer.header.nonce = 7;
	tap_str(read_pass(6), "3 4 ", "a new beginning has read nothing");
	tap_str(read_pass(5), "2 ", "of both parts");
}

static void test_damage(void)
{
	begin_agent();
	open_chunk(0, 0);
	put_record(0, 0, 2, 1);
	buffer.parts[0][0][4] = fxt_header(FXT_EVENT, 0);
	tap_str(read_pass(0), "1 ", "a record without a size ends the chunk");
	buffer.parts[0][0][4] = fxt_header(FXT_EVENT, CHUNK - 3);
	tap_str(read_pass(0), "", "as does one that is too long");
	buffer.header.chunk_size = 0;
	tap_str(read_pass(0), "", "a buffer without chunks has no records");
}

static int durable_end(int from)
{
	return (int)tr2_live_find_durable_end((uint64_t)from * 8) / 8;
}

static void test_durable(void)
{
	begin_agent();
	tap_int(durable_end(0), 0, "there may be no definitions");
	buffer.durable[0] = fxt_header(FXT_INITIALIZATION, 2);
	buffer.durable[2] = fxt_header(FXT_THREAD, 3);
	tap_int(durable_end(0), 5, "definitions end where nothing follows");
	tap_int(durable_end(2), 5, "wherever one begins to look");
	buffer.durable[5] = fxt_filler(3);
	buffer.durable[8] = fxt_header(FXT_THREAD, 3);
	tap_int(durable_end(0), 5, "one that is being written ends them");
	buffer.durable[5] = fxt_header(FXT_THREAD, 3);
	buffer.durable[11] = fxt_header(FXT_STRING, 5);
	tap_int(durable_end(0), DURABLE, "they may fill the part");
	buffer.durable[11] = fxt_header(FXT_STRING, 6);
	tap_int(durable_end(0), 11, "but not go beyond it");
}

int main(void)
{
	tap_run(test_once, test_passes, test_damage, test_durable);
	return tap_done();
}
