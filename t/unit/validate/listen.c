/*
 * Logs that arrive through a socket: their findings, what is counted, what is
 * dropped, and what the listener does meanwhile.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll(), accept4(), pthread_setattr_default_np() */
#endif
#include "validate/listen_script.h"

#include <sys/ioctl.h>

#include "trace/fxt_numbers.h"

#define ALL 16777216 /* bytes that may wait, and a line's */
#define READ 262144  /* bytes at most at once */

#define LINE VERSION("a")
#define BAD "{\n"
#define TEXT "12:00:00.000000 git.c:460                         "
#define TEXT_LINE TEXT "version 2.40\n"
#define TEXT_BAD "12:00:00.000000 git.c:460 no_event\n"

/*
 * ---- Connections
 */

static void write_archive(void)
{
	static const uint64_t words[] = { FXT_MAGIC, '\n' };

	kit_connect(1);
	kit_require(send(kit.writers[1], words, sizeof(words), 0) > 0,
		    "no archive is sent");
}

static void interrupt_listener(void)
{
	kit_stop(SIGINT);
}

static const struct heard streams[] = {
	{ "each connection is a log, read as its lines come",
	  SCRIPT(SEND(1, LINE), SEND(2, "{'event'"), SEND(1, BAD "{"),
		 SEND(2, ":\n" LINE BAD), SEND(2, "x"), SEND(1, "\n" LINE "{"),
		 SEND(2, "y"), SEND(2, "z\n" LINE BAD "\n")),
	  "s#1:2:2 input.torn-line\n"
	  "s#2:1:10 input.torn-line\n"
	  "s#2:3:2 input.torn-line\n"
	  "s#1:3:2 input.torn-line\n"
	  "s#2:6:2 input.torn-line\n"
	  "2 0 4 516 0" },
	{ "a connection's last line is torn if it has no end",
	  SCRIPT(SEND(1, LINE "{'x'"), CLOSE(1), SEND(2, LINE), SEND(2, "{"),
		 CLOSE(2)),
	  "s#1:2:5 input.torn-line\n"
	  "s#2:2:2 input.torn-line\n"
	  "2 0 2 251 0" },
	{ "a line that is not whole at the end is not torn",
	  SCRIPT(SEND(1, LINE "{'x'"), SEND(2, LINE), SEND(2, "{"),
		 DO(interrupt_listener)),
	  "2 0 2 251 0" },
	{ "a log ends with its connection",
	  SCRIPT(SEND(1, TEXT_LINE TEXT_BAD), CLOSE(1), SEND(2, LINE BAD)),
	  "s#1:2:26 normal.column\n"
	  "s#2:2:2 input.torn-line\n"
	  "2 0 2 223 0" },
	{ "a log ends with the listener",
	  SCRIPT(SEND(1, TEXT_LINE TEXT_BAD), SEND(2, TEXT_LINE TEXT_BAD)),
	  "s#1:2:26 normal.column\n"
	  "s#2:2:26 normal.column\n"
	  "2 0 2 196 0" },
	{ "who connects and writes nothing has no log",
	  SCRIPT(SEND(1, ""), CLOSE(1), SEND(2, "")), "0 0 0 0 0" },
	{ "an archive is another format here", SCRIPT(DO(write_archive)),
	  "s#1:1:1 input.other-format\n"
	  "1 1 0 16 0" },
	{ "a connection that begins with no log is left alone",
	  SCRIPT(SEND(1, "x\n"), SEND(1, LINE BAD), SEND(2, LINE)),
	  "s#1:1:1 input.other-format\n"
	  "2 1 1 250 0" },
	{ "a connection that ends with the listener has ended once",
	  SCRIPT(SEND(1, LINE), SEND_NOW(1, BAD), CLOSE_NOW(1)),
	  "s#1:2:2 input.torn-line\n"
	  "1 0 1 125 0" },
	{ "what was written before the signal is taken",
	  SCRIPT(SEND(1, LINE BAD), SEND_NOW(2, LINE BAD),
		 SEND_NOW(3, LINE BAD), SEND_NOW(1, LINE BAD)),
	  "s#1:2:2 input.torn-line\n"
	  "s#1:4:2 input.torn-line\n"
	  "s#2:2:2 input.torn-line\n"
	  "s#3:2:2 input.torn-line\n"
	  "3 0 4 500 0" },
};

