#include "views/expect/judge.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"

#define SHOWN 3

struct trial { /* An assertion, before the log. */
	const struct tr2_expect_judge *judge;
	const struct tr2_expect_log *log;
	const struct tr2_assertion *assertion;
	struct tr2_outcome *outcome;
	uint64_t named; /* what fits but for its value, */
	uint64_t found; /* and with it */
};

static void put_line(struct trial *trial, const char *text)
{
	tr2_buf_str(&trial->outcome->why, text);
	tr2_buf_byte(&trial->outcome->why, '\n');
}

static void put_text(struct trial *trial, uint32_t number)
{
	const char *text = tr2_expect_text(trial->log, number);

	tr2_foreign_line(&trial->outcome->why, text, strlen(text));
}

/* "region index/refresh, 2 times; the first is a.event:12" */
static void put_fact(struct trial *trial, const struct tr2_fact *fact)
{
	struct tr2_buf *why = &trial->outcome->why;

	tr2_buf_str(why, tr2_expect_kind_names[fact->kind]);
	if (*tr2_expect_text(trial->log, fact->name)) {
		tr2_buf_byte(why, ' ');
		put_text(trial, fact->name);
	}
	if (fact->value && fact->kind != TR2_EXPECT_COMMAND) {
		tr2_buf_str(why, fact->kind == TR2_EXPECT_CHILD	  ? " of class "
				 : fact->kind == TR2_EXPECT_ERROR ? ", format "
								  : " = ");
		put_text(trial, fact->value);
	}
	if (fact->count > 1) {
		tr2_buf_str(why, ", ");
		tr2_buf_uint(why, fact->count);
		tr2_buf_str(why, " times");
	}
	tr2_buf_str(why, fact->count > 1 ? "; the first is " : ": ");
	tr2_expect_put_place(&trial->outcome->why, trial->log, &fact->first);
	tr2_buf_byte(why, '\n');
}

static bool is_in_scope(const struct trial *trial,
			const struct tr2_expect_process *process)
{
	return tr2_expect_is_in_scope(trial->log, trial->assertion, process);
}

static bool may_be_more(struct trial *trial)
{
	return tr2_expect_may_be_more(trial->judge, trial->assertion,
				      &trial->outcome->why);
}

static bool has_name(const struct trial *trial, const struct tr2_fact *fact)
{
	const struct tr2_assertion *assertion = trial->assertion;
	const char *name = tr2_expect_text(trial->log, fact->name);
	const char *value = tr2_expect_text(trial->log, fact->value);

	if (fact->kind == TR2_EXPECT_COMMAND)
		return tr2_expect_fits_command(assertion->pattern, name);
	return tr2_expect_fits(assertion->pattern, name) ||
	       (fact->kind == TR2_EXPECT_ERROR &&
		tr2_expect_fits(assertion->pattern, value));
}

static bool is_meant(const struct trial *trial, const struct tr2_fact *fact)
{
	return fact->kind == trial->assertion->kind &&
	       is_in_scope(trial,
			   tr2_expect_process_at(trial->log, fact->process)) &&
	       has_name(trial, fact);
}

static bool has_value(const struct trial *trial, const struct tr2_fact *fact)
{
	return tr2_expect_has_value(trial->assertion,
				    tr2_expect_text(trial->log, fact->value));
}

static void count_facts(struct trial *trial)
{
	for (uint32_t i = 0; i < trial->log->facts.count; i++) {
		const struct tr2_fact *fact = tr2_fact_at(trial->log, i);

		if (!is_meant(trial, fact))
			continue;
		trial->named += fact->count;
		if (has_value(trial, fact))
			trial->found += fact->count;
	}
}

/* Show some facts that the assertion is about. */
static void show_facts(struct trial *trial, bool with_value)
{
	uint32_t i, shown = 0;

	for (i = 0; i < trial->log->facts.count && shown < SHOWN; i++) {
		const struct tr2_fact *fact = tr2_fact_at(trial->log, i);

		if (is_meant(trial, fact) &&
		    has_value(trial, fact) == with_value) {
			put_fact(trial, fact);
			shown++;
		}
	}
}

/* How many bytes do both begin with? An assertion without a pattern has none. */
static size_t count_same(const char *pattern, const char *name)
{
	size_t len = 0;

	while (pattern && name[len] && pattern[len] == name[len])
		len++;
	return len;
}

/* The fact of this kind that begins most like the pattern, but for these. */
static const struct tr2_fact *find_nearest(const struct trial *trial,
					   const uint32_t *names, size_t count)
{
	const struct tr2_expect_log *log = trial->log;
	const struct tr2_fact *best = NULL;
	size_t most = 0, same, k;

	for (uint32_t i = 0; i < log->facts.count; i++) {
		const struct tr2_fact *fact = tr2_fact_at(log, i);

		for (k = 0; k < count && names[k] != fact->name;)
			k++;
		if (k < count || fact->kind != trial->assertion->kind)
			continue;
		same = count_same(trial->assertion->pattern,
				  tr2_expect_text(log, fact->name));
		if (!best || same > most) {
			most = same;
			best = fact;
		}
	}
	return best;
}

static void show_nearest(struct trial *trial)
{
	const struct tr2_fact *fact;
	uint32_t names[SHOWN];

	for (size_t shown = 0; shown < SHOWN; shown++) {
		fact = find_nearest(trial, names, shown);
		if (!fact)
			return;
		if (!shown)
			put_line(trial, "nearest:");
		put_fact(trial, fact);
		names[shown] = fact->name;
	}
}

static enum tr2_verdict to_verdict(bool holds)
{
	return holds ? TR2_HOLDS : TR2_FAILS;
}

