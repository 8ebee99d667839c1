/*
 * account_kit.h - a story of processes, told event by event, and the tables
 * that it adds up to.
 *
 *	begin_story(TR2_BY_NOTHING);
 *	tell_event(GIT, 0, "start", "\"t_abs\":0,\"argv\":[\"git\",\"status\"]");
 *	...
 *	tap_str(end_story(), "commands git status: 1 total 100 ...\n", ...);
 */
#ifndef UNIT_ACCOUNT_ACCOUNT_KIT_H
#define UNIT_ACCOUNT_ACCOUNT_KIT_H

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "kit/validate.h"
#include "model/account/forest.h"
#include "base/buf.h"
#include "read/bytes/source.h"
#include "views/summary/intake.h"

/* Two processes on a machine, each with its pid, and one inside another. */
#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT SID("01")
#define CHILD GIT "/" SID("02")
#define OTHER GIT "/" SID("03")

static struct {
	struct tr2_forest forest;
	struct tr2_buf lines, tables;
	const char *thread;
} story;

static inline void begin_story(enum tr2_by by)
{
	memset(&story.forest, 0, sizeof(story.forest));
	tr2_forest_begin(&story.forest);
	story.forest.by = by;
	story.lines.len = 0;
	story.thread = "main";
}

/* An event at so many microseconds after ten o'clock; `rest` is JSON. */
static inline void tell_event(const char *sid, unsigned us, const char *event,
			      const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\","
		 "\"time\":\"2026-01-14T1%u:%02u:%02u.%06uZ\"%s%s}\n",
		 event, sid, story.thread, us / 3600000000u, us / 60000000 % 60,
		 us / 1000000 % 60, us % 1000000, *rest ? "," : "", rest);
	tr2_buf_str(&story.lines, line);
}

/* The same without `time`, as a brief log has it. */
static inline void tell_briefly(const char *sid, const char *event,
				const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\"%s%s}\n",
		 event, sid, story.thread, *rest ? "," : "", rest);
	tr2_buf_str(&story.lines, line);
}

static inline void add_text(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static inline void add_text(const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	tr2_buf_str(&story.tables, text);
}

static inline void add_number(const char *name, int64_t value)
{
	if (value)
		add_text(" %s %lld", name, (long long)value);
}

/* Numbers that are 0 are left out. */
static inline void add_row(const struct tr2_row *row)
{
	const struct tr2_rows *rows = &story.forest.rows;
	const char *second = tr2_rows_text(rows, row->name[1], NULL);

	if (!row->name[0] && !row->sums.count)
		return; /* of the process itself, before it has a name */
	add_text("%s %s%s%s:", tr2_table_names[row->table],
		 tr2_rows_text(rows, row->name[0], NULL), *second ? "/" : "",
		 second);
	add_number("count", (int64_t)row->sums.count);
	add_number("failed", (int64_t)row->sums.failed);
	add_number("threads", (int64_t)row->sums.threads);
	add_number("total", tr2_sums_total(&row->sums));
	add_number("self", tr2_sums_self(&row->sums));
	if (row->sums.count > 1)
		add_text(" %lld..%lld", (long long)row->sums.min,
			 (long long)row->sums.max);
	add_number("last", row->sums.last);
	add_text("\n");
}

static inline void add_counts(const struct tr2_counts *counts)
{
	add_text("all:");
	add_number("processes", (int64_t)counts->processes);
	add_number("roots", (int64_t)counts->roots);
	add_number("wall", tr2_sum_read(counts->wall, counts->wall_over));
	add_number("unfinished", (int64_t)counts->unfinished);
	add_number("untimed", (int64_t)counts->untimed);
	add_number("unclosed", (int64_t)counts->unclosed);
	add_number("unlogged", (int64_t)counts->unlogged);
	add_number("cut", (int64_t)counts->cut);
	add_number("late", (int64_t)counts->late);
	add_number("unread", (int64_t)counts->unread);
	add_text("\n");
}

/*
 * Table by table, in the order in which the rows were entered. Proofs of
 * advice are told by their own test.
 */
static inline void add_tables(void)
{
	const struct tr2_rows *rows = &story.forest.rows;
	int table;
	uint32_t i;

	for (table = 0; table < TR2_TABLE_PROOFS; table++)
		for (i = 0; i < rows->rows.count; i++)
			if ((int)tr2_rows_at(rows, i)->table == table)
				add_row(tr2_rows_at(rows, i));
}

/* The slowest root, and what owns most of it, and so on. */
static inline void add_chain(void)
{
	struct tr2_forest *forest = &story.forest;
	const struct tr2_link *link = forest->slowest.chain.items;
	uint32_t i;

	if (!forest->slowest.found)
		return;
	add_text("slowest: %s",
		 tr2_rows_text(&forest->rows, forest->slowest.name, NULL));
	for (i = 0; i < forest->slowest.chain.count; i++, link++)
		add_text(" > %s",
			 tr2_rows_text(
				 &forest->rows,
				 link->name[link->table != TR2_TABLE_COMMANDS],
				 NULL));
	add_text("\n");
}

/* Read the story, and end it; the forest stays. */
static inline void add_events(void)
{
	struct tr2_reader reader;
	FILE *file = tmpfile();
	char path[32];

	fwrite(story.lines.bytes, 1, story.lines.len, file);
	fflush(file);
	snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
	tr2_intake_begin(&reader, "test", &story.forest);
	tr2_reader_visit(&reader, path);
	tr2_intake_end(&reader, &story.forest);
	tr2_forest_end_rested(&story.forest);
	tr2_reader_release(&reader);
	fclose(file);
}

/* Returns what the events add up to; valid until the next story ends. */
static inline const char *end_story(void)
{
	add_events();
	story.tables.len = 0;
	add_tables();
	add_chain();
	add_counts(&story.forest.counts);
	tr2_buf_byte(&story.tables, '\0');
	tr2_forest_release(&story.forest);
	return story.tables.bytes;
}

static inline int compare_rows(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Returns the rows in the order of their text. */
static inline char *sort_rows(const char *text)
{
	static char sorted[2][8192];
	static int turn;
	char copy[8192], *rows[256], *row;
	size_t count = 0, i;

	turn = !turn;
	snprintf(copy, sizeof(copy), "%s", text);
	for (row = strtok(copy, "\n"); row && count < 256;
	     row = strtok(NULL, "\n"))
		rows[count++] = row;
	qsort(rows, count, sizeof(*rows), compare_rows);
	*sorted[turn] = '\0';
	for (i = 0; i < count; i++) {
		strncat(sorted[turn], rows[i],
			sizeof(sorted[turn]) - strlen(sorted[turn]) - 1);
		strncat(sorted[turn], "\n",
			sizeof(sorted[turn]) - strlen(sorted[turn]) - 1);
	}
	return sorted[turn];
}

/* Rows come in the order in which the tree is resolved, which says nothing. */
#define tap_rows(got, want, name) tap_str(sort_rows(got), sort_rows(want), name)

/* Keep only the lines that begin like this. */
static inline const char *keep_lines(const char *text, const char *begin)
{
	static char kept[2048];
	size_t len, used = 0;

	for (; *text; text += len) {
		len = strcspn(text, "\n") + 1;
		if (strncmp(text, begin, strlen(begin)))
			continue;
		memcpy(kept + used, text, len);
		used += len;
	}
	kept[used] = '\0';
	return kept;
}

#endif
