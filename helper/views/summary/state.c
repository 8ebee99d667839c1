#include <inttypes.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "views/summary/state_part.h"

#define PUT(out, forest, kind, ...)               \
	tr2_state_put(out, &(forest)->rows, kind, \
		      &(struct tr2_state_record){ __VA_ARGS__ })

static void put_options(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_filter *filter = &forest->filter;

	PUT(out, forest, TR2_STATE_OPTIONS,
	    .text = { tr2_by_names[forest->by],
		      filter->command ? filter->command : "" },
	    .number = { TR2_STATE_VERSION, forest->percentiles, filter->since,
			filter->slower_than });
}

static void put_counts(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_counts *counts = &forest->counts;

	PUT(out, forest, TR2_STATE_COUNTS,
	    .number = { (int64_t)counts->processes, (int64_t)counts->roots,
			(int64_t)counts->unfinished, (int64_t)counts->untimed,
			(int64_t)counts->unclosed, (int64_t)counts->unlogged,
			(int64_t)counts->cut, (int64_t)counts->late,
			(int64_t)counts->unread, counts->wall,
			counts->wall_over },
	    .more = counts->wall_over);
}

static void put_row(struct tr2_buf *out, const struct tr2_forest *forest,
		    const struct tr2_row *row)
{
	const struct tr2_sketch_bucket *bucket = row->sketch.buckets.items;
	const struct tr2_sums *sums = &row->sums;
	struct tr2_buf pairs = TR2_BUF_INIT;

	for (uint32_t i = 0; i < row->sketch.buckets.count; i++)
		tr2_pair_put(&pairs, bucket[i].number, bucket[i].count);
	tr2_must_end(&pairs);
	PUT(out, forest, TR2_STATE_ROW, .table = row->table,
	    .name = { row->name[0], row->name[1] },
	    .number = { (int64_t)sums->count, (int64_t)sums->failed,
			(int64_t)sums->threads, sums->total, sums->self,
			sums->min, sums->max, sums->last, sums->last_time,
			sums->total_over, sums->self_over },
	    .text = { pairs.bytes },
	    .more = sums->total_over || sums->self_over);
	tr2_buf_release(&pairs);
}

static void put_slowest(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_slowest *slowest = &forest->slowest;
	const struct tr2_link *link = slowest->chain.items;

	if (slowest->found)
		PUT(out, forest, TR2_STATE_SLOWEST, .name = { slowest->name },
		    .number = { slowest->wall, (int64_t)slowest->key });
	for (uint32_t i = 0; i < slowest->chain.count; i++, link++)
		PUT(out, forest, TR2_STATE_LINK, .table = link->table,
		    .name = { link->name[0], link->name[1] },
		    .number = { link->total, (int64_t)link->count });
}

/* Of several, none is told. */
static void put_stuck(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_row *row = tr2_forest_stuck(forest);
	const int64_t roots = (int64_t)forest->stuck.roots;

	if (row)
		PUT(out, forest, TR2_STATE_STUCK, .table = row->table,
		    .name = { row->name[0], row->name[1], forest->stuck.name },
		    .number = { roots }, .more = true);
	else if (roots && !tr2_forest_is_filtered(forest))
		PUT(out, forest, TR2_STATE_STUCK, .number = { roots },
		    .more = true);
}

/* Which of several was the first depends on the order of the logs. */
static void put_about(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_about *about = &forest->about;

	if (about->version || about->versions || about->repository ||
	    about->repositories || about->begin)
		PUT(out, forest, TR2_STATE_ABOUT,
		    .name = { about->versions ? 0 : about->version,
			      about->repositories ? 0 : about->repository },
		    .number = { about->versions, about->repositories,
				about->begin });
}

static void put_failure(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_failure *failure = &forest->failure;

	if (failure->count)
		PUT(out, forest, TR2_STATE_FAILURE,
		    .name = { failure->name, failure->child[1],
			      failure->child[0] },
		    .text = { failure->message.bytes },
		    .number = { (int64_t)failure->count, failure->end,
				(int64_t)failure->key, failure->has_code,
				failure->code, failure->signal },
		    .more = failure->child[1]);
}

/* When each began, after the one before it, and how long it took. */
static void put_ran(struct tr2_buf *out, const struct tr2_forest *forest,
		    const struct tr2_vec *list)
{
	const struct tr2_command_note *note = list->items;
	struct tr2_buf pairs = TR2_BUF_INIT;
	uint64_t last = 0, begin;

	for (uint32_t i = 0; i < list->count; i++, note++) {
		begin = (uint64_t)note->begin;
		tr2_pair_put(&pairs, begin - last, (uint64_t)note->end - begin);
		last = begin;
		if (i + 1 < list->count && note->kind == note[1].kind)
			continue;
		tr2_must_end(&pairs);
		PUT(out, forest, TR2_STATE_RAN,
		    .name = { note->repository, note->name, note->caller,
			      note->lock },
		    .text = { pairs.bytes });
		tr2_buf_reset(&pairs);
		last = 0;
	}
	tr2_buf_release(&pairs);
}

/* Which commands ran when: their number, and a line for each kind of them. */
static void put_notes(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_notes *notes = &forest->notes;
	const struct tr2_command_note *note = notes->list.items;
	struct tr2_vec list = { 0 };

	if (notes->seen || notes->older)
		PUT(out, forest, TR2_STATE_NOTES,
		    .number = { (int64_t)notes->seen, (int64_t)notes->cut,
				(int64_t)notes->older });
	for (uint32_t i = 0; i < notes->list.count; i++)
		TR2_VEC_COPY(&list, struct tr2_command_note, note[i]);
	tr2_notes_sort_kinds(&list);
	put_ran(out, forest, &list);
	tr2_vec_release(&list);
}

/* Which processes it has, and how many came too late. */
static void put_held(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_members *held = &forest->held;
	const uint64_t *hash = held->hashes.items;
	struct tr2_buf hashes = TR2_BUF_INIT;

	if (forest->window.apart)
		PUT(out, forest, TR2_STATE_APART,
		    .number = { (int64_t)forest->window.apart });
	for (uint32_t i = 0; i < held->hashes.count; i++)
		tr2_text_put(&hashes, "%016" PRIx64, hash[i]);
	tr2_must_end(&hashes);
	if (held->hashes.count)
		PUT(out, forest, TR2_STATE_HELD, .number = { held->shift },
		    .text = { hashes.bytes });
	tr2_buf_release(&hashes);
}

void tr2_state_write(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_forest *forest = result->forest;

	put_options(out, forest);
	put_counts(out, forest);
	for (int table = 0; table < TR2_TABLES; table++)
		for (uint32_t i = 0; i < result->tables[table].count; i++)
			put_row(out, forest,
				tr2_result_at(result, (enum tr2_table)table, i)
					->row);
	put_slowest(out, forest);
	put_stuck(out, forest);
	put_about(out, forest);
	put_failure(out, forest);
	put_notes(out, forest);
	put_held(out, forest);
	tr2_buf_str(out, "end\n");
}
