/*
 * Findings and totals in each of the formats, as bytes, and the memory of a
 * command. SARIF is in sarif.c.
 */
#include "kit/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/wait.h>

#include "validate/report/finding_kit.h"
#include "kit/tap.h"
#include "lib/common/memory.h"
#include "validate/report/report.h"

static struct tr2_shown shown;

static const char *in_format(const char *name,
			     const struct tr2_finding *finding)
{
	shown.finding = finding;
	tr2_format_find(name)->finding(&out, &shown);
	return take_output();
}

static void test_text(void)
{
	struct tr2_finding finding = plain;

	tap_str(in_format("concise", &finding),
		"a%b:c,d:12:3: warning[stream.unfinished]: 50%: a,b?\n",
		"a finding is a line");
	shown.color = true;
	finding.known = "deviation.git.open-at-end";
	tap_str(in_format("concise", &finding),
		"\033[1ma%b:c,d:12:3\033[0m: "
		"\033[1;33mwarning[stream.unfinished]\033[0m: 50%: a,b? "
		"(known: deviation.git.open-at-end)\n",
		"its parts have colours");
	finding.level = TR2_ERROR;
	finding.known = NULL;
	tap_str(in_format("concise", &finding),
		"\033[1ma%b:c,d:12:3\033[0m: "
		"\033[1;31merror[stream.unfinished]\033[0m: 50%: a,b?\n",
		"an error has another one");
	finding = plain;
	shown.color = false;
	finding.text = "abcdef";
	finding.text_len = 6;
	shown.rule = &(struct tr2_rule){ .id = "an.id",
					 .keyword = "MUST",
					 .document = "SPEC.md",
					 .anchor = "chapter",
					 .sentence = "It is." };
	tap_str(in_format("full", &finding),
		"a%b:c,d:12:3: warning[stream.unfinished]: 50%: a,b?\n"
		"    abcdef\n      ^^\n"
		"    = SPEC.md#chapter: an.id (MUST)\n",
		"a finding shows the line and the rule");
	finding = plain;
	shown.rule = NULL;
	tap_str(in_format("full", &finding),
		"a%b:c,d:12:3: warning[stream.unfinished]: 50%: a,b?\n",
		"a finding may have no rule and no text");
	finding.binary = true;
	tap_str(in_format("full", &finding),
		"a%b:c,d:0x2: warning[stream.unfinished]: 50%: a,b?\n"
		"    seen 0x0\n",
		"of a binary one the value is shown");
	finding.expected = "0x10";
	tap_str(in_format("full", &finding),
		"a%b:c,d:0x2: warning[stream.unfinished]: 50%: a,b?\n"
		"    seen 0x0, expected 0x10\n",
		"and the one that should be there");
}

static void test_github(void)
{
	struct tr2_finding finding = plain;

	tap_str(in_format("github", &finding),
		"::warning file=a%25b%3Ac%2Cd,line=12,col=3,"
		"title=stream.unfinished::50%25: a,b?\n",
		"a command has escapes");
	finding.level = TR2_ERROR;
	finding.binary = true;
	tap_str(in_format("github", &finding),
		"::error file=a%25b%3Ac%2Cd,title=stream.unfinished::"
		"0x2: 50%25: a,b?\n",
		"a command may name an offset");
}

static void test_json(void)
{
	struct tr2_finding finding = plain;

	tap_str(in_format("json", &finding),
		"{\"level\":\"warning\",\"id\":\"stream.unfinished\","
		"\"file\":\"a%b:c,d\",\"line\":12,\"column\":3,\"width\":2,"
		"\"message\":\"50%: a,b\\u0001\"}",
		"a finding is an object");
	finding.expected = "0x10";
	tap_ok(strstr(in_format("json", &finding), "\"expected\":\"0x10\"}"),
	       "an object tells what is expected");
	finding.binary = true;
	finding.seen = 31;
	finding.known = "k";
	tap_str(in_format("jsonl", &finding),
		"{\"level\":\"warning\",\"id\":\"stream.unfinished\","
		"\"file\":\"a%b:c,d\",\"offset\":2,\"seen\":31,\"width\":2,"
		"\"message\":\"50%: a,b\\u0001\",\"expected\":\"0x10\","
		"\"known\":\"k\"}\n",
		"a finding is an object on a line");
}

