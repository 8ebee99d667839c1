/* Too much, too hard, too late. */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(line) "flood.c", (line)
#define NONE TRACE2_REPO_NONE

static void write_many(int count)
{
	int i;

	for (i = 0; i < count; i++)
		TRACE(data_intmax, AT(10), "flood", NONE, "number", i);
}

static void flooding_thread(int place, void *data)
{
	(void)place;
	TRACE(thread_start, AT(11), "flood");
	write_many(*(int *)data);
	TRACE(thread_exit, AT(12));
}

/* Each thread writes `count` numbers; with 0 threads, main does. */
static void run_590flood(int *numbers)
{
	if (numbers[1])
		tool_threads(numbers[1], flooding_thread, numbers);
	else
		write_many(numbers[0]);
}

/* Writes events, and prints how many were dropped. */
static void run_591dropped(int *count)
{
	write_many(*count);
	printf("%llu\n", (unsigned long long)trace2_dropped());
}

static const struct {
	const char *name;
	const char *text;
	size_t repeat;
} texts[] = {
	{ "control", "\b\f\n\r\t\x01\x1f\x7f\x1b[31m", 1 },
	{ "quotes", "'\"\\/!$`", 1 },
	{ "utf8", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\x89", 1 },
	{ "invalid",
	  "a\xff"
	  "b\xc3(\xe2\x82"
	  "c\xf0\x9f\x8e\xed\xa0\x80\xc0\xaf",
	  1 },
	{ "newlines", "one\ntwo\r\n\nthree\n", 1 },
	{ "password", "fetch https://user:secret@host/x", 1 },
	{ "long", "0123456789", 10240 },
};

static char *find_text(const char *name)
{
	size_t i, k, len;
	char *text;

	for (i = 0; name && i < ARRAY_SIZE(texts); i++) {
		if (strcmp(texts[i].name, name))
			continue;
		len = strlen(texts[i].text);
		text = malloc(len * texts[i].repeat + 1);
		if (!text)
			break;
		for (k = 0; k < texts[i].repeat; k++)
			memcpy(text + k * len, texts[i].text, len + 1);
		return text;
	}
	tool_die(AT(30), "expect control, quotes, utf8, invalid, newlines, "
			 "password or long");
}

/* One text in every place that takes text. */
static int run_592text(const char **argv)
{
	char *text = find_text(argv[0]);
	const char *words[] = { "word", text, NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;
	int repo;

	child.child_class = text;
	child.dir = text;
	child.argv = words;
	TRACE(cmd_start, AT(40), words);
	TRACE(cmd_ancestry, AT(41), words);
	TRACE(cmd_path, AT(42), text);
	TRACE(cmd_mode, AT(43), text);
	TRACE(cmd_alias, AT(44), text, words);
	TRACE(def_param, AT(45), text, text);
	repo = TRACE(def_repo, AT(46), text);
	tool_error(AT(47), "%s", text);
	TRACE(child_start, AT(48), &child);
	child.hook_name = text;
	TRACE(child_start, AT(49), &child);
	TRACE(child_ready, AT(50), &child, "ready");
	TRACE(exec, AT(51), text, words);
	TRACE(region_enter_printf, AT(52), text, text, repo, "%s", text);
	TRACE(data_string, AT(53), text, repo, text, text);
	TRACE(data_json, AT(54), text, repo, text, text);
	TRACE(region_leave_printf, AT(55), text, text, repo, "%s", text);
	TRACE(printf, AT(56), "%s", text);
	TRACE(printf, text, 57, "a file's name");
	TRACE(cmd_name, AT(58), text);
	free(text);
	return 0;
}

static void late_calls(void)
{
	TRACE(printf, AT(60), "too late");
	TRACE(region_enter, AT(61), "cat", "too late", NONE);
	TRACE(cmd_exit, AT(62), 1);
}

static void run_593late_call(void)
{
	tool_after_exit(late_calls);
}

static int run_594exit_twice(const char **argv)
{
	(void)argv;
	TRACE(cmd_exit, AT(70), 3);
	TRACE(printf, AT(71), "after the first report");
	return 4;
}

const struct verb verbs_flood[] = {
	NUMERIC(590flood, "<count> <threads>", 2, AT(13)),
	NUMERIC(591dropped, "<count>", 1, AT(20)),
	VERB(592text, "<kind>"),
	PLAIN(593late_call),
	VERB(594exit_twice, ""),
	{ .name = NULL },
};
