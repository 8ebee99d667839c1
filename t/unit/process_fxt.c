/* What the FXT target writes of each call, in a process with fixed clocks. */
#include "process_kit.h"

#include "trace/reader.h"

static char told[16384];
static size_t told_len;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	told_len += (size_t)vsnprintf(told + told_len, sizeof(told) - told_len,
				      format, args);
	va_end(args);
}

/* An event's kind, category, name and arguments, in a line. */
static void put_event(const struct trace_reader_record *record)
{
	unsigned i;

	put("%u %.*s %.*s", record->subtype, (int)record->category.len,
	    record->category.bytes, (int)record->name.len, record->name.bytes);
	if (record->id)
		put(" #%d", (int)record->id);
	for (i = 0; i < record->args_count; i++) {
		const struct trace_reader_arg *arg = &record->args[i];

		put(" %.*s:", (int)arg->name.len, arg->name.bytes);
		if (arg->type == FXT_ARG_STRING)
			put("'%.*s'", (int)arg->text.len, arg->text.bytes);
		else if (arg->type == FXT_ARG_DOUBLE)
			put("%f", arg->value.number);
		else
			put("%d=%" PRId64, (int)arg->type, arg->value.integer);
	}
	put("\n");
}

static void put_problem(void *unused,
			const struct trace_reader_finding *finding)
{
	(void)unused;
	put("! %s\n", trace_reader_id(finding->problem));
}

static char archive[1 << 20];

/* The events of the file, those of the fixed kind `version` left out. */
static const char *events_of(const char *name)
{
	struct trace_reader_options options = {
		.finding = put_problem,
		.flags = TRACE_READER_UNBALANCED,
	};
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int fd = open(name, O_RDONLY);
	ssize_t len = read(fd, archive, sizeof(archive));

	close(fd);
	told_len = 0;
	told[0] = '\0';
	trace_reader_feed(reader, archive, len < 0 ? 0 : (size_t)len);
	while (trace_reader_next(reader, &record) > 0)
		if (record.type == FXT_EVENT)
			put_event(&record);
	trace_reader_end(reader);
	trace_reader_free(reader);
	return told;
}

static void only_fxt(const char *value)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_FXT", value);
	process_setenv("GIT_TRACE2_DST_DEBUG", "1");
}

/* What `life` traces into the file `fxt`. */
static const char *traced(int (*life)(void))
{
	int code;

	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	unlink("fxt");
	only_fxt(kit_path("fxt"));
	code = kit_in_child(life);
	if (code)
		return kit_text("ended with %d", code);
	return events_of("fxt");
}

static int calls(void)
{
	static struct trace2_timer timer = { "c", "timer", 1, 0 };
	static struct trace2_counter counter = { "c", "counter", 1, 0 };
	static const char *const argv[] = { "prog", "two words", NULL };
	static const char *const bad_argv[] = { "\xff", "\xc3\xa9", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;
	struct trace2_child second = TRACE2_CHILD_INIT;

	begin();
	trace2_cmd_start_fl("main.c", 2, argv);
	trace2_cmd_name_fl("main.c", 3, "name");
	trace2_region_enter_fl("main.c", 4, "cat", "label", 3);
	trace2_region_enter_fl("main.c", 5, NULL, NULL, -1);
	trace2_region_enter_fl("main.c", 6, "", "", 0);
	trace2_data_intmax_fl("main.c", 7, "cat", 0, "int", -5);
	trace2_data_string_fl("main.c", 8, "cat", 2, "text", "value");
	trace2_data_json_fl("main.c", 9, "", 0, "", "[1]");
	trace2_region_leave_fl("main.c", 10, "", "", 0);
	trace2_region_leave_fl("main.c", 11, NULL, NULL, -1);
	trace2_region_leave_fl("main.c", 12, "cat", "label", 3);
	trace2_region_leave_fl("main.c", 13, "one", "too many", 0);
	trace2_region_leave_fl("main.c", 14, "two", "too many", 0);
	child.argv = argv;
	trace2_child_start_fl("main.c", 15, &child);
	second.argv = bad_argv;
	second.use_shell = 2;
	trace2_child_start_fl("main.c", 16, &second);
	child.pid = 77;
	trace2_child_exit_fl("main.c", 17, &child, 3);
	trace2_child_ready_fl("main.c", 18, &second, "a\x80z");
	trace2_cmd_error_fl("main.c", 19, "%s", "\xff\xc3\xa9");
	trace2_cmd_mode_fl("main.c", 20, "\xc3\xa9");
	trace2_def_repo_fl("main.c", 21, "/one");
	trace2_timer_start(&timer);
	pass(1500000);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 5);
	trace2_cmd_exit_fl("main.c", 22, 3);
	process_exit(0);
	return 0;
}

