/* Messages of any length, and events whose texts hold passwords. */
#include "process/process_kit.h"

#include <wchar.h>

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"
#define SECRET "https://u:secret@h/"
#define HIDDEN "https://u:<REDACTED>@h/"

static const char *const argv[] = { "a", SECRET, "b", SECRET, NULL };

static int redact_secrets(void)
{
	begin_program();
	trace2_cmd_alias_fl("main.c", 2, "name", argv);
	trace2_def_param_fl("main.c", 3, SECRET "1", SECRET "2");
	trace2_def_param_fl("main.c", 4, "param", SECRET "2");
	trace2_def_param_fl("main.c", 5, SECRET "1", "value");
	trace2_printf_fl("main.c", 6, "%s", SECRET);
	trace2_data_string_fl("main.c", 7, "c", 0, "key", SECRET);
	trace2_data_json_fl("main.c", 8, "c", 0, "key", "[\"http://u:s\",1]");
	trace2_cmd_path_fl("main.c", 9, SECRET);
	trace2_printf_fl("main.c", 10, "%s", "http://u:a\"b@h");
	trace2_exec_fl("main.c", 11, SECRET, NULL);
	return 0;
}

static int secrets_unhidden(void)
{
	process_setenv("GIT_TRACE2_REDACT", "0");
	begin_program();
	trace2_cmd_alias_fl("main.c", 2, "name", argv);
	trace2_printf_fl("main.c", 3, "%s", SECRET);
	return 0;
}

/* There is memory for nothing but the line, which has it already. */
static int no_secret(void)
{
	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	memory_fail(1);
	memory_fail_on = 1;
	trace2_exec_fl("main.c", 3, "exe", argv);
	trace2_exec_fl("main.c", 4, "exe", argv + 4);
	trace2_cmd_alias_fl("main.c", 5, "name", (const char *[]){ "a", NULL });
	memory_fail_on = 0;
	memory_fail(0);
	return trace2_dropped() != 1;
}

static void test_secrets(void)
{
	tap_str(process_told(redact_secrets),
		BEGIN "alias main main.c:2 alias:name argv:[a " HIDDEN
		      " b " HIDDEN "]\n"
		      "def_param main main.c:3 scope:unknown param:" HIDDEN
		      "1 value:" HIDDEN "2\n"
		      "def_param main main.c:4 scope:unknown param:param "
		      "value:" HIDDEN "2\n"
		      "def_param main main.c:5 scope:unknown param:" HIDDEN
		      "1 value:value\n"
		      "printf main main.c:6 t_abs:0.000000 msg:" HIDDEN "\n"
		      "data main main.c:7 t_abs:0.000000 t_rel:0.000000 "
		      "nesting:1 category:c key:key value:" HIDDEN "\n"
		      "data_json main main.c:8 t_abs:0.000000 t_rel:0.000000 "
		      "nesting:1 category:c key:key value:[http://u:s 1]\n"
		      "cmd_path main main.c:9 path:" SECRET "\n"
		      "printf main main.c:10 t_abs:0.000000 "
		      "msg:http://u:<REDACTED>@h\n"
		      "exec main main.c:11 exec_id:0 exe:" SECRET " argv:[]\n",
		"each text that may hold a password is searched");
	process_prepare();
	tap_int(kit_in_child(no_secret), 0,
		"what holds none is not copied to be searched");
	tap_str(process_told(secrets_unhidden),
		BEGIN "alias main main.c:2 alias:name argv:[a " SECRET
		      " b " SECRET "]\n"
		      "printf main main.c:3 t_abs:0.000000 msg:" SECRET "\n",
		"passwords stay where that is asked for");
}

/* A string of JSON ends what a password may reach to. */
static int json_secrets(void)
{
	begin_program();
	trace2_data_json_fl("main.c", 2, "c", 0, "key",
			    "[\"http://u:s\",\"x@y\",\"http://u:t@h\"]");
	return 0;
}

static void test_json(void)
{
	process_told(json_secrets);
	tap_ok(strstr(kit_content("event"), "\"value\":[\"http://u:s\",\"x@y\","
					    "\"http://u:<REDACTED>@h\"]}"),
	       "JSON stays JSON when a password is hidden");
}

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

/* Memory fails for some of very many words, at any point. */
static int many_words(void)
{
	static const char *words[150000];
	int kept = 0;

	for (size_t i = 0; i < 149999; i++)
		words[i] = i ? "word" : SECRET;
	begin_program();
	memory_fail_on = 1;
	memory_fail(1);
	trace2_cmd_alias_fl("main.c", 2, "first", argv);
	memory_fail_on = 0;
	for (int i = 1; i < 14; i++) {
		memory_fail(i);
		trace2_cmd_alias_fl("main.c", 2, "a", argv);
		memory_fail(i);
		trace2_cmd_alias_fl("main.c", 3, "b", words);
		memory_fail_on = 1;
		memory_fail(i);
		trace2_cmd_alias_fl("main.c", 4, "c", words);
		memory_fail_on = 0;
		memory_fail(0);
		kept += !trace2_dropped();
	}
	return kept;
}

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

static void test_many_words(void)
{
	process_prepare();
	tap_int(kit_in_child(many_words), 0,
		"words without memory are dropped, and not looked for");
}

int main(void)
{
	kit_start();
	tap_run(test_secrets, test_json, test_messages, test_many_words,
		test_json_without_memory);
	return kit_done();
}
