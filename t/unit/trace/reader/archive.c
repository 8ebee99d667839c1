/*
 * Archives: which part of a program's buffer gets into one, and in which
 * order.
 */
#include "trace/reader/archive_kit.h"

static void test_saving(void)
{
	struct tr2_archive_source one = make_small_source();
	struct tr2_archive_source two = source_of(2, "two names", one.size);

	tr2_archive_begin(archive);
	tap_str(take_words(), "16547846040010",
		"an archive begins with the magic");
	put_durable(0, TICKS);
	put_chunk(0, 0, "44 5 1 1");
	tap_ok(!tr2_archive_save(archive, &one, 0, 16), "a part is saved");
	tap_str(take_words(), ONE TICKS " 44 5 1 1",
		"behind the provider's name and what is durable");
	tap_ok(one.bytes == 64 && archive->bytes == 72 && one.events == 1 &&
		       !one.flawed,
	       "bytes and events are counted");
	put_durable(2, THREAD);
	put_chunk(0, 1, EVENT);
	tap_ok(!tr2_archive_save(archive, &one, 1, 40) &&
		       !strcmp(take_words(), THREAD " " EVENT),
	       "the next part is put behind it, without what is saved");
	tap_ok(!tr2_archive_save(archive, &two, 0, 16) &&
		       !strcmp(take_words(),
			       "90000000210030 656d616e206f7774 73 " TICKS
			       " 44 5 1 1"),
	       "another program's has its own name");
	put_chunk(0, 2, EVENT);
	tap_ok(!tr2_archive_save(archive, &one, 2, 40) &&
		       !strcmp(take_words(), "120010 " EVENT),
	       "a program that wrote before goes on in a section");
	tap_ok(one.bytes == 64 + 56 + 40 && one.events == 3 &&
		       two.bytes == 72 && archive->bytes == 8 + 160 + 72,
	       "each program's bytes are its own");
	tr2_archive_source_release(&one);
	tr2_archive_source_release(&two);
}

/*
 * Returns the refusal of a part that must not be saved; nothing else happens.
 */
static const char *refuse_archive(struct tr2_archive_source *source,
				  uint32_t wrapped, uint64_t durable_end)
{
	uint32_t before = source->wrapped;
	const char *wrong =
		tr2_archive_save(archive, source, wrapped, durable_end);

	if (!wrong || got_words || source->wrapped != before)
		return "taken";
	return wrong;
}

static void test_order(void)
{
	static const char order[] =
		"provider.save.order: this is not the next part";
	static const char durable[] =
		"provider.save.durable: the durable part can't end there";
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS " " THREAD);
	put_chunk(0, 1, EVENT);
	tap_ok(!strcmp(refuse_archive(&one, 1, 16), order) &&
		       !strcmp(refuse_archive(&one, UINT32_MAX, 16), order),
	       "the first part is saved first");
	tap_ok(!strcmp(refuse_archive(&one, 0, 8), durable) &&
		       !strcmp(refuse_archive(&one, 0, 0), durable) &&
		       !strcmp(refuse_archive(&one, 0, 20), durable) &&
		       !strcmp(refuse_archive(&one, 0, 136), durable),
	       "its durable records end at a word, behind the first");
	one.durable = 40;
	tap_str(refuse_archive(&one, 0, 16), durable,
		"and not before the last end");
	tap_ok(!tr2_archive_save(archive, &one, 0, 40) && one.durable == 40,
	       "they may end where they ended");
	tap_ok(!strcmp(refuse_archive(&one, 0, 40), order),
	       "no part is saved twice");
	tap_ok(!tr2_archive_save(archive, &one, 1, 128) &&
		       !strcmp(take_words(), ONE EVENT) && one.durable == 128,
	       "they may fill their part");
	tr2_archive_source_release(&one);
}

static void test_header(void)
{
	static const char wrong[] =
		"provider.buffer.header: the header is not valid";
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS);
	header_of_buffer()->version = 1;
	tap_ok(!strcmp(refuse_archive(&one, 0, 16), wrong) &&
		       !strcmp(tr2_archive_finish(archive, &one), wrong),
	       "a header that makes no sense is the program's mistake");
	header_of_buffer()->version = 0;
	one.mode = TRACE_BUFFERING_MODE_CIRCULAR;
	tap_ok(!strcmp(refuse_archive(&one, 0, 16), wrong) &&
		       !strcmp(tr2_archive_finish(archive, &one), wrong),
	       "as is a mode that nobody asked for");
	tap_ok(!got_words, "nothing of such a buffer is put");
}

