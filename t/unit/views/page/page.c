/* `trace2 report`: what it reads, writes and returns. */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "cli/options.h"
#include "views/page/page.h"

#define EVENT(sid, event, us, rest)                                    \
	"{\"event\":\"" event "\",\"sid\":\"" sid                      \
	"\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000" us \
	"Z\"" rest "}\n"
#define PAGE_LOG(sid)                                                   \
	EVENT(sid, "version", "100", ",\"evt\":\"3\",\"exe\":\"2.55\"") \
	EVENT(sid, "start", "100", ",\"t_abs\":0.0,\"argv\":[\"x<y\"]") \
	EVENT(sid, "atexit", "300", ",\"t_abs\":0.0002,\"code\":0")
#define TRY_HELP "Try 'trace2 report --help'.\n"
#define REFUSAL(why) "trace2 report: " why "\n" TRY_HELP

static int call_report(const char *words)
{
	char line[512];

	snprintf(line, sizeof(line), "report %s", words);
	return kit_call(tr2_page_main, line);
}

static int is_page(const char *text)
{
	const char *end = text + strlen(text);

	return !strncmp(text, "<!DOCTYPE html>\n", 16) &&
	       !strcmp(end - 8, "</html>\n");
}

static void test_report_options(void)
{
	tap_int(call_report("-h"), 0, "help of a report is a success");
	tap_int(call_report("log"), 2, "a report needs an output");
	tap_str(kit_said[1], "", "without an output nothing is printed");
}

static void test_report_page(void)
{
	write_file("a", PAGE_LOG("A"));
	write_file("b", PAGE_LOG("B"));
	tap_int(call_report("-o - a b"), 0, "logs become a page");
	tap_ok(is_page(kit_said[1]), "the page is on standard output");
	tap_ok(strstr(kit_said[1], "\"texts\":[\"\",\"A\",\"B\","),
	       "the page has all logs");
	tap_str(kit_said[2], "", "a page without faults reports nothing");
	tap_ok(strstr(kit_said[1], "[\\\"x\\u003cy\\\"]") &&
		       !strstr(kit_said[1], "x<y"),
	       "no text of a log can end an element");
	tap_int(call_report("--output out a"), 0, "a page may be a file");
	tap_ok(is_page(kit_text("out")), "the file is the page");
	tap_str(kit_said[1], "", "and nothing else is printed");
	tap_int(tr2_page_write("a", "other"), 0, "a page needs no words");
	tap_ok(is_page(kit_text("other")), "that page is whole, too");
	tap_ok(strstr(kit_text("other"), ",\n\"findings\":{\"findings\":[") &&
		       strstr(kit_text("other"), "}}\n}\n</script>\n<script>"),
	       "the findings are the end of the data");
}

static void test_report_faults(void)
{
	write_file("odd", PAGE_LOG("A") "{odd\n");
	tap_int(call_report("-o out odd"), 1, "a line may be no event");
	tap_ok(strstr(kit_said[2], "odd:4:"), "that line is reported");
	tap_ok(strstr(kit_text("out"), "\"id\":\"input.") != NULL,
	       "and is a finding of the page");
	write_file("empty", "");
	write_file("out", "old");
	tap_int(call_report("-o out empty"), 3, "a page needs an event");
	tap_ok(strstr(kit_said[2], "empty file"), "an empty log is reported");
	tap_str(kit_text("out"), "old", "an old page stays then");
	write_file("blank", "\n");
	tap_int(call_report("-o out2 blank"), 3,
		"a log may have blank lines only");
	tap_ok(!strncmp(kit_said[2], "trace2 report: ", 15),
	       "who complains about a log is named");
	tap_ok(!has_file("out2"), "and no page is begun");
	tap_int(call_report("-o out missing"), 3, "a log may be missing");
	tap_int(call_report("-o out a missing"), 3,
		"one of two logs may be missing");
	tap_ok(is_page(kit_text("out")), "there is a page of the other one");
	tap_int(call_report("-o out a empty"), 1,
		"one of two logs may be empty");
	tap_int(call_report("-o no/out a"), 3, "a page needs a directory");
	tap_ok(!strncmp(kit_said[2], "trace2 report: ", 15) &&
		       strstr(kit_said[2], "no/out"),
	       "the output of a report is named");
	write_file("none", "{\"event\":\"start\"}\n");
	tap_int(call_report("-o out2 none"), 3, "an event needs a SID");
	tap_ok(!strncmp(kit_said[2], "trace2 report: ", 15),
	       "who misses the SID is named");
	tap_ok(!has_file("out2"), "without a process there is no page");
}

/* Standard input is the file `log`. */
static int report_input(int argc, char **argv)
{
	const int before = kit_replace(0, "log", O_RDONLY);
	const int code = tr2_page_main(argc, argv);

	kit_put_back(0, before);
	return code;
}

/* Standard output is a file in the folder `logs`. */
static int report_beside(int argc, char **argv)
{
	const int before = kit_replace(1, "logs/made", O_WRONLY | O_CREAT);
	const int code = tr2_page_main(argc, argv);

	kit_put_back(1, before);
	return code;
}

static void test_report_streams(void)
{
	tap_int(kit_call(report_input, "report -o log -"), 2,
		"a log on standard input is not replaced");
	tap_str(kit_text("log"), PAGE_LOG("A"),
		"a log on standard input stays as it is");
	tap_int(kit_call(report_input, "report -o out -"), 0,
		"a log may be on standard input");
	tap_int(kit_call(report_beside, "report -o - logs"), 0,
		"standard output may be beside the logs");
	tap_str(kit_said[2], "", "it is not read as a log");
	unlink("logs/made");
}

static void test_report_over_log(void)
{
	write_file("log", PAGE_LOG("A"));
	tap_int(call_report("-o log log"), 2,
		"a page does not replace a log that it reads");
	tap_str(kit_said[2], REFUSAL("would overwrite what it reads: log"),
		"it says what would be lost");
	tap_str(kit_text("log"), PAGE_LOG("A"), "the log is not lost");
	tap_int(call_report("-o log a log log"), 2,
		"a log may be among others");
	tap_str(kit_said[2], REFUSAL("would overwrite what it reads: log"),
		"that is said once");
	tap_need(!symlink("log", "link") && !mkdir("logs", 0700));
	tap_int(call_report("-o link log"), 2,
		"a log that a page would replace may be a link");
	write_file("logs/a", PAGE_LOG("A"));
	test_report_streams();
	tap_int(call_report("-o logs/page.html logs"), 0,
		"a page may be beside its logs");
	tap_int(call_report("-o logs/page.html logs"), 0,
		"a page may be made again beside its logs");
	tap_str(kit_said[2], "", "the old page is not read as a log");
	write_file("logs/page.html", "");
	tap_int(call_report("-o logs/page.html logs"), 0,
		"an output may be there that is empty");
	tap_int(call_report("-o out logs"), 1,
		"another page among the logs is reported");
	tap_int(call_report("-o /dev/null a"), 0, "a page may go to nowhere");
}

int main(void)
{
	enter_directory();
	tap_run(test_report_options, test_report_page, test_report_faults,
		test_report_over_log);
	leave_directory();
	return tap_done();
}
