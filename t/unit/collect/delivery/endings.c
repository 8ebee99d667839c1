/*
 * Outputs at the end of the service: slow ones, and those that have failed for
 * good.
 */
#include "collect/delivery/fake_kit.h"

#define BIG ((size_t)2 << 20) /* a half of a segment */

/* It is idle for a second, and then a write of 3 s accepts a byte. */
static void test_long_writes(void)
{
	begin_service();
	output.most = 1;
	output.slow = 1;
	output.long_write = 3;
	begin_delivery();
	add_lines("1\n2\n");
	tap_str(end_service(), "",
		"an output whose writes take long is waited for");
	tap_str(output.got, "1\n2\n", "and gets all lines");
	remove_all("spool");
}

/* Lines are removed after an output has failed for good. */
static void test_removed_after_failure(void)
{
	char *text = malloc(BIG + 1);
	int i;

	begin_service();
	journal.limit = (size_t)11 << 20;
	fake.final = true;
	output.write_error = EPIPE;
	begin_delivery();
	memset(text, 'x', BIG - 1);
	strcpy(text + BIG - 1, "\n");
	add_lines(text);
	wait_for_calls("F");
	for (i = 0; i < 4; i++)
		add_lines(text);
	free(text);
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Broken pipe\n"
		"trace2 collect: output 'fake?': missed 2 events in all\n"
		"trace2 collect: output 'fake?': 3 events wait in the spool\n",
		"an output that has failed misses lines, too");
	tap_ok(is_at("00000000000004194304 00000000000000000002 "
		     "00000000000000000002 "),
	       "its last place is after them");
	remove_all("spool");
}

static int early_ticks; /* before the output had anything */

static void count_early(struct tr2_delivery *one)
{
	(void)one;
	pthread_mutex_lock(&lock);
	early_ticks += !*output.got;
	pthread_mutex_unlock(&lock);
}

/* What waits for an output comes before its first call while idle. */
static void test_early_ticks(void)
{
	begin_service();
	output.stuck = true;
	begin_delivery();
	add_lines("1\n");
	end_service();
	begin_service();
	fake.tick = count_early;
	begin_delivery();
	tap_ok(wait_for("1\n"), "a line waits for the next run");
	end_service();
	tap_int(early_ticks, 0, "an output that has a line to write is busy");
	remove_all("spool");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_long_writes, test_removed_after_failure, test_early_ticks);
	tap_int(count_descriptors(), before,
		"no output that ends late stays open");
	leave_directory();
	return tap_done();
}
