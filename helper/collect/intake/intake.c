#include "collect/intake/intake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collect/intake/watch.h"
#include "lib/files/clock.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "read/bytes/block.h"

#define LOOK_MS 500
#define AGE_MS 10000 /* between two looks for events that are too old */
#define CALM_NS UINT64_C(1000000000) /* a disk may be full again at once */

/*
 * ---- Whole lines
 */

const char *const tr2_drop_names[TR2_DROPS] = {
	[TR2_DROP_LONG] = "long",     [TR2_DROP_SPACE] = "space",
	[TR2_DROP_MEMORY] = "memory", [TR2_DROP_CUT] = "cut",
	[TR2_DROP_READ] = "read",     [TR2_DROP_GONE] = "gone",
};

void tr2_intake_drop(struct tr2_collect_intake *intake, enum tr2_drop reason,
		     uint64_t lines)
{
	intake->counts.dropped += lines;
	intake->counts.drops[reason] += lines;
}

/* A filter keeps lines in memory, before the journal has space for them. */
static enum tr2_drop find_lack(const struct tr2_collect_intake *intake)
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
	const int error = errno;
	bool good = true;

	if (room) {
		memset(room, 0, len);
		good = tr2_journal_commit(intake->journal, 0, 0);
	}
	errno = error;
	return good;
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

/*
 * ---- Whether the disk has space
 */

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

/*
 * ---- What writers write
 */

static char *make_room(void *owner, size_t len)
{
	return tr2_intake_make_room(owner, len);
}

static bool test_room(void *owner, char *room, size_t len)
{
	return tr2_intake_test_room(owner, room, len);
}

static void take_lines(void *owner, struct tr2_connection *writer,
		       const char *bytes, size_t len, bool torn)
{
	struct tr2_collect_intake *intake = owner;

	(void)writer;
	tr2_intake_keep_lines(intake, bytes, len);
	intake->counts.torn += torn;
}

static void lose_lines(void *owner, struct tr2_connection *writer,
		       enum tr2_lost why, uint64_t lines)
{
	struct tr2_collect_intake *intake = owner;
	const enum tr2_drop reasons[] = {
		[TR2_LOST_LONG] = TR2_DROP_LONG,
		[TR2_LOST_ROOM] = find_lack(intake),
		[TR2_LOST_MEMORY] = TR2_DROP_MEMORY,
		[TR2_LOST_READ] = TR2_DROP_READ,
	};

	if (why == TR2_LOST_TURN) {
		intake->writers.crowded++;
		return;
	}
	if (why == TR2_LOST_READ && !intake->counts.drops[TR2_DROP_READ])
		fprintf(stderr,
			"trace2 collect: a socket can't be read, so events are "
			"lost: %s\n",
			strerror(writer->error));
	tr2_intake_drop(intake, reasons[why], lines);
}

static const struct tr2_writers_owner owner = {
	.make_room = make_room,
	.test_room = test_room,
	.take = take_lines,
	.lose = lose_lines,
};

/* Counts and lines are shown together, so that their sums agree. */
static void show_counts(struct tr2_collect_intake *intake)
{
	struct tr2_collect_counts *counts = &intake->counts;

	counts->connections = intake->writers.connections;
	counts->refused = intake->writers.refused;
	counts->crowded = intake->writers.crowded;
	if (intake->filter)
		counts->filter = intake->filter->counts;
	counts->received = counts->lines + counts->dropped +
			   tr2_filter_count_held(&counts->filter);
	pthread_mutex_lock(&intake->journal->mutex);
	tr2_journal_show(intake->journal);
	intake->shown = *counts;
	pthread_mutex_unlock(&intake->journal->mutex);
}

/* All watched files, at the end. */
static void end_turn(struct tr2_collect_intake *intake, bool last)
{
	tr2_watch_read(intake->watches, intake, last);
	tr2_space_watch(intake);
	show_counts(intake);
}

static int find_timeout(const struct tr2_collect_intake *intake)
{
	return tr2_space_shorten(intake, tr2_watch_timeout(intake->watches));
}

void tr2_collect_receive(struct tr2_collect_intake *intake, int stop_fd)
{
	struct tr2_writers *writers = &intake->writers;

	writers->command = "collect";
	writers->calls = &owner;
	writers->owner = intake;
	writers->line_most = TR2_LINE_MAX;
	tr2_writers_begin(writers);
	while (tr2_writers_wait(writers, stop_fd, find_timeout(intake))) {
		tr2_writers_read(writers);
		end_turn(intake, false);
	}
	tr2_writers_end(writers);
	end_turn(intake, true);
}
