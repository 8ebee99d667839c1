#include "model/totals/rows.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "model/totals/phase.h"

#define TABLE_NAME(table, name, title) name,
#define TABLE_TITLE(table, name, title) title,

const char *const tr2_table_names[] = { TR2_TABLE_ROWS(TABLE_NAME) };
const char *const tr2_table_titles[] = { TR2_TABLE_ROWS(TABLE_TITLE) };

struct tr2_rows_text {
	char *bytes;
	size_t len;
	uint8_t phase; /* of a command of this name, plus one; 0: not known */
};

TR2_VEC_AT(text_at, tr2_rows, texts, tr2_rows_text);

void tr2_rows_begin(struct tr2_rows *rows)
{
	memset(rows, 0, sizeof(*rows));
	tr2_rows_name(rows, "", 0);
}

bool tr2_rows_name_fits(const char *wanted, const char *name)
{
	size_t len = wanted ? strlen(wanted) : 0;

	if (!wanted)
		return true;
	if (wanted[len - 1] == '*')
		return !strncmp(wanted, name, len - 1);
	return !strncmp(wanted, name, len) && (!name[len] || name[len] == '#');
}

static uint32_t add_text(struct tr2_rows *rows, const char *text, size_t len)
{
	struct tr2_rows_text *added = tr2_vec_add(&rows->texts, sizeof(*added));

	added->bytes = tr2_must_grow(NULL, len + 1);
	added->len = len;
	added->phase = 0;
	if (len)
		memcpy(added->bytes, text, len);
	added->bytes[len] = '\0';
	return rows->texts.count - 1;
}

/* A slot's value is the number plus one, because 0 means that it is new. */
uint32_t tr2_rows_name(struct tr2_rows *rows, const char *text, size_t len)
{
	struct tr2_map_slot *slot;

	len = strnlen(text, len);
	slot = tr2_map_enter(&rows->text_numbers, tr2_hash(text, len).a);
	if (!slot->value)
		slot->value = add_text(rows, text, len) + UINT64_C(1);
	return (uint32_t)(slot->value - 1);
}

uint32_t tr2_rows_take(struct tr2_rows *rows, struct tr2_buf *text)
{
	uint32_t number;

	tr2_must_hold(text);
	number = tr2_rows_name(rows, text->len ? text->bytes : "", text->len);
	tr2_buf_release(text);
	return number;
}

const char *tr2_rows_text(const struct tr2_rows *rows, uint32_t number,
			  size_t *len)
{
	if (len)
		*len = text_at(rows, number)->len;
	return text_at(rows, number)->bytes;
}

unsigned tr2_rows_phase(const struct tr2_rows *rows, uint32_t number)
{
	struct tr2_rows_text *text = rows->texts.items;

	text += number;
	if (!text->phase)
		text->phase = (uint8_t)(tr2_phase_find(TR2_TABLE_COMMANDS,
						       text->bytes, "") +
					1);
	return text->phase - 1U;
}

static uint32_t add_row(struct tr2_rows *rows, enum tr2_table table,
			uint32_t name, uint32_t second)
{
	struct tr2_row *row =
		tr2_vec_renew(&rows->rows, rows->rows.count, sizeof(*row));

	row->table = table;
	row->name[0] = name;
	row->name[1] = second;
	row->phase = (uint8_t)tr2_phase_find(table, text_at(rows, name)->bytes,
					     text_at(rows, second)->bytes);
	return rows->rows.count - 1;
}

uint32_t tr2_rows_enter(struct tr2_rows *rows, enum tr2_table table,
			uint32_t name, uint32_t second)
{
	const uint32_t key[] = { table, name, second };
	uint64_t hash = tr2_hash((const char *)key, sizeof(key)).a;
	struct tr2_map_slot *slot = tr2_map_enter(&rows->places, hash);

	if (!slot->value)
		slot->value = add_row(rows, table, name, second) + UINT64_C(1);
	return (uint32_t)(slot->value - 1);
}

void tr2_sum_add(int64_t *sum, int64_t *over, int64_t value)
{
	const int64_t before = *sum;

	*sum = (int64_t)((uint64_t)before + (uint64_t)value);
	if (value > 0 && *sum < before)
		++*over;
	if (value < 0 && *sum > before)
		--*over;
}

static bool is_later(const struct tr2_sums *a, const struct tr2_sums *b)
{
	return a->last_time > b->last_time ||
	       (a->last_time == b->last_time && a->last > b->last);
}

void tr2_sums_add(struct tr2_sums *sums, const struct tr2_sums *other)
{
	if (other->count) {
		if (!sums->count || other->min < sums->min)
			sums->min = other->min;
		if (!sums->count || other->max > sums->max)
			sums->max = other->max;
		if (!sums->count || is_later(other, sums)) {
			sums->last = other->last;
			sums->last_time = other->last_time;
		}
	}
	sums->count += other->count;
	sums->failed += other->failed;
	sums->threads += other->threads;
	tr2_sum_add(&sums->total, &sums->total_over, other->total);
	tr2_sum_add(&sums->self, &sums->self_over, other->self);
	sums->total_over += other->total_over;
	sums->self_over += other->self_over;
}

void tr2_sums_count(struct tr2_sums *sums, int64_t value)
{
	struct tr2_sums one = {
		.count = 1, .total = value, .min = value, .max = value
	};

	tr2_sums_add(sums, &one);
}

void tr2_rows_release(struct tr2_rows *rows)
{
	for (uint32_t i = 0; i < rows->texts.count; i++)
		free(text_at(rows, i)->bytes);
	for (uint32_t i = 0; i < rows->rows.count; i++)
		tr2_sketch_release(&tr2_rows_at(rows, i)->sketch);
	tr2_vec_release(&rows->texts);
	tr2_vec_release(&rows->rows);
	tr2_map_release(&rows->text_numbers);
	tr2_map_release(&rows->places);
}
