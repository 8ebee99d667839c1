#include "collect/intake/intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/files/clock.h"
#include "lib/text/foreign.h"

#define LOOK_MS 500
#define AGE_MS 10000 /* between two looks for events that are too old */
#define CALM_NS UINT64_C(1000000000) /* a disk may be full again at once */

static void report_full(struct tr2_collect_intake *intake)
{
	char what[160];

	snprintf(what, sizeof(what), "no event can be kept: %s",
		 strerror(intake->journal->refused_why));
	tr2_foreign_blame("collect", intake->journal->dir, what);
	intake->full = true;
}

static void report_space(struct tr2_collect_intake *intake)
{
	char what[160];

	snprintf(what, sizeof(what),
		 "events can be kept again; %" PRIu64 " were dropped",
		 intake->counts.drops[TR2_DROP_SPACE] - intake->full_dropped);
	tr2_foreign_blame("collect", intake->journal->dir, what);
	intake->full = false;
}

void tr2_space_watch(struct tr2_collect_intake *intake)
{
	struct tr2_journal *journal = intake->journal;

	if (journal->refused_why && !intake->full)
		report_full(intake);
	if (!intake->full) {
		intake->full_dropped = intake->counts.drops[TR2_DROP_SPACE];
		return;
	}
	tr2_journal_room(journal, 1); /* no line may come that would ask */
	if (!journal->refused_why &&
	    tr2_clock_now() > journal->refused + CALM_NS)
		report_space(intake);
}

int tr2_space_shorten(const struct tr2_collect_intake *intake, int timeout_ms)
{
	int most = intake->journal->age ? AGE_MS : -1;

	if (intake->full)
		most = LOOK_MS;
	return most < 0 || (timeout_ms >= 0 && timeout_ms < most) ? timeout_ms
								  : most;
}