/*
 * ---- What goes wrong meanwhile
 */

static const struct heard faults[] = {
	{ "a read that is interrupted is done again",
	  SCRIPT(SEND(1, LINE), DO(fail_recv), SEND(1, BAD), SEND(1, BAD)),
	  "s#1:2:2 input.torn-line\n"
	  "s#1:3:2 input.torn-line\n"
	  "1 0 1 127 0" },
	{ "a connection that breaks has ended",
	  SCRIPT(SEND(1, LINE "{'x'"), DO(break_connection), SEND(1, BAD),
		 SEND(2, LINE)),
	  "s#1:2:5 input.torn-line\n"
	  "2 0 2 250 0" },
	{ "who gives up or interrupts takes nobody's turn",
	  SCRIPT(DO(fail_accept), SEND(1, LINE), DO(fail_accept),
		 SEND(2, LINE)),
	  "2 0 2 246 0" },
	{ "who gives up or interrupts takes no last turn",
	  SCRIPT(DO_NOW(fail_accept), SEND_NOW(1, LINE)), "1 0 1 123 0" },
	{ "a wait that is interrupted goes on",
	  SCRIPT(DO_NOW(fail_poll), SEND(1, LINE), DO_NOW(fail_poll),
		 SEND(1, BAD)),
	  "s#1:2:2 input.torn-line\n"
	  "1 0 1 125 0" },
	{ "who finds no file left is taken when there may be one",
	  SCRIPT(SEND(1, LINE), DO(fill_process), SEND(2, LINE BAD),
		 SEND(1, BAD), CLOSE(1), SEND(2, "{"), CLOSE(2)),
	  "s#1:2:2 input.torn-line\n"
	  "s#2:2:2 input.torn-line\n"
	  "s#2:3:2 input.torn-line\n"
	  "2 0 2 251 0" },
	{ "it is the same if the system has none",
	  SCRIPT(SEND(1, LINE), DO(fill_system), SEND(2, LINE BAD),
		 SEND(1, BAD), CLOSE(1)),
	  "s#1:2:2 input.torn-line\n"
	  "s#2:2:2 input.torn-line\n"
	  "2 0 2 250 0" },
	{ "who is taken only when others have ended is read",
	  SCRIPT(SEND(1, LINE), DO(fill_process_twice), SEND(2, LINE BAD)),
	  "s#2:2:2 input.torn-line\n"
	  "2 0 2 248 0" },
	{ "who is never taken is counted",
	  SCRIPT(DO(fill_process_for_long), SEND(1, LINE)), "0 0 0 0 1" },
	{ "a connection may be what standard input was",
	  SCRIPT(DO(close_input), DO(fail_accept), SEND(1, TEXT_LINE TEXT_BAD),
		 SEND(2, LINE BAD), CLOSE(2)),
	  "s#2:2:2 input.torn-line\n"
	  "s#1:2:26 normal.column\n"
	  "2 0 2 223 0" },
	{ "what has ended is no longer waited for",
	  SCRIPT(SEND(1, LINE), SEND(2, LINE), SEND(3, LINE), CLOSE(1),
		 CLOSE(3), SEND(2, BAD), CLOSE(2), SEND(4, LINE), CLOSE(4)),
	  "s#2:2:2 input.torn-line\n"
	  "4 0 4 494 0" },
};

/*
 * ---- What is long, or much
 */

#define LONG_LINE \
	"{'event':'version','sid':'a'," COMMON ",'evt':'4','exe':'x'\t"

/* 40000 more bytes fit. */
#define NEARLY_ALL (ALL - 40000 - (sizeof(LINE BAD) - 1))

