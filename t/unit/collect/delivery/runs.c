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

static void test_pieces(void)
{
	begin_service();
	output.most = 1;
	begin_delivery();
	add_lines("one\ntwo\n");
	tap_ok(wait_for("one\ntwo\n"), "an output may take byte by byte");
	end_service();
	tap_ok(is_at(PLACE("08", "02", "00")), "each line is counted once");
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

/* The disk of the spool is full. */
static void test_lost_position(void)
{
	int full = open("/dev/full", O_WRONLY), before, i;

	begin_service();
	begin_delivery();
	before = dup(delivery.position_fd);
	dup2(full, delivery.position_fd);
	add_lines("1\n");
	wait_for("1\n");
	take_nap();
	add_lines("2\n");
	wait_for("1\n2\n");
	for (i = 0; i < 10000 && !*kit_text("errors"); i++)
		take_nap();
	dup2(before, delivery.position_fd);
	add_lines("3\n");
	tap_ok(wait_for_place(PLACE("06", "03", "00")),
	       "a place is written as soon as there is space");
	dup2(full, delivery.position_fd);
	add_lines("4\n");
	wait_for("1\n2\n3\n4\n");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': can't write its position\n"
		"trace2 collect: output 'fake?': can't write its position\n",
		"without space this is reported once each time");
	close(before);
	close(full);
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

/* The first part of a line is accepted, and the second one fails. */
static void test_failed_inside(void)
{
	begin_service();
	output.most = 2;
	output.fail_after = 4;
	output.write_error = EPIPE;
	begin_delivery();
	add_lines("1\nlong\n2\n");
	tap_ok(wait_for("1\nlolong\n2\n"),
	       "an output begins again with a whole line");
	end_service();
	tap_ok(is_at(PLACE("09", "03", "00")), "which counts once");
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

/* It is reported again after it has worked. */
static void test_failed_again(void)
{
	begin_service();
	output.write_error = EPIPE;
	begin_delivery();
	add_lines("1\n");
	wait_for("1\n");
	take_nap();
	add_lines("2\n");
	wait_for("1\n2\n");
	fail_next(EIO);
	add_lines("3\n");
	tap_ok(wait_for("1\n2\n3\n"), "an output may fail again");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Broken pipe\n"
		"trace2 collect: output 'fake?': Input/output error\n",
		"which is reported again");
	remove_all("spool");
}

static void test_final(void)
{
	begin_service();
	fake.final = true;
	output.write_error = EPIPE;
	begin_delivery();
	add_lines("1\n");
	tap_ok(wait_for_calls("F"), "an output may fail for good");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Broken pipe\n"
		"trace2 collect: output 'fake?': 1 events wait in the spool\n",
		"what it did not get waits");
	tap_str(output.calls, "oF", "it was not tried again");
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

/* It fails at the end: no other attempt. */
static void test_closed_at_end(void)
{
	begin_service();
	output.open_error = ECONNREFUSED;
	begin_delivery();
	wait_for_calls("x");
	add_lines("1\n");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Connection refused\n"
		"trace2 collect: output 'fake?': 1 events wait in the spool\n",
		"an output that is not there is given up at the end");
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

/* The output was at the begin, and the journal had to remove four lines. */
static void test_missed(void)
{
	char path[64];

	begin_service();
	begin_delivery();
	end_service();
	remove_all("spool");
	mkdir("spool", 0700);
	write_file("spool/0000000000000008-0000000000000004", "5\n");
	snprintf(path, sizeof(path), "spool/%s.position", delivery.id);
	write_file(path, "00000000000000000000 00000000000000000000 "
			 "00000000000000000002 00000000000000000000 \n");
	begin_service();
	begin_delivery();
	tap_ok(wait_for("5\n"), "an output goes on after what was removed");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': missed 4 events in all\n",
		"what it missed in this run is reported");
	tap_ok(is_at(PLACE("10", "05", "06")), "and added to what it missed");
	remove_all("spool");
}

static void test_no_spool(void)
{
	begin_service();
	remove_all("spool");
	tap_str(tr2_delivery_begin(&delivery, &journal),
		"No such file or directory",
		"an output without a place on disk is none");
	restore_errors();
	tr2_journal_close(&journal);
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_lines();
	test_pieces();
	test_part();
	test_slow_end();
	test_lost_position();
	test_optional_calls();
	test_position_of_its_own();
	test_failed_write();
	test_failed_inside();
	test_failed_open();
	test_failed_again();
	test_final();
	test_stuck_end();
	test_closed_at_end();
	test_counts();
	test_missed();
	test_no_spool();
	tap_int(count_descriptors(), before,
		"no output of a service stays open");
	leave_directory();
	return tap_done();
}
