/* The first and last times of a process and its threads. */
#include "views/archive/archive_kit.h"

/* An event of another thread. */
static void tell_other(unsigned us, const char *name)
{
	thread_name = "th01:x";
	tell_event(GIT, us, name, "");
	thread_name = "main";
}

/* All events and the slice of the process, without its arguments. */
static const char *show_times(void)
{
	static char times[1 << 12];
	const char *lines = end_logs(), *end;
	size_t len;

	*times = '\0';
	for (; *lines; lines = end + (*end == '\n')) {
		end = lines + strcspn(lines, "\n");
		if (!strstr(lines, " 1.") || strstr(lines, " 1.") > end)
			continue;
		len = strlen(times);
		snprintf(times + len, sizeof(times) - len, "%.*s; ",
			 (int)strcspn(lines, "/"), lines);
	}
	return times;
}

static void test_first_events(void)
{
	begin_logs();
	tell_other(20, "error");
	tell_event(GIT, 10, "error", "");
	tap_str(show_times(),
		"20 1.1 begin process; 20 1.2 instant trace2; "
		"20 1.1 instant trace2; 20 1.1 end process; ",
		"a process begins with the first event of any thread");
	begin_logs();
	tell_other(20, "version");
	tell_event(GIT, 10, "error", "");
	tap_str(show_times(),
		"20 1.1 begin process; 20 1.1 instant trace2; "
		"20 1.1 end process; ",
		"no event of the main thread precedes it");
	begin_logs();
	tell_event(GIT, 10, "version", "");
	tell_event(GIT, 30, "error", "");
	tap_str(show_times(),
		"10 1.1 begin process; 30 1.1 instant trace2; "
		"30 1.1 end process; ",
		"an event after the first one keeps its time");
	begin_logs();
	tell_event(GIT, 10, "version", "");
	tell_other(30, "error");
	tap_str(show_times(),
		"10 1.1 begin process; 30 1.2 instant trace2; "
		"30 1.1 end process; ",
		"also on another thread");
}

static void test_versions(void)
{
	begin_logs();
	tell_event(GIT, 10, "version", "");
	tell_event(GIT, 20, "version", "");
	tell_other(30, "error");
	tell_event(GIT, 15, "error", "");
	tap_str(show_times(),
		"10 1.1 begin process; 30 1.2 instant trace2; "
		"30 1.1 instant trace2; 30 1.1 end process; ",
		"no event precedes one that the log has before it");
}

static void test_ends(void)
{
	begin_logs();
	tell_event(GIT, 10, "error", "");
	tell_event(GIT, 20, "region_enter", "");
	tell_other(30, "region_enter");
	tell_other(50, "error");
	tell_event(GIT, 40, "error", "");
	tap_str(show_times(),
		"10 1.1 begin process; 10 1.1 instant trace2; "
		"20 1.1 begin region; 30 1.2 begin region; "
		"50 1.2 instant trace2; 50 1.1 instant trace2; "
		"50 1.1 end region; 50 1.2 end region; 50 1.1 end process; ",
		"regions of the main thread end with the process");
	begin_logs();
	tell_event(GIT, 10, "error", "");
	tell_other(20, "thread_start");
	tell_other(30, "thread_exit");
	tell_event(GIT, 40, "atexit", "");
	tap_str(show_times(),
		"10 1.1 begin process; 10 1.1 instant trace2; "
		"20 1.2 begin thread; 30 1.2 end thread; "
		"40 1.1 end process; ",
		"a thread that ended before the process ends once");
}

/* Each process has its own words, and its own code when it ends. */
static unsigned count_wrong_ends(void)
{
	char want[128];
	unsigned i, wrong = 0;

	for (i = 0; i < 300; i++) {
		snprintf(want, sizeof(want),
			 " instant trace2/exit code=uint32:%u\n", 1000 + i);
		wrong += !strstr(shown, want);
		snprintf(want, sizeof(want), " %u.%u end process/n%u\n", i + 1,
			 i + 1, i);
		wrong += !strstr(shown, want);
	}
	return wrong;
}

/* They come in turns, and none of them tells its end. */
static void test_many(void)
{
	char sid[32], rest[64];
	unsigned i;

	begin_logs();
	for (i = 0; i < 300; i++) {
		snprintf(sid, sizeof(sid), "s%u", i);
		snprintf(rest, sizeof(rest), "\"n%u\"", i);
		tell_start(sid, 10, rest);
	}
	tap_int((intmax_t)logs.runs, 300, "each SID is a process");
	for (i = 0; i < 300; i++) {
		snprintf(sid, sizeof(sid), "s%u", i);
		snprintf(rest, sizeof(rest), "\"code\":%u", 1000 + i);
		tell_event(sid, 20, "exit", rest);
	}
	tap_int((intmax_t)logs.runs, 300, "which it stays");
	end_logs();
	tap_int(count_wrong_ends(), 0,
		"all processes end with their logs, each with its own events");
}

static void test_pids(void)
{
	begin_logs();
	tell_event("x-P0123456789abcdef0", 10, "error", "");
	tap_str(keep_lines(end_logs(), " begin "),
		"10 1.1 begin process/process"
		" sid=string:x-P0123456789abcdef0\n",
		"a number of more than 64 bits is no pid");
}

int main(void)
{
	test_first_events();
	test_versions();
	test_ends();
	test_many();
	test_pids();
	return tap_done();
}
