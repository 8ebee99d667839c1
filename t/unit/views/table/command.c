/* `trace2 table`: what it reads, writes and returns. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/command.h"
#include "kit/file.h"
#include "views/table/filter_kit.h"
#include "cli/options.h"
#include "views/table/table.h"

#include <sys/stat.h>

#define EVENT(sid, event, rest)                   \
	"{\"event\":\"" event "\",\"sid\":\"" sid \
	"\",\"time\":\"2026-01-14T10:00:00.000100Z\"" rest "}\n"
#define LOG(sid)                                 \
	EVENT(sid, "start", ",\"argv\":[\"a\"]") \
	EVENT(sid, "atexit", ",\"t_abs\":0.1,\"code\":0")
#define ROW(sid)                                                                \
	"\"" sid "\",\"" sid "\",\"2026-01-14T10:00:00.000100Z\","              \
	"\"2026-01-14\",\"2026-01-12\",\"a\",\"[\"\"a\"\"]\",,,,1,0,0,,100000," \
	"100000,0,1,0,0,,,,,\n"
#define HEAD                                                               \
	"\"sid\",\"session\",\"time\",\"day\",\"week\",\"command\","       \
	"\"argv\",\"version\",\"repository\",\"caller\",\"finished\","     \
	"\"failed\",\"code\",\"signal\",\"wall_us\",\"self_us\","          \
	"\"waited_us\",\"joined\",\"joined_failed\",\"errors\",\"error\"," \
	"\"host\",\"host_name\",\"user\",\"attributes\"\n"

static int call_table(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "table %s", words);
	return kit_call(tr2_table_main, text);
}

static void test_rows(void)
{
	write_file("a", LOG("A"));
	write_file("b", LOG("B"));
	tap_int(call_table("--format csv a b"), 0, "logs become rows");
	tap_str(kit_said[1], HEAD ROW("A") ROW("B"),
		"each log has a row on standard output");
	tap_str(kit_said[2], "", "a success reports nothing");
	tap_int(call_table("--format csv -o out b"), 0,
		"rows may be written to a file");
	tap_str(kit_text("out"), HEAD ROW("B"), "the file has the rows");
	tap_str(kit_said[1], "", "standard output then has none");
	write_file("odd", EVENT("A", "start", ""));
	tap_int(call_table("--format csv --rows processes odd"), 0,
		"a log of a table may have no end");
	tap_ok(strstr(kit_said[1], "\n\"A\","), "and has a row all the same");
	write_file("odd", EVENT("A", "version", "") LOG("A"));
	tap_int(call_table("--format csv odd"), 0,
		"a log may begin with its version");
	tap_str(kit_said[1], HEAD ROW("A"),
		"the words of a row are those of its line");
	call_table("--rows events odd");
	tap_ok(strstr(kit_said[1],
		      "\"record\":\"{\\\"event\\\":\\\"start\\\","),
	       "an event has the text of its line");
	write_file("odd", EVENT("A", "start", "")
				  EVENT("A", "data", ",\"value\":[7]"));
	call_table("--rows data odd");
	tap_ok(strstr(kit_said[1], "\"value\":\"[7]\""),
	       "a row of data has the value as it was written");
	tap_int(call_table("--format csv --rows errors a"), 0,
		"there may be no rows of a kind");
	tap_str(kit_said[1],
		"\"sid\",\"session\",\"command\",\"time\",\"day\","
		"\"thread\",\"fmt\",\"msg\",\"file\",\"line\"\n",
		"a kind has columns of its own");
}

/* The record with which each archive begins. */
static void write_archive(const char *name)
{
	static const char magic[] = "\x10\0\x04\x46\x78\x54\x16";
	FILE *file = fopen(name, "w");

	tap_need(file && fwrite(magic, 8, 1, file) == 1 && !fclose(file));
}

