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
	tap_run(test_last_change, test_watching, test_again);
	tap_int(count_descriptors(), before,
		"every connection that had a place is closed");
	leave_directory();
	return tap_done();
}
