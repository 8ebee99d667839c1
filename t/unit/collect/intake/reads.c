/*
 * What one turn reads of a connection, and what happens without an end. Lines
 * on their way through a filter while the journal has no space.
 */
#include "collect/intake/turns_kit.h"
#include "collect/intake/intake_kit.h"
#include "collect/intake/lines.h"

/*
 * ---- Reads
 */

#define CHUNK ((size_t)64 << 10)
#define MIB ((size_t)1 << 20)

static int first, second;
static int first_there; /* the same connection, on the intake's side */

static void open_first(const char *text)
{
	first = connect_to(&sockets[0]);
	send_text(first, text);
}

static void open_second(const char *text)
{
	second = connect_to(&sockets[0]);
	send_text(second, text);
}

static void end_first(void)
{
	close(first);
	end_service();
}

/*
 * ---- How much
 */

/* The first program writes all the time. */
static bool play_busy(int at)
{
	switch (at) {
	case 0:
		open_first("1\n");
		break;
	case 1:
		first_there = accepted_last;
		open_second("2\n");
		break;
	case 2:
		accepted_last = first_there;
		feed_connection(20 * CHUNK, '\n');
		send_text(first, "3\n");
		break;
	case 3:
		tap_int(recv_calls, 8, "a turn reads so often and no more");
		tap_int((intmax_t)intake.counts.lines, 10,
			"then other connections have their turn");
		break;
	}
	return at < 5;
}

static void test_busy(void)
{
	begin_service();
	run_turns(play_busy);
	tap_int((intmax_t)intake.shown.lines, 23, "all is read in the end");
	close(second);
	end_first();
}

/* So does this one, and the service is to end. */
static bool play_endless(int at)
{
	if (at == 0)
		open_first("1\n");
	if (at == 2)
		feed_connection(SIZE_MAX / 2, '\n');
	return at < 2;
}

static void test_endless(void)
{
	begin_service();
	fill_disk(true);
	run_turns(play_endless);
	fill_disk(false);
	tap_ok(intake.shown.dropped > 1000 && intake.shown.dropped < 10000,
	       "a program that does not end lets the service end");
	end_first();
}

static bool play_datagrams(int at)
{
	int i;

	if (at == 0) {
		first = connect_to(&sockets[1]);
		for (i = 0; i < 9; i++)
			send_text(first, "1\n");
	}
	if (at == 1) {
		tap_int((intmax_t)intake.counts.lines, 8,
			"so many datagrams are read in a turn");
		send_text(first, "");
		send_text(first, "2\n");
	}
	if (at == 2)
		tap_int((intmax_t)intake.counts.lines, 10,
			"also those after an empty one");
	return at < 2;
}

static void test_datagrams(void)
{
	begin_service();
	run_turns(play_datagrams);
	tap_str(show_counts(), "10 received, 10 lines, 0 dropped, 0 torn",
		"an empty datagram is no line");
	end_first();
}

/*
 * ---- Failures
 */

static bool play_failing(int at)
{
	switch (at) {
	case 0:
		open_first("1\nha");
		break;
	case 2:
		feed_connection(0, 'x');
		recv_error = EINTR;
		send_text(first, "lf\n");
		break;
	case 3:
		poll_fails = true;
		break;
	case 5:
		tap_int((intmax_t)intake.counts.lines, 2,
			"an interruption ends no connection");
		send_text(first, "3\nend");
		break;
	case 7:
		recv_error = ECONNRESET;
		send_text(first, "lost\n");
		break;
	case 8:
		tap_int(fcntl(accepted_last, F_GETFD), -1,
			"a connection that fails is closed");
		break;
	}
	return at < 8;
}

static void test_failing(void)
{
	begin_service();
	tap_str(run_turns(play_failing), "1\nhalf\n3\nend\n",
		"what it had written before is kept");
	tap_str(show_counts(), "4 received, 4 lines, 0 dropped, 1 torn",
		"and its last line is torn");
	end_first();
}

/*
 * ---- Incomplete lines
 */

/* 20 lines of a MiB, one after the other. */
static bool play_long_lines(int at)
{
	if (at == 0)
		open_first("\n");
	if (at >= 2 && at % 4 == 2) {
		feed_connection(MIB, 'x');
		send_text(first, "\n");
	}
	return at < 81;
}

static void test_long_lines(void)
{
	begin_service();
	run_turns(play_long_lines);
	tap_str(show_counts(), "21 received, 21 lines, 0 dropped, 0 torn",
		"a line takes no memory after it has ended");
	end_first();
}

static int after_second; /* lines */

