/* Archives among logs: their pieces have no lines. */
#include "kit/memory.h"

#include "kit/checker.h"
#include "read/bytes/block.h"
#include "check/fxt.h"

#define MAGIC "\x10\0\x04\x46\x78\x54\x16\0"

static void say_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	(void)out;
	tell_line("%zu %s ", shown->finding->column, shown->finding->id);
}

static const struct tr2_formatter format = { .separator = "",
					     .finding = say_finding };
static struct tr2_lines lines = TR2_LINES_INIT;

static void count_record(void *context,
			 const struct trace_reader_record *record)
{
	(void)record;
	++*(unsigned *)context;
}

static int pipe_of(const char *bytes, size_t len)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], bytes, len) != (ssize_t)len)
		abort();
	close(ends[1]);
	return ends[0];
}

/* Returns the findings about an archive whose rest is read, and its records. */
static const char *check_archive(const char *begin, size_t len, int fd)
{
	struct tr2_source *source = tr2_source_open(fd);
	struct tr2_block block = { 0 };
	const char *error;
	unsigned records = 0;

	tr2_block_make_room(&block, TR2_BLOCK_READ);
	memcpy(block.text, begin, len);
	block.len = len;
	begin_checker(&format);
	tr2_lines_begin(&lines, source);
	error = tr2_fxt_check(&checker, &lines, &block, count_record, &records);
	tell_line("%u records%s%s", records, error ? ", " : "",
		  error ? error : "");
	if (block.len || totals.records != records)
		tell_line(" wrong");
	tr2_source_close(source);
	tr2_block_release(&block);
	close(fd);
	return end_checker();
}

static void test_archives(void)
{
	tap_str(check_archive(MAGIC, 8, pipe_of(MAGIC MAGIC "abc", 19)),
		"25 fxt.truncated 3 records", "an archive is read to its end");
	tap_str(check_archive("", 0, pipe_of(MAGIC, 8)), "1 records",
		"nothing may have been read before");
	tap_str(check_archive("", 0, pipe_of("", 0)), "1 fxt.magic 0 records",
		"an archive of nothing has no magic");
	tap_str(check_archive(MAGIC "abc", 11, -1),
		"1 records, Bad file descriptor",
		"what can't be read is not missed at the end");
}

static void use_archive(void)
{
	check_archive(MAGIC, 8, pipe_of(MAGIC, 8));
}

static void begin_archive(void)
{
	struct tr2_fxt_check check;

	tr2_fxt_check_begin(&check, &checker.sink);
}

static void test_archive_memory(void)
{
	tap_ok(!kit_leaks(use_archive), "archives give back all of the memory");
	begin_checker(&format);
	memory_fail(1);
	tap_ok(kit_runs_out(begin_archive), "an archive needs memory");
	memory_fail(0);
	end_checker();
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	test_archives();
	test_archive_memory();
	tr2_lines_release(&lines);
	tap_int(kit_broken, 0, "archives write nothing behind their memory");
	return tap_done();
}
