#define _GNU_SOURCE /* scratch folders, pseudo-terminals */
/* Files to the processes of a forest, and what is wrong with them. */
#include "kit/validate.h"

#include <errno.h>
#include <sys/stat.h>
#include <zlib.h>

#include "read/bytes/source.h"
#include "views/summary/intake.h"
#include "views/summary/log_kit.h"

static struct tr2_forest forest;
static struct tr2_reader reader;

static void begin_intake(void)
{
	tr2_forest_begin(&forest);
	tr2_intake_begin(&reader, "test", &forest);
}

/* Returns what is printed about what is below this path. */
static const char *visit_path(const char *path)
{
	kit_divert(2);
	tr2_reader_visit(&reader, path);
	kit_restore(2);
	return kit_said[2];
}

/* Returns what is printed at the end. */
static const char *end_intake(void)
{
	kit_divert(2);
	tr2_intake_end(&reader, &forest);
	kit_restore(2);
	return kit_said[2];
}

static void release_intake(void)
{
	tr2_reader_release(&reader);
	tr2_forest_release(&forest);
}

static const char *complain_about(const char *path)
{
	kit_divert(2);
	tr2_intake_complain(&reader, &forest, path);
	kit_restore(2);
	return kit_said[2];
}

static void test_files(void)
{
	write_log("gc", GC);
	mkdir("logs", 0700);
	write_log("logs/a", GC);
	write_log("logs/b", LOG);
	begin_intake();
	tap_str(visit_path("gc"), "", "nothing is told about a log");
	tap_str(end_intake(), "", "nor at the end");
	tap_ok(forest.counts.processes == 1 && forest.counts.wall == 100,
	       "its processes are those of the forest");
	tap_ok(!forest.counts.unread && !reader.skipped && !reader.unreadable,
	       "all was read");
	release_intake();
	begin_intake();
	visit_path("logs");
	end_intake();
	tap_ok(forest.counts.processes == 2 && forest.counts.wall == 120,
	       "a directory means all files below it");
	release_intake();
}

static void test_input(void)
{
	int before = dup(0);

	if (!freopen("gc", "r", stdin))
		abort();
	begin_intake();
	visit_path("-");
	end_intake();
	tap_int((int)forest.counts.processes, 1, "- is standard input");
	release_intake();
	dup2(before, 0);
	close(before);
}

static void test_broken_lines(void)
{
	int i;
	FILE *file = fopen("broken", "w");

	fputs(GC "{\n", file);
	fclose(file);
	begin_intake();
	tap_ok(!strncmp(visit_path("broken"), "broken:5:", 9) &&
		       strstr(kit_said[2], " error["),
	       "a broken line is reported");
	end_intake();
	tap_ok(forest.counts.unread == 1 && forest.counts.processes == 1,
	       "it is counted, and the others are read");
	release_intake();
	file = fopen("broken", "w");
	fputs(GC, file);
	for (i = 0; i < 12; i++)
		fputs("{\n", file);
	fclose(file);
	begin_intake();
	visit_path("broken");
	tap_ok(strstr(kit_said[2], "broken:14:") &&
		       !strstr(kit_said[2], "broken:15:"),
	       "no more than ten broken lines are reported");
	end_intake();
	tap_int((int)forest.counts.unread, 12, "all files are counted");
	release_intake();
}

/* More lines than are read at once. */
static void test_line_numbers(void)
{
	FILE *file = fopen("long", "w");
	int i;

	for (i = 0; i < 500; i++)
		fputs(GC, file);
	fputs("{\n", file);
	fclose(file);
	begin_intake();
	tap_ok(!strncmp(visit_path("long"), "long:2001:", 10),
	       "lines are counted through the whole file");
	tap_ok(!strncmp(visit_path("long"), "long:2001:", 10),
	       "and for each file anew");
	end_intake();
	release_intake();
}

