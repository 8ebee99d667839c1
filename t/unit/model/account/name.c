/* What commands, callers, hosts and hours are called where events are odd. */
#include "model/account/account_kit.h"
#include "model/account/name.h"
#include "host/host.h"

#define START(argv) "\"t_abs\":0.0,\"argv\":" argv

/* A process of a microsecond with these arguments. */
static const char *name_of(const char *argv)
{
	char rest[256];

	begin_story(TR2_BY_NOTHING);
	snprintf(rest, sizeof(rest), START("%s"), argv);
	tell_event(GIT, 0, "start", rest);
	tell_event(GIT, 1, "atexit", "\"t_abs\":0.000001,\"code\":0");
	return keep_lines(end_story(), "slowest");
}

static void test_words(void)
{
	static const struct {
		const char *argv, *said;
	} rows[] = {
		{ "[\"git\",\"a\\u0000b\"]", "slowest: git a\n" },
		{ "[\"git\",\"-c\",\"-c\",\"log\"]", "slowest: git log\n" },
		{ "[\"git\",\"--exec-path\",\"log\"]", "slowest: git log\n" },
		{ "[\"git\",\"-C\"]", "slowest: git\n" },
		{ "[\"git\",\"--config-env\"]", "slowest: git\n" },
		{ "[\"git.exe\"]", "slowest: git\n" },
		{ "[\"gitk\",\"log\"]", "slowest: gitk\n" },
		{ "[\"a/bc def/gh\"]", "slowest: gh\n" },
		{ "[\"/a/less -R /b\"]", "slowest: less\n" },
		{ "[\"C:\\\\A B\\\\git.EXE\"]", "slowest: git\n" },
		{ "[\"/a\\\\b\"]", "slowest: a\\b\n" },
		{ "[\"a/\"]", "slowest: (none)\n" },
		{ "[\"a\\tb\"]", "slowest: a\n" },
		{ "[\"a\\nb\"]", "slowest: a\n" },
		{ "[\"\"]", "slowest: (none)\n" },
		{ "[]", "slowest: (none)\n" },
		{ "[\"a\",5]", "slowest: (none)\n" },
		{ "\"a\"", "slowest: (none)\n" },
		{ "{\"a\":\"b\"}", "slowest: (none)\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_str(name_of(rows[i].argv), rows[i].said, rows[i].argv);
}

static const char *caller_of(const char *ancestry)
{
	char rest[256];

	begin_story(TR2_BY_CALLER);
	tell_event(GIT, 0, "start", START("[\"a\"]"));
	snprintf(rest, sizeof(rest), "\"ancestry\":%s", ancestry);
	tell_event(GIT, 0, "cmd_ancestry", rest);
	tell_event(GIT, 1, "atexit", "\"t_abs\":0.000001,\"code\":0");
	return keep_lines(end_story(), "groups");
}

#define CALLED(name) "groups " name ": count 1 total 1 self 1\n"

static void test_callers(void)
{
	static const struct {
		const char *ancestry, *said;
	} rows[] = {
		{ "[\"sh\"]", CALLED("sh") },
		{ "[\"sh\",\"make\"]", CALLED("sh < make") },
		{ "[\"\",\"make\"]", CALLED(" < make") },
		{ "[\"\"]", CALLED("(none)") },
		{ "[]", CALLED("(none)") },
		{ "[\"sh\",5]", CALLED("(none)") },
		{ "\"sh\"", CALLED("(none)") },
		{ "5", CALLED("(none)") },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_str(caller_of(rows[i].ancestry), rows[i].said,
			rows[i].ancestry);
	begin_story(TR2_BY_CALLER);
	tell_event(GIT, 0, "cmd_ancestry", "\"x\":5");
	tell_event(GIT, 1, "atexit", "\"code\":0");
	tap_str(keep_lines(end_story(), "groups"), CALLED("(none)"),
		"an event without ancestry names no caller");
}

/*
 * ---- Memory
 */

static struct tr2_rows rows_of_names;
static struct tr2_record event;
static struct tr2_summary_process process;

static void read_event(const char *text)
{
	static char line[4096 + TR2_TOKENS_PADDING];

	memset(line, 0, sizeof(line));
	snprintf(line, 4096, "%s", text);
	if (tr2_record_read(&event, line, strlen(text)) != TR2_RECORD_OK)
		abort();
}

static void name_words(void)
{
	tr2_words_name(&rows_of_names, &event);
}

static void name_caller(void)
{
	tr2_name_take(&process.names, &rows_of_names, &event);
}

static void name_command(void)
{
	tr2_name_command(&rows_of_names, &process.names);
}

static void name_group(void)
{
	struct tr2_forest forest = { .rows = rows_of_names, .by = TR2_BY_HOUR };

	tr2_name_group(&forest, &process);
}

static int calls_left; /* for memory, before one fails */

static void *fail_after_calls(void *old, size_t size)
{
	return calls_left-- ? realloc(old, size) : NULL;
}

/* How often the call ends the command if one of its allocations fails. */
static int always_tells(void (*call)(void), int allocations)
{
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *before;
	int i, times = 0;

	host.realloc = fail_after_calls;
	tr2_host = &host;
	for (i = 0; i < allocations; i++) {
		calls_left = i;
		times += kit_runs_out(call);
	}
	tr2_host = before;
	return times;
}

/* The subcommand has as many bytes as need more memory than the program. */
static const char *make_long_event(void)
{
	static char text[4096];
	size_t len;

	len = (size_t)snprintf(text, sizeof(text),
			       "{\"event\":\"start\",\"argv\":[\"git\",\"");
	memset(text + len, 'x', 3000);
	strcpy(text + len + 3000, "\"]}");
	return text;
}

static void test_no_memory(void)
{
	tr2_rows_begin(&rows_of_names);
	read_event(make_long_event());
	tap_int(always_tells(name_words, 3), 3,
		"a long command is not named if a part of it has no memory");
	read_event("{\"event\":\"start\",\"argv\":[\"git\",\"add\"]}");
	tap_int(always_tells(name_words, 1), 1,
		"a command is not named without memory");
	read_event("{\"event\":\"cmd_ancestry\",\"ancestry\":[\"sh\"]}");
	tap_int(always_tells(name_caller, 1), 1, "nor is a caller");
	process.names.name = tr2_rows_name(&rows_of_names, "checkout", 8);
	process.names.mode = tr2_rows_name(&rows_of_names, "branch", 6);
	process.timed = true;
	process.base = INT64_MAX / 100;
	tap_int(always_tells(name_command, 1), 1, "nor a mode");
	tap_int(always_tells(name_group, 1), 1, "nor an hour");
	tr2_record_release(&event);
	tr2_rows_release(&rows_of_names);
}

int main(void)
{
	tap_run(test_words, test_callers, test_no_memory);
	return tap_done();
}