/*
 * What is left out
 */

static void test_flawed(void)
{
	struct tr2_archive_source one = make_small_source();

	put_durable(0, WRONG " 220010");
	tap_ok(!tr2_archive_save(archive, &one, 0, 32) && !got_words &&
		       one.flawed == 2 && !archive->current,
	       "flawed records and metadata are left out, and counted");
	make_buffer(16, 240);
	put_durable(4, WRONG " " TICKS " 120010 " THREAD);
	put_chunk(0, 1, "16547846040010 " EVENT " " WRONG);
	put_chunk(1, 1, WRONG " " EVENT);
	tap_ok(!tr2_archive_save(archive, &one, 1, 104) &&
		       !strcmp(take_words(),
			       ONE TICKS " " THREAD " " EVENT " " EVENT) &&
		       one.flawed == 7 && one.events == 2,
	       "whatever stands around them is put");
	tr2_archive_source_release(&one);
}

static void test_events(void)
{
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS);
	put_chunk(0, 0,
		  "6f 0 5 1 1 0 44 5 1 1 6f 0 5 1 1 0 1000000003f 0 0 27 5");
	tap_ok(!tr2_archive_save(archive, &one, 0, 16) && !one.flawed &&
		       one.events == 3,
	       "events are counted, large ones too, and nothing else");
	tr2_archive_source_release(&one);
}

static void test_broken(void)
{
	static const char wrong[] =
		"provider.buffer.records: the buffer holds something that is "
		"not a record";
	struct tr2_archive_source one = make_small_source();

	put_durable(0, TICKS " ff4");
	tap_str(tr2_archive_save(archive, &one, 0, 32), wrong,
		"records that leave their part are the program's mistake");
	tap_ok(!strcmp(take_words(), ONE TICKS) && !one.wrapped && !one.durable,
	       "what stands before one is put");
	put_durable(0, TICKS);
	put_chunk(0, 0, EVENT " 44 1 1 1 ff4");
	tap_ok(!strcmp(tr2_archive_save(archive, &one, 0, 16), wrong) &&
		       !one.wrapped,
	       "or their chunk");
	tr2_archive_source_release(&one);
}

/*
 * Long runs, of which not all can be looked at in one go
 */

static void test_long_runs(void)
{
	const size_t scratch = sizeof(archive->scratch) / FXT_WORD;
	struct tr2_archive_source one;
	size_t i;

	begin_archive();
	one = source_of(1, "one", make_buffer(5000, 5500));
	for (i = 0; i < 4998; i += 3)
		put_durable(i, THREAD);
	tap_ok(!tr2_archive_save(archive, &one, 0, 40000) &&
		       got_words == 2 + 4998 && got[1 + 4998] == 0xb,
	       "a run may be longer than what is looked at");
	for (i = 0; i < 4998; i += 3)
		if (got[2 + i] != 0x10033 || got[3 + i] != 0xa)
			break;
	tap_ok(i == 4998 && !one.flawed, "no record is cut for that");
	tr2_archive_source_release(&one);
	begin_archive();
	one = source_of(1, "one", make_buffer(5000, 5500));
	buffer[HEADER] = 15 | (uint64_t)scratch << 4;
	tap_ok(!tr2_archive_save(archive, &one, 0, 8 * scratch),
	       "nor is one as long as that");
	tr2_archive_source_release(&one);
	begin_archive();
	one = source_of(1, "one", make_buffer(5000, 5500));
	buffer[HEADER] = 15 | (uint64_t)(scratch + 1) << 4;
	tap_ok(tr2_archive_save(archive, &one, 0, 40000) && !got_words,
	       "a longer one cannot be a record");
	tr2_archive_source_release(&one);
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_saving, test_order, test_header, test_flawed, test_events,
		test_broken, test_long_runs);
	return tap_done();
}
