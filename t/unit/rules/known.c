/*
 * The writer of a log, its known deviations, and the number of findings of
 * each writer.
 */
#include "kit/memory.h"
#include "kit/validate.h"

#include <stdio.h>

#include "rules/known.h"
#include "validate/report/report.h"

static char *page_end;

static const char *at_end(const char *text)
{
	size_t len = strlen(text);

	return memcpy(page_end - len, text, len);
}

/*
 * ---- Writers
 */

static enum tr2_writer of_line(const char *line)
{
	return tr2_writer_of_line(at_end(line), strlen(line));
}

static enum tr2_writer of_text(const char *text)
{
	return tr2_writer_of_text(at_end(text), strlen(text));
}

static void test_lines(void)
{
	tap_int(of_line("{\"sid\":\"repo-1\""), TR2_WRITER_REPO,
		"the writer of a line is that of its SID");
	tap_int(of_line("x\"sid\":\"repohooks-P1\",\"a\":\"b\""),
		TR2_WRITER_REPOHOOKS, "whatever else the line holds");
	tap_int(of_line("\"sid\":\"repo-1"), TR2_WRITER_OTHER,
		"a SID that does not end tells nothing");
	tap_int(of_line("\"sid\":\""), TR2_WRITER_OTHER,
		"nor does half of one");
	tap_int(of_line("\"sid\":\"\""), TR2_WRITER_OTHER, "nor an empty one");
	tap_int(of_line("\"sid\": \"repo-1\""), TR2_WRITER_OTHER,
		"nor one of another form");
	tap_int(of_line(""), TR2_WRITER_OTHER, "nor no line");
#define FORTY "0123456789012345678901234567890123456789"
	tap_int(of_text(FORTY "123456.cs:"), TR2_WRITER_GCM,
		"a source in C# is the credential manager's");
	tap_int(of_text(FORTY "123456.cs:7"), TR2_WRITER_GCM,
		"whatever stands behind it");
	tap_int(of_text(FORTY "1234567.cs:7"), TR2_WRITER_OTHER,
		"but not behind 50 bytes");
	tap_int(of_text("a.cs:"), TR2_WRITER_GCM, "the text may be short");
	tap_int(of_text("a.cs"), TR2_WRITER_OTHER, "a colon is needed");
	tap_int(of_text(""), TR2_WRITER_OTHER, "no text has no writer");
}

/*
 * ---- Deviations
 */

static const struct {
	enum tr2_writer writer;
	const char *id, *text;
	size_t column, width;
	const char *known;
} deviations[] = {
	{ TR2_WRITER_GIT, "event.counter.count", "ab-1", 3, 2, "counter-sign" },
	{ TR2_WRITER_GIT, "event.counter.count", "ab-", 3, 2, "counter-sign" },
	{ TR2_WRITER_GIT, "event.counter.count", "ab+1", 3, 2, NULL },
	{ TR2_WRITER_GIT, "event.counter.count", "ab", 3, 0, NULL },
	{ TR2_WRITER_GIT, "event.counter.count", "ab", 4, 1, NULL },
	{ TR2_WRITER_GIT, "event.counter.count", NULL, 1, 0, NULL },
	{ TR2_WRITER_REPO, "event.counter.count", "ab-1", 3, 2, NULL },
	{ TR2_WRITER_GIT, "event.counter.coun", "ab-1", 3, 2, NULL },
	{ TR2_WRITER_GIT, "stream.unfinished", NULL, 1, 0, "open-at-end" },
	{ TR2_WRITER_REPO, "stream.unfinished", NULL, 1, 0, "no-atexit" },
	{ TR2_WRITER_REPO, "event.common.time", "a\"+00:00\"", 2, 8,
	  "time-offset" },
	{ TR2_WRITER_REPO, "event.common.time", "a+00:00\"", 2, 7,
	  "time-offset" },
	{ TR2_WRITER_REPO, "event.common.time", "+00:00\"", 2, 6, NULL },
	{ TR2_WRITER_REPO, "event.common.time", "a\"+01:00\"", 2, 8, NULL },
	{ TR2_WRITER_REPO, "event.common.time", "a\"+00:00\"b", 2, 9, NULL },
	{ TR2_WRITER_REPO, "event.def_param.value", "a:null", 3, 4,
	  "null-value" },
	{ TR2_WRITER_REPO, "event.def_param.value", "a:null", 3, 3, NULL },
	{ TR2_WRITER_REPO, "event.def_param.value", "a:nulls", 3, 5, NULL },
	{ TR2_WRITER_REPO, "event.def_param.value", "a:nil1", 3, 4, NULL },
	{ TR2_WRITER_REPO, "event.start.t_abs", "x\"argv\":", 1, 1,
	  "no-start-time" },
	{ TR2_WRITER_REPO, "event.start.t_abs", "x\"argv\"", 1, 1, NULL },
	{ TR2_WRITER_REPO, "event.def_param.value", NULL, 1, 4, NULL },
	{ TR2_WRITER_REPO, "event.start.t_abs", "x\"argv\":", 9, 0,
	  "no-start-time" },
	{ TR2_WRITER_BUNDLE, "version.unknown-key", "\"stacktrace\"", 1, 12,
	  "stacktrace" },
	{ TR2_WRITER_OTHER, "stream.unfinished", NULL, 1, 0, NULL },
};

static void test_deviations(void)
{
	struct tr2_finding finding;
	const char *known, *dot;
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(deviations) / sizeof(deviations[0]); i++) {
		finding = (struct tr2_finding){
			.id = deviations[i].id,
			.column = deviations[i].column,
			.width = deviations[i].width,
		};
		if (deviations[i].text) {
			finding.text = at_end(deviations[i].text);
			finding.text_len = strlen(deviations[i].text);
		}
		known = tr2_known_find(deviations[i].writer, &finding);
		dot = known ? strrchr(known, '.') : NULL;
		snprintf(name, sizeof(name), "deviation %zu is known", i);
		tap_str(dot ? dot + 1 : NULL, deviations[i].known, name);
	}
}

static const char *find_stripped(const char *text)
{
	const struct tr2_finding finding = {
		.id = "perf.payload",
		.text = at_end(text),
		.text_len = strlen(text),
		.column = 1,
	};

	return tr2_known_erratum(&finding);
}

static void test_errata(void)
{
	tap_ok(find_stripped("a|") && find_stripped("|"),
	       "a line whose end is cut off is known by it");
	tap_ok(!find_stripped("|a") && !find_stripped("") &&
		       find_stripped("b|") && !find_stripped(""),
	       "a line with another end, or without one, is not");
}

int main(void)
{
	memory_page(&page_end);
	tap_run(test_lines, test_deviations, test_errata);
	return tap_done();
}