static void *worker(void *unused)
{
	static struct trace2_counter counter = { "c", "counter", 1, 0 };

	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_counter_add(&counter, 7);
	trace2_thread_exit_fl("thread.c", 2);
	return unused;
}

static int threads(void)
{
	begin();
	run(worker, NULL);
	process_exit(0);
	return 0;
}

static int categories(void)
{
	process_setenv("GIT_TRACE2_CATEGORIES", "cat,other");
	begin();
	trace2_region_enter_fl("main.c", 2, "cat", "yes", 0);
	trace2_region_enter_fl("main.c", 3, "ca", "no", 0);
	trace2_region_enter_fl("main.c", 4, "cat,", "no", 0);
	trace2_region_enter_fl("main.c", 5, "other", "yes", 0);
	trace2_data_string_fl("main.c", 6, "othe", 0, "no", "value");
	trace2_data_string_fl("main.c", 7, "other", 0, "yes", "value");
	process_exit(0);
	return 0;
}

/* A call inside a call whose text finds memory. */
static void *realloc_that_calls(void *old, size_t size)
{
	trace2_region_enter_fl("hook.c", 1, "hook", "l", 0);
	trace2_region_leave_fl("hook.c", 2, "hook", "l", 0);
	return memory_realloc(old, size);
}

static int inside_a_call(void)
{
	begin();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	kit_host.realloc = realloc_that_calls;
	trace2_printf_fl("main.c", 3, "%s", "text");
	kit_host.realloc = memory_realloc;
	trace2_region_leave_fl("main.c", 4, "c", "l", 0);
	return trace2_dropped() != 2;
}

static int no_room(void)
{
	static const char *const argv[] = { "https://u:secret@h/", NULL };

	begin();
	memory_fail(1);
	memory_fail_on = 1;
	trace2_data_json_fl("main.c", 2, "c", 0, "key", "no JSON");
	trace2_printf_fl("main.c", 3, "%s", "text");
	trace2_cmd_mode_fl("main.c", 4, "\xff");
	memory_fail_on = 0;
	memory_fail(1);
	trace2_cmd_start_fl("main.c", 5, argv);
	memory_fail(0);
	return trace2_dropped() != 4;
}