static const struct heard longs[] = {
	{ "a line may be as long as what is kept",
	  SCRIPT(LONG(1, "x\t.", ALL), CLOSE(1)),
	  "s#1:1:1 input.other-format\n"
	  "1 1 0 16777216 0" },
	{ "a line that is long is whole",
	  SCRIPT(LONG(1, LONG_LINE, READ + 1), SEND(1, "}\n" LINE BAD)),
	  "s#1:3:2 input.torn-line\n"
	  "1 0 2 262272 0" },
	{ "of a line that is longer nothing is kept",
	  SCRIPT(SEND(1, LINE), LONG(1, LONG_LINE, ALL + 1), SEND(1, "more"),
		 SEND(1, "the end\n" BAD), SEND(1, BAD)),
	  "s#1:3:2 input.torn-line\n"
	  "s#1:4:2 input.torn-line\n"
	  "1 0 1 16777356 1" },
	{ "a line that is whole no longer counts as an incomplete one",
	  SCRIPT(SEND(1, "x\n"), LONG(1, "x\t\n", ALL), LONG(1, "x\t\n", ALL),
		 LONG(1, "x\t\n", ALL), LONG(1, "x\t\n", ALL),
		 LONG(1, "x\t\n", ALL)),
	  "s#1:1:1 input.other-format\n"
	  "1 1 0 83886082 0" },
	{ "what comes while another waits is behind it",
	  SCRIPT(DO(hold_tellers), SEND(1, LINE BAD), SEND(1, BAD),
		 SEND(1, BAD), DO(step_on), SEND(1, BAD), DO(go_on)),
	  "s#1:2:2 input.torn-line\n"
	  "s#1:3:2 input.torn-line\n"
	  "s#1:4:2 input.torn-line\n"
	  "s#1:5:2 input.torn-line\n"
	  "1 0 1 131 0" },
	{ "what comes is told at once",
	  SCRIPT(DO(let_all_tell), SEND(1, LINE BAD), DO(await_one),
		 DO(let_all_tell), SEND(1, BAD), DO(await_one),
		 DO(let_all_tell), SEND(1, BAD), DO(await_one)),
	  "s#1:2:2 input.torn-line\n"
	  "s#1:3:2 input.torn-line\n"
	  "s#1:4:2 input.torn-line\n"
	  "1 0 1 129 0" },
	{ "what is too much is dropped line by line",
	  SCRIPT(DO(hold_tellers), SEND(1, LINE BAD),
		 LONG(2, "x\t\n", NEARLY_ALL), SEND(3, "x\n"),
		 MANY(3, "no_log\n", 30000), MANY(4, LINE "\n", 1500),
		 LONG(5, LONG_LINE, READ), SEND(5, "}\n" LINE BAD),
		 LONG(6, LONG_LINE, READ + 1), SEND(6, "}\n" LINE BAD),
		 MANY(6, LINE, 1500), LONG(7, LONG_LINE, READ + 1),
		 SEND(7, "}\n"), CLOSE(7), LONG(8, "{\t", READ), CLOSE(8),
		 DO(go_on), SEND(4, LINE BAD), SEND(4, BAD)),
	  "s#1:2:2 input.torn-line\n"
	  "s#2:1:1 input.other-format\n"
	  "s#3:1:1 input.other-format\n"
	  "s#5:3:2 input.torn-line\n"
	  "s#6:3:2 input.torn-line\n"
	  "s#4:3002:2 input.torn-line\n"
	  "s#4:3003:2 input.torn-line\n"
	  "6 2 4 18366679 4504" },
};

/*
 * ---- Turns
 */

static void write_more(void)
{
	kit.more = 100;
}

static void write_on(void)
{
	kit.more = 200;
}

static const struct step busy[] = { SEND(2, LINE),  SEND(1, LINE),
				    DO(write_more), SEND_NOW(1, LINE),
				    SEND(2, LINE),  DO_NOW(write_on),
				    DO(NULL) };

static void test_turns(void)
{
	tap_str(hear_script(STREAM, busy), "2 0 214 26322 0",
		"who always writes is read");
	tap_int(kit.turn, 8, "who always writes gives others their turn");
	tap_int(kit.last_turn, 200, "who writes to the end is read to the end");
	tap_str(hear_script(DGRAM, busy), "1 0 304 37392 0",
		"whose datagrams always come is read");
	tap_int(kit.turn, 8, "datagrams that always come let it wait");
	tap_int(kit.last_turn, 202, "datagrams are read to their end");
}

/*
 * ---- Datagrams
 */

