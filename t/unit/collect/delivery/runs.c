/*
 * One output and its thread: what it gets, how it fails and begins again, and
 * what its end reports.
 */
#include "collect/delivery/fake_kit.h"

#define SIZE(size) "000000000000000000" size " "

/*
 * ---- Lines
 */

static void test_lines(void)
{
	begin_service();
	add_lines("before\n");
	begin_delivery();
	add_lines("1\n2\n");
	tap_int((intmax_t)delivery.line, 1,
		"an output begins after some lines");
	tap_ok(wait_for("1\n2\n"), "a new output gets what is new");
	add_lines("3\n");
	tap_ok(wait_for("1\n2\n3\n"), "as soon as it is written");
	tap_ok(wait_for_place(PLACE("13", "04", "00") SIZE("06")),
	       "its place is on disk at once");
	tap_str(end_service(), "", "who has got all says nothing");
	tap_ok(delivery.fresh, "it is after a whole line");
	tap_str(output.calls, "oc", "it was opened and closed once");
	tap_ok(is_at(PLACE("13", "04", "00")), "its place is on disk");
	begin_service();
	begin_delivery();
	add_lines("4\n");
	tap_ok(wait_for("4\n"), "after a restart it goes on there");
	end_service();
	tap_ok(is_at(PLACE("15", "05", "00")), "and after each restart");
	remove_all("spool");
}

/* An output that has a part of a line is not after a whole one. */
static void test_part(void)
{
	begin_service();
	output.most = 2;
	output.fail_after = 2;
	output.write_error = EPIPE;
	fake.final = true;
	begin_delivery();
	add_lines("long\n");
	tap_ok(wait_for_calls("F"), "an output may end inside a line");
	tap_str(output.got, "lo", "of which it has a part");
	end_service();
	tap_ok(is_at(PLACE("00", "00", "00") SIZE("00")),
	       "which does not count");
	remove_all("spool");
}

/* At the end an output takes a byte each second. */
static void test_slow_end(void)
{
	begin_service();
	output.most = 1;
	output.slow = 1;
	begin_delivery();
	add_lines("1\n2\n3\n");
	tap_str(end_service(), "", "an output that is slow is waited for");
	tap_str(output.got, "1\n2\n3\n", "as long as it takes something");
	remove_all("spool");
}

static void test_optional_calls(void)
{
	begin_service();
	fake.tick = tick_fake;
	fake.finish = finish_fake;
	begin_delivery();
	tap_ok(wait_for_calls("t"), "an idle output is called now and then");
	end_service();
	tap_str(output.calls, "otfc", "and at the end, before it is closed");
	remove_all("spool");
}

static void test_position_of_its_own(void)
{
	begin_service();
	fake.find_done = find_fake;
	output.done = (struct tr2_otlp_place){ .at = 2, .line = 1 };
	begin_delivery();
	add_lines("1\n2\n");
	wait_for("1\n2\n");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': 1 events wait "
		"in the spool\n",
		"what an output is not done with waits");
	tap_ok(is_at(PLACE("02", "01", "00")), "its place is what it tells");
	begin_service();
	begin_delivery();
	tap_ok(wait_for("2\n"), "the rest comes again after a restart");
	end_service();
	remove_all("spool");
}

/*
 * ---- Failures
 */

static void test_failed_write(void)
{
	begin_service();
	output.most = 3;
	begin_delivery();
	add_lines("1\n");
	wait_for("1\n");
	fail_next(ENOSPC);
	add_lines("22\n");
	tap_ok(wait_for("1\n22\n"), "a line that failed comes again");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': No space left on device\n",
		"the failure is reported");
	tap_str(output.calls, "oFoc", "the output is closed and opened again");
	tap_ok(is_at(PLACE("05", "02", "00")), "each line counts once");
	remove_all("spool");
}

static void test_failed_open(void)
{
	uint64_t begin;

	begin_service();
	output.open_error = ECONNREFUSED;
	begin_delivery();
	tap_ok(wait_for_calls("xxx"), "an output that is not there is tried");
	begin = clock_now();
	add_lines("1\n");
	pthread_mutex_lock(&lock);
	output.open_error = 0;
	pthread_mutex_unlock(&lock);
	tap_ok(wait_for("1\n"), "and gets what was written meanwhile");
	tap_ok(clock_now() - begin < 30 * CLOCK_SECOND, "within seconds");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Connection refused\n",
		"the reason is reported once");
	remove_all("spool");
}

/*
 * ---- The end
 */

static void test_stuck_end(void)
{
	uint64_t begin;

	begin_service();
	output.stuck = true;
	begin_delivery();
	add_lines("1\n2\n");
	pass_time(10 * CLOCK_SECOND);
	begin = clock_now();
	tap_str(end_service(),
		"trace2 collect: output 'fake?': 2 events wait "
		"in the spool\n",
		"an output that accepts nothing is given up at the end");
	tap_ok(clock_now() - begin > 2 * CLOCK_SECOND, "not before 2 s");
	tap_ok(clock_now() - begin < 30 * CLOCK_SECOND, "but soon after them");
	tap_ok(is_at(PLACE("00", "00", "00")), "its place stays");
	begin_service();
	begin_delivery();
	tap_ok(wait_for("1\n2\n"), "the next run passes the lines on");
	end_service();
	remove_all("spool");
}

static void test_counts(void)
{
	begin_service();
	begin_delivery();
	delivery.removed = 3;
	delivery.refused = 4;
	tap_str(end_service(),
		"trace2 collect: output 'fake?': removed 3 old files, as the "
		"limit demands\n"
		"trace2 collect: output 'fake?': the receiver refused 4 "
		"spans in all\n",
		"the end reports what was counted");
	remove_all("spool");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_lines, test_part, test_slow_end, test_optional_calls,
		test_position_of_its_own, test_failed_write, test_failed_open,
		test_stuck_end, test_counts);
	tap_int(count_descriptors(), before,
		"no output of a service stays open");
	leave_directory();
	return tap_done();
}
