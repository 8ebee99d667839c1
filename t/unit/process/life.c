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

/* What a target does not show it does not lose. */
static int full_normal(void)
{
	process_setenv("GIT_TRACE2", "/dev/full");
	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	trace2_cmd_exit_fl("main.c", 3, 0);
	process_exit(0);
	return trace2_dropped() != 4;
}

static void test_drops(void)
{
	process_prepare();
	tap_str(process_told(full_normal),
		BEGIN
		"region_enter main main.c:2 nesting:1 category:c label:l\n"
		"exit main main.c:3 t_abs:0.000000 code:0\n"
		"error main main.c:3 msg:trace2: events dropped: 2 "
		"fmt:trace2: events dropped: %lu\n"
		"atexit main main.c:3 t_abs:0.000000 code:0\n",
		"drops are told at the end");
	tap_str(kit_stderr(), "", "drops are not warned about");
}

static int full_normal_beside_perf(void)
{
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	return full_normal();
}

/* SPEC: perf.dots */
static void test_drops_in_region(void)
{
	process_prepare();
	tap_int(kit_in_child(full_normal_beside_perf), 0,
		"drops of one target are counted");
	tap_ok(strstr(kit_content("perf"), "| ..trace2: events dropped: 2\n"),
	       "drops are told inside of the regions that are open");
}

static int full_normal_debug(void)
{
	process_setenv("GIT_TRACE2_DST_DEBUG", "1");
	return full_normal();
}

static void test_drops_warned(void)
{
	process_prepare();
	tap_int(kit_in_child(full_normal_debug), 0, "drops are counted");
	tap_str(kit_stderr(),
		"warning: unable to write trace to 'GIT_TRACE2': No space left "
		"on device\n"
		"warning: trace2: events dropped: 2\n",
		"drops are warned about under debug");
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

static ssize_t write_with_error(int fd, const void *bytes, size_t len)
{
	ssize_t put = tr2_host_system.write(fd, bytes, len);

	errno = ENETDOWN;
	return put;
}

static int open_regions(void)
{
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	kit_host.write = write_with_error;
	errno = 77;
	process_exit(0);
	return errno != 77;
}

static ssize_t write_and_exit(int fd, const void *bytes, size_t len)
{
	kit_host.write = tr2_host_system.write;
	tr2_host_system.write(fd, bytes, len);
	process_exit(7);
	_exit(trace2_dropped() != 0);
}

/* exit(3) in a signal handler. */
static int exit_inside(void)
{
	begin_program();
	kit_host.write = write_and_exit;
	trace2_printf_fl("main.c", 2, "text");
	return 1;
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
	process_prepare();
	tap_int(kit_in_child(open_regions), 0, "the exit keeps errno");
	tap_ok(strstr(kit_content("perf"), "| code:0\n"),
	       "regions that are open end with the process");
	tap_str(process_told(exit_inside),
		BEGIN "printf main main.c:2 t_abs:0.000000 msg:text\n"
		      "exit main main.c:1 t_abs:0.000000 code:7\n"
		      "atexit main main.c:1 t_abs:0.000000 code:7\n",
		"an exit inside a call writes exit and atexit");
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

static const char *own_name(void)
{
	return "20260102T030405.067089Z-H63cf98d4-P000003e8";
}

static int into_directory(void)
{
	process_setenv("GIT_TRACE2_EVENT", kit_path("dir"));
	process_setenv("GIT_TRACE2_PARENT_SID", "a/b");
	begin_program();
	return 0;
}

static int only_normal(void)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2", kit_path("normal"));
	begin_program();
	return 0;
}

/* EVENT's directory is full; NORMAL has a file. */
static int full_directory(void)
{
	process_setenv("GIT_TRACE2_EVENT", kit_path("full"));
	process_setenv("GIT_TRACE2", kit_path("normal"));
	process_setenv("GIT_TRACE2_MAX_FILES", "2");
	begin_program();
	return trace2_dropped() != 0;
}

static void test_targets(void)
{
	mkdir("dir", 0777);
	process_prepare();
	kit_in_child(into_directory);
	tap_str(process_brief(kit_content(kit_text("dir/%s", own_name()))),
		"//" BEGIN, "a file in a directory has the session's own name");
	process_prepare();
	kit_in_child(only_normal);
	tap_ok(strstr(kit_content("normal"), "version 1.0\n"),
	       "NORMAL alone is enough");
	mkdir("full", 0777);
	process_prepare();
	kit_in_child(full_directory);
	tap_str(process_brief(kit_content("full/git-trace2-discard")),
		BEGIN "too_many_files main main.c:1\n",
		"a full directory is told of in the sentinel");
	unlink("full/git-trace2-discard");
	kit_require(!symlink("nowhere", "full/git-trace2-discard"), "no link");
	process_prepare();
	tap_int(kit_in_child(full_directory), 0,
		"a sentinel that could not be made loses nothing");
}

static void *run_stranger(void *unused)
{
	static struct trace2_counter counter = { "c", "counter", 0, 0 };

	trace2_counter_add(&counter, 1);
	errno = 77;
	trace2_printf_fl("thread.c", 1, "text");
	return errno == 77 ? unused : NULL;
}

static int forget_strangers(void)
{
	int live = 0;

	begin_program();
	for (int i = 0; i < 3; i++) {
		live = memory_live;
		run_thread(run_stranger, NULL);
	}
	return memory_live != live;
}

static void test_strangers(void)
{
	process_prepare();
	tap_int(kit_in_child(forget_strangers), 0,
		"a thread that ends without a word leaves no memory");
}

int main(void)
{
	kit_start();
	tap_run(test_clocks, test_no_room, test_big_texts, test_drops,
		test_drops_in_region, test_drops_warned, test_ends,
		test_session, test_targets, test_strangers);
	return kit_done();
}
