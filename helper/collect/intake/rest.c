#include "collect/intake/rest.h"

#include <unistd.h>

#include "collect/intake/lines.h"
#include "read/bytes/block.h"
#include "lib/text/text.h"

#define RESTS_LEAST (UINT64_C(256) << 20)
#define REST_KEPT ((size_t)4 << 10) /* memory that a connection keeps */

/* A quarter of the machine's memory. */
static uint64_t find_rests_most(void)
{
#ifdef _SC_PHYS_PAGES
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t most = (uint64_t)pages * (uint64_t)size / 4;

	if (pages > 0 && size > 0 && most > RESTS_LEAST)
		return most;
#endif
	return RESTS_LEAST;
}

void tr2_rest_begin(struct tr2_collect_intake *intake)
{
	if (!intake->rests_most)
		intake->rests_most = find_rests_most();
}

void tr2_rest_forget(struct tr2_collect_intake *intake,
		     struct tr2_writer *writer)
{
	intake->rests -= writer->rest.len;
	if (writer->rest.room > REST_KEPT)
		tr2_buf_release(&writer->rest);
	tr2_buf_reset(&writer->rest);
}

void tr2_rest_drop(struct tr2_collect_intake *intake, struct tr2_writer *writer,
		   enum tr2_drop reason, const char *bytes, size_t len)
{
	tr2_rest_forget(intake, writer);
	tr2_intake_drop(intake, reason, tr2_text_count_lines(bytes, len));
	writer->skipping = bytes[len - 1] != '\n';
}

static struct tr2_writer *find_longest(struct tr2_collect_intake *intake)
{
	struct tr2_writer *writers = intake->writers.items, *longest = writers;
	uint32_t i;

	for (i = 1; i < intake->writers.count; i++)
		if (writers[i].rest.len > longest->rest.len)
			longest = &writers[i];
	return longest;
}

/*
 * The machine has no memory for all lines that have no end yet: those pay
 * that need most of it.
 */
static void spare_memory(struct tr2_collect_intake *intake)
{
	struct tr2_writer *longest;

	while (intake->rests > intake->rests_most) {
		longest = find_longest(intake);
		tr2_rest_forget(intake, longest);
		tr2_intake_drop(intake, TR2_DROP_MEMORY, 1);
		longest->skipping = true;
	}
}

void tr2_rest_keep(struct tr2_collect_intake *intake, struct tr2_writer *writer,
		   const char *bytes, size_t len)
{
	if (writer->rest.len + len > TR2_LINE_MAX) {
		tr2_rest_drop(intake, writer, TR2_DROP_LONG, bytes, len);
		return;
	}
	tr2_buf_add(&writer->rest, bytes, len);
	if (writer->rest.failed) {
		tr2_rest_drop(intake, writer, TR2_DROP_MEMORY, bytes, len);
		return;
	}
	intake->rests += len;
	spare_memory(intake);
}
