/* FXT beside EVENT, in forked children, and in a directory that is full. */
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

static void write_file(const char *name, const void *bytes, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(write(fd, bytes, len) == (ssize_t)len, "no file");
	close(fd);
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
	tap_run(test_targets, test_too_many_files);
	return kit_done();
}