/*
 * ---- Totals
 */

static unsigned long of_rule[2048];
static struct tr2_writer_count writers[] = {
	{ .name = "(unknown)" },
	{ .name = "a\x01", .sessions = 2 },
	{ .name = "b", .findings = 3 },
	{ .name = "c", .sessions = 9 },
};
static struct tr2_statistics statistics = { .writers = { .items = writers,
							 .count = 3 } };
static struct tr2_totals totals = {
	.files = 1,
	.other_files = 2,
	.unreadable_files = 3,
	.processes = 4,
	.findings = { 50, 60, 70 },
	.reported = { 5, 6, 7 },
	.of_rule = of_rule,
	.bytes = 8,
	.microseconds = 1500000,
};

static const char *end_in(const char *format)
{
	tr2_format_find(format)->end(&out, &totals);
	return take_output();
}

#define FOUND "Found 5 errors, 6 warnings and 7 infos in "
#define FILES "1 file; 2 files are no Trace2 logs; 3 files cannot be read\n"

static void test_text_totals(void)
{
	char expected[1024];

	of_rule[tr2_rules_count] = 99;
	tap_str(end_in("full"), FOUND FILES, "totals are a line");
	totals.not_shown = 1100;
	tap_str(end_in("full"),
		"and 1,100 more findings (--max-findings)\n" FOUND FILES,
		"it is told how many are not shown");
	totals.events[TR2_IS_VERSION] = 1;
	totals.events[TR2_IS_START] = 2;
	totals.events[TR2_IS_OTHER] = 1234567;
	totals.records = 1;
	tap_str(end_in("github"),
		"and 1,100 more findings (--max-findings)\n" FOUND
		"1,234,570 events of 4 processes and 1 record in " FILES,
		"a log of a job has the same");
	of_rule[0] = 12;
	of_rule[tr2_rules_count - 1] = 13;
	totals.max_per_rule = 12;
	totals.statistics = &statistics;
	snprintf(expected, sizeof(expected),
		 "findings of %s 12\nfindings of %s 13\n"
		 "writer a?: sessions 2, findings 0\n"
		 "writer b: sessions 0, findings 3\n"
		 "rules exercised %zu of %zu\n"
		 "event types: version 1, start 2, (unknown) 1234567\n"
		 "files 1, other files 2, unreadable 3, processes 4, "
		 "events 1234570, records 1, errors 5, warnings 6, infos 7\n"
		 "and 1 more of %s (--max-per-rule 0 shows all)\n"
		 "and 1,099 more findings (--max-findings)\n" FOUND
		 "1,234,570 events of 4 processes and 1 record in " FILES,
		 tr2_rules[0].id, tr2_rules[tr2_rules_count - 1].id,
		 tr2_totals_exercised(&totals), tr2_rules_count,
		 tr2_rules[tr2_rules_count - 1].id);
	tap_str(end_in("concise"), expected, "statistics are told");
	totals.max_per_rule = 0;
	totals.events[TR2_IS_OTHER] = 3;
	totals.records = 9;
	totals.not_shown = 11;
}

/* The line about a log of so many errors, infos, events and records. */
static const char *summary_of(unsigned long errors, unsigned long infos,
			      unsigned long events, unsigned long records)
{
	struct tr2_totals few = {
		.files = 1,
		.processes = events > 0,
		.reported = { [TR2_ERROR] = errors, [TR2_INFO] = infos },
		.events = { [TR2_IS_START] = events },
		.records = records,
	};

	tr2_summary_write(&out, &few);
	return take_output();
}