static void test_records(void)
{
	tap_str(traced(calls),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 start argv:'prog 'two words''\n"
		"0 trace2 cmd_name name:'name' hierarchy:'name'\n"
		"2 cat label repo:1=3\n"
		"2 trace2 region repo:1=0\n"
		"2 trace2 region\n"
		"0 cat int value:3=-5\n"
		"0 cat text value:'value' repo:1=2\n"
		"0 trace2 data_json value:'[1]'\n"
		"3 trace2 region\n"
		"3 trace2 region repo:1=0\n"
		"3 cat label repo:1=3\n"
		"3 one too many\n"
		"0 trace2 error msg:'trace2: region_leave without "
		"region_enter' fmt:'trace2: region_leave without "
		"region_enter'\n"
		"5 trace2 child child_id:1=0 child_class:'?' use_shell:9=0 "
		"argv:'prog 'two words''\n"
		"5 trace2 child #1 child_id:1=1 child_class:'?' "
		"use_shell:9=1 argv:''\357\277\275' '\303\251''\n"
		"7 trace2 child child_id:1=0 pid:3=77 code:1=3\n"
		"7 trace2 child #1 child_id:1=1 pid:3=-1 "
		"ready:'a\357\277\275z'\n"
		"0 trace2 error msg:'\357\277\275\303\251' fmt:'%s'\n"
		"0 trace2 cmd_mode name:'\303\251'\n"
		"0 trace2 def_repo worktree:'/one' repo:1=1\n"
		"0 trace2 exit code:1=3\n"
		"1 c timer intervals:4=1 t_total:1.500000 t_min:1.500000 "
		"t_max:1.500000\n"
		"1 c counter count:4=5\n"
		"1 c timer intervals:4=1 t_total:1.500000 t_min:1.500000 "
		"t_max:1.500000\n"
		"1 c counter count:4=5\n"
		"0 trace2 atexit code:1=3\n",
		"each call is a record");
	tap_str(traced(threads),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 exit code:1=0\n"
		"1 c counter count:4=7\n"
		"0 trace2 atexit code:1=0\n"
		"0 trace2 thread_start\n"
		"1 c counter #1 count:4=7\n"
		"0 trace2 thread_exit\n",
		"threads have counters of their own");
	tap_str(traced(categories),
		"2 cat yes\n"
		"2 other yes\n"
		"0 other yes value:'value'\n",
		"only categories asked for are traced");
	tap_str(traced(inside_a_call),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"2 c l\n"
		"0 trace2 printf msg:'text'\n"
		"3 c l\n",
		"a region inside a call is dropped");
	tap_str(traced(no_room), "0 trace2 version evt:'4' exe:'1.0'\n",
		"what finds no memory is dropped, above all a secret");
	tap_str(kit_stderr(), "", "the FXT target says nothing");
}

/* Both targets at once. */
static int with_event(void)
{
	process_setenv("GIT_TRACE2_EVENT", kit_path("event"));
	begin();
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	process_exit(0);
	return 0;
}

static int short_life(void)
{
	begin();
	trace2_cmd_mode_fl("main.c", 2, "mode");
	if (process_exit)
		process_exit(0);
	return !process_exit;
}

static int child(void)
{
	trace2_cmd_mode_fl("child.c", 1, "child");
	process_exit(0);
	return trace2_dropped() != 0;
}

static int forking(void)
{
	int code;

	begin();
	trace2_cmd_mode_fl("main.c", 2, "parent");
	code = process_fork(child);
	trace2_cmd_mode_fl("main.c", 3, "parent");
	process_exit(0);
	return code;
}

static void test_targets(void)
{
	tap_str(traced(with_event),
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
	tap_str(traced(forking),
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

static const char *refused(const char *value)
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

	tap_str(refused("0"), "", "FXT 0 is off");
	tap_str(refused("False"), "", "FXT False is off");
	tap_str(refused("relative"),
		"warning: trace2: unknown value for 'GIT_TRACE2_FXT': "
		"'relative'\n",
		"FXT needs a path from the root");
	tap_str(refused(kit_path("none/fxt")),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: No such file or "
			 "directory\n",
			 kit_path("none/fxt")),
		"FXT in no directory is off");
	write_file("other", "no trace", 8);
	tap_str(refused(kit_path("other")),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: File exists\n",
			 kit_path("other")),
		"FXT does not add to what is no trace");
	tap_str(kit_content("other"), "no trace", "what is no trace stays");
	write_file("other", &magic, 7);
	tap_ok(*refused(kit_path("other")), "FXT does not add to half a word");
}

/* A second process behind the first, in a file and in a directory. */
static void test_files(void)
{
	struct stat st;
	const char *name =
		"many/20260102T030405.067089Z-H63cf98d4-P000003e8.fxt";

	traced(short_life);
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	only_fxt(kit_path("fxt"));
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
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	only_fxt(kit_path("many"));
	tap_int(kit_in_child(short_life), 0, "a directory gets a file");
	tap_str(events_of(name),
		"0 trace2 version evt:'4' exe:'1.0'\n"
		"0 trace2 cmd_mode name:'mode'\n"
		"0 trace2 exit code:1=0\n"
		"0 trace2 atexit code:1=0\n",
		"a file in a directory has records");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	only_fxt(kit_path("nested.d/a.fxt"));
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

int main(void)
{
	kit_start();
	test_records();
	test_targets();
	test_values();
	test_files();
	return kit_done();
}
