/*
 * The library's life in a process: what it asks of its host, what it does
 * where memory or a target fails, and how it ends.
 */
#include "process/process_kit.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define QUARTER_US 900000000u

static int walls_asked, hosts_asked;

static uint64_t counted_wall(void)
{
	walls_asked++;
	return process_wall_us;
}

static int counted_hostname(char *name, size_t size)
{
	hosts_asked++;
	errno = ENETDOWN;
	return process_hostname(name, size);
}

/* Three targets: one reading of each clock for an event. */
static int read_clocks(void)
{
	const uint64_t next = process_wall_us / QUARTER_US * QUARTER_US;
	int zones;

	process_setenv("GIT_TRACE2", kit_path("normal"));
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	process_wall_us = next - 10;
	begin_program();
	zones = process_zones_asked;
	kit_host.wall_us = counted_wall;
	process_wall_us = next - 1;
	trace2_printf_fl("main.c", 2, "text");
	if (walls_asked != 1 || process_zones_asked != zones)
		return 1;
	process_wall_us = next;
	trace2_printf_fl("main.c", 3, "text");
	process_wall_us = next + 10;
	trace2_printf_fl("main.c", 4, "text");
	return walls_asked != 3 || process_zones_asked != zones + 1;
}

/* Brief lines have no time, and EVENT's are UTC. */
static int no_clocks(void)
{
	process_setenv("GIT_TRACE2_EVENT_BRIEF", "1");
	begin_program();
	kit_host.wall_us = counted_wall;
	trace2_printf_fl("main.c", 2, "text");
	return walls_asked || process_zones_asked;
}

static void test_clocks(void)
{
	process_prepare();
	tap_int(kit_in_child(read_clocks), 0,
		"clocks are read once an event, the zone once a quarter");
	tap_str(strchr(kit_content("normal"), ' '),
		" main.c:1                          version 1.0\n"
		"03:59:59.999999 main.c:2                          text\n"
		"04:00:00.000000 main.c:3                          text\n"
		"04:00:00.000010 main.c:4                          text\n",
		"NORMAL's times are local");
	process_prepare();
	tap_int(kit_in_child(no_clocks), 0,
		"clocks that nobody needs are not read");
}

/* Each of the thread's buffers in turn finds no memory. */
static int no_room(void)
{
	static char path[20000], url[5000] = "https://u:secret@h/";
	static const char *const short_argv[] = { "https://u:secret@h/", NULL };
	static const char *const long_argv[] = { url, NULL };

	memset(path, 'x', sizeof(path) - 1);
	memset(url + strlen(url), 'x', sizeof(url) - strlen(url) - 1);
	begin_program();
	memory_fail(1);
	trace2_printf_fl("main.c", 2, "%s", "text");
	memory_fail(2);
	trace2_cmd_alias_fl("main.c", 3, "words", short_argv);
	memory_fail(1);
	trace2_cmd_alias_fl("main.c", 4, "scratch", long_argv);
	memory_fail(1);
	trace2_cmd_path_fl("main.c", 5, path);
	memory_fail(0);
	trace2_cmd_path_fl("main.c", 6, "path");
	return trace2_dropped() != 4;
}

static void test_no_room(void)
{
	tap_str(process_told(no_room),
		BEGIN "cmd_path main main.c:6 path:path\n",
		"an event without memory is dropped whole, and counted");
}

/* A buffer of up to 1 MB is kept; a larger one is freed. */
static int big_texts(void)
{
	static char text[1200000];
	int live;

	begin_program();
	memset(text, 'x', 300000);
	trace2_cmd_error_fl("main.c", 2, "%s", text);
	live = memory_live;
	memset(text, 'x', 1048575);
	memory_calls = 0;
	trace2_cmd_error_fl("main.c", 3, "%.900000s", text);
	memory_calls = 0;
	trace2_cmd_error_fl("main.c", 3, "%.900000s", text);
	if (memory_live != live || memory_calls)
		return 1;
	memset(text, 'x', sizeof(text) - 1);
	trace2_cmd_error_fl("main.c", 4, "%s", text);
	return memory_live != live - 2;
}

/* So are the texts of which passwords were taken out. */
static int big_secrets(void)
{
	static char url[1200000] = "https://u:secret@h/";
	static const char *argv[150000] = { "https://u:secret@h/" };
	static const char *const big[] = { url, NULL };
	int live;

	memset(url + strlen(url), 'x', sizeof(url) - strlen(url) - 1);
	begin_program();
	trace2_cmd_alias_fl("main.c", 2, "small", argv);
	live = memory_live;
	trace2_cmd_alias_fl("main.c", 3, "big", big);
	if (memory_live != live - 2) /* the line, and the text */
		return 1;
	for (size_t i = 1; i < 149999; i++)
		argv[i] = "x";
	trace2_cmd_alias_fl("main.c", 4, "many", argv);
	/* Line and text are below a megabyte now, the pointers are not. */
	return trace2_dropped() || memory_live != live - 1;
}

static void test_big_texts(void)
{
	process_prepare();
	tap_int(kit_in_child(big_texts), 0,
		"what a thread keeps between events is bounded");
	process_prepare();
	tap_int(kit_in_child(big_secrets), 0,
		"what a thread keeps of hidden texts is bounded");
}

static int without_place(void)
{
	trace2_set_program("1.0");
	pass_time(10);
	trace2_initialize_fl(NULL, 7);
	pass_time(5);
	trace2_cmd_exit_fl(NULL, 8, 0);
	process_exit(0);
	return 0;
}

static void test_ends(void)
{
	tap_str(process_told(without_place),
		"version main : time:2026-01-02T03:04:05.067089Z evt:4 "
		"exe:1.0\n"
		"exit main : time:2026-01-02T03:04:05.067089Z t_abs:0.000005 "
		"code:0\n"
		"atexit main : time:2026-01-02T03:04:05.067089Z "
		"t_abs:0.000005 code:0\n",
		"a program without a clock or a place has times");
}

static int ask_questions(void)
{
	char first[128];

	process_pid = 1;
	kit_host.hostname = counted_hostname;
	errno = 77;
	memory_fail_on = 1;
	memory_fail(1);
	if (strcmp(trace2_session_id(), "") || errno != 77)
		return 1;
	memory_fail_on = 0;
	memory_fail(0);
	snprintf(first, sizeof(first), "%s", trace2_session_id());
	if (!*first || errno != 77)
		return 2;
	begin_program();
	return strcmp(trace2_session_id(), first) || !trace2_is_enabled();
}

static int nobody_asks(void)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_CONFIG_PARAMS", "*");
	kit_host.hostname = counted_hostname;
	begin_program();
	return hosts_asked;
}

static void test_session(void)
{
	tap_str(process_told(ask_questions), BEGIN,
		"a session is the same before and behind the beginning");
	process_prepare();
	tap_int(kit_in_child(nobody_asks), 0,
		"without a target the host's name is not asked for");
}

int main(void)
{
	kit_start();
	tap_run(test_clocks, test_no_room, test_big_texts, test_ends,
		test_session);
	return kit_done();
}
