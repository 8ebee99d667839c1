/* What the spans of a process prove. */
#include <stdio.h>
#include <string.h>

#include "advice_rules.h"
#include "model/advice/advice.h"
#include "model/totals/phase.h"

#define MANY_PROCESSES 10 /* in one child are worth a word */
#define MANY_LEAST 100000 /* microseconds */

/* Of an alias or a hook in which very many processes ran. */
static const struct tr2_advice many = {
	"many-processes",
	"it starts git very often; commands that take many names at once "
	"(--stdin, --batch, for-each-ref --format) need one start",
	NULL,
};

/* rules.ini tells what each member is. */
struct pattern { /* Names of a row; a name that ends with `*` is a begin. */
	enum tr2_table table;
	const char *first, *second; /* NULL: any */
};

static const struct rule {
	struct tr2_advice advice;
	/* Of the process: its time is the proof. `other` may be all 0. */
	struct pattern row, other;
	const char *commands;	   /* it is one of these; NULL: any */
	const char *no_commands;   /* it is none of these */
	struct pattern needs;	   /* another row of the process, */
	struct pattern never, nor; /* and those that it may not have */
	int32_t least;		   /* the number of `needs` is so large, */
	uint32_t times;		   /* the row has so many, */
	int32_t time;		   /* and so much time in all */
	uint32_t since, before;	   /* versions; 0: any */
	uint32_t with, without;	   /* options and settings */
	uint8_t phase;		   /* of the row; 0: any */
	uint8_t spent;		   /* at most what it spent in this; 0: all */
	uint8_t saves;		   /* percent of the time; 0: nobody knows */
	bool monitor;		   /* only if git can ask a daemon */
	bool remote;		   /* name the remote of the process */
	bool alone; /* else only where it ran no child, as a filter */
	bool own;   /* only where it is known what a row owns */
	bool even;  /* only where none of its times is more than half of all */
	bool works; /* not where the child failed each time */
} rules[] = { ADVICE_RULES };

_Static_assert(sizeof(rules) / sizeof(rules[0]) <= 64, "each rule has a bit");

#define COUNT (sizeof(rules) / sizeof(rules[0]))

static bool fits_pattern(const struct pattern *pattern,
			 const struct tr2_rows *rows, const struct tr2_row *row)
{
	if (pattern->table != row->table)
		return false;
	return tr2_rows_name_fits(pattern->first,
				  tr2_rows_text(rows, row->name[0], NULL)) &&
	       tr2_rows_name_fits(pattern->second,
				  tr2_rows_text(rows, row->name[1], NULL));
}

struct judged { /* A process, and what its rows say of the rules. */
	struct tr2_rows *rows;
	struct tr2_vec *known;
	const struct tr2_advised *process;
	uint64_t needs, nevers;
};

/* Which rules is a row a proof of, and needed or unwanted by? */
static struct tr2_advice_bits *find_bits(const struct judged *judged,
					 uint32_t place)
{
	const struct tr2_rows *rows = judged->rows;
	const struct tr2_row *row = tr2_rows_at(rows, place);
	struct tr2_advice_bits *bits;

	bits = tr2_vec_reach(judged->known, place, sizeof(*bits));
	for (size_t i = 0; !bits->known && i < COUNT; i++) {
		const struct rule *rule = &rules[i];
		const uint64_t bit = UINT64_C(1) << i;

		if (fits_pattern(&rule->row, rows, row) ||
		    (rule->other.second &&
		     fits_pattern(&rule->other, rows, row)))
			bits->proofs |= bit;
		if (fits_pattern(&rule->needs, rows, row))
			bits->needs |= bit;
		if (fits_pattern(&rule->never, rows, row) ||
		    fits_pattern(&rule->nor, rows, row))
			bits->nevers |= bit;
	}
	bits->known = true;
	return bits;
}

static bool fits_facts(const struct rule *rule, const struct tr2_facts *facts)
{
	if ((rule->since || rule->before) && !facts->version)
		return false;
	if (facts->version < rule->since ||
	    (rule->before && facts->version >= rule->before))
		return false;
	if (facts->choices & rule->without ||
	    (rule->with && !(facts->choices & rule->with)))
		return false;
	return !rule->monitor || tr2_facts_have_monitor(facts);
}

static bool fits_process(const struct judged *judged, size_t number)
{
	const struct rule *rule = &rules[number];

	if ((rule->least && !(judged->needs >> number & 1)) ||
	    judged->nevers >> number & 1 ||
	    !fits_facts(rule, judged->process->facts))
		return false;
	if (rule->commands &&
	    !tr2_words_list_has(rule->commands, judged->process->name))
		return false;
	return !rule->no_commands ||
	       !tr2_words_list_has(rule->no_commands, judged->process->name);
}

/* What a root owns is known; inside others the length must do. */
static int64_t find_all(const struct judged *judged,
			const struct tr2_local *local)
{
	const struct tr2_advised *process = judged->process;

	if (process->is_root)
		return local->sums.self;
	return local == process->locals->items ? process->length
					       : tr2_sums_total(&local->sums);
}

static int64_t find_time(const struct judged *judged, const struct rule *rule,
			 const struct tr2_local *local)
{
	const int64_t all = find_all(judged, local);
	const int64_t spent = judged->process->phases[rule->spent];

	return rule->spent && spent < all ? spent : all;
}