/* Does it hold for so many, and would it for any larger number? */
static enum tr2_verdict decide_count(struct trial *trial)
{
	const struct tr2_assertion *assertion = trial->assertion;
	const int64_t found = (int64_t)trial->found;
	const bool now = assertion->op == TR2_EXPECT_ANY
				 ? found > 0
				 : tr2_expect_compare(found, assertion->op,
						      assertion->most);
	const bool grows = assertion->op == TR2_EXPECT_ANY ||
			   assertion->op >= TR2_EXPECT_MORE;
	const bool fixed = assertion->op == TR2_EXPECT_EQUAL ||
					   assertion->op == TR2_EXPECT_OTHER
				   ? found > assertion->most
				   : now == grows;

	if (!fixed && may_be_more(trial))
		return TR2_UNDECIDED;
	return to_verdict(now);
}

static enum tr2_verdict decide_every(struct trial *trial)
{
	if (trial->found < trial->named)
		return TR2_FAILS;
	if (may_be_more(trial))
		return TR2_UNDECIDED;
	return to_verdict(trial->named);
}

/* A process of BUG() fails without a code. */
static bool has_failed_otherwise(struct trial *trial)
{
	if (trial->assertion->kind != TR2_EXPECT_EXIT)
		return false;
	for (uint32_t i = 0; i < trial->log->processes.count; i++) {
		const struct tr2_expect_process *process =
			tr2_expect_process_at(trial->log, i);

		if (process->is_unfinished && process->is_failed &&
		    is_in_scope(trial, process))
			return tr2_expect_say_doubt(
				&trial->outcome->why, trial->log,
				"a process was aborted: ", &process->first);
	}
	return false;
}

static void explain_count(struct trial *trial)
{
	tr2_buf_str(&trial->outcome->why, "found ");
	tr2_buf_uint(&trial->outcome->why, trial->found);
	tr2_buf_byte(&trial->outcome->why, '\n');
	if (trial->found)
		show_facts(trial, true);
	if (!trial->found || trial->assertion->every)
		show_facts(trial, false);
	if (!trial->named)
		show_nearest(trial);
}

static void judge_count(struct trial *trial)
{
	count_facts(trial);
	if (has_failed_otherwise(trial)) {
		trial->outcome->verdict = TR2_FAILS;
		return;
	}
	trial->outcome->verdict = trial->assertion->every ? decide_every(trial)
							  : decide_count(trial);
	if (trial->outcome->verdict == TR2_FAILS)
		explain_count(trial);
}

static void explain_time(struct trial *trial, int64_t time, int64_t wall)
{
	struct tr2_buf *why = &trial->outcome->why;

	tr2_buf_str(why, "found ");
	tr2_cell_time(why, time);
	if (trial->assertion->measure == TR2_EXPECT_SHARE && wall) {
		tr2_buf_str(why, ", ");
		tr2_cell_share(why, time, wall);
		tr2_buf_str(why, " of ");
		tr2_cell_time(why, wall);
	}
	tr2_buf_byte(why, '\n');
	show_facts(trial, true);
}

/* What is inside another one that is meant is counted with that. */
static int64_t sum_times(const struct trial *trial)
{
	const struct tr2_expect_log *log = trial->log;
	bool *counted = tr2_must_zeros(log->times.count + 1);
	int64_t sum = 0;

	for (uint32_t i = 0; i < log->times.count; i++) {
		const struct tr2_expect_time *time = tr2_expect_time_at(log, i);

		counted[i + 1] = counted[time->outer];
		if (counted[i + 1] ||
		    !is_meant(trial, tr2_fact_at(log, time->fact)) ||
		    !has_value(trial, tr2_fact_at(log, time->fact)))
			continue;
		counted[i + 1] = true;
		sum = tr2_capped_add(sum, time->sum);
	}
	free(counted);
	return sum;
}

/* A share is of the roots; with a scope, of what is in it. */
static int64_t sum_walls(const struct trial *trial)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < trial->log->processes.count; i++) {
		const struct tr2_expect_process *process =
			tr2_expect_process_at(trial->log, i);

		if (is_in_scope(trial, process) &&
		    (trial->assertion->scope || process->is_root))
			sum = tr2_capped_add(sum, process->wall);
	}
	return sum;
}

static bool compare_time(const struct trial *trial, int64_t time, int64_t wall)
{
	const struct tr2_assertion *assertion = trial->assertion;

	if (assertion->measure == TR2_EXPECT_SHARE)
		time = (int64_t)((double)time / (double)wall * 1e6 + 0.5);
	return tr2_expect_compare(time, assertion->op, assertion->most);
}

static void judge_time(struct trial *trial)
{
	const int64_t time = sum_times(trial), wall = sum_walls(trial);

	count_facts(trial);
	trial->outcome->verdict = TR2_UNDECIDED;
	if (may_be_more(trial))
		return;
	if (!trial->found) {
		put_line(trial, "nothing fits, so there is no time");
		show_nearest(trial);
	} else if (!wall) {
		put_line(trial, "the log does not say how long it took");
	} else {
		trial->outcome->verdict =
			to_verdict(compare_time(trial, time, wall));
		if (trial->outcome->verdict == TR2_FAILS)
			explain_time(trial, time, wall);
	}
}

void tr2_assertion_judge(const struct tr2_expect_judge *judge,
			 const struct tr2_assertion *assertion,
			 struct tr2_outcome *outcome)
{
	struct trial trial = { .judge = judge,
			       .log = judge->log,
			       .assertion = assertion,
			       .outcome = outcome };

	*outcome = (struct tr2_outcome){ .assertion = assertion };
	if (assertion->measure == TR2_EXPECT_NUMBER)
		judge_count(&trial);
	else
		judge_time(&trial);
}