static void test_other_formats(void)
{
	char name[16];
	int i;

	write_log("text", "no log\n");
	write_log("empty", "");
	begin_intake();
	tap_str(visit_path("text"),
		"trace2 test: text: this is a text file, no log; expected an "
		"EVENT, PERF or NORMAL log\n",
		"a file of another format is reported");
	tap_str(visit_path("empty"),
		"trace2 test: empty: this is an empty file; expected an EVENT, "
		"PERF or NORMAL log\n",
		"also an empty one");
	tap_int((int)reader.skipped, 2, "both are counted");
	visit_path("gc");
	tap_str(end_intake(), "", "few are not counted at the end");
	tap_ok(forest.counts.processes == 1 && !forest.counts.unread,
	       "their lines are not errors");
	release_intake();
	mkdir("texts", 0700);
	for (i = 10; i < 21; i++) {
		snprintf(name, sizeof(name), "texts/%d", i);
		write_log(name, "no log\n");
	}
	begin_intake();
	visit_path("texts");
	tap_ok(strstr(kit_said[2], " texts/19: ") &&
		       !strstr(kit_said[2], " texts/20: "),
	       "no more than ten are reported");
	tap_str(end_intake(), "trace2 test: 11 files are no logs\n",
		"many are counted at the end");
	release_intake();
	unlink("texts/20");
	begin_intake();
	visit_path("texts");
	tap_str(end_intake(), "", "ten are not many");
	release_intake();
}

static void test_unreadable(void)
{
	begin_intake();
	tap_str(visit_path("none"),
		"none:1:1: error[input.unreadable]: No such file or "
		"directory\n",
		"a file that can't be opened is reported");
	tap_ok(reader.unreadable, "the intake has failed");
	visit_path("gc");
	end_intake();
	tap_int((int)forest.counts.processes, 1, "the others are read");
	tap_int((int)forest.counts.unread, 0,
		"a file that can't be opened is no line with an error");
	release_intake();
}

/* Broken lines of one file take no other file's place among the messages. */
static void test_many_unreadable(void)
{
	char name[16];
	int i;

	write_log("broken", GC "{\n{\n{\n{\n{\n{\n{\n{\n{\n{\n{\n");
	begin_intake();
	visit_path("broken");
	tap_ok(strstr(visit_path("none"), "none:1:1: error[input.unreadable]"),
	       "a file that can't be read is named after many broken lines");
	tap_str(end_intake(), "", "one such file is not counted");
	release_intake();
	begin_intake();
	for (i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "none-%d", i);
		visit_path(name);
	}
	tap_str(end_intake(), "trace2 test: 12 files could not be read\n",
		"twelve are");
	release_intake();
}

/* A log of which the last bytes are missing. */
static void test_cut_gzip(void)
{
	static char bytes[1 << 12];
	gzFile packed = gzopen("log.gz", "w");
	FILE *file;
	size_t len;

	gzputs(packed, GC);
	gzclose(packed);
	file = fopen("log.gz", "r");
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	begin_intake();
	tap_str(visit_path("log.gz"), "", "a log may be compressed");
	release_intake();
	write_bytes("log.gz", bytes, len - 6);
	begin_intake();
	tap_ok(strstr(visit_path("log.gz"), "error[input.unreadable]") &&
		       reader.unreadable,
	       "a log that can't be read to its end is reported");
	write_bytes("log.gz", bytes, 12);
	tap_ok(strstr(visit_path("log.gz"), "error[input.unreadable]") &&
		       reader.unreadable == 2,
	       "also one of which nothing can be read");
	end_intake();
	tap_ok(!reader.skipped && !forest.counts.unread,
	       "they are neither other formats nor broken lines");
	release_intake();
}

static void test_complain(void)
{
	begin_intake();
	tap_str(complain_about(NULL), "trace2 test: there is no event\n",
		"a complaint says what is missing");
	tap_str(complain_about("a.log"),
		"trace2 test: there is no event: a.log\n",
		"and where, if that is known");
	forest.filter.slower_than = 1;
	tap_str(complain_about(NULL),
		"trace2 test: no command fits the options\n",
		"options may leave everything out");
	visit_path("text");
	tap_str(complain_about(NULL), "", "one reason is enough");
	release_intake();
	begin_intake();
	visit_path("none");
	tap_str(complain_about(NULL), "", "also that a file is unreadable");
	release_intake();
}

int main(void)
{
	begin_scratch();
	test_files();
	test_input();
	test_broken_lines();
	test_line_numbers();
	test_other_formats();
	test_unreadable();
	test_many_unreadable();
	test_cut_gzip();
	test_complain();
	end_scratch();
	return tap_done();
}
