#include "views/convert/convert_part.h"

#include "lib/common/hash.h"

#define NEVER UINT64_MAX
#define DATES ((uint64_t)20 * 365 * 86400 * 1000000000) /* ns: about 1990 */

struct tr2_cut_piece {
	size_t at, len;
	uint64_t start, end; /* in ns; of an end: those of its begin too */
	uint64_t outer;	     /* of a begin: the one around it; 0: none */
	bool is_timeless;
	bool is_flow; /* of a begin: it is only its two ends, and no time */
};

static struct tr2_cut_piece *find_piece(struct tr2_cut *cut, uint64_t number)
{
	return number ? (struct tr2_cut_piece *)cut->pieces.items + number - 1
		      : NULL;
}

static bool has_time(const struct trace_reader_record *record)
{
	return record->type == FXT_EVENT || record->type == FXT_SCHEDULING ||
	       record->type == FXT_LOG || record->ticks;
}

/* A time without a date would move the beginning to 1970 for all others. */
static bool has_date(uint64_t time)
{
	return time >= DATES;
}

/* Returns the microseconds since the first event. */
static uint64_t measure_time(const struct tr2_cut *cut, uint64_t time)
{
	const uint64_t begun = cut->begun[has_date(time)];

	return time < begun ? 0 : (time - begun) / 1000;
}

static bool is_before(const struct tr2_cut *cut, uint64_t time)
{
	return measure_time(cut, time) < (uint64_t)cut->from;
}

static bool is_after(const struct tr2_cut *cut, uint64_t time)
{
	return time == NEVER || measure_time(cut, time) >= (uint64_t)cut->to;
}

/*
 * An earlier first time may come, so that what is before the cut may lie in it
 * then; but what is after it stays there, and only its number is needed.
 */
static struct tr2_cut_piece *add_piece(struct tr2_cut *cut,
				       const struct trace_reader_record *record,
				       uint64_t start, uint64_t end)
{
	struct tr2_cut_piece *piece = tr2_vec_add(&cut->pieces, sizeof(*piece));

	*piece = (struct tr2_cut_piece){ .at = cut->bytes.len,
					 .start = start,
					 .end = end };
	if (is_after(cut, start))
		return piece;
	piece->len = record->words * 8;
	tr2_buf_add(&cut->bytes, record->bytes, piece->len);
	return piece;
}

/* Where the last begin is of what this begins or ends. */
static struct tr2_map_slot *find_open(struct tr2_cut *cut,
				      const struct trace_reader_record *record)
{
	const bool is_slice = record->subtype < FXT_ASYNC_BEGIN;
	const struct trace_reader_text *name = &record->name;
	const uint64_t ids[] = {
		is_slice ? record->provider : 0,
		record->thread.process,
		is_slice ? record->thread.thread : record->id,
		is_slice ? 0 : record->subtype / FXT_FLOW_BEGIN + 1,
		is_slice ? 0 : tr2_hash(name->bytes, name->len).a,
	};

	return tr2_map_enter(&cut->open,
			     tr2_hash((const char *)ids, sizeof(ids)).a);
}

/* What never ends is open at the end of the time. */
static void put_begin(struct tr2_cut *cut,
		      const struct trace_reader_record *record)
{
	struct tr2_map_slot *slot = find_open(cut, record);
	struct tr2_cut_piece *piece =
		add_piece(cut, record, record->time, NEVER);

	piece->is_flow = record->subtype == FXT_FLOW_BEGIN;
	piece->outer = slot->value;
	slot->value = cut->pieces.count;
}

static void put_end(struct tr2_cut *cut,
		    const struct trace_reader_record *record)
{
	struct tr2_map_slot *slot = find_open(cut, record);
	struct tr2_cut_piece *begin = find_piece(cut, slot->value);
	uint64_t start = record->time;
	bool is_flow = false;

	if (begin) {
		slot->value = begin->outer;
		begin->end = record->time;
		start = begin->start;
		is_flow = begin->is_flow;
	}
	if (!is_after(cut, start))
		add_piece(cut, record, start, record->time)->is_flow = is_flow;
}

static void put_timed(struct tr2_cut *cut,
		      const struct trace_reader_record *record)
{
	const unsigned kind = record->type == FXT_EVENT ? record->subtype
							: FXT_INSTANT;

	if (kind == FXT_DURATION_BEGIN || kind == FXT_ASYNC_BEGIN ||
	    kind == FXT_FLOW_BEGIN)
		put_begin(cut, record);
	else if (kind == FXT_DURATION_END || kind == FXT_ASYNC_END ||
		 kind == FXT_FLOW_END)
		put_end(cut, record);
	else if (!is_after(cut, record->time))
		add_piece(cut, record, record->time,
			  kind == FXT_DURATION_COMPLETE ? record->end
							: record->time);
}

void tr2_cut_begin(struct tr2_cut *cut, int64_t from, int64_t to)
{
	cut->from = from;
	cut->to = to;
	cut->begun[false] = cut->begun[true] = NEVER;
}

void tr2_cut_put(struct tr2_cut *cut, const struct trace_reader_record *record)
{
	uint64_t *begun;

	if (!has_time(record)) {
		add_piece(cut, record, 0, 0)->is_timeless = true;
		return;
	}
	begun = &cut->begun[has_date(record->time)];
	if (record->time < *begun)
		*begun = record->time;
	put_timed(cut, record);
}

/* Does it lie inside in part? */
static bool lies_inside(const struct tr2_cut *cut,
			const struct tr2_cut_piece *piece)
{
	if (piece->is_flow && is_before(cut, piece->start) &&
	    is_after(cut, piece->end))
		return false;
	return !is_after(cut, piece->start) && !is_before(cut, piece->end);
}

void tr2_cut_end(struct tr2_cut *cut, struct tr2_buf *out)
{
	const struct tr2_cut_piece *piece = cut->pieces.items;
	bool is_inside;

	for (uint32_t i = 0; i < cut->pieces.count; i++, piece++) {
		is_inside = !piece->is_timeless && lies_inside(cut, piece);
		cut->has_any |= is_inside;
		if (is_inside || piece->is_timeless)
			tr2_buf_add(out, cut->bytes.bytes + piece->at,
				    piece->len);
	}
	out->failed |= cut->bytes.failed;
}

void tr2_cut_release(struct tr2_cut *cut)
{
	tr2_buf_release(&cut->bytes);
	tr2_vec_release(&cut->pieces);
	tr2_map_release(&cut->open);
}
