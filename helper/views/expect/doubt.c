#include "views/expect/judge.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/foreign.h"

void tr2_expect_put_place(struct tr2_buf *out, const struct tr2_expect_log *log,
			  const struct tr2_expect_place *place)
{
	const char *file = tr2_expect_text(log, place->file);

	tr2_foreign_line(out, file, strlen(file));
	tr2_buf_byte(out, ':');
	tr2_buf_uint(out, place->line);
}

bool tr2_expect_say_doubt(struct tr2_buf *why, const struct tr2_expect_log *log,
			  const char *what,
			  const struct tr2_expect_place *place)
{
	tr2_buf_str(why, what);
	if (place)
		tr2_expect_put_place(why, log, place);
	tr2_buf_byte(why, '\n');
	return true;
}

bool tr2_expect_is_in_scope(const struct tr2_expect_log *log,
			    const struct tr2_assertion *assertion,
			    const struct tr2_expect_process *process)
{
	if (assertion->scope)
		return tr2_expect_fits_command(
			assertion->scope,
			tr2_expect_text(log, process->command));
	return assertion->kind != TR2_EXPECT_EXIT || process->is_root;
}

/* NORMAL has no regions, data and threads, and no classes of children. */
static bool is_in_normal(const struct tr2_assertion *assertion)
{
	const unsigned lacks = 1U << TR2_EXPECT_REGION | 1U << TR2_EXPECT_DATA |
			       1U << TR2_EXPECT_THREAD | 1U << TR2_EXPECT_EVENT;

	return !(lacks >> assertion->kind & 1) &&
	       !(assertion->kind == TR2_EXPECT_CHILD && assertion->value);
}

static bool has_limit(const struct tr2_assertion *assertion)
{
	return assertion->kind == TR2_EXPECT_REGION ||
	       assertion->kind == TR2_EXPECT_DATA;
}

static bool lacks_something(const struct tr2_expect_judge *judge,
			    const struct tr2_assertion *assertion,
			    const struct tr2_expect_process *process,
			    struct tr2_buf *why)
{
	char what[160];

	if (process->is_normal && !is_in_normal(assertion))
		return tr2_expect_say_doubt(
			why, judge->log,
			"a NORMAL log does not say it: ", &process->first);
	if (process->is_unfinished && !judge->whole)
		return tr2_expect_say_doubt(
			why, judge->log,
			"a process has no end in the log (--whole takes it as "
			"it is): ",
			&process->first);
	if (!has_limit(assertion) ||
	    process->deepest != (int64_t)judge->nesting)
		return false;
	snprintf(what, sizeof(what),
		 "something is nested %u deep, and a log may leave out what is "
		 "deeper (--nesting tells its limit): ",
		 judge->nesting);
	return tr2_expect_say_doubt(why, judge->log, what, &process->first);
}

/* A directory was full: git says so, and writes no more logs. */
static const struct tr2_fact *find_full(const struct tr2_expect_log *log)
{
	for (uint32_t i = 0; i < log->facts.count; i++) {
		const struct tr2_fact *fact = tr2_fact_at(log, i);

		if (fact->kind == TR2_EXPECT_EVENT &&
		    !strcmp(tr2_expect_text(log, fact->name), "too_many_files"))
			return fact;
	}
	return NULL;
}

bool tr2_expect_may_be_more(const struct tr2_expect_judge *judge,
			    const struct tr2_assertion *assertion,
			    struct tr2_buf *why)
{
	const struct tr2_expect_log *log = judge->log;
	const struct tr2_fact *full = find_full(log);

	if (log->reader.broken || log->reader.unreadable)
		return tr2_expect_say_doubt(
			why, log, "a part of the log cannot be read", NULL);
	if (log->reader.skipped)
		return tr2_expect_say_doubt(why, log,
					    "one of the files is no log", NULL);
	if (full)
		return tr2_expect_say_doubt(
			why, log,
			"the directory had too many files: ", &full->first);
	for (uint32_t i = 0; i < log->processes.count; i++) {
		const struct tr2_expect_process *process =
			tr2_expect_process_at(log, i);

		if (tr2_expect_is_in_scope(log, assertion, process) &&
		    lacks_something(judge, assertion, process, why))
			return true;
	}
	return false;
}
