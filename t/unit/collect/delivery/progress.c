/*
 * The place of one output: when it moves, what it counts, and what the output
 * is told about it. Outputs at the end of the service: slow ones, and those
 * that have failed for good.
 */
#include <sys/syscall.h>

#include "collect/delivery/fake_kit.h"
#include "kit/limits.h"

/*
 * ---- Progress
 */

static bool no_journal; /* the disk of the journal has failed; atomic */

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (!__atomic_load_n(&no_journal, __ATOMIC_ACQUIRE))
		return syscall(SYS_pread64, fd, bytes, len, at);
	errno = EIO;
	return -1;
}

/* The delivery has looked for lines, and has found none. */
static void wait_idle(void)
{
	uint64_t begin = clock_now();
	int i;

	for (i = 0; i < 10000 && clock_now() - begin < 2 * CLOCK_SECOND; i++)
		take_nap();
}

static void set_done(uint64_t at, uint64_t lines)
{
	pthread_mutex_lock(&lock);
	output.done = (struct tr2_otlp_place){ .at = at, .line = lines };
	pthread_mutex_unlock(&lock);
}

/*
 * ---- Lines and places
 */

static void test_fresh_after_failure(void)
{
	begin_service();
	output.most = 2;
	output.fail_after = 2;
	output.write_error = EPIPE;
	begin_delivery();
	add_lines("long\n");
	wait_for("lolong\n");
	tap_str(output.fresh, "1100",
		"an output that failed inside a line begins with a whole one");
	end_service();
	remove_all("spool");
}

static void test_inside(void)
{
	begin_service();
	output.most = 1;
	output.fail_after = 3;
	output.write_error = EPIPE;
	fake.final = true;
	begin_delivery();
	add_lines("long\n");
	tap_ok(wait_for_calls("F"), "an output fails with three bytes of five");
	end_service();
	tap_ok(is_at(PLACE("00", "00", "00")),
	       "no place is inside a line, however it was accepted");
	remove_all("spool");
}

/*
 * ---- Outputs that are done with less than they have
 */

static void test_done_later(void)
{
	begin_service();
	fake.find_done = find_fake;
	begin_delivery();
	add_lines("one\ntwo\n");
	wait_for("one\ntwo\n");
	set_done(4, 1);
	tap_ok(wait_for_place(PLACE("04", "01", "00")),
	       "an idle output is asked how far it is");
	set_done(8, 2);
	wait_for_place(PLACE("08", "02", "00"));
	set_done(4, 1);
	wait_idle();
	tap_ok(is_at(PLACE("08", "02", "00")), "no place moves back");
	tap_str(end_service(), "", "then nothing waits");
	remove_all("spool");
}

static void test_done_at_end(void)
{
	begin_service();
	fake.find_done = find_fake;
	fake.finish = finish_fake;
	output.finished = (struct tr2_otlp_place){ .at = 4, .line = 2 };
	begin_delivery();
	add_lines("1\n2\n");
	wait_for("1\n2\n");
	tap_str(end_service(), "", "an output may be done at the last moment");
	tap_ok(is_at(PLACE("04", "02", "00")), "its last place counts");
	remove_all("spool");
}

/*
 * ---- Failures
 */

static void test_failing_again(void)
{
	begin_service();
	output.write_error = EPIPE;
	output.fails = 3;
	begin_delivery();
	add_lines("1\n");
	tap_ok(wait_for("1\n"), "a write may fail four times");
	tap_str(end_service(), "trace2 collect: output 'fake?': Broken pipe\n",
		"which is reported once");
	tap_str(output.calls, "oFoFoFoFoc",
		"the output is opened after each of them");
	remove_all("spool");
}

/* It opens late, and fails before it has accepted anything. */
static void test_failing_at_first(void)
{
	begin_service();
	output.open_error = ECONNREFUSED;
	begin_delivery();
	wait_for_calls("x");
	pthread_mutex_lock(&lock);
	output.open_error = 0;
	pthread_mutex_unlock(&lock);
	wait_for_calls("o");
	wait_idle();
	fail_next(EPIPE);
	add_lines("1\n");
	tap_ok(wait_for("1\n"), "an output may open late and fail then");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': Connection refused\n",
		"until it accepts something, one report is enough");
	remove_all("spool");
}

static void test_no_journal(void)
{
	__atomic_store_n(&no_journal, true, __ATOMIC_RELEASE);
	begin_service();
	begin_delivery();
	add_lines("1\n");
	tap_str(end_service(),
		"trace2 collect: output 'fake?': 1 events wait in the spool\n",
		"a journal that can't be read does not stop the end");
	__atomic_store_n(&no_journal, false, __ATOMIC_RELEASE);
	tap_str(output.got, "", "and nothing was passed on");
	remove_all("spool");
}

static void test_no_thread(void)
{
	const char *why;

	begin_service();
	limit_threads(1);
	why = tr2_delivery_begin(&delivery, &journal);
	limit_threads(0);
	tap_ok(why != NULL, "an output without a thread is none");
	restore_errors();
	tr2_journal_close(&journal);
	remove_all("spool");
}

/*
 * ---- The report at the end
 */

/* Standard input is closed, so that the place on disk gets its descriptor. */
static void test_standard_input(void)
{
	int before = dup(0);

	begin_service();
	close(0);
	begin_delivery();
	add_lines("1\n");
	tap_ok(wait_for("1\n"), "an output works without standard input");
	tap_str(end_service(), "", "and says nothing about it");
	tap_ok(fcntl(0, F_GETFD) < 0, "its descriptor is free again");
	dup2(before, 0);
	close(before);
	remove_all("spool");
}

/*
 * ---- Endings
 */

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
	tap_run(test_fresh_after_failure, test_inside, test_done_later,
		test_done_at_end, test_failing_again, test_failing_at_first,
		test_no_journal, test_no_thread, test_standard_input,
		test_long_writes, test_removed_after_failure, test_early_ticks);
	tap_int(count_descriptors(), before,
		"no output that ends late stays open");
	leave_directory();
	return tap_done();
}
