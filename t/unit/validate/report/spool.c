#define _GNU_SOURCE
/*
 * Findings in memory and in the overflow. Reports that find no room; how many
 * rules were exercised.
 */
#include <fcntl.h>
#include <unistd.h>

#include "validate/report/spool.h"
#include "kit/limits.h"
#include "kit/memory.h"
#include "kit/validate.h"
#include "validate/report/report.h"
#include "host/host.h"

#define KEPT ((size_t)4 << 20)

static struct tr2_totals totals;
static struct tr2_statistics statistics;
static struct tr2_report report;

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_str(out, shown->color ? "*" : "");
	tr2_buf_str(out, finding->message);
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *sums)
{
	(void)sums;
	tr2_buf_str(out, out->len ? " (not written yet)" : ".");
}

static const struct tr2_formatter format = { "test", "(",	    " ",
					     0,	     print_finding, print_end };
static const struct tr2_selection all;

/*
 * ---- Spool
 */

static void add_entry(struct tr2_spool *spool, const char *file, uint64_t line,
		      const char *text)
{
	struct tr2_spool_place place = { .file = file, .line = line };

	tr2_spool_add(spool, &place, text, strlen(text));
}

static size_t long_size = 1 << 16;

/* So many long texts, each of one letter. */
static void add_long(struct tr2_spool *spool, int count)
{
	static char text[1 << 16];
	struct tr2_spool_place place = { .file = "a" };

	for (int i = 0; i < count; i++) {
		memset(text, 'a' + i % 26, sizeof(text));
		place.line = (uint64_t)(1000 - i);
		tr2_spool_add(spool, &place, text, long_size);
	}
}

/* Are they there, the last one first? */
static bool has_long(struct tr2_spool *spool, int count)
{
	struct tr2_buf out = { 0 };
	size_t wrong = 0;

	for (int i = 0; i < count; i++) {
		tr2_buf_reset(&out);
		tr2_spool_read(spool, (size_t)i, &out);
		wrong += out.len != long_size;
		for (size_t j = 0; j < out.len; j += 997)
			wrong += out.bytes[j] != 'a' + (count - 1 - i) % 26;
	}
	tr2_buf_release(&out);
	return !wrong;
}

static void test_overflow(void)
{
	struct tr2_spool spool = { 0 };
	struct tr2_buf out = { 0 };
	size_t used;
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	long_size = 61439;
	add_entry(&spool, "a", 1001, "x");
	add_long(&spool, 1);
	used = kit_used();
	add_long(&spool, 200);
	tap_ok(kit_used() < used + 2 * KEPT, "much text is not in memory");
	tr2_spool_cut(&spool);
	tap_ok(has_long(&spool, 200), "text comes back from the overflow");
	tr2_buf_reset(&out);
	tr2_spool_read(&spool, 201, &out);
	tap_ok(out.len == 1 && *out.bytes == 'x', "a byte comes back, too");
	tap_ok(!spool.failed, "the overflow did not fail");
	tr2_buf_reset(&out);
	tr2_buf_add(&out, "before", 6);
	tr2_spool_read(&spool, 199, &out);
	tap_ok(out.len == 6 + long_size && !memcmp(out.bytes, "beforea", 7),
	       "text comes behind what is there");
	/* The file of the overflow is the next one that was opened. */
	if (!ftruncate(fd, 1000))
		tr2_spool_read(&spool, 150, &out);
	tap_ok(spool.failed, "text that is lost is told");
	tr2_buf_release(&out);
	tr2_spool_release(&spool);
	long_size = 1 << 16;
}

static void test_no_file(void)
{
	struct tr2_spool spool = { 0 };
	struct rlimit old;

	getrlimit(RLIMIT_NOFILE, &old);
	limit_files(1);
	add_long(&spool, 70);
	setrlimit(RLIMIT_NOFILE, &old);
	tr2_spool_cut(&spool);
	tap_ok(spool.failed && has_long(&spool, 70),
	       "without an overflow the text stays in memory");
	tr2_spool_release(&spool);
}

