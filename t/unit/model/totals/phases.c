/* The phases of git's work: what regions and children belong to. */
#include "kit/tap.h"
#include "model/totals/phase.h"

#define REGION TR2_TABLE_REGIONS

static const struct {
	enum tr2_table table;
	const char *first, *second;
	enum tr2_phase phase;
	const char *name;
} known[] = {
	{ REGION, "progress", "Receiving", TR2_PHASE_NONE,
	  "a begin of labels is needed as a whole" },
};

static void test_known(void)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		tap_int(tr2_phase_find(known[i].table, known[i].first,
				       known[i].second),
			known[i].phase, known[i].name);
}

int main(void)
{
	test_known();
	tap_str(tr2_phase_names[TR2_PHASE_NONE], "other",
		"time of no phase is other");
	tap_str(tr2_phase_names[TR2_PHASE_MAINTAIN], "maintain the repository",
		"each phase has a name");
	return tap_done();
}
