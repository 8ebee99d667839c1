/*
 * What a service waits for, who may write to it, and lines for which there is
 * no memory.
 */
#include "collect/intake/turns_kit.h"

#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/locks.h"
#include "kit/memory.h"

static int first, second;
static uid_t user; /* whose service it is; 0: the real one */

uid_t geteuid(void)
{
	return user ? user : (uid_t)syscall(SYS_geteuid);
}

static void open_first(const char *text)
{
	first = connect_to(&sockets[0]);
	send_text(first, text);
}

static void end_first(void)
{
	close(first);
	end_service();
}

/*
 * ---- What is waited for
 */

/* Datagrams come first, and the connection has the lowest descriptor. */
static bool play_swapped(int at)
{
	if (at == 0) {
		first = connect_to(&sockets[0]);
		second = connect_to(&sockets[1]);
		send_text(second, "2\n");
		close(STDIN_FILENO);
	}
	if (at == 1) {
		send_text(first, "1\n");
		tap_int(accepted_last, STDIN_FILENO,
			"a connection may have any descriptor");
	}
	if (at == 2)
		send_text(first, "3\nhalf");
	return at < 3;
}

static void test_swapped(void)
{
	struct tr2_socket stream;
	int input = dup(STDIN_FILENO);

	begin_service();
	stream = sockets[0];
	sockets[0] = sockets[1];
	sockets[1] = stream;
	tap_str(run_turns(play_swapped), "1\n2\n3\nhalf\n",
		"sockets may have any order");
	dup2(input, STDIN_FILENO);
	close(input);
	close(second);
	end_first();
}

static bool play_times(int at)
{
	switch (at) {
	case 0:
		watches.due = clock_now() + 100 * CLOCK_SECOND;
		open_first("1\n");
		accept_fails = 1;
		break;
	case 1:
		tap_int(poll_timeout, 500,
			"a connection that waits is sooner than a look");
		watches.due = clock_now() + 400 * (CLOCK_SECOND / 1000);
		break;
	case 2:
		tap_ok(poll_timeout <= 401, "or a look is sooner");
		pass_time(61 * CLOCK_SECOND);
		break;
	case 4:
		write_file("in/a", "2\n");
		break;
	}
	return at < 4;
}

static void test_times(void)
{
	begin_service();
	mkdir("in", 0700);
	watched[0] = (struct tr2_watch){ .path = "in" };
	watches = (struct tr2_watches){ .items = watched, .count = 1 };
	tr2_watch_begin(&watches, &journal);
	accept_error = ENOMEM;
	accept_early = 60 * CLOCK_SECOND;
	pass_time(accept_early);
	tap_str(run_turns(play_times), "1\n2\n",
		"what was written before the end is read of files, too");
	tr2_watch_end(&watches);
	remove_all("in");
	end_first();
}

/*
 * ---- Who may write
 */

static void send_as(uid_t writer, const char *text)
{
	pid_t pid;

	fflush(stdout);
	chmod(".", 0711);
	chmod("stream", 0777);
	pid = fork();
	if (!pid) {
		if (writer && setuid(writer))
			_exit(1);
		first = connect_to(&sockets[0]);
		send_text(first, text);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static bool play_users(int at)
{
	if (at == 0) {
		send_as(12345, "1\n");
		send_as(0, "2\n");
		send_as(12346, "3\n");
	}
	return at < 2;
}

static void test_users(void)
{
	if (geteuid()) {
		tap_skip("root and the same user may write", "needs root");
		return;
	}
	begin_service();
	user = 12345;
	tap_str(run_turns(play_users), "1\n2\n",
		"root and the same user may write");
	user = 0;
	tap_int((intmax_t)intake.shown.refused, 1, "and no one else");
	tap_int((intmax_t)intake.shown.connections, 2,
		"a refused connection is none");
	end_service();
}

/*
 * ---- Lines of several programs
 */

static bool play_between(int at)
{
	if (at == 0)
		open_first("one");
	if (at == 1) {
		second = connect_to(&sockets[1]);
		send_text(second, "something else\n");
	}
	if (at == 3)
		close(first);
	return at < 4;
}

static void test_between(void)
{
	begin_service();
	tap_str(run_turns(play_between), "something else\none\n",
		"a line without an end may have others before it");
	close(second);
	end_service();
}

/*
 * ---- Memory
 */

static struct tr2_host counting;

static bool play_memory(int at)
{
	switch (at) {
	case 0:
		open_first("1\nha");
		break;
	case 1:
		memory_fail(1);
		break;
	case 2:
		memory_fail(0);
		send_text(first, "lf\n3\n");
		break;
	case 3:
		feed_connection(100000, 'x');
		send_text(first, "y");
		break;
	case 4:
		tap_int(memory_live, 1, "an incomplete line takes memory");
		send_text(first, "\n");
		break;
	case 5:
		tap_int(memory_live, 0, "which is given back at its end");
		break;
	}
	return at < 5;
}

static void test_memory(void)
{
	const struct tr2_host *usual = tr2_host;

	begin_service();
	counting = *usual;
	memory_install(&counting);
	run_turns(play_memory);
	tr2_host = usual;
	tap_str(show_counts(), "4 received, 3 lines, 1 dropped, 0 torn",
		"a line is dropped if its begin has no memory");
	tap_int(memory_breaches(), 0, "no line is longer than its memory");
	end_first();
}

/*
 * ---- A filter
 */

static bool play_lines(int at)
{
	if (at == 0)
		open_first("a\nb\n");
	return at < 2;
}

static void test_marks(void)
{
	begin_service();
	add_filter(TR2_FILTER_MARK, false);
	run_turns(play_lines);
	tap_int((intmax_t)journal.end, 2 * 35,
		"the journal has what passes a filter, and no more");
	tap_int((intmax_t)journal.lines, 2, "and as many lines");
	tr2_filter_end(&filter);
	end_first();
}

/* The file of broken lines cannot be written. */
static void test_unkept(void)
{
	begin_service();
	add_filter(TR2_FILTER_ASIDE, false);
	mkdir("spool/broken.log", 0700);
	run_turns(play_lines);
	tap_str(show_counts(), "2 received, 0 lines, 0 dropped, 0 torn",
		"broken lines are received, whether they are kept or not");
	tap_int((intmax_t)intake.shown.filter.unkept, 2,
		"and counted if they are not");
	tr2_filter_end(&filter);
	end_first();
}

static bool play_no_memory(int at)
{
	if (at == 0)
		open_first("a\nb\n");
	if (at == 1) {
		memory_fail(2);
		memory_fail_on = 1;
	}
	return at < 2;
}

static void test_filter_memory(void)
{
	const struct tr2_host *usual = tr2_host;

	begin_service();
	add_filter(TR2_FILTER_OFF, false);
	counting = *usual;
	memory_install(&counting);
	run_turns(play_no_memory);
	memory_fail(0);
	memory_fail_on = 0;
	tap_str(show_counts(), "2 received, 0 lines, 2 dropped, 0 torn",
		"lines that cannot pass a filter without memory are dropped");
	tr2_filter_end(&filter);
	tr2_host = usual;
	end_first();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_swapped, test_times, test_users, test_between, test_memory,
		test_marks, test_unkept, test_filter_memory);
	tap_int(locks_wrong, 0, "the journal is locked and unlocked in turn");
	tap_int(count_descriptors(), before,
		"nothing that a service has opened stays open");
	leave_directory();
	return tap_done();
}
