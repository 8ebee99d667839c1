/*
 * Calls with texts of any length, also without memory, and the struct of a
 * child.
 */
#include "process/process_kit.h"
#include "session/session.h"
#include <wchar.h>

/*
 * ---- Calls
 */

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

/* Hierarchies of as many bytes as a child may have, and of one more. */
static int long_names(void)
{
	static char name[TR2_SESSION_MOST + 2];
	const char *exported;

	begin_program();
	memset(name, 'x', TR2_SESSION_MOST);
	trace2_cmd_name_fl("main.c", 2, name);
	exported = process_getenv("GIT_TRACE2_PARENT_NAME");
	if (strlen(exported) != TR2_SESSION_MOST)
		return 1;
	name[TR2_SESSION_MOST] = 'x';
	trace2_cmd_name_fl("main.c", 4, name);
	return process_getenv("GIT_TRACE2_PARENT_NAME") != exported;
}

static void test_long_names(void)
{
	process_prepare();
	tap_int(kit_in_child(long_names), 0,
		"a hierarchy that no child would take is not exported");
}

/*
 * ---- A child's struct
 */

/*
 * Programs that were compiled with another version of trace2.h hold this
 * struct: no field may move, and the size may not change.
 */
static const size_t child_layout[][2] = {
	{ offsetof(struct trace2_child, child_class), 0 },
	{ offsetof(struct trace2_child, hook_name), 8 },
	{ offsetof(struct trace2_child, dir), 16 },
	{ offsetof(struct trace2_child, argv), 24 },
	{ offsetof(struct trace2_child, use_shell), 32 },
	{ offsetof(struct trace2_child, pid), 36 },
	{ offsetof(struct trace2_child, child_id_), 40 },
	{ offsetof(struct trace2_child, start_us_), 48 },
	{ offsetof(struct trace2_child, reserved_), 56 },
	{ sizeof(struct trace2_child), 120 },
};

static void test_child_layout(void)
{
	const char *name = "a child's fields stay where old programs have them";
	size_t moved = 0;

	if (sizeof(void *) != 8) {
		tap_skip(name, "the offsets are those of 64-bit machines");
		return;
	}
	for (size_t i = 0; i < sizeof(child_layout) / sizeof(*child_layout);
	     i++)
		moved += child_layout[i][0] != child_layout[i][1];
	tap_int((int)moved, 0, name);
}

/* A later version may give these bytes to the program: leave them alone. */
static int child_reserve(void)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;
	struct trace2_child child = init;
	uint64_t used = 0;

	begin_program();
	memset(child.reserved_, 0x5a, sizeof(child.reserved_));
	trace2_child_start_fl("main.c", 2, &child);
	trace2_child_ready_fl("main.c", 3, &child, "ready");
	trace2_child_exit_fl("main.c", 4, &child, 0);
	for (size_t i = 0; i < sizeof(init.reserved_) / 8; i++)
		used |= init.reserved_[i] |
			(child.reserved_[i] ^ 0x5a5a5a5a5a5a5a5aU);
	return used != 0;
}

static void test_child_reserve(void)
{
	tap_int(kit_in_child(child_reserve), 0,
		"a child's reserved fields begin as 0 and stay untouched");
}

/*
 * ---- Redact
 */

/* Lengths around the first room, and around what it grows to. */
static int redact_lengths(void)
{
	static const int cases[] = { 0,	   1,	 1022, 1023, 1024, 1025,
				     2046, 2047, 2048, 2049, 9000 };
	static char text[9001];

	memset(text, 'x', sizeof(text) - 1);
	begin_program();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		trace2_printf_fl("main.c", cases[i], "%.*s", cases[i], text);
	return trace2_dropped() != 0;
}

static int redact_wide(void)
{
	begin_program();
	trace2_printf_fl("main.c", 2, "%lc", (wint_t)0x7fffffff);
	return trace2_dropped() != 0;
}

static void test_messages(void)
{
	const char *log = process_told(redact_lengths);
	int good = 1, line, at;

	for (log = strchr(log, '\n') + 1; *log; log = strchr(log, '\n') + 1) {
		at = 0;
		sscanf(log, "printf main main.c:%d t_abs:0.000000 msg:%n",
		       &line, &at);
		good &= at && strspn(log + at, "x") == (size_t)line &&
			log[at + line] == '\n';
	}
	tap_ok(good, "a message is whole, however long");
	tap_str(process_told(redact_wide),
		BEGIN "printf main main.c:2 t_abs:0.000000 msg:%lc\n",
		"a message that can't be made is its format");
}

static char long_json[65536];

static int json_without_memory(void)
{
	begin_program();
	trace2_data_json_fl("main.c", 2, "c", 0, "k", "[\"http://u:s@h\"]");
	memory_fail_on = 1;
	memory_fail(1);
	trace2_data_json_fl("main.c", 3, "c", 0, "k", long_json);
	memory_fail_on = 0;
	memory_fail(0);
	return trace2_dropped() != 1;
}

static void test_json_without_memory(void)
{
	memset(long_json, 'x', sizeof(long_json) - 1);
	memcpy(long_json, "[\"http://u:s@h/", 15);
	memcpy(long_json + sizeof(long_json) - 3, "\"]", 2);
	tap_str(process_told(json_without_memory),
		BEGIN
		"data_json main main.c:2 t_abs:0.000000 t_rel:0.000000 "
		"nesting:1 category:c key:k value:[http://u:<REDACTED>@h]\n",
		"JSON without memory is dropped, and no secret is written");
}

/* Wherever memory fails first, the loss is counted. */
static int poor_life(void)
{
	int silent;

	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	silent = memory_calls >= memory_fail_at && !trace2_dropped();
	if (process_exit)
		process_exit(0);
	return silent;
}

static void test_poor_lives(void)
{
	int good = 1, i;

	for (i = 1; i < 40; i++) {
		process_prepare();
		memory_fail(i);
		good &= !kit_in_child(poor_life);
	}
	memory_fail(0);
	kit_stderr();
	tap_ok(good,
	       "a life that begins without memory goes on, and counts a loss");
}

static void run_redact(void)
{
	tap_run(test_messages, test_json_without_memory, test_poor_lives,
		test_child_layout, test_child_reserve);
}

int main(void)
{
	kit_start();
	tap_run(test_long_names, run_redact);
	return kit_done();
}
