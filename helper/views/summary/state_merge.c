#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"
#include "views/summary/state_part.h"

#define WRONG "expected a record of a state"
#define WRONG_OPTIONS "expected the options of the summary"
#define WRONG_HELD "expected the processes of a state"

struct merge { /* A state while it is read. */
	struct tr2_forest *forest;
	struct tr2_rows *rows; /* of the forest */
	bool is_slowest;       /* the slowest so far is of this state */
	const char *why;       /* it cannot be added, or NULL */
};

static void take_counts(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_counts *into = &merge->forest->counts;
	uint64_t *const counts[] = {
		&into->processes, &into->roots,	   &into->unfinished,
		&into->untimed,	  &into->unclosed, &into->unlogged,
		&into->cut,	  &into->late,	   &into->unread,
	};
	const size_t count = sizeof(counts) / sizeof(counts[0]);

	for (size_t i = 0; i < count; i++)
		*counts[i] += (uint64_t)of->number[i];
	tr2_sum_add(&into->wall, &into->wall_over, of->number[count]);
	into->wall_over += of->number[count + 1];
}

static void take_row(struct merge *merge, const struct tr2_state_record *of)
{
	const int64_t *number = of->number;
	struct tr2_row *row = tr2_rows_reach(merge->rows, of->table,
					     of->name[0], of->name[1]);
	const char *text = of->text[0];
	uint64_t bucket, count;

	tr2_sums_add(&row->sums,
		     &(struct tr2_sums){ .count = (uint64_t)number[0],
					 .failed = (uint64_t)number[1],
					 .threads = (uint64_t)number[2],
					 .total = number[3],
					 .self = number[4],
					 .min = number[5],
					 .max = number[6],
					 .last = number[7],
					 .last_time = number[8],
					 .total_over = number[9],
					 .self_over = number[10] });
	while (*text && !merge->why)
		if (tr2_pair_read(&text, &bucket, &count) &&
		    bucket <= TR2_SKETCH_LAST)
			tr2_sketch_add_bucket(&row->sketch, (uint32_t)bucket,
					      count);
		else
			merge->why = WRONG;
}

/* It may take the place of the slowest so far, and then its links do, too. */
static void take_slowest(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_slowest *old = &merge->forest->slowest;
	const struct tr2_slowest one = { .found = true,
					 .name = of->name[0],
					 .wall = of->number[0],
					 .key = (uint64_t)of->number[1] };

	merge->is_slowest = !old->found || one.wall > old->wall ||
			    (one.wall == old->wall && one.key < old->key);
	if (!merge->is_slowest)
		return;
	tr2_vec_release(&old->chain);
	*old = one;
}

static void take_link(struct merge *merge, const struct tr2_state_record *of)
{
	if (merge->is_slowest)
		TR2_VEC_PUT(&merge->forest->slowest.chain, struct tr2_link,
			    .table = of->table,
			    .name = { of->name[0], of->name[1] },
			    .total = of->number[0],
			    .count = (uint64_t)of->number[1]);
}

static void take_stuck(struct merge *merge, const struct tr2_state_record *of)
{
	merge->forest->stuck = (struct tr2_stuck){
		.roots = merge->forest->stuck.roots +
			 (of->more ? (uint64_t)of->number[0] : 1),
		.name = of->name[2],
		.row = of->name[2] ? tr2_rows_enter(merge->rows, of->table,
						    of->name[0], of->name[1])
				   : 0,
	};
}

static void take_about(struct merge *merge, const struct tr2_state_record *of)
{
	tr2_about_add(&merge->forest->about,
		      &(struct tr2_about){ .version = of->name[0],
					   .repository = of->name[1],
					   .versions = of->number[0] != 0,
					   .repositories = of->number[1] != 0,
					   .begin = of->number[2] });
}

static void take_failure(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_failure failure = {
		.count = (uint64_t)of->number[0],
		.end = of->number[1],
		.key = (uint64_t)of->number[2],
		.name = of->name[0],
		.child = { of->name[2], of->name[1] },
		.has_code = of->number[3] != 0,
		.code = of->number[4],
		.signal = of->number[5],
	};

	if (failure.child[1] && !of->more)
		failure.child[0] = tr2_rows_word(merge->rows, "hook");
	tr2_failure_offer(&merge->forest->failure, &failure, of->text[0]);
}

static void take_notes(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_notes *notes = &merge->forest->notes;

	notes->seen += (uint64_t)of->number[0];
	notes->older += (uint64_t)of->number[2];
	tr2_notes_cut(notes, (uint64_t)of->number[1]);
}

static void take_ran(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_command_note note = { .repository = of->name[0],
					 .name = of->name[1],
					 .caller = of->name[2],
					 .lock = of->name[3] };
	const char *text = of->text[0];
	uint64_t after, length;

	while (*text && tr2_pair_read(&text, &after, &length)) {
		note.begin = (int64_t)((uint64_t)note.begin + after);
		note.end = (int64_t)((uint64_t)note.begin + length);
		tr2_notes_keep(&merge->forest->notes, merge->rows, &note);
	}
	if (*text)
		merge->why = WRONG;
}

static void take_apart(struct merge *merge, const struct tr2_state_record *of)
{
	merge->forest->window.apart += (uint64_t)of->number[0];
}

static bool read_hashes(struct tr2_members *held, const char *text)
{
	char digits[TR2_STATE_HASH + 1] = "";

	for (; *text; text += TR2_STATE_HASH) {
		if (strspn(text, "0123456789abcdef") < TR2_STATE_HASH)
			return false;
		memcpy(digits, text, TR2_STATE_HASH);
		tr2_members_add(held, strtoull(digits, NULL, 16));
	}
	return true;
}

