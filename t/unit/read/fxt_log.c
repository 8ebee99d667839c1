/* Archives among logs: their pieces have no lines. */
#include "kit/memory.h"

#include "kit/validate.h"
#include "read/fxt_log.h"

#define MAGIC "\x10\0\x04\x46\x78\x54\x16\0"

static char told[256];

/* A tr2_fxt_log_problem_fn. */
static void tell_found(void *context, const struct trace_reader_finding *found)
{
	(void)context;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%d %s ",
		 (int)found->offset + 1, trace_reader_id(found->problem));
}

static void count_record(void *context,
			 const struct trace_reader_record *record)
{
	(void)record;
	++*(unsigned *)context;
}

/* Returns what is wrong with an archive in pieces, and its records. */
static const char *read_archive(const char *first, size_t first_len,
				const char *rest, size_t rest_len, bool whole)
{
	struct tr2_fxt_log log;
	struct tr2_block block = { 0 };
	unsigned records = 0;

	*told = '\0';
	tr2_fxt_log_begin(&log, tell_found, NULL);
	tr2_block_make_room(&block, TR2_BLOCK_READ);
	memcpy(block.text, first, block.len = first_len);
	tr2_fxt_log_read(&log, &block, count_record, &records);
	memcpy(block.text, rest, block.len = rest_len);
	tr2_fxt_log_read(&log, &block, count_record, &records);
	tr2_fxt_log_end(&log, whole);
	tr2_block_release(&block);
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%u records",
		 records);
	return told;
}

static void test_archives(void)
{
	tap_str(read_archive(MAGIC, 8, MAGIC MAGIC "abc", 19, true),
		"25 fxt.truncated 3 records", "an archive is read to its end");
	tap_str(read_archive("", 0, MAGIC, 8, true), "1 records",
		"nothing may have been read before");
	tap_str(read_archive("", 0, "", 0, true), "1 fxt.magic 0 records",
		"an archive of nothing has no magic");
	tap_str(read_archive(MAGIC "abc", 11, "", 0, false), "1 records",
		"what can't be read is not missed at the end");
}

static void begin_archive(void)
{
	struct tr2_fxt_log log;

	tr2_fxt_log_begin(&log, tell_found, NULL);
}

static void test_archive_memory(void)
{
	memory_fail(1);
	tap_ok(kit_runs_out(begin_archive), "an archive needs memory");
	memory_fail(0);
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	test_archives();
	test_archive_memory();
	return tap_done();
}
