/* Places for connections: who has one, and when it is free again. */
#include "intake/turns_kit.h"

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

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_change();
	test_last_change();
	test_two();
	tap_int(count_descriptors(), before,
		"every connection that had a place is closed");
	leave_directory();
	return tap_done();
}
