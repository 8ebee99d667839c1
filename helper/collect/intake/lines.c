#include "collect/intake/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/intake/intake.h"
#include "lib/files/clock.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "read/bytes/block.h"

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

const char *const tr2_drop_names[TR2_DROPS] = {
	[TR2_DROP_LONG] = "long",     [TR2_DROP_SPACE] = "space",
	[TR2_DROP_MEMORY] = "memory", [TR2_DROP_CUT] = "cut",
	[TR2_DROP_READ] = "read",
};

void tr2_intake_drop(struct tr2_collect_intake *intake, enum tr2_drop reason,
		     uint64_t lines)
{
	intake->counts.dropped += lines;
	intake->counts.drops[reason] += lines;
}

void tr2_intake_drop_unread(struct tr2_collect_intake *intake,
			    const struct tr2_writer *writer)
{
	if (!writer->error)
		return;
	if (!intake->counts.drops[TR2_DROP_READ])
		fprintf(stderr,
			"trace2 collect: a socket can't be read, so events are "
			"lost: %s\n",
			strerror(writer->error));
	tr2_intake_drop(intake, TR2_DROP_READ, 1);
}

/* A filter keeps lines in memory, before the journal has space for them. */
enum tr2_drop tr2_intake_find_lack(const struct tr2_collect_intake *intake)
{
	return intake->filter ? TR2_DROP_MEMORY : TR2_DROP_SPACE;
}

char *tr2_intake_make_room(struct tr2_collect_intake *intake, size_t len)
{
	if (intake->filter)
		return tr2_filter_room(intake->filter, len);
	return tr2_journal_room(intake->journal, len);
}

bool tr2_intake_test_room(const struct tr2_collect_intake *intake, char *room,
			  size_t len)
{
	if (room)
		memset(room, 0, len);
	return !room || tr2_journal_commit(intake->journal, 0, 0);
}

/*
 * Move what passes the filter to the journal. False: there is no space for
 * all, and nothing has happened. With `patient`, the file of broken lines must
 * have space, too.
 */
static bool pass_filter(struct tr2_collect_intake *intake, size_t len,
			bool patient)
{
	struct tr2_line_filter *filter = intake->filter;
	const struct tr2_buf *out = &filter->out;
	bool done = tr2_filter_lines(filter, len);
	char *room = NULL;

	done = done && !(patient && filter->aside.refused);
	if (done && out->len)
		room = tr2_journal_room(intake->journal, out->len);
	if (room)
		memcpy(room, out->bytes, out->len);
	if (room)
		done = tr2_journal_commit(intake->journal, out->len,
					  filter->lines);
	if (!done || (out->len && !room)) {
		tr2_filter_undo(filter);
		return false;
	}
	intake->counts.lines += filter->lines;
	intake->counts.bytes += out->len;
	return true;
}

static bool pass_lines(struct tr2_collect_intake *intake, unsigned long lines,
		       size_t len, bool patient)
{
	if (intake->filter)
		return pass_filter(intake, len, patient);
	if (!tr2_journal_commit(intake->journal, len, lines))
		return false;
	intake->counts.lines += lines;
	intake->counts.bytes += len;
	return true;
}

void tr2_intake_keep_lines(struct tr2_collect_intake *intake, const char *bytes,
			   size_t len)
{
	/* The filter ends lines with a NUL. */
	const unsigned long lines = tr2_text_count_lines(bytes, len);

	if (!pass_lines(intake, lines, len, false))
		tr2_intake_drop(intake, TR2_DROP_SPACE, lines);
}

bool tr2_intake_try_lines(struct tr2_collect_intake *intake, const char *bytes,
			  size_t len)
{
	return pass_lines(intake, tr2_text_count_lines(bytes, len), len, true);
}

#define LOOK_MS 500
#define AGE_MS 10000 /* between two looks for events that are too old */
#define CALM_NS UINT64_C(1000000000) /* a disk may be full again at once */

/* Tell that the disk is full, or no longer. */
static void report_space(struct tr2_collect_intake *intake, bool full)
{
	char what[160];

	if (full)
		snprintf(what, sizeof(what), "no event can be kept: %s",
			 tr2_journal_explain(intake->journal->refused_why));
	else
		snprintf(what, sizeof(what),
			 "events can be kept again; %" PRIu64 " were dropped",
			 intake->counts.drops[TR2_DROP_SPACE] -
				 intake->full_dropped);
	tr2_foreign_blame("collect", intake->journal->dir, what);
	intake->full = full;
}

void tr2_space_watch(struct tr2_collect_intake *intake)
{
	struct tr2_journal *journal = intake->journal;

	if (journal->refused_why && !intake->full)
		report_space(intake, true);
	if (!intake->full) {
		intake->full_dropped = intake->counts.drops[TR2_DROP_SPACE];
		return;
	}
	/* No line may come that would ask. */
	tr2_intake_test_room(intake, tr2_journal_room(journal, 1), 1);
	if (!journal->refused_why &&
	    tr2_clock_now() > journal->refused + CALM_NS)
		report_space(intake, false);
}

int tr2_space_shorten(const struct tr2_collect_intake *intake, int timeout_ms)
{
	int most = intake->journal->age ? AGE_MS : -1;

	if (intake->full)
		most = LOOK_MS;
	return most < 0 || (timeout_ms >= 0 && timeout_ms < most) ? timeout_ms
								  : most;
}
