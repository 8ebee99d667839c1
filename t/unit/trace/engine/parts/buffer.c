/* Buffers: how they are divided, what is refused, and what is read. */
#include <stdlib.h>

#include "kit/tap.h"
#include "trace/buffer.h"
#include "trace/engine/fxt.h"

static void test_division(void)
{
	static const struct {
		int mode;
		uint64_t size;
		int can;
		struct trace_buffer_layout layout;
	} rows[] = {
		{ 0, 4096, 1, { 0, 3968, 512 } },
		{ 0, 4104, 1, { 0, 3976, 512 } },
		{ 0, 4088, 0, { 0, 0, 0 } },
		{ 0, 4100, 0, { 0, 0, 0 } },
		{ 0, 65536, 1, { 0, 65408, 8128 } },
		{ 0, 1 << 20, 1, { 0, 1048448, 32768 } },
		{ 0, UINT64_C(4) << 30, 1, { 0, 4294967168, 32768 } },
		{ 0, (UINT64_C(4) << 30) + 8, 0, { 0, 0, 0 } },
		{ 1, 4096, 1, { 128, 1920, 512 } },
		{ 1, 4104, 1, { 136, 1920, 512 } },
		{ 1, 65536, 1, { 3968, 30720, 3840 } },
		{ 2, 65536, 1, { 3968, 30720, 3840 } },
		{ 2, 70000, 1, { 4352, 32760, 4032 } },
		{ 2, 1 << 26, 1, { 1 << 20, 33030080, 32768 } },
		{ -1, 65536, 0, { 0, 0, 0 } },
		{ 3, 65536, 0, { 0, 0, 0 } },
	};
	struct trace_buffer_layout layout;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		memset(&layout, 0x55, sizeof(layout));
		if (trace_buffer_divide(rows[i].mode, rows[i].size, &layout) !=
			    rows[i].can ||
		    (rows[i].can &&
		     memcmp(&layout, &rows[i].layout, sizeof(layout)) != 0))
			break;
	}
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"a buffer is divided as its mode and its size ask for");
}

/*
 * Headers
 */

static const struct trace_buffer_header sound = {
	.magic = TRACE_BUFFER_MAGIC,
	.buffering_mode = TRACE_BUFFERING_MODE_CIRCULAR,
	.total_size = 65536,
	.durable_buffer_size = 3968,
	.rolling_buffer_size = 30720,
	.durable_data_end = 3968,
	.rolling_data_end = { 30720, 30720 },
	.chunk_size = 3840,
	.nonce = 1,
};

/* Check the message about a header in which one field is changed. */
#define CHECK(field, value) \
	(header = sound, header.field = (value), check_header(&header))

static const char *check_header(const struct trace_buffer_header *header)
{
	const char *wrong = trace_buffer_check(header, 65536);

	return wrong ? wrong : "";
}

static void test_magic(void)
{
	struct trace_buffer_header header = sound;

	tap_ok(!trace_buffer_check(&header, 65536), "a sound header is taken");
	tap_str(CHECK(magic, TRACE_BUFFER_MAGIC + 1), "no magic",
		"a header has the magic");
	tap_str(CHECK(version, 1), "another version",
		"a header has the version");
	tap_str(CHECK(buffering_mode, 3), "no such mode",
		"a header has a known mode");
	tap_str(CHECK(total_size, 65544), "another size than the buffer's",
		"a header has the size of its buffer");
	tap_str(CHECK(buffering_mode, TRACE_BUFFERING_MODE_STREAMING), "",
		"both modes with three parts are taken");
	header = sound;
	tap_ok(!strcmp(trace_buffer_check(&header, 4088),
		       "no such size of a buffer") &&
		       !strcmp(trace_buffer_check(&header, 65537),
			       "no such size of a buffer") &&
		       !strcmp(trace_buffer_check(&header,
						  TRACE_BUFFER_MAX + 8),
			       "no such size of a buffer"),
	       "a buffer has a size that a buffer may have");
}

