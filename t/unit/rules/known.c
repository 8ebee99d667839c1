/*
 * The writer of a log, its known deviations, and the number of findings of
 * each writer.
 */
#include "kit/memory.h"
#include "kit/validate.h"

#include <stdio.h>

#include "rules/known.h"
#include "validate/report/report.h"
#include "validate/report/statistics.h"

static char *page_end;

static const char *at_end(const char *text)
{
	size_t len = strlen(text);

	return memcpy(page_end - len, text, len);
}

/*
 * ---- Writers
 */

#define GIT_SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define UUID "01234567-89ab-cdef-0123-456789abcdef"

static const struct {
	const char *sid;
	enum tr2_writer writer;
} sids[] = {
	{ GIT_SID, TR2_WRITER_GIT },
	{ "20260114T093042.112358Z-P00001f40", TR2_WRITER_GIT },
	{ "20260114T093042.112358Z-P0000140", TR2_WRITER_OTHER },
	{ "20260114T093042.112358Z-", TR2_WRITER_OTHER },
	{ "20260114T093P42.112358Z-", TR2_WRITER_OTHER },
	{ "20260114T093042P112358Z-1", TR2_WRITER_OTHER },
	{ "20260114T093042.P12358Z-1", TR2_WRITER_GIT },
	{ "20260114t093042.112358Z-Hc4f2e1a9-P00001f40", TR2_WRITER_OTHER },
	{ "20260114T093042,112358Z-Hc4f2e1a9-P00001f40", TR2_WRITER_OTHER },
	{ "20260114T093042.112358z-Hc4f2e1a9-P00001f40", TR2_WRITER_OTHER },
	{ "20260114T093042.112358Z+Hc4f2e1a9-P00001f40", TR2_WRITER_OTHER },
	{ "20260114T093042.112358Z-Hc4f2e1a9-Q00001f40", TR2_WRITER_OTHER },
	{ UUID, TR2_WRITER_UUID },
	{ UUID "0", TR2_WRITER_OTHER },
	{ "01234567-89ab-cdef-0123-456789abcde", TR2_WRITER_OTHER },
	{ "01234567x89ab-cdef-0123-456789abcdef", TR2_WRITER_OTHER },
	{ "01234567-89abxcdef-0123-456789abcdef", TR2_WRITER_OTHER },
	{ "01234567-89ab-cdefx0123-456789abcdef", TR2_WRITER_OTHER },
	{ "01234567-89ab-cdef-0123x456789abcdef", TR2_WRITER_OTHER },
	{ "repo-1", TR2_WRITER_REPO },
	{ "repo-", TR2_WRITER_REPO },
	{ "repo", TR2_WRITER_OTHER },
	{ "repohooks-P1", TR2_WRITER_REPOHOOKS },
	{ "repohooks-", TR2_WRITER_OTHER },
	{ "", TR2_WRITER_OTHER },
	{ "a", TR2_WRITER_OTHER },
	{ "a/", TR2_WRITER_OTHER },
	{ "/", TR2_WRITER_OTHER },
	{ "a/repo-1", TR2_WRITER_REPO },
	{ GIT_SID "/" UUID, TR2_WRITER_UUID },
	{ UUID "/b/" GIT_SID, TR2_WRITER_GIT },
	{ "repo-1/a", TR2_WRITER_OTHER },
	{ "/repo-1", TR2_WRITER_REPO },
};

static void test_writers(void)
{
	char name[80];
	size_t i, len;

	for (i = 0; i < sizeof(sids) / sizeof(sids[0]); i++) {
		len = strlen(sids[i].sid);
		snprintf(name, sizeof(name), "SID %zu has its writer", i);
		tap_int(tr2_writer_of(at_end(sids[i].sid), len), sids[i].writer,
			name);
	}
	tap_int(tr2_writer_of_uuid(at_end("ab"), 2, false), TR2_WRITER_BUNDLE,
		"a UUID with no version and no parent is the bundle server's");
	tap_int(tr2_writer_of_uuid(at_end("ab"), 2, true), TR2_WRITER_GCM,
		"one with a version is the credential manager's");
	tap_int(tr2_writer_of_uuid(at_end("a/b"), 3, false), TR2_WRITER_GCM,
		"and so is one with a parent");
}

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

/*
 * ---- Statistics
 */

/* Valid until the next call but one. */
static const char *writer_of(int number)
{
	static char names[2][TR2_WRITER_NAME];
	static int turn;
	char *name = names[turn = !turn];

	snprintf(name, TR2_WRITER_NAME, "writer %d", number);
	return name;
}

static void begin_statistics(struct tr2_statistics *statistics)
{
	memset(statistics, 0xa5, sizeof(*statistics));
	tr2_statistics_init(statistics);
}

/* Half of all places are never the first one for any of these. */
static uint64_t sid_of(size_t number)
{
	return 64 * number + 63;
}

/* The writers of so many sessions. */
static void count_sessions(struct tr2_statistics *statistics, int sessions,
			   int writers)
{
	int i;

	begin_statistics(statistics);
	for (i = 1; i <= sessions; i++) {
		tr2_statistics_session(statistics, sid_of((size_t)i));
		tr2_statistics_writer(statistics, sid_of((size_t)i),
				      writer_of((i - 1) % writers + 1));
	}
}

