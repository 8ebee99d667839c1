/* Places for connections: who has one, and when it is free again. */
#include "collect/intake/turns_kit.h"

static int first, second;

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

/*
 * ---- As many as are allowed
 */

static bool play_change(int at)
{
	if (at == 0)
		open_first("1\n");
	if (at == 2) {
		close(first);
		open_second("2\n");
	}
	return at < 4;
}

static void test_change(void)
{
	begin_service();
	intake.most = 1;
	tap_str(run_turns(play_change), "1\n2\n",
		"a program that ends makes room for one that begins then");
	tap_int((intmax_t)intake.shown.crowded, 0,
		"so that neither is one too many");
	close(second);
	end_service();
}

static bool play_last_change(int at)
{
	if (at == 0)
		open_first("1\n");
	if (at == 2) {
		send_text(first, "2\n");
		close(first);
		open_second("3\nhalf");
	}
	return at < 2;
}

static void test_last_change(void)
{
	begin_service();
	intake.most = 1;
	tap_str(run_turns(play_last_change), "1\n2\n3\nhalf\n",
		"a program that waits when the service ends is read, too");
	tap_str(show_counts(), "4 received, 4 lines, 0 dropped, 1 torn",
		"with the line that it had begun");
	close(second);
	end_service();
}

static bool play_two(int at)
{
	if (at == 0)
		open_first("1\n");
	if (at == 1)
		open_second("2\n");
	return at < 3;
}

static void test_two(void)
{
	begin_service();
	intake.most = 2;
	tap_str(run_turns(play_two), "1\n2\n",
		"there may be as many connections as are allowed");
	tap_int((intmax_t)intake.shown.connections, 2,
		"sockets of datagrams are none of them");
	close(first);
	close(second);
	end_service();
	begin_service();
	intake.most = 1;
	tap_str(run_turns(play_two), "1\n", "another one is not read");
	tap_int((intmax_t)intake.shown.crowded, 1, "it is counted apart");
	tap_int((intmax_t)intake.shown.connections, 1,
		"and not as a connection");
	close(first);
	close(second);
	end_service();
}

/*
 * ---- No descriptor
 */

/* A slow machine must not seem to have waited, so the clock goes back then. */
static void begin_crowded(int error)
{
	begin_service();
	accept_error = error;
	accept_calls = 0;
	accept_early = 60 * CLOCK_SECOND;
	pass_time(accept_early);
}

static bool play_none(int at)
{
	switch (at) {
	case 0:
		open_first("1\n");
		accept_fails = 1;
		break;
	case 1:
		tap_ok(!is_polled(sockets[0].fd),
		       "without a descriptor no connection is waited for");
		tap_ok(is_polled(sockets[1].fd), "but datagrams are");
		tap_ok(poll_timeout > 0 && poll_timeout <= 1000,
		       "and for no longer than a second");
		break;
	case 2:
		tap_int(accept_calls, 1, "none is accepted before that");
		pass_time(61 * CLOCK_SECOND);
		break;
	case 3:
		tap_ok(is_polled(sockets[0].fd),
		       "then it is tried again, though no connection ended");
		break;
	}
	return at < 5;
}

static void test_none(void)
{
	begin_crowded(EMFILE);
	tap_str(run_turns(play_none), "1\n",
		"a program has to wait for a descriptor");
	close(first);
	end_service();
}

/* One connection could be accepted, and the next one could not. */
static bool play_end(int at)
{
	if (at == 0)
		open_first("1\n");
	if (at == 1) {
		open_second("2\n");
		accept_fails = 1;
	}
	if (at == 2) {
		tap_ok(!is_polled(sockets[0].fd),
		       "a full table of files is no free descriptor, either");
		close(first);
	}
	if (at == 3)
		tap_ok(is_polled(sockets[0].fd),
		       "a connection that ends makes a descriptor free");
	return at < 4;
}

static void test_end(void)
{
	begin_crowded(ENFILE);
	tap_str(run_turns(play_end), "1\n2\n", "the next one gets it");
	close(second);
	end_service();
}

static bool play_watching(int at)
{
	if (at == 0) {
		open_first("1\n");
		accept_fails = 1;
	}
	if (at == 1)
		tap_ok(poll_timeout <= 500,
		       "directories have their time without a descriptor");
	return at < 2;
}

/* With directories, the time until the next look is short anyway. */
static void test_watching(void)
{
	begin_crowded(EMFILE);
	mkdir("in", 0700);
	watched[0] = (struct tr2_watch){ .path = "in" };
	watches = (struct tr2_watches){ .items = watched, .count = 1 };
	tr2_watch_begin(&watches, &journal);
	run_turns(play_watching);
	tr2_watch_end(&watches);
	close(first);
	end_service();
	remove_all("in");
}

static int waits_on; /* for connections, after a failure */

/* A signal comes, or the program has ended before it was accepted. */
static bool play_again(int at)
{
	if (at == 0) {
		open_first("1\n");
		accept_fails = 1;
	}
	if (at == 1)
		waits_on += is_polled(sockets[0].fd);
	return at < 1;
}

static void test_again(void)
{
	static const int errors[] = { EINTR, ECONNABORTED };
	int i;

	for (i = 0; i < 2; i++) {
		begin_crowded(errors[i]);
		tap_str(run_turns(play_again), "1\n",
			i ? "a connection that was given up hides no other one"
			  : "a signal hides no connection");
		tap_int((intmax_t)intake.shown.connections, 1,
			i ? "it is not counted" : "and costs none");
		close(first);
		end_service();
	}
	tap_int(waits_on, 2, "after both, connections are waited for");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_change();
	test_last_change();
	test_two();
	test_none();
	test_end();
	test_watching();
	test_again();
	tap_int(count_descriptors(), before,
		"every connection that had a place is closed");
	leave_directory();
	return tap_done();
}
