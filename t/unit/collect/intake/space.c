/* A disk that is full, and has space again: what is told, and when. */
#include "collect/intake/watch_kit.h"

#include "collect/intake/intake.h"

static const char *watch_once(void)
{
	divert_errors();
	tr2_space_watch(&intake);
	return show_errors();
}

static void test_full(void)
{
	begin_intake();
	tap_str(watch_once(), "", "a disk with space is not mentioned");
	tap_int(tr2_space_shorten(&intake, -1), -1, "nor looked at");
	fill_disk(true);
	tr2_journal_room(&journal, 1);
	intake.counts.drops[TR2_DROP_SPACE] += 2;
	tap_str(watch_once(),
		"trace2 collect: spool: no event can be kept: File too large\n",
		"a full disk is told at once, with the reason");
	tap_str(watch_once(), "", "it is told once");
	tap_int(tr2_space_shorten(&intake, -1), 500,
		"then it is looked at twice a second");
	tap_int(tr2_space_shorten(&intake, 20), 20, "or more often");
	intake.counts.drops[TR2_DROP_SPACE] += 3;
	fill_disk(false);
	tap_str(watch_once(), "", "space must stay for a second");
	pass_time(CLOCK_SECOND);
	tap_str(watch_once(),
		"trace2 collect: spool: events can be kept again; 5 were "
		"dropped\n",
		"then it is told, although no event came");
	tap_str(watch_once(), "", "and not told twice");
	fill_disk(true);
	tr2_journal_room(&journal, 2 * TR2_JOURNAL_SEGMENT);
	tap_ok(*watch_once(), "another time is told again");
	fill_disk(false);
	end_intake();
}

static void test_age(void)
{
	begin_intake();
	journal.age = 3600;
	tap_int(tr2_space_shorten(&intake, -1), 10000,
		"events that may be too old are looked at");
	tap_int(tr2_space_shorten(&intake, 20), 20,
		"or sooner, when something else is due");
	end_intake();
}

int main(void)
{
	enter_directory();
	test_full();
	test_age();
	leave_directory();
	return tap_done();
}
