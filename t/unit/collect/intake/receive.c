/* Lines from sockets: what is kept, what is dropped, and how it is counted. */
#include "collect/intake/receive_kit.h"

#include <sys/wait.h>

/*
 * ---- Streams
 */

/* Nothing runs when the programs write. */
static void test_late(void)
{
	int fd, other;

	begin_service();
	fd = connect_to(&sockets[0]);
	send_text(fd, "1\nhalf");
	other = connect_to(&sockets[1]);
	send_text(other, "2\n");
	send_text(other, "3\n");
	close(stop[1]);
	stop[1] = dup(stop[0]);
	start_service();
	tap_ok(strlen(stop_service()) == strlen("1\nhalf\n2\n3\n"),
	       "what was written before the stop is read");
	tap_ok(strstr(read_from(0), "1\nhalf\n") != NULL,
	       "also half a line of a program that goes on");
	tap_str(show_counts(), "4 received, 4 lines, 0 dropped, 1 torn",
		"which is torn");
	close(fd);
	close(other);
	end_service();
}

/*
 * ---- Datagrams
 */

static void test_datagrams(void)
{
	int fd;

	begin_service();
	start_service();
	fd = connect_to(&sockets[1]);
	send_text(fd, "1\n");
	send_text(fd, "2");
	send_text(fd, "");
	send_text(fd, "3\n4\n");
	tap_ok(wait_for_lines(4), "each datagram has whole lines");
	tap_str(stop_service(), "1\n2\n3\n4\n", "one without an end gets it");
	tap_str(show_counts(), "4 received, 4 lines, 0 dropped, 1 torn",
		"and is torn");
	tap_int((intmax_t)intake.shown.bytes, 8, "all bytes are counted");
	close(fd);
	end_service();
}

/*
 * ---- Limits
 */

static void test_long_line(void)
{
	int fd;

	begin_service();
	start_service();
	fd = connect_to(&sockets[0]);
	send_long(fd, 1 << 20);
	send_text(fd, "\n2\n");
	tap_ok(wait_for_lines(2), "a line may have a megabyte");
	close(fd);
	stop_service();
	tap_str(show_counts(), "2 received, 2 lines, 0 dropped, 0 torn",
		"and still is one line");
	tap_int((intmax_t)intake.shown.bytes, (1 << 20) + 3, "with all bytes");
	end_service();
}

static void test_too_long(void)
{
	int fd;

	begin_service();
	start_service();
	fd = connect_to(&sockets[0]);
	send_text(fd, "1\n");
	send_long(fd, TR2_LINE_MAX + (256 << 10));
	send_text(fd, "\n2\n");
	tap_ok(wait_for_lines(3), "a line may be too long");
	send_text(fd, "3\n");
	wait_for_lines(4);
	close(fd);
	tap_str(stop_service(), "1\n2\n3\n", "those around it are kept");
	tap_str(show_counts(), "4 received, 3 lines, 1 dropped, 0 torn",
		"it is dropped, and counted once");
	end_service();
}

static void test_crowd(void)
{
	char byte;
	int first, second;

	begin_service();
	intake.most = 1;
	start_service();
	first = connect_to(&sockets[0]);
	send_text(first, "1\n");
	wait_for_lines(1);
	second = connect_to(&sockets[0]);
	tap_int(recv(second, &byte, 1, 0), 0,
		"too many connections are closed");
	close(first);
	close(second);
	stop_service();
	tap_int((intmax_t)intake.shown.crowded, 1, "and counted as crowded");
	tap_int((intmax_t)intake.shown.connections, 1,
		"the others are counted apart");
	end_service();
}