static void test_summary(void)
{
	struct tr2_totals none = { .files = 2, .other_files = 2 };

	tap_str(summary_of(0, 0, 13, 0),
		"OK: 13 events of 1 process in 1 file\n", "a good log is OK");
	tap_str(summary_of(1, 0, 1, 0),
		"Found 1 error in 1 event of 1 process in 1 file\n",
		"one of a kind is singular");
	tap_str(summary_of(0, 1000, 0, 2),
		"Found 1,000 infos in 2 records in 1 file\n",
		"an archive has records");
	tap_str(summary_of(2, 1, 999, 0),
		"Found 2 errors and 1 info in 999 events of 1 process in 1 "
		"file\n",
		"only what is there is named");
	tr2_summary_write(&out, &none);
	tap_str(take_output(),
		"Checked nothing: 2 files; 2 files are no Trace2 logs\n",
		"without a log nothing is OK");
}

static void test_json_totals(void)
{
	char expected[1024];

	snprintf(
		expected, sizeof(expected),
		"\n],\"summary\":{\"files\":1,\"other_files\":2,"
		"\"unreadable_files\":3,\"processes\":4,\"events\":6,"
		"\"event_types\":{\"version\":1,\"start\":2,\"(unknown)\":3},\"records\":9,"
		"\"findings\":{\"error\":5,\"warning\":6,\"info\":7},"
		"\"not_shown\":11,\"statistics\":{\"rules\":%zu,"
		"\"rules_exercised\":%zu,\"findings_of_rules\":{\"%s\":12,"
		"\"%s\":13},\"writers\":[{\"writer\":\"a\\u0001\","
		"\"sessions\":2,\"findings\":0},{\"writer\":\"b\","
		"\"sessions\":0,\"findings\":3}]},\"bytes\":8,"
		"\"seconds\":1.500000}}\n",
		tr2_rules_count, tr2_totals_exercised(&totals), tr2_rules[0].id,
		tr2_rules[tr2_rules_count - 1].id);
	tap_str(end_in("json"), expected, "totals are an object");
	expected[1] = '{';
	tap_str(strchr(end_in("jsonl"), '{') + 1, expected + 3,
		"totals are an object on a line");
	totals.statistics = NULL;
	memset(totals.events, 0, sizeof(totals.events));
	tap_str(end_in("jsonl"),
		"{\"summary\":{\"files\":1,\"other_files\":2,"
		"\"unreadable_files\":3,\"processes\":4,\"events\":0,"
		"\"event_types\":{},\"records\":9,"
		"\"findings\":{\"error\":5,\"warning\":6,\"info\":7},"
		"\"not_shown\":11,\"bytes\":8,\"seconds\":1.500000}}\n",
		"an object may be empty");
}

/*
 * ---- Without memory
 */

static void *no_memory(void *old, size_t size)
{
	(void)old, (void)size;
	return NULL;
}

static void test_no_memory(void)
{
	static const char *const names[] = { "concise", "full",	 "json",
					     "jsonl",	"sarif", "github" };
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *tr2_host;
	char name[64];
	size_t i;

	shown.finding = &plain;
	host.realloc = no_memory;
	for (i = 0; i < 6; i++) {
		struct tr2_buf failed = TR2_BUF_INIT;

		tr2_host = &host;
		tr2_format_find(names[i])->finding(&failed, &shown);
		tr2_format_find(names[i])->end(&failed, &totals);
		tr2_host = before;
		snprintf(name, sizeof(name), "%s fails without memory",
			 names[i]);
		tap_ok(failed.failed, name);
		tr2_buf_release(&failed);
	}
}

static int fails_once(int call)
{
	struct tr2_buf buf = TR2_BUF_INIT;
	int failed;

	shown.finding = &plain;
	memory_fail(call);
	tr2_format_find("github")->finding(&buf, &shown);
	memory_fail(0);
	failed = buf.failed;
	tr2_buf_release(&buf);
	return failed;
}

static void test_less_memory(void)
{
	int call = 1, failed, live = memory_live;

	while ((failed = fails_once(call)) == 1)
		call++;
	tap_ok(!failed && call > 3, "a text that is missing is a failure");
	tap_int(memory_live, live, "the memory of texts is given back");
}

/*
 * ---- The memory of a command
 */

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__

#else

#endif

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	tap_run(test_text, test_github, test_json, test_text_totals,
		test_summary, test_json_totals, test_no_memory,
		test_less_memory);
	tr2_buf_release(&out);
	return tap_done();
}