/* Two programs are within lines of 9 MiB, and a third one within a short one. */
static bool play_much(int at)
{
	switch (at) {
	case 0:
		open_first("x");
		break;
	case 2:
		feed_connection(9 * MIB, 'x');
		send_text(first, "y");
		break;
	case 22:
		open_second("x");
		break;
	case 24:
		feed_connection(9 * MIB, 'x');
		send_text(second, "y");
		break;
	case 46:
		send_text(second, "\n2\n");
		break;
	case 47:
		tap_int((intmax_t)intake.counts.lines, after_second,
			"what follows a long line is kept");
		send_text(first, "\n1\n");
		break;
	}
	return at < 48;
}

static void test_much(void)
{
	begin_service();
	after_second = 2;
	run_turns(play_much);
	tap_str(show_counts(), "4 received, 4 lines, 0 dropped, 0 torn",
		"a long line of one program costs no line of another one");
	tap_int((intmax_t)intake.shown.bytes, 2 * (9 * (1 << 20) + 3) + 4,
		"both are whole");
	close(second);
	end_first();
	begin_service();
	intake.rests_most = 10 * MIB;
	after_second = 2;
	run_turns(play_much);
	tap_str(show_counts(), "4 received, 3 lines, 1 dropped, 0 torn",
		"where memory is short, the longest line is dropped");
	close(second);
	end_first();
}

/*
 * ---- The disk. What is found is checked when there is space again, because
 * the results are a file, too.
 */

/* The journal's file has no space for more than a few bytes. */
static void fill_journal(void)
{
	size_t len = TR2_JOURNAL_SEGMENT - journal.used - 10;
	char *room = tr2_journal_room(&journal, len);

	memset(room, 'x', len - 1);
	room[len - 1] = '\n';
	tr2_intake_keep_lines(&intake, room, len);
}

static bool play_full_disk(int at)
{
	switch (at) {
	case 0:
		open_first("1\nha");
		break;
	case 2:
		fill_journal();
		fill_disk(true);
		send_text(first, "lf\n3");
		break;
	case 3:
		send_text(first, "\n5\nen");
		break;
	case 4:
		send_text(first, "d\n");
		break;
	case 6:
		fill_disk(false);
		send_text(first, "7\n");
		break;
	}
	return at < 8;
}

static void test_full_disk(void)
{
	begin_service();
	run_turns(play_full_disk);
	tap_str(show_counts(), "7 received, 3 lines, 4 dropped, 0 torn",
		"each line without space is dropped once");
	tap_str(read_from(journal.end - 3), "\n7\n",
		"the next one that has space is whole");
	end_first();
}

/* A program ends within a line, and there is no space for it any more. */
static bool play_no_end(int at)
{
	if (at == 0)
		open_first("1\nhalf of a line");
	if (at == 2) {
		fill_journal();
		fill_disk(true);
		close(first);
	}
	return at < 3;
}

static void test_no_end(void)
{
	begin_service();
	run_turns(play_no_end);
	fill_disk(false);
	tap_str(show_counts(), "3 received, 2 lines, 1 dropped, 0 torn",
		"a line without an end is dropped if the disk is full");
	end_service();
}

static void run_tests_of_reads(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_busy, test_endless, test_datagrams, test_failing,
		test_long_lines, test_much, test_full_disk, test_no_end);
	tap_int(count_descriptors(), before,
		"a connection that was read to its end is closed");
	leave_directory();
}

/*
 * ---- Lines
 */

static const char text[] =
	"{\"event\":\"start\",\"sid\":\"a\"}\n{\"event\":\"atexit\"}\n";

/* Put the lines into the room, and return it. */
static char *make_lines(void)
{
	char *room = tr2_intake_make_room(&intake, strlen(text));

	tap_need(room);
	memcpy(room, text, strlen(text));
	return room;
}

static void begin_filtered(bool is_full)
{
	begin_intake();
	add_filter(TR2_FILTER_OFF, true);
	fill_disk(is_full);
}

static void end_filtered(void)
{
	fill_disk(false);
	tr2_filter_end(&filter);
	end_intake();
}

static void test_space(void)
{
	begin_filtered(false);
	tr2_intake_keep_lines(&intake, make_lines(), strlen(text));
	tap_int((intmax_t)intake.counts.lines, 2,
		"lines that pass a filter are counted");
	tap_int((intmax_t)intake.counts.bytes, (intmax_t)strlen(text),
		"with their bytes");
	tap_int((intmax_t)intake.counts.dropped, 0, "and none is dropped");
	tap_ok(tr2_intake_try_lines(&intake, make_lines(), strlen(text)),
	       "with space they are taken at the first attempt");
	tap_int((intmax_t)intake.counts.lines, 4, "those are counted, too");
	end_filtered();
}

static void run_tests_of_lines(void)
{
	int before = count_descriptors();

	enter_directory();
	test_space();
	tap_int(count_descriptors(), before,
		"no journal of filtered lines stays open");
	leave_directory();
}

int main(void)
{
	tap_run(run_tests_of_reads, run_tests_of_lines);
	return tap_done();
}