static void test_sizes(void)
{
	struct trace_buffer_header header;

	tap_ok(!strcmp(CHECK(durable_buffer_size, 3972),
		       "a part's size is no multiple of 8") &&
		       !strcmp(CHECK(rolling_buffer_size, 30716),
			       "a part's size is no multiple of 8"),
	       "parts are of whole words");
	tap_ok(!strcmp(CHECK(durable_buffer_size, 65416),
		       "a part is larger than the buffer") &&
		       !strcmp(CHECK(rolling_buffer_size, 65416),
			       "a part is larger than the buffer") &&
		       !strcmp(CHECK(rolling_buffer_size, 65408),
			       "the parts do not fill the buffer") &&
		       !strcmp(CHECK(durable_buffer_size, 65408),
			       "the parts do not fill the buffer"),
	       "no part is larger than its buffer");
	tap_ok(!strcmp(CHECK(durable_buffer_size, 3976),
		       "the parts do not fill the buffer") &&
		       !strcmp(CHECK(rolling_buffer_size, 30712),
			       "the parts do not fill the buffer") &&
		       !strcmp(CHECK(buffering_mode,
				     TRACE_BUFFERING_MODE_ONESHOT),
			       "the parts do not fill the buffer"),
	       "parts fill their buffer");
	header = sound;
	header.durable_buffer_size = 65408 - 2 * 21800;
	header.rolling_buffer_size = 21800;
	tap_str(check_header(&header), "the durable part is too large",
		"the durable part is smaller than the others");
	header.total_size = 65528;
	header.durable_buffer_size = header.rolling_buffer_size = 21800;
	tap_str(trace_buffer_check(&header, 65528),
		"the durable part is too large", "nor is it as large");
}

static void test_oneshot_sizes(void)
{
	struct trace_buffer_header header = {
		.magic = TRACE_BUFFER_MAGIC,
		.total_size = 65536,
		.rolling_buffer_size = 65408,
		.rolling_data_end = { 65408, 65408 },
		.chunk_size = 8128,
	};

	tap_str(check_header(&header), "", "a oneshot buffer is one part");
	header.rolling_buffer_size = 65400;
	tap_str(check_header(&header), "the parts do not fill the buffer",
		"which fills it");
	header.rolling_buffer_size = 65408;
	header.durable_buffer_size = 8;
	tap_str(check_header(&header), "the parts do not fill the buffer",
		"a oneshot buffer has no durable part");
}

static void test_data_ends(void)
{
	static const char durable[] =
		"the durable data do not end in their part";
	static const char rolling[] =
		"the rolling data do not end in their part";
	struct trace_buffer_header header;

	tap_ok(!strcmp(CHECK(durable_data_end, 3976), durable) &&
		       !strcmp(CHECK(durable_data_end, 3964), durable) &&
		       !strcmp(CHECK(rolling_data_end[0], 30728), rolling) &&
		       !strcmp(CHECK(rolling_data_end[0], 4), rolling) &&
		       !strcmp(CHECK(rolling_data_end[1], 30728), rolling) &&
		       !strcmp(CHECK(rolling_data_end[1], 1), rolling),
	       "data end in their part, at a word");
}

static void test_chunk_sizes(void)
{
	static const char wrong[] = "no such chunk size";
	struct trace_buffer_header header;

	tap_ok(!*CHECK(chunk_size, 512) && !*CHECK(chunk_size, 30720) &&
		       !strcmp(CHECK(chunk_size, 504), wrong) &&
		       !strcmp(CHECK(chunk_size, 516), wrong) &&
		       !strcmp(CHECK(chunk_size, 0), wrong) &&
		       !strcmp(CHECK(chunk_size, 30728), wrong),
	       "a chunk has 512 bytes at least, and fits into its part");
	header = sound;
	header.total_size = 1 << 20;
	header.durable_buffer_size = (1 << 20) - 128 - 2 * 500000;
	header.rolling_buffer_size = 500000;
	header.chunk_size = 32768;
	tap_ok(!trace_buffer_check(&header, 1 << 20),
	       "a chunk may have 32768 bytes");
	header.chunk_size = 32776;
	tap_str(trace_buffer_check(&header, 1 << 20), wrong, "but no more");
}

/*
 * Reading. The buffer has a durable part of 8 words, and two parts of three
 * chunks of 64 words and a rest each.
 */

#define DURABLE 8
#define ROLLING (3 * 64 + 30)

static struct {
	struct trace_buffer_header header;
	uint64_t durable[DURABLE];
	uint64_t rolling[2][ROLLING];
	uint64_t behind;
} buffer;

static char runs[256];
static int refused_at; /* a run that is not taken */