/* A program of another user writes a line. */
static void send_as_another(void)
{
	pid_t pid;
	int fd;

	fflush(stdout);
	chmod(".", 0711);
	chmod("stream", 0777);
	pid = fork();
	if (!pid) {
		if (setuid(12345))
			_exit(1);
		fd = connect_to(&sockets[0]);
		(void)!send(fd, "1\n", 2, MSG_NOSIGNAL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void test_others(void)
{
	if (geteuid()) {
		tap_skip("other users are refused", "needs root");
		return;
	}
	begin_service();
	send_as_another();
	start_service();
	stop_service();
	tap_int((intmax_t)intake.shown.refused, 1, "other users are refused");
	tap_str(show_counts(), "0 received, 0 lines, 0 dropped, 0 torn",
		"and nothing of them is read");
	end_service();
	begin_service();
	intake.others = true;
	send_as_another();
	start_service();
	tap_str(stop_service(), "1\n", "unless they are allowed to write");
	tap_int((intmax_t)intake.shown.refused, 0, "then none is refused");
	end_service();
}

/* A place becomes free when its program ends. */
static void test_place_again(void)
{
	int fd, i;

	begin_service();
	intake.most = 1;
	start_service();
	fd = connect_to(&sockets[0]);
	send_text(fd, "1\n");
	close(fd);
	wait_for_lines(1);
	for (i = 0; i < 10000 && !wait_shortly(2); i++) {
		fd = connect_to(&sockets[0]);
		(void)!send(fd, "2\n", 2, MSG_NOSIGNAL);
		close(fd);
	}
	stop_service();
	tap_ok(intake.shown.lines >= 2, "a connection that ends makes room");
	end_service();
}

static void test_full_disk(void)
{
	int fd, other;

	begin_service();
	fill_disk(true);
	start_service();
	fd = connect_to(&sockets[0]);
	send_text(fd, "1\n2\nha");
	tap_ok(wait_for_lines(3), "a full disk stops nobody");
	send_text(fd, "lf\n4\n");
	tap_ok(wait_for_lines(4), "the rest of a line goes with it");
	other = connect_to(&sockets[1]);
	send_text(other, "5\n6");
	tap_ok(wait_for_lines(6), "datagrams are dropped, too");
	fill_disk(false);
	send_text(fd, "7\n");
	send_text(other, "8\n");
	tap_ok(wait_for_lines(8), "later lines are kept");
	close(fd);
	close(other);
	tap_int((intmax_t)strlen(stop_service()), 4, "they are whole");
	tap_str(show_counts(), "8 received, 2 lines, 6 dropped, 0 torn",
		"each dropped line counts once");
	end_service();
}

/*
 * ---- A filter
 */

static void test_marks(void)
{
	int fd;

	begin_service();
	add_filter(TR2_FILTER_MARK, false);
	start_service();
	fd = connect_to(&sockets[1]);
	send_text(fd, "a\nb");
	wait_for_lines(2);
	close(fd);
	tap_str(stop_service(),
		"{\"broken\":\"input.json\",\"line\":\"a\"}\n"
		"{\"broken\":\"input.json\",\"line\":\"b\"}\n",
		"what the filter makes of lines is passed on");
	tap_str(show_counts(), "2 received, 2 lines, 0 dropped, 1 torn",
		"line by line");
	tap_int((intmax_t)intake.shown.bytes, 2 * 35, "with its bytes");
	tr2_filter_end(&filter);
	end_service();
}

static void test_filter_and_full_disk(void)
{
	int fd;

	begin_service();
	add_filter(TR2_FILTER_MARK, false);
	fill_disk(true);
	start_service();
	fd = connect_to(&sockets[0]);
	send_text(fd, "a\nb\n");
	tap_ok(wait_for_lines(2), "a full disk stops nobody with a filter");
	close(fd);
	stop_service();
	fill_disk(false);
	tap_str(show_counts(), "2 received, 0 lines, 2 dropped, 0 torn",
		"lines without space are dropped");
	tap_ok(!intake.shown.filter.rules[0].id,
	       "and do not count as broken ones, too");
	tr2_filter_end(&filter);
	end_service();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_late, test_datagrams, test_long_line, test_too_long,
		test_crowd, test_others, test_place_again, test_full_disk,
		test_marks, test_filter_and_full_disk);
	tap_int(count_descriptors(), before,
		"no connection to the intake stays open");
	leave_directory();
	return tap_done();
}
