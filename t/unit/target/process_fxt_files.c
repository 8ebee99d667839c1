/* Where the FXT target writes to: files, directories, a child's, or nowhere. */
#include "target/process_fxt_kit.h"

/* Both targets at once. */
static int with_event(void)
{
	process_setenv("GIT_TRACE2_EVENT", kit_path("event"));
	begin_program();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	process_exit(0);
	return 0;
}

static int short_life(void)
{
	begin_program();
	trace2_cmd_mode_fl("main.c", 2, "mode");
	if (process_exit)
		process_exit(0);
	return !process_exit;
}

static int is_open(const char *name)
{
	struct stat want, st;
	int count = 0;

	stat(name, &want);
	for (int fd = 0; fd < 1100; fd++)
		count += !fstat(fd, &st) && st.st_ino == want.st_ino;
	return count;
}

static int run_child(void)
{
	if (is_open("fxt"))
		return 1;
	trace2_cmd_mode_fl("child.c", 1, "child");
	process_exit(0);
	return trace2_dropped() ? 2 : 0;
}

static int fork_host(void)
{
	int code;

	begin_program();
	trace2_cmd_mode_fl("main.c", 2, "parent");
	code = is_open("fxt") ? process_fork(run_child) : 3;
	trace2_cmd_mode_fl("main.c", 3, "parent");
	process_exit(0);
	return code;
}

static void test_targets(void)
{
	tap_str(trace_life(with_event),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"2 c l\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"FXT is written beside EVENT");
	tap_str(process_brief(kit_content("event")),
		"version main main.c:1 evt:4 exe:1.0\n"
		"region_enter main main.c:2 nesting:1 category:c label:l\n"
		"exit main main.c:1 t_abs:0.000000 code:0\n"
		"atexit main main.c:1 t_abs:0.000000 code:0\n",
		"EVENT is written beside FXT");
	unlink("fxt-1001");
	tap_str(trace_life(fork_host),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'parent'\n"
		"0 trace2 cmd_mode name:'parent'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a forked child leaves the file alone");
	tap_str(events_of("fxt-1001"),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'child'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a forked child has its own file");
}

static const char *refuse_value(const char *value)
{
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	only_fxt(value);
	if (kit_in_child(short_life) != 1)
		return "not refused";
	return kit_stderr();
}

static void write_file(const char *name, const void *bytes, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(write(fd, bytes, len) == (ssize_t)len, "no file");
	close(fd);
}

static void test_values(void)
{
	static const uint64_t magic = 0x0016547846040010;

	tap_str(refuse_value("0"), "", "FXT 0 is off");
	tap_str(refuse_value("False"), "", "FXT False is off");
	tap_str(refuse_value("relative"),
		"warning: trace2: unknown value for 'GIT_TRACE2_FXT': "
		"'relative'\n",
		"FXT needs a path from the root");
	tap_str(refuse_value(kit_path("none/fxt")),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: No such file or "
			 "directory\n",
			 kit_path("none/fxt")),
		"FXT in no directory is off");
	write_file("other", "no trace", 8);
	tap_str(refuse_value(kit_path("other")),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: File exists\n",
			 kit_path("other")),
		"FXT does not add to what is no trace");
	tap_str(kit_content("other"), "no trace", "what is no trace stays");
	write_file("other", &magic, 7);
	tap_ok(*refuse_value(kit_path("other")),
	       "FXT does not add to half a word");
}

/* A second process after the first one, in a file and in a directory. */
static void test_files(void)
{
	struct stat st;
	const char *name =
		"many/20260102T030405.067089Z-H63cf98d4-P000003e8.fxt";

	trace_life(short_life);
	prepare_fxt("fxt");
	tap_int(kit_in_child(short_life), 0, "a second process is traced");
	tap_str(events_of("fxt"),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n"
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a second process adds its records");
	stat("fxt", &st);
	tap_int(st.st_size, 73728, "a file is cut to what is used");
	mkdir("many", 0777);
	prepare_fxt("many");
	tap_int(kit_in_child(short_life), 0, "a directory gets a file");
	tap_str(events_of(name),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a file in a directory has records");
	prepare_fxt("nested.d/a.fxt");
	mkdir("nested.d", 0777);
	process_setenv("GIT_TRACE2_PARENT_SID", "up");
	tap_int(kit_in_child(short_life), 0, "a child has a file");
	tap_str(events_of("nested.d/a-1000.fxt"),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a child's file is named by its number");
	tap_str(kit_stderr(), "", "files that can be opened say nothing");
}

static int short_life_with_own_trace(void)
{
	process_setenv("GIT_TRACE2_EVENT", kit_path("event"));
	process_own_trace();
	return short_life() || process_own_has("too_many_files");
}

static void prepare_few(void)
{
	prepare_fxt("few");
	process_setenv("GIT_TRACE2_MAX_FILES", "1");
}

static void test_too_many_files(void)
{
	mkdir("few", 0777);
	write_file("few/one", "", 0);
	prepare_few();
	tap_int(kit_in_child(short_life), 0, "a full directory is traced to");
	tap_str(events_of("few/git-trace2-discard"),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 too_many_files\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"its sentinel says that it is full");
	unlink("few/git-trace2-discard");
	prepare_few();
	tap_int(kit_in_child(short_life_with_own_trace), 0,
		"which is not said in a trace of the program's own");
}

int main(void)
{
	kit_start();
	tap_run(test_targets, test_values, test_files, test_too_many_files);
	return kit_done();
}