static void test_sessions(void)
{
	struct tr2_statistics statistics;
	const char *one = writer_of(1), *two = writer_of(2);

	begin_statistics(&statistics);
	tap_str(tr2_writer_at(&statistics, 0)->name, "(unknown)",
		"a session may have an unknown writer");
	tap_int(tr2_statistics_find(&statistics, 5), 0,
		"no session has a writer at first");
	tr2_statistics_session(&statistics, 5);
	tr2_statistics_session(&statistics, 5);
	tr2_statistics_session(&statistics, 1024 + 5);
	tap_int((intmax_t)tr2_writer_at(&statistics, 0)->sessions, 2,
		"a session is counted the first time");
	tr2_statistics_session(&statistics, UINT64_C(0x7e7e7e7e7e7e7e7e));
	tap_int((intmax_t)tr2_writer_at(&statistics, 0)->sessions, 3,
		"so is one whose SID is what stands behind memory");
	tr2_statistics_writer(&statistics, 5, one);
	tap_int(statistics.current, 1, "it may get a writer");
	tap_int((intmax_t)tr2_writer_at(&statistics, 1)->sessions, 1,
		"who has the session then");
	tap_int((intmax_t)tr2_writer_at(&statistics, 1)->findings, 0,
		"and no findings yet");
	tap_int((intmax_t)tr2_writer_at(&statistics, 0)->sessions, 2,
		"and the unknown one has it no more");
	tr2_statistics_session(&statistics, 1024 + 5);
	tap_int(statistics.current, 0, "other sessions keep theirs");
	tr2_statistics_session(&statistics, 5);
	tap_int(statistics.current, 1, "a session comes back to its writer");
	tr2_statistics_writer(&statistics, 5, two);
	tap_ok(tr2_writer_at(&statistics, 1)->sessions == 0 &&
		       tr2_writer_at(&statistics, 2)->sessions == 1 &&
		       tr2_statistics_find(&statistics, 5) == 2,
	       "a session may change its writer");
	tr2_statistics_writer(&statistics, 7, one);
	tap_ok(tr2_writer_at(&statistics, 1)->sessions == 1 &&
		       tr2_writer_at(&statistics, 0)->sessions == 2 &&
		       statistics.writers.count == 3,
	       "a writer is known again");
	tap_int(tr2_statistics_find(&statistics, 9), 0,
		"a session that was not met has no writer");
	tr2_statistics_release(&statistics);
}

static void test_many(void)
{
	struct tr2_statistics statistics;
	size_t i, wrong = 0;

	count_sessions(&statistics, 6000, 200);
	tap_int((intmax_t)statistics.writers.count, 201,
		"all writers are there");
	tap_int((intmax_t)statistics.names.count, 200,
		"each is known by its name");
	for (i = 1; i <= 200; i++)
		wrong += tr2_writer_at(&statistics, i)->sessions != 30;
	tap_int((intmax_t)wrong, 0, "each of many has its sessions");
	for (i = 1; i <= 6000; i++) {
		const char *writer = writer_of((int)((i - 1) % 200) + 1);
		uint32_t number = tr2_statistics_find(&statistics, sid_of(i));

		wrong += strcmp(tr2_writer_at(&statistics, number)->name,
				writer) != 0;
	}
	tap_int((intmax_t)wrong, 0, "each session has its writer");
	tr2_statistics_release(&statistics);
}

static void test_end(void)
{
	struct tr2_statistics statistics;
	size_t i, wrong = 0;

	count_sessions(&statistics, 127, 63);
	tr2_statistics_end(&statistics);
	tap_int((intmax_t)statistics.writers.count, 64, "64 writers are told");
	tap_str(tr2_writer_at(&statistics, 0)->name, "(unknown)",
		"the unknown one is first");
	for (i = 1; i < 63; i++) {
		const char *writer = writer_of((int)i);

		wrong += strcmp(tr2_writer_at(&statistics, i)->name, writer) !=
			 0;
	}
	tap_int((intmax_t)wrong, 0, "they are told in the order of their logs");
	tap_str(tr2_writer_at(&statistics, 63)->name, "(others)",
		"the last is all others");
	tap_int((intmax_t)tr2_writer_at(&statistics, 63)->sessions, 2,
		"with the sessions of one");
	tr2_statistics_release(&statistics);
	count_sessions(&statistics, 132, 66);
	for (i = 0; i < 67; i++)
		tr2_writer_at(&statistics, i)->findings = 1;
	tr2_statistics_end(&statistics);
	tap_int((intmax_t)statistics.writers.count, 64, "nor are more told");
	tap_ok(tr2_writer_at(&statistics, 63)->sessions == 8 &&
		       tr2_writer_at(&statistics, 63)->findings == 4,
	       "the others have all of theirs together");
	tr2_statistics_release(&statistics);
	count_sessions(&statistics, 62, 62);
	memset(tr2_writer_at(&statistics, 63), 0,
	       sizeof(struct tr2_writer_count));
	tr2_statistics_end(&statistics);
	tap_ok(statistics.writers.count == 63 &&
		       !strcmp(tr2_writer_at(&statistics, 62)->name,
			       "writer 62"),
	       "of fewer all are told");
	tr2_statistics_release(&statistics);
}

int main(void)
{
	memory_page(&page_end);
	test_writers();
	test_lines();
	test_deviations();
	test_errata();
	test_sessions();
	test_many();
	test_end();
	return tap_done();
}
