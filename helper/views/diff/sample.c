#include "views/diff/compare.h"

#include "lib/common/hash.h"

struct tr2_sample_value {
	uint64_t key, value;
};

static int compare_keys(const void *left, const void *right)
{
	const struct tr2_sample_value *a = left, *b = right;

	return tr2_order(a->key, b->key);
}

static int compare_values(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return tr2_order(*a, *b);
}

/* Keep only those with the smallest keys. */
static void choose_values(struct tr2_sample *sample)
{
	if (sample->values.count <= TR2_SAMPLE_LIMIT)
		return;
	tr2_vec_sort(&sample->values, sizeof(struct tr2_sample_value),
		     compare_keys);
	sample->values.count = TR2_SAMPLE_LIMIT;
}

static void add_number(struct tr2_sample *sample, uint64_t key, uint64_t value)
{
	struct tr2_sample_value *added;

	if (sample->values.count == 2 * TR2_SAMPLE_LIMIT)
		choose_values(sample);
	added = tr2_vec_add(&sample->values, sizeof(*added));
	*added = (struct tr2_sample_value){ key, value };
	sample->count++;
}

/* There are no more values: keep only these, in order, as uint64_t. */
static void end_sample(struct tr2_sample *sample)
{
	const struct tr2_sample_value *from;
	struct tr2_vec values = { 0 };
	uint64_t *added;
	uint32_t i;

	choose_values(sample);
	from = sample->values.items;
	for (i = 0; i < sample->values.count; i++) {
		added = tr2_vec_add(&values, sizeof(*added));
		*added = from[i].value;
	}
	tr2_vec_release(&sample->values);
	sample->values = values;
	tr2_vec_sort(&sample->values, sizeof(*added), compare_values);
}

void tr2_samples_begin(struct tr2_samples *samples)
{
	*samples = (struct tr2_samples){ .set = TR2_SAMPLE_A };
	tr2_rows_begin(&samples->names);
}

/* The number of a text of the forest among ours. */
static uint32_t copy_name(struct tr2_samples *samples,
			  const struct tr2_forest *forest, uint32_t number)
{
	size_t len;
	const char *text = tr2_rows_text(&forest->rows, number, &len);

	return tr2_rows_name(&samples->names, text, len);
}

static struct tr2_sample_row *enter_row(struct tr2_samples *samples,
					const struct tr2_sample_row *row)
{
	const uint32_t key[] = { row->table, row->command, row->name[0],
				 row->name[1] };
	uint64_t hash = tr2_hash((const char *)key, sizeof(key)).a;
	struct tr2_map_slot *slot = tr2_map_enter(&samples->places, hash);
	struct tr2_sample_row *added;

	if (!slot->value) {
		added = tr2_vec_add(&samples->rows, sizeof(*added));
		*added = *row;
		slot->value = samples->rows.count;
	}
	return tr2_samples_at(samples, (uint32_t)slot->value - 1);
}

static void add_value(struct tr2_samples *samples,
		      const struct tr2_sample_row *row, uint64_t key,
		      int64_t value)
{
	add_number(&enter_row(samples, row)->sets[samples->set], key,
		   value > 0 ? (uint64_t)value : 0);
}

void tr2_samples_take(void *context, const struct tr2_forest *forest,
		      const struct tr2_resolved *process)
{
	struct tr2_samples *samples = context;
	const struct tr2_local *local = process->locals->items;
	const struct tr2_row *from;
	struct tr2_sample_row row = { .table = TR2_TABLE_COMMANDS };
	uint32_t i;

	if (process->unfinished)
		return;
	row.command = copy_name(samples, forest, process->command);
	add_value(samples, &row, process->key, process->wall);
	for (i = 1; i < process->locals->count; i++) {
		from = tr2_rows_at(&forest->rows, local[i].row);
		if (!local[i].sums.count || (from->table != TR2_TABLE_REGIONS &&
					     from->table != TR2_TABLE_CHILDREN))
			continue;
		row.table = from->table;
		row.name[0] = copy_name(samples, forest, from->name[0]);
		row.name[1] = copy_name(samples, forest, from->name[1]);
		add_value(samples, &row, process->key,
			  tr2_sums_total(&local[i].sums));
	}
}

void tr2_samples_end(struct tr2_samples *samples)
{
	struct tr2_sample_row *row;
	uint32_t i;

	for (i = 0; i < samples->rows.count; i++) {
		row = tr2_samples_at(samples, i);
		end_sample(&row->sets[TR2_SAMPLE_A]);
		end_sample(&row->sets[TR2_SAMPLE_B]);
	}
}

void tr2_samples_release(struct tr2_samples *samples)
{
	struct tr2_sample_row *row;
	uint32_t i;

	for (i = 0; i < samples->rows.count; i++) {
		row = tr2_samples_at(samples, i);
		tr2_vec_release(&row->sets[TR2_SAMPLE_A].values);
		tr2_vec_release(&row->sets[TR2_SAMPLE_B].values);
	}
	tr2_vec_release(&samples->rows);
	tr2_map_release(&samples->places);
	tr2_rows_release(&samples->names);
}