static const struct heard datagrams[] = {
	{ "datagrams of all are one log",
	  SCRIPT(SEND(1, LINE), SEND(2, VERSION("b")), SEND(2, BAD),
		 SEND(1, "{"), SEND(1, BAD)),
	  "s%%:3:2 input.torn-line\n"
	  "s%%:4:2 input.torn-line\n"
	  "s%%:5:2 input.torn-line\n"
	  "1 0 2 251 0" },
	{ "a datagram of two events is told",
	  SCRIPT(SEND(1, LINE VERSION("b")), SEND(1, BAD)),
	  "s%%:2:1 destination.socket.datagram-event\n"
	  "s%%:3:2 input.torn-line\n"
	  "1 0 2 248 0" },
	{ "a datagram of nothing is nothing",
	  SCRIPT(SEND(1, ""), SEND(1, LINE), SEND_NOW(1, ""), SEND_NOW(1, BAD)),
	  "s%%:2:2 input.torn-line\n"
	  "1 0 1 125 0" },
};

static const struct heard long_datagrams[] = {
	{ "a datagram is dropped if it is more than is read at once",
	  SCRIPT(SEND(1, LINE), LONG(1, LONG_LINE "}\n", READ), SEND(1, BAD),
		 LONG(1, LONG_LINE "}\n", READ + 1), SEND(1, BAD)),
	  "s%%:3:2 input.torn-line\n"
	  "s%%:5:2 input.torn-line\n"
	  "1 0 2 524416 1" },
};

static bool may_be_long(void)
{
	int size = 1 << 20, pair[2];
	bool is_sent;

	kit_require(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), "no sockets");
	setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	is_sent = send(pair[0], kit.text, READ + 1, 0) > READ;
	close(pair[0]);
	close(pair[1]);
	return is_sent;
}

static void test_datagrams(void)
{
	TEST(datagrams, DGRAM);
	if (may_be_long())
		TEST(long_datagrams, DGRAM);
	else
		tap_skip(long_datagrams[0].name, "the system takes none");
}

/*
 * ---- The listener itself
 */

static int signal_bytes, signal_errno;

static void look_at_signal(void)
{
	errno = ENODATA;
	kit_stop(SIGINT);
	signal_errno = errno;
	ioctl(kit.signal_fd, FIONREAD, &signal_bytes);
}

static void test_signals(void)
{
	hear_script(STREAM, SCRIPT(DO(look_at_signal)));
	tap_int(signal_bytes, 1, "a signal is a byte in a pipe");
	errno = ENODATA;
	raise(SIGTERM); /* when nobody handles it any more */
	tap_ok(signal_errno == ENODATA && errno == ENODATA,
	       "a signal keeps errno");
}

static void test_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 64;
	setrlimit(RLIMIT_NOFILE, &limit);
	hear_script(STREAM, SCRIPT(SEND(1, LINE)));
	getrlimit(RLIMIT_NOFILE, &limit);
	tap_ok(limit.rlim_cur == limit.rlim_max,
	       "a listener may open as many files as any");
}

static void *no_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

static void lose_memory(void)
{
	kit_host.realloc = no_memory;
}

static void find_memory(void)
{
	kit_host.realloc = take_memory;
}

/* In a child: does memory's end end it? */
static int is_out(const struct step *script)
{
	kit_may_be_out = 1;
	if (setjmp(kit_out))
		return 1;
	hear_script(STREAM, script);
	return 0;
}

static int add_without_memory(void)
{
	return is_out(SCRIPT(LONG(1, LONG_LINE "}", 200), DO(lose_memory),
			     MANY(1, LINE, 99), DO(find_memory)));
}

/* No room for a stack that is as large as all. */
static int begin_without_thread(void)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)1 << 46);
	pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
	return is_out(SCRIPT(SEND(1, LINE)));
}

static void test_shortage(void)
{
	kit.pipe_faults[0] = ENFILE;
	tap_str(hear_script(STREAM, SCRIPT(SEND(1, LINE))), strerror(ENFILE),
		"no listener begins without a pipe");
	tap_str(hear_script("af_unix:stream:none/s", SCRIPT(SEND(1, LINE))),
		strerror(ENOENT), "no listener begins without a socket");
	tap_int(kit_in_child(begin_without_thread), 1,
		"no listener goes on without a thread");
	tap_int(kit_in_child(add_without_memory), 1,
		"no listener goes on without a line's end");
}

int main(void)
{
	kit_start();
	tr2_selection_add(&options.selection, "stream", false);
	test_shortage(); /* first: a child is made of less then */
	TEST(streams, STREAM);
	TEST(faults, STREAM);
	TEST(longs, STREAM);
	tap_run(test_datagrams, test_turns, test_signals, test_limit);
	tr2_vec_release(&options.selection.words);
	return kit_done();
}