static void take_held(struct merge *merge, const struct tr2_state_record *of)
{
	static char why[120];
	struct tr2_members *held = &merge->forest->held, more = { .shift = 0 };
	const int64_t shift = of->number[0];
	uint32_t common = 0;

	if (shift >= 0 && shift <= 64)
		tr2_members_thin(&more, (unsigned)shift);
	if (shift < 0 || shift > 64 || !read_hashes(&more, of->text[0]))
		merge->why = WRONG_HELD;
	else
		common = tr2_members_merge(held, &more);
	tr2_vec_release(&more.hashes);
	if (!common)
		return;
	snprintf(why, sizeof(why),
		 "%" PRIu32 " of its processes are in another state too%s; "
		 "they would count twice",
		 common, held->shift ? ", and more, of a sample" : "");
	merge->why = why;
}

static void adopt_options(struct tr2_forest *forest,
			  const struct tr2_state_record *of, int by)
{
	const uint32_t command = tr2_rows_word(&forest->rows, of->text[1]);

	forest->merged = true;
	forest->by = (enum tr2_by)by;
	forest->percentiles = of->number[1] != 0;
	forest->filter.command =
		command ? tr2_rows_text(&forest->rows, command, NULL) : NULL;
	forest->filter.since = of->number[2];
	forest->filter.slower_than = of->number[3];
}

static void take_options(struct merge *merge, const struct tr2_state_record *of)
{
	struct tr2_forest *forest = merge->forest;
	const struct tr2_filter *filter = &forest->filter;
	const int by = tr2_near_index(tr2_by_names, of->text[0]);

	if (by < 0) {
		merge->why = WRONG_OPTIONS;
		return;
	}
	if (!forest->merged)
		adopt_options(forest, of, by);
	forest->notes.older += of->number[0] < TR2_STATE_VERSION;
	if (forest->by != (enum tr2_by)by ||
	    forest->percentiles != (of->number[1] != 0) ||
	    filter->since != of->number[2] ||
	    filter->slower_than != of->number[3] ||
	    strcmp(filter->command ? filter->command : "", of->text[1]) != 0)
		merge->why = "this state was made with other options than the "
			     "first one";
}

static void take_first(struct merge *merge, const struct tr2_fields *fields)
{
	const char *const kind[] = { TR2_STATE_OPTIONS };
	struct tr2_state_record record = { .more = false };
	const bool right =
		tr2_fields_take(fields, kind[1], merge->rows, &record);

	if (fields->count != 7 || strcmp(fields->at[0], kind[0]) != 0 ||
	    record.number[0] < 1 || record.number[0] > TR2_STATE_VERSION)
		merge->why = "this is no state of 'trace2 summary' that this "
			     "version can read";
	else if (!right)
		merge->why = WRONG_OPTIONS;
	else
		take_options(merge, &record);
}

static void take_record(struct merge *merge, const struct tr2_fields *fields)
{
	static const struct {
		const char *kind, *form;
		void (*take)(struct merge *merge,
			     const struct tr2_state_record *of);
	} kinds[] = {
		{ TR2_STATE_ROW, take_row },
		{ TR2_STATE_COUNTS, take_counts },
		{ TR2_STATE_SLOWEST, take_slowest },
		{ TR2_STATE_LINK, take_link },
		{ TR2_STATE_STUCK, take_stuck },
		{ TR2_STATE_ABOUT, take_about },
		{ TR2_STATE_FAILURE, take_failure },
		{ TR2_STATE_APART, take_apart },
		{ TR2_STATE_NOTES, take_notes },
		{ TR2_STATE_RAN, take_ran },
		{ TR2_STATE_HELD, take_held },
	};
	const size_t count = sizeof(kinds) / sizeof(kinds[0]);
	struct tr2_state_record record = { .more = false };
	size_t i = 0;

	while (i < count && strcmp(fields->at[0], kinds[i].kind) != 0)
		i++;
	if (i < count &&
	    tr2_fields_take(fields, kinds[i].form, merge->rows, &record))
		kinds[i].take(merge, &record);
	else
		merge->why = i < count && kinds[i].take == take_held
				     ? WRONG_HELD
				     : WRONG;
}

/* A state has one end, and nothing after it. */
static const char *check_end(bool ended, bool has_more)
{
	if (!ended)
		return "the state is not complete";
	return has_more ? "expected nothing after the end of the state" : NULL;
}

const char *tr2_state_merge(struct tr2_forest *forest, const char *text,
			    size_t len, unsigned long *line)
{
	struct merge merge = { .forest = forest, .rows = &forest->rows };
	struct tr2_fields fields = { .text = TR2_BUF_INIT };
	const char *end = text + len, *next;
	bool ended = false;

	for (*line = 0; !merge.why && !ended && text < end; text = next) {
		++*line;
		next = memchr(text, '\n', (size_t)(end - text));
		tr2_fields_split(&fields, text,
				 (size_t)((next ? next : end) - text));
		next = next ? next + 1 : end;
		ended = !strcmp(fields.at[0], "end");
		if (*line == 1)
			take_first(&merge, &fields);
		else if (!ended)
			take_record(&merge, &fields);
	}
	if (!merge.why)
		merge.why = check_end(ended, text < end);
	tr2_buf_release(&fields.text);
	return merge.why;
}