/* Notes each run: where it begins, and how many words it has. */
static int note_words(void *context, const uint64_t *records, size_t words)
{
	size_t len = strlen(runs);

	(void)context;
	snprintf(runs + len, sizeof(runs) - len, "%d+%zu ",
		 (int)(records - (const uint64_t *)(const void *)&buffer) - 16,
		 words);
	return refused_at && !--refused_at;
}

static void put_records(uint64_t *at, const int *words)
{
	for (; *words; words++) {
		*at = *words > 0 ? fxt_header(FXT_EVENT, (size_t)*words)
				 : fxt_filler((size_t) - *words);
		at += abs(*words);
	}
	*at = 0;
}

static void put_chunk(int part, int chunk, uint32_t pass, const int *words)
{
	uint64_t *at = buffer.rolling[part] + chunk * 64;

	at[0] = fxt_filler(2);
	at[1] = (uint64_t)buffer.header.nonce << 32 | pass;
	put_records(at + 2, words);
}

static void begin_buffer(void)
{
	memset(&buffer, 0, sizeof(buffer));
	runs[0] = '\0';
	refused_at = 0;
	buffer.header = sound;
	buffer.header.nonce = 7;
	buffer.header.durable_buffer_size = sizeof(buffer.durable);
	buffer.header.rolling_buffer_size = sizeof(buffer.rolling[0]);
	buffer.header.chunk_size = 64 * FXT_WORD;
	buffer.behind = fxt_header(FXT_EVENT, 1);
}

static int64_t durable_runs(uint64_t from, uint64_t to)
{
	runs[0] = '\0';
	return trace_buffer_read_durable(&buffer.header, &buffer, from, to,
					 note_words, NULL);
}

static void test_durable(void)
{
	static const int records[] = { 2, 1, 3, 0 }, too_long[] = { 2, 9, 0 };
	static const int full[] = { 5, 3, 0 };

	begin_buffer();
	put_records(buffer.durable, records);
	tap_ok(durable_runs(0, UINT64_MAX) == 48 && !strcmp(runs, "0+6 "),
	       "durable records are read up to their end");
	tap_ok(durable_runs(16, 24) == 24 && !strcmp(runs, "2+1 ") &&
		       durable_runs(48, 64) == 48 && !*runs,
	       "or from one place to another");
	tap_ok(durable_runs(24, 16) == -1 && durable_runs(4, 16) == -1 &&
		       durable_runs(72, 80) == -1 && durable_runs(16, 16) == 16,
	       "and from nowhere else");
	refused_at = 1;
	tap_int(durable_runs(0, 64), -1, "a reader may stop");
	put_records(buffer.durable, too_long);
	tap_ok(durable_runs(0, 64) == -1 && !strcmp(runs, "0+2 "),
	       "records are read up to one that leaves its part");
	put_records(buffer.durable, full);
	tap_ok(durable_runs(0, 64) == 64 && !strcmp(runs, "0+8 "),
	       "the part may be full");
	buffer.durable[5] = fxt_header(FXT_EVENT, 0);
	tap_ok(durable_runs(0, 64) == -1 && !strcmp(runs, "0+5 "),
	       "a size of 0 ends it");
}

static int64_t rolling_runs(int part, uint32_t oldest)
{
	runs[0] = '\0';
	return trace_buffer_read_rolling(&buffer.header, &buffer, part, oldest,
					 note_words, NULL);
}