/* A disk that is full. */
static void test_full(void)
{
	struct tr2_spool spool = { 0 };

	add_long(&spool, 63);
	tap_ok(!spool.failed, "less than 4 MiB stay in memory");
	limit_disk(4096);
	tr2_spool_release(&spool);
	memset(&spool, 0, sizeof(spool));
	add_long(&spool, 63);
	tap_ok(!spool.failed, "no file is written for them");
	tr2_spool_release(&spool);
	memset(&spool, 0, sizeof(spool));
	add_long(&spool, 64);
	tap_ok(spool.failed, "an overflow that takes no more is told");
	spool.failed = false;
	add_long(&spool, 100);
	tap_ok(!spool.failed, "it is not tried again");
	free_disk();
	add_long(&spool, 36);
	tap_ok(spool.entries.count == 200, "the text stays in memory");
	tr2_spool_release(&spool);
}

/* Whole blocks are written at once, and what is left at the end. */
static void test_full_at_last(void)
{
	struct tr2_spool spool = { 0 };

	add_entry(&spool, "a", 1001, "x");
	limit_disk((rlim_t)64 << 16);
	add_long(&spool, 64);
	free_disk();
	tap_ok(spool.failed, "so is one that does not take the last byte");
	tr2_spool_release(&spool);
}

static void test_full_keeps(void)
{
	struct tr2_spool spool = { 0 };

	limit_disk(4096);
	add_long(&spool, 100);
	free_disk();
	tr2_spool_cut(&spool);
	tap_ok(has_long(&spool, 100),
	       "what the overflow does not take is kept");
	tr2_spool_release(&spool);
}

/*
 * ---- Told
 */

/* Returns the result of ending a report that is printed there. */
static int end_at(const char *path, const char *mode, bool spool_failed)
{
	int rc;

	memset(&totals, 0, sizeof(totals));
	report = (struct tr2_report){
		.format = &format,
		.out = fopen(path, mode),
		.totals = &totals,
		.selection = &all,
		.max = 100,
	};
	tr2_statistics_init(&statistics);
	tr2_report_init(&report);
	report.spool.failed = spool_failed;
	rc = tr2_report_end(&report);
	fclose(report.out);
	tr2_statistics_release(&statistics);
	return rc;
}

static void test_failures(void)
{
	tap_int(end_at("/dev/null", "w", false), 0, "a report comes out");
	tap_int(end_at("/dev/full", "w", false), -1,
		"a report that finds no room has failed");
	tap_int(end_at("/dev/null", "r", false), -1,
		"a report that may not be written has failed");
	tap_int(end_at("/dev/null", "w", true), -1,
		"a report that misses something has failed");
}

/*
 * ---- Totals
 */

/* How many rules are of these chapters, which begin with `word`? */
static size_t rules_of(const char *chapter)
{
	size_t sum = 0;

	for (size_t i = 0; i < tr2_rules_count; i++)
		sum += tr2_rules_is_prefix(chapter, tr2_rules[i].id);
	return sum;
}

static size_t rules_of_events(void)
{
	char chapter[64];
	size_t sum = 0;

	for (int is = 0; is < TR2_IS_OTHER; is++) {
		sprintf(chapter, "event.%s", tr2_schema_rules[is].name);
		sum += rules_of(chapter);
	}
	return sum;
}

static void test_exercised(void)
{
	static unsigned long of_rule[4096];
	struct tr2_totals sums = { .of_rule = of_rule };

	tap_int((intmax_t)tr2_totals_exercised(&sums), 0,
		"no log is no occasion for any rule");
	sums.events[TR2_IS_VERSION] = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)rules_of("event.version"),
		"an event is one for its rules");
	sums.events[TR2_IS_OTHER] = sums.not_shown = sums.microseconds = 7;
	sums.records = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)(rules_of("event.version") + rules_of("fxt")),
		"a record is one for those of archives");
	for (size_t i = 0; i < tr2_rules_count; i++)
		of_rule[i] =
			!strcmp(tr2_rules[i].id, "consumer.flamechart.verdict");
	sums.records = sums.events[TR2_IS_VERSION] = 0;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)rules_of("consumer.flamechart"),
		"a verdict is one for the program's");
	memset(of_rule, 0, sizeof(of_rule));
	sums.bytes = 1;
	tap_int((intmax_t)tr2_totals_exercised(&sums),
		(intmax_t)(tr2_rules_count - rules_of_events() -
			   rules_of("fxt") - rules_of("consumer")),
		"bytes are one for all the others");
	tap_ok(!tr2_format_find("") && !tr2_format_find("texts"),
	       "other formats are not known");
}

static void run_tests_of_told(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	tap_run(test_failures, test_exercised);
}

int main(void)
{
	tap_run(test_overflow, test_no_file, test_full, test_full_at_last,
		test_full_keeps, run_tests_of_told);
	return tap_done();
}