/* Inside others a length may be that of a child. */
static bool owns_time(const struct rule *rule,
		      const struct tr2_advised *process)
{
	return process->is_root ||
	       (!rule->own && !(rule->alone && process->has_children));
}

static void add_proof(struct tr2_rows *rows, const char *id, const char *what,
		      const struct tr2_sums *sums)
{
	struct tr2_row *row = tr2_rows_reach(rows, TR2_TABLE_PROOFS,
					     tr2_rows_word(rows, id),
					     tr2_rows_word(rows, what));

	row->sums.count += sums->count;
	tr2_sum_add(&row->sums.self, &row->sums.self_over, sums->self);
	tr2_sum_add(&row->sums.total, &row->sums.total_over, sums->total);
}

static const char *name_proof(const struct judged *judged,
			      const struct tr2_row *row, bool names_remote,
			      char *text, size_t size)
{
	const struct tr2_rows *rows = judged->rows;
	const char *remote = tr2_rows_text(
		rows, names_remote ? judged->process->remote : 0, NULL);
	const char *first = tr2_rows_text(rows, row->name[0], NULL);
	const char *second = tr2_rows_text(rows, row->name[1], NULL);
	const bool both = row->table != TR2_TABLE_COMMANDS &&
			  row->table != TR2_TABLE_CHILDREN;

	if (row->table == TR2_TABLE_COMMANDS)
		second = judged->process->name;
	snprintf(text, size, "%s%s%s%s%s%s", both ? first : "",
		 both ? " / " : "", second, *remote ? " (" : "", remote,
		 *remote ? ")" : "");
	return text;
}

static bool fits_sums(const struct rule *rule, const struct tr2_sums *sums)
{
	if (sums->count < rule->times ||
	    (rule->works && sums->failed >= sums->count))
		return false;
	return !rule->even || sums->max <= tr2_sums_total(sums) / 2;
}

/* Returns true if the rule fits; the first one that does counts. */
static bool judge_row(const struct judged *judged,
		      const struct tr2_local *local, size_t number)
{
	const struct rule *rule = &rules[number];
	const struct tr2_row *row = tr2_rows_at(judged->rows, local->row);
	int64_t time = find_time(judged, rule, local);
	struct tr2_sums proof = { .count = local->sums.count, .self = time };
	char text[400];

	if ((row->table == TR2_TABLE_COMMANDS && !judged->process->is_root &&
	     !rule->least) ||
	    time <= 0 || time < rule->time ||
	    !owns_time(rule, judged->process) ||
	    !fits_sums(rule, &local->sums) ||
	    (rule->phase && local->phase != rule->phase) ||
	    !fits_process(judged, number))
		return false;
	proof.total = time / 100 * rule->saves;
	add_proof(judged->rows, rule->advice.id,
		  name_proof(judged, row, rule->remote, text, sizeof(text)),
		  &proof);
	return true;
}

/*
 * The process itself may be the proof, too, by its name; or by that of a
 * helper.
 */
static void judge_local(const struct judged *judged,
			const struct tr2_local *local)
{
	uint64_t left = find_bits(judged, local->row)->proofs;

	for (; left; left &= left - 1)
		if (judge_row(judged, local, (size_t)__builtin_ctzll(left)))
			return;
}

/* A number has to be large enough; so many children did not fail. */
static uint64_t find_needs(const struct tr2_advice_bits *bits,
			   const struct tr2_local *local)
{
	uint64_t needs = 0;
	int64_t value;
	uint64_t left = bits->needs;
	int i;

	for (; left; left &= left - 1) {
		i = __builtin_ctzll(left);
		value = rules[i].needs.table == TR2_TABLE_DATA
				? local->sums.max
				: (int64_t)(local->sums.count -
					    local->sums.failed);
		if (value >= rules[i].least)
			needs |= UINT64_C(1) << i;
	}
	return needs;
}

void tr2_advice_note(struct tr2_rows *rows, struct tr2_vec *known,
		     const struct tr2_advised *process)
{
	struct judged judged = { rows, known, process, 0, 0 };
	const struct tr2_local *local = process->locals->items;
	const struct tr2_advice_bits *bits;

	for (uint32_t i = 1; i < process->locals->count; i++) {
		bits = find_bits(&judged, local[i].row);
		judged.nevers |= bits->nevers;
		judged.needs |= find_needs(bits, &local[i]);
	}
	for (uint32_t i = 0; i < process->locals->count; i++)
		judge_local(&judged, &local[i]);
}

void tr2_advice_note_many(struct tr2_rows *rows, uint32_t row, uint32_t count,
			  int64_t length)
{
	const struct tr2_row *child = tr2_rows_at(rows, row);
	const struct tr2_sums proof = { .count = 1, .self = length };
	char text[200];

	if (count < MANY_PROCESSES || length < MANY_LEAST ||
	    !tr2_words_list_has("shell_alias hook",
				tr2_rows_text(rows, child->name[0], NULL)))
		return;
	snprintf(text, sizeof(text), "%s with %u processes of git",
		 tr2_rows_text(rows, child->name[1], NULL), count);
	add_proof(rows, many.id, text, &proof);
}

const struct tr2_advice *tr2_advice_find(const char *id)
{
	if (!strcmp(id, many.id))
		return &many;
	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(id, rules[i].advice.id))
			return &rules[i].advice;
	return NULL;
}