static void test_rolling(void)
{
	static const int mixed[] = { -1, 2, 3, -4, -1, 5, -46, 0 };
	static const int full[] = { 62, 0 }, too_long[] = { 3, 60, 0 };
	static const int one[] = { 1, 0 }, none[] = { 0 };

	begin_buffer();
	tap_int(rolling_runs(0, 0), 0, "nothing was written yet");
	put_chunk(0, 0, 4, mixed);
	put_chunk(0, 1, 2, one);
	put_chunk(0, 2, 4, one);
	tap_ok(rolling_runs(0, 0) == 2 && !strcmp(runs, "11+5 21+5 138+1 "),
	       "runs end at dead space, and chunks of older passes are left");
	tap_ok(rolling_runs(0, 4) == 2 && !rolling_runs(0, 5),
	       "a pass may be too old");
	put_chunk(0, 0, 4, full);
	tap_ok(rolling_runs(0, 0) == 2 && !strcmp(runs, "10+62 138+1 "),
	       "a chunk may be full");
	put_chunk(0, 0, 4, too_long);
	tap_ok(rolling_runs(0, 0) == -1 && !strcmp(runs, "10+3 "),
	       "a record that leaves its chunk is broken");
	put_chunk(0, 0, 4, none);
	tap_ok(rolling_runs(0, 0) == 2 && !strcmp(runs, "138+1 "),
	       "a chunk may be empty");
	buffer.rolling[0][128 + 1] ^= UINT64_C(1) << 32;
	tap_ok(rolling_runs(0, 0) == 1 && !*runs,
	       "a chunk of another session is left");
	put_chunk(0, 2, 5, one);
	tap_ok(rolling_runs(0, 0) == 1 && !*runs,
	       "as is one of the other part's pass");
	put_chunk(0, 2, 4, one);
	buffer.rolling[0][128]++;
	tap_int(rolling_runs(0, 0), 1, "or one that does not begin as one");
	buffer.rolling[0][128]--;
	buffer.header.nonce = 0;
	put_chunk(0, 2, 4, one);
	tap_int(rolling_runs(0, 0), 0, "nothing is of no session");
}

static int all_runs(void)
{
	runs[0] = '\0';
	return trace_buffer_read(&buffer.header, &buffer, 0, note_words, NULL);
}

/* The first pass is the first part's. */
static void test_beginnings(void)
{
	static const int one[] = { 1, 0 };

	begin_buffer();
	tap_ok(!all_runs() && !*runs &&
		       !trace_buffer_older(&buffer.header, &buffer),
	       "an empty buffer has nothing to read");
	put_chunk(0, 0, 0, one);
	put_chunk(0, 3, 2, one);
	tap_ok(!all_runs() && !strcmp(runs, "10+1 ") &&
		       trace_buffer_older(&buffer.header, &buffer) == 1,
	       "what is left behind the last chunk is not read");
}

static void test_parts(void)
{
	static const int one[] = { 1, 0 }, durable[] = { 2, 0 };
	int at;

	begin_buffer();
	put_records(buffer.durable, durable);
	put_chunk(0, 0, 2, one);
	put_chunk(1, 1, 3, one);
	tap_int(trace_buffer_older(&buffer.header, &buffer), 0,
		"the other part is the older one");
	tap_ok(!trace_buffer_read(&buffer.header, &buffer, 0, note_words,
				  NULL) &&
		       !strcmp(runs, "0+2 10+1 296+1 "),
	       "first what is durable, then the older part");
	put_chunk(0, 0, 4, one);
	runs[0] = '\0';
	tap_ok(trace_buffer_older(&buffer.header, &buffer) == 1 &&
		       !trace_buffer_read(&buffer.header, &buffer, 0,
					  note_words, NULL) &&
		       !strcmp(runs, "0+2 296+1 10+1 "),
	       "which may be either");
	runs[0] = '\0';
	tap_ok(!trace_buffer_read(&buffer.header, &buffer, 4, note_words,
				  NULL) &&
		       !strcmp(runs, "0+2 10+1 "),
	       "what is too old is left");
	for (at = 1; at <= 3; at++) {
		refused_at = at;
		if (trace_buffer_read(&buffer.header, &buffer, 0, note_words,
				      NULL) != -1)
			break;
	}
	tap_int(at, 4, "whichever is refused, the reading ends");
	buffer.header.buffering_mode = TRACE_BUFFERING_MODE_ONESHOT;
	tap_ok(rolling_runs(0, 0) == 1 && !rolling_runs(1, 0),
	       "a oneshot buffer has no second part");
}

static void test_format(void)
{
	static uint64_t space[3 * 512];
	size_t i, set = 0;

	trace_buffer_format(space, 2 * 4096);
	for (i = 0; i < 3 * 512; i++)
		set += space[i] != 0;
	tap_ok(set == 2 && space[0] == fxt_filler(512) &&
		       space[512] == fxt_filler(512),
	       "a formatted page is one filler");
}

int main(void)
{
	tap_run(test_division, test_magic, test_sizes, test_oneshot_sizes,
		test_data_ends, test_chunk_sizes, test_durable, test_rolling,
		test_beginnings, test_parts, test_format);
	return tap_done();
}