static void test_wrong_logs(void)
{
	write_file("out", "old");
	tap_int(call_table("-o out none"), 3, "a log must be there");
	tap_str(kit_text("out"), "old",
		"a log that is missing leaves an old file alone");
	tap_int(call_table("-o out none a"), 3,
		"one log that is missing is a failure");
	tap_ok(strstr(kit_said[2], "none:1:1: error"),
	       "the missing log is named");
	write_file("odd", "{no event\n" LOG("A"));
	tap_int(call_table("odd"), 1, "a line that is no event is left out");
	tap_ok(*kit_said[1] == '{' && strstr(kit_said[2], "odd:1"),
	       "it is reported, and the others are read");
	write_file("odd", "a program's line\n" LOG("A"));
	tap_int(call_table("odd"), 0, "a line of a program is no error");
	tap_ok(*kit_said[1] == '{' &&
		       strstr(kit_said[2], "the first is line 1"),
	       "it is told, and the events are read");
	write_file("odd", "");
	write_file("out", "old");
	tap_int(call_table("-o out odd"), 3, "a log has at least one event");
	tap_str(kit_said[2],
		"trace2 table: odd: this is an empty file; expected an EVENT, "
		"PERF or NORMAL log\n",
		"an empty log is named");
	tap_str(kit_text("out"), "old",
		"without an event an old file stays as it is");
	write_archive("odd");
	tap_int(call_table("a odd"), 1, "an archive of FXT is left out");
	tap_ok(strstr(kit_said[2], "odd") && *kit_said[1] == '{',
	       "a file that is left out is named, and others are read");
	tap_int(call_table("--format csv a /dev/null/x"), 3,
		"a path may lead nowhere");
}

/* Standard input is the log `a`. */
static int read_input(int argc, char **argv)
{
	const int before = kit_replace(0, "a", O_RDONLY);
	const int rc = tr2_table_main(argc, argv);

	kit_put_back(0, before);
	return rc;
}

static void test_overwritten(void)
{
	write_file("a", LOG("A"));
	tap_int(call_table("-o a a"), 2, "a log is not overwritten");
	tap_str(kit_said[2],
		"trace2 table: would overwrite what it reads: a\n"
		"Try 'trace2 table --help'.\n",
		"a log that would be overwritten is named");
	tap_str(kit_text("a"), LOG("A"), "and it stays as it is");
	tap_need(!link("a", "other"));
	tap_int(call_table("-o other b a b a"), 2,
		"a log may have another name");
	tap_ok(!strstr(strstr(kit_said[2], "would") + 1, "would"),
	       "what would be overwritten is told once");
	unlink("other");
	write_file("odd", "no event\n");
	call_table("-o a a odd");
	tap_ok(!strstr(kit_said[2], "odd"),
	       "after a refusal no other log is read");
	tap_int(kit_call(read_input, "table -o a -"), 2,
		"standard input is not overwritten, either");
	tap_str(kit_text("a"), LOG("A"), "and it, too, stays as it is");
	mkdir("logs", 0777);
	tap_int(call_table("logs"), 3, "a folder has at least one log");
	tap_ok(*kit_said[2], "and one without a log is reported");
	write_file("logs/a", LOG("A"));
	tap_int(call_table("--format csv -o logs/out logs"), 0,
		"the output may be among the logs");
	tap_str(kit_text("logs/out"), HEAD ROW("A"),
		"what is being written is not read");
	tap_int(call_table("--format csv -o /dev/null a"), 0,
		"a device may be the output");
	call_table("-o /dev/null /dev/null a");
	tap_ok(!strstr(kit_said[2], "overwrite"),
	       "a device is not overwritten when it is read");
}

static void test_outputs(void)
{
	tap_int(call_table("-o none/out a"), 3, "an output can be made");
	tap_str(kit_said[2],
		"trace2 table: none/out: No such file or directory\n",
		"an output that can't be made is named, and no log is read");
	tap_int(call_table("--format sqlite --rows data,errors -o db a"), 0,
		"rows may become a database");
	tap_ok(!strncmp(kit_text("db"), "SQLite format 3", 15),
	       "a database is one of SQLite");
	tap_int(call_table("--format csv -o out a"), 0, "a file is replaced");
	tap_str(kit_text("out"), HEAD ROW("A"), "by the new rows");
}

int main(void)
{
	static const char *const files[] = {
		"a",  "b",	"odd",	    "out",	  "f.yml",
		"db", "logs/a", "logs/out", "logs/stdout"
	};
	size_t i;

	enter_folder();
	tap_run(test_rows, test_wrong_logs, test_overwritten, test_outputs);
	unlink("logs/out");
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(files[i]);
	rmdir("logs");
	tap_int(rmdir(kit_folder), 0, "no partial file is left");
	return tap_done();
}
