#include "views/convert/convert_part.h"

#include "lib/common/hash.h"

enum when { BEFORE, INSIDE, AFTER };

struct tr2_cut_piece {
	size_t at, len;
	enum when when; /* of a begin */
	bool stays;
	bool is_flow;	/* of a begin: it is only its two ends, and no time */
	uint64_t outer; /* of a begin: the one around it; 0: none */
};

static struct tr2_cut_piece *find_piece(struct tr2_cut *cut, uint64_t number)
{
	return number ? (struct tr2_cut_piece *)cut->pieces.items + number - 1
		      : NULL;
}

static struct tr2_cut_piece *add_piece(struct tr2_cut *cut,
				       const struct trace_reader_record *record,
				       bool stays)
{
	struct tr2_cut_piece *piece = tr2_vec_add(&cut->pieces, sizeof(*piece));

	*piece = (struct tr2_cut_piece){ .at = cut->bytes.len,
					 .len = record->words * 8,
					 .stays = stays };
	tr2_buf_add(&cut->bytes, record->bytes, piece->len);
	return piece;
}

static bool has_time(const struct trace_reader_record *record)
{
	return record->type == FXT_EVENT || record->type == FXT_SCHEDULING ||
	       record->type == FXT_LOG || record->ticks;
}

static enum when find_when(const struct tr2_cut *cut, uint64_t time)
{
	/* A record may be earlier than the first one. */
	const int64_t us =
		time < cut->begun ? 0 : (int64_t)((time - cut->begun) / 1000);

	return us < cut->from ? BEFORE : us < cut->to ? INSIDE : AFTER;
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

/* What begins later is kept only to know its end. */
static void put_begin(struct tr2_cut *cut,
		      const struct trace_reader_record *record, enum when when)
{
	struct tr2_map_slot *slot = find_open(cut, record);
	struct tr2_cut_piece *piece = add_piece(cut, record, when == INSIDE);

	if (when == AFTER) {
		cut->bytes.len = piece->at;
		piece->len = 0;
	}
	cut->has_any |= piece->stays;
	piece->when = when;
	piece->is_flow = record->subtype == FXT_FLOW_BEGIN;
	piece->outer = slot->value;
	slot->value = cut->pieces.count;
}

/* Does what began there, and ends then or never, lie inside in part? */
static bool overlaps_time(const struct tr2_cut_piece *begin, enum when when)
{
	if (begin->is_flow && begin->when == BEFORE && when == AFTER)
		return false;
	return begin->when != AFTER && when != BEFORE;
}

static void put_end(struct tr2_cut *cut,
		    const struct trace_reader_record *record, enum when when)
{
	struct tr2_map_slot *slot = find_open(cut, record);
	struct tr2_cut_piece *begin = find_piece(cut, slot->value);
	bool stays = when == INSIDE;

	if (begin) {
		slot->value = begin->outer;
		stays = overlaps_time(begin, when);
		begin->stays = stays;
	}
	cut->has_any |= stays;
	if (stays)
		add_piece(cut, record, true);
}

static void put_timed(struct tr2_cut *cut,
		      const struct trace_reader_record *record)
{
	const enum when when = find_when(cut, record->time);
	const unsigned kind = record->type == FXT_EVENT ? record->subtype
							: FXT_INSTANT;
	const uint64_t end = kind == FXT_DURATION_COMPLETE ? record->end
							   : record->time;

	if (kind == FXT_DURATION_BEGIN || kind == FXT_ASYNC_BEGIN ||
	    kind == FXT_FLOW_BEGIN) {
		put_begin(cut, record, when);
	} else if (kind == FXT_DURATION_END || kind == FXT_ASYNC_END ||
		   kind == FXT_FLOW_END) {
		put_end(cut, record, when);
	} else if (when != AFTER && find_when(cut, end) != BEFORE) {
		cut->has_any = true;
		add_piece(cut, record, true);
	}
}

void tr2_cut_put(struct tr2_cut *cut, const struct trace_reader_record *record)
{
	if (!has_time(record)) {
		add_piece(cut, record, true);
		return;
	}
	if (!cut->has_begun)
		cut->begun = record->time;
	cut->has_begun = true;
	put_timed(cut, record);
}

/* What never ends is open at the end of the time. */
static void keep_open(struct tr2_cut *cut)
{
	const struct tr2_map_slot *slot = NULL;
	struct tr2_cut_piece *piece;

	while ((slot = tr2_map_next(&cut->open, slot)))
		for (piece = find_piece(cut, slot->value); piece;
		     piece = find_piece(cut, piece->outer)) {
			piece->stays = overlaps_time(piece, AFTER);
			cut->has_any |= piece->stays;
		}
}

void tr2_cut_end(struct tr2_cut *cut, struct tr2_buf *out)
{
	const struct tr2_cut_piece *piece = cut->pieces.items;
	uint32_t i;

	keep_open(cut);
	for (i = 0; i < cut->pieces.count; i++, piece++)
		if (piece->stays)
			tr2_buf_add(out, cut->bytes.bytes + piece->at,
				    piece->len);
	out->failed |= cut->bytes.failed;
}

void tr2_cut_release(struct tr2_cut *cut)
{
	tr2_buf_release(&cut->bytes);
	tr2_vec_release(&cut->pieces);
	tr2_map_release(&cut->open);
}
