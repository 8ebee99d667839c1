/* Archives: what is put in the end, or cannot be put. */
#include "trace/reader/archive_kit.h"

/*
 * The end
 */

static void test_empty(void)
{
	struct tr2_archive_source one = make_small_source();

	tap_ok(!tr2_archive_save(archive, &one, 0, 16) && !got_words &&
		       one.wrapped == 1,
	       "a part without a record is saved");
	tap_ok(!tr2_archive_finish(archive, &one) && !got_words,
	       "as is a buffer without one");
	tr2_archive_source_release(&one);
}

static void test_finish(void)
{
	struct tr2_archive_source one = make_small_source();

	header_of_buffer()->magic = 0;
	put_durable(0, TICKS);
	tap_ok(!tr2_archive_finish(archive, &one) && !got_words && !one.reader,
	       "a buffer that was never written has nothing");
	header_of_buffer()->magic = TRACE_BUFFER_MAGIC;
	put_chunk(0, 2, "44 7 1 1");
	put_chunk(0, 1, "44 6 1 1");
	tap_ok(!tr2_archive_finish(archive, &one) &&
		       !strcmp(take_words(), ONE TICKS " 44 6 1 1 44 7 1 1") &&
		       !one.dropped && one.events == 2,
	       "in the end all is put, the older part first");
	tr2_archive_source_release(&one);
	one = make_small_source();
	put_durable(0, TICKS " " THREAD);
	put_chunk(0, 2, "44 7 1 1");
	put_chunk(0, 3, "44 8 1 1");
	one.wrapped = 3;
	one.durable = 16;
	header_of_buffer()->num_records_dropped = 3;
	tap_ok(!tr2_archive_finish(archive, &one) &&
		       !strcmp(take_words(),
			       ONE "130010 " THREAD " 44 8 1 1") &&
		       one.dropped == 3 && one.bytes == 80,
	       "but for what is saved, and dropped records are told first");
	tr2_archive_source_release(&one);
}

static void test_oneshot(void)
{
	struct tr2_archive_source one = make_small_source();

	header_of_buffer()->buffering_mode = TRACE_BUFFERING_MODE_ONESHOT;
	header_of_buffer()->durable_buffer_size = 0;
	header_of_buffer()->rolling_buffer_size = 496 * FXT_WORD;
	part_words[0] = 0;
	put_chunk(0, 0, "44 5 1 1");
	put_chunk(6, 0, "44 6 1 1");
	one.mode = TRACE_BUFFERING_MODE_ONESHOT;
	tap_ok(!tr2_archive_finish(archive, &one) &&
		       !strcmp(take_words(), ONE "44 5 1 1 44 6 1 1"),
	       "a oneshot buffer's one part is put");
	tr2_archive_source_release(&one);
}

/*
 * Where it cannot be put
 */

static void test_stopping(void)
{
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS);
	put_chunk(0, 0, EVENT);
	put_chunk(1, 0, EVENT);
	puts_left = 2;
	tap_ok(!tr2_archive_save(archive, &one, 0, 16) &&
		       archive->stopped == 1 && one.events == 1,
	       "an archive that is stopped is no program's mistake");
	tap_ok(!tr2_archive_finish(archive, &one) &&
		       !strcmp(take_words(), ONE TICKS " " EVENT) &&
		       archive->bytes == 64 && one.bytes == 64,
	       "and gets nothing more");
	tr2_archive_source_release(&one);
}

static void test_stopping_at_once(void)
{
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS);
	puts_left = 0;
	tap_ok(!tr2_archive_save(archive, &one, 0, 16) &&
		       !strcmp(take_words(), "30000000110020 656e6f"),
	       "not even what the name stands before");
	tr2_archive_source_release(&one);
}

static void test_records(void)
{
	static const uint64_t records[] = { 0x15, 0x21, 1000, 0x33, 1,
					    2,	  0x44, 5,    1,    1 };
	struct tr2_archive_source one = make_small_source();

	memory_fail(1);
	tr2_archive_put_records(archive, &one, records, 2);
	tap_ok(!got_words && !one.reader, "without memory nothing is put");
	memory_fail(0);
	tr2_archive_put_records(archive, &one, records, 10);
	tap_ok(!strcmp(take_words(), ONE "15 21 3e8 44 5 1 1") &&
		       one.events == 1 && one.flawed == 1,
	       "records of ours are looked at as a program's are");
	tr2_archive_source_release(&one);
}

static void test_memory(void)
{
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS);
	memory_fail(1);
	tap_ok(!strcmp(tr2_archive_save(archive, &one, 0, 16),
		       "out of memory") &&
		       !got_words && !one.wrapped,
	       "memory that is short is told");
	memory_fail(1);
	tap_ok(!strcmp(tr2_archive_finish(archive, &one), "out of memory") &&
		       !got_words,
	       "in the end too");
	memory_fail(0);
	tap_ok(!tr2_archive_save(archive, &one, 0, 16) && one.reader,
	       "it may be there the next time");
	tr2_archive_source_release(&one);
	tr2_archive_source_release(&one);
	tap_ok(!one.reader && !memory_live && !memory_broken,
	       "all of a source is given back, once");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_empty, test_finish, test_oneshot, test_stopping,
		test_stopping_at_once, test_records, test_memory);
	return tap_done();
}
