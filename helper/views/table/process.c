#include "views/table/event.h"

#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"

void tr2_flat_process_release(struct tr2_flat_process *process)
{
	struct tr2_buf *list = process->lists.items;
	struct tr2_flat_open *open = process->open.items;

	for (uint32_t i = 0; i < process->lists.count; i++)
		tr2_buf_release(&list[i]);
	for (uint32_t i = 0; i < process->open.count; i++)
		tr2_flat_row_release(&open[i].row);
	tr2_vec_release(&process->lists);
	tr2_vec_release(&process->open);
	tr2_flat_row_release(&process->row);
}

void tr2_flat_process_list(struct tr2_flat_process *process, size_t field,
			   const char *text, size_t len)
{
	struct tr2_buf *list =
		tr2_vec_reach(&process->lists, field, sizeof(*list));

	if (!len)
		return;
	if (list->len)
		tr2_buf_byte(list, ',');
	tr2_buf_add(list, text, len);
	tr2_must_hold(list);
}

static size_t count_cells(const struct tr2_flat_maker *maker)
{
	return maker->output->counts[TR2_FLAT_KIND_PROCESSES] + 1;
}

void tr2_flat_keep(struct tr2_flat_maker *maker,
		   struct tr2_flat_process *process)
{
	struct tr2_flat_row *row = &process->row;
	struct tr2_buf text = TR2_BUF_INIT;

	tr2_buf_add(&text, row->cells.items,
		    count_cells(maker) * sizeof(struct tr2_flat_cell));
	tr2_buf_add(&text, row->texts.bytes, row->texts.len);
	tr2_must_hold(&text);
	TR2_VEC_COPY(&maker->places, uint64_t,
		     tr2_spill_add(&maker->texts, text.bytes, text.len));
	tr2_buf_release(&text);
}

static uint64_t place_of(const struct tr2_flat_maker *maker, uint32_t number)
{
	const uint64_t *places = maker->places.items;

	return number < maker->places.count
		       ? places[number]
		       : maker->texts.spilled + maker->texts.text.len;
}

/* False: its text is lost. */
static bool load_row(struct tr2_flat_maker *maker, uint32_t number,
		     struct tr2_flat_row *row)
{
	const uint64_t at = place_of(maker, number);
	const size_t len = (size_t)(place_of(maker, number + 1) - at);
	const size_t cells = count_cells(maker) * sizeof(struct tr2_flat_cell);
	struct tr2_buf text = TR2_BUF_INIT;

	if (tr2_spill_read(&maker->texts, at, len, &text)) {
		maker->failed = true;
	} else {
		tr2_must_hold(&text);
		tr2_flat_row_begin(row, TR2_FLAT_KIND_PROCESSES,
				   count_cells(maker));
		memcpy(row->cells.items, text.bytes, cells);
		tr2_buf_add(&row->texts, text.bytes + cells, len - cells);
		tr2_must_hold(&row->texts);
	}
	tr2_buf_release(&text);
	return !maker->failed;
}

/* Its own error counts, or else the earliest of those that joined. */
static void join_error(const struct tr2_flat_maker *maker,
		       struct tr2_flat_row *into,
		       const struct tr2_flat_row *from)
{
	const size_t when = count_cells(maker) - 1;
	const struct tr2_flat_cell *error =
		tr2_flat_cell_at(from, TR2_FLAT_PROCESSES_ERROR);
	const struct tr2_flat_cell *time = tr2_flat_cell_at(from, when);
	const struct tr2_flat_cell *before = tr2_flat_cell_at(into, when);

	if (!error->present ||
	    (before->present && before->number <= time->number))
		return;
	tr2_flat_set_text(into, TR2_FLAT_PROCESSES_ERROR,
			  tr2_flat_text(from, error), error->len);
	tr2_flat_set_number(into, when, time->number);
}

static void add_cell(struct tr2_flat_row *into, const struct tr2_flat_row *from,
		     size_t column)
{
	struct tr2_flat_cell *sum = tr2_flat_cell_at(into, column);

	sum->number = tr2_capped_add(sum->number,
				     tr2_flat_cell_at(from, column)->number);
}

/* What --select adds: sums, and arrays of which each has its list. */
static void join_fields(const struct tr2_flat_maker *maker,
			struct tr2_flat_process *into,
			const struct tr2_flat_row *from)
{
	const struct tr2_flat_column *column = maker->select->columns.items;
	const struct tr2_flat_cell *cell;

	for (size_t i = maker->select->first; i < maker->select->columns.count;
	     i++) {
		cell = tr2_flat_cell_at(from, i);
		if (column[i].type == TR2_FLAT_TEXT)
			tr2_flat_process_list(into, i - maker->select->first,
					      tr2_flat_text(from, cell),
					      cell->len);
		else if (from != &into->row)
			add_cell(&into->row, from, i);
	}
}

/* Those below join in the order in which they ended. */
static void join_below(struct tr2_flat_maker *maker,
		       struct tr2_flat_process *process)
{
	const uint32_t *below = maker->below.items;
	struct tr2_flat_row from = { .kind = TR2_FLAT_KIND_PROCESSES };

	for (uint32_t i = maker->below.count; i; i--) {
		if (!load_row(maker, below[i - 1], &from))
			break;
		add_cell(&process->row, &from, TR2_FLAT_PROCESSES_JOINED);
		add_cell(&process->row, &from,
			 TR2_FLAT_PROCESSES_JOINED_FAILED);
		add_cell(&process->row, &from, TR2_FLAT_PROCESSES_ERRORS);
		join_error(maker, &process->row, &from);
		join_fields(maker, process, &from);
	}
	tr2_flat_row_release(&from);
}

static void put_lists(const struct tr2_flat_maker *maker,
		      struct tr2_flat_process *process)
{
	const struct tr2_flat_column *column = maker->select->columns.items;
	const size_t first = maker->select->first;
	struct tr2_buf text = TR2_BUF_INIT;
	const struct tr2_buf *list;

	for (size_t i = first; i < maker->select->columns.count; i++) {
		if (column[i].type != TR2_FLAT_TEXT)
			continue;
		list = tr2_vec_reach(&process->lists, i - first, sizeof(*list));
		tr2_buf_reset(&text);
		tr2_buf_byte(&text, '[');
		if (list->len)
			tr2_buf_add(&text, list->bytes, list->len);
		tr2_buf_byte(&text, ']');
		tr2_must_hold(&text);
		tr2_flat_set_text(&process->row, i, text.bytes, text.len);
	}
	tr2_buf_release(&text);
}

/* There are no more of the present row. */
static void put_row(struct tr2_flat_maker *maker)
{
	struct tr2_flat_process process = { .command = 0 };
	struct tr2_flat_row *row = &process.row;

	if (maker->has_root && load_row(maker, maker->root.number, row)) {
		tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WALL_US,
				    maker->root.wall);
		tr2_flat_set_number(row, TR2_FLAT_PROCESSES_SELF_US,
				    maker->root.self);
		tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WAITED_US,
				    maker->root.waited);
		if (tr2_flat_cell_at(row, TR2_FLAT_PROCESSES_ERROR)->present)
			tr2_flat_set_number(row, count_cells(maker) - 1,
					    INT64_MIN);
		join_fields(maker, &process, row);
		join_below(maker, &process);
		put_lists(maker, &process);
		row->cells.count--;
		tr2_flat_output_put(maker->output, row);
	}
	tr2_flat_process_release(&process);
	maker->below.count = 0;
}

void tr2_flat_join(void *context, const struct tr2_forest *forest,
		   const struct tr2_resolved *process)
{
	struct tr2_flat_maker *maker = context;

	(void)forest;
	if (!(maker->output->kinds >> TR2_FLAT_KIND_PROCESSES & 1))
		return;
	if (process->is_root) {
		put_row(maker);
		maker->root = *process;
		maker->has_root = true;
		return;
	}
	TR2_VEC_COPY(&maker->below, uint32_t, process->number);
}

int tr2_flat_maker_end(struct tr2_flat_maker *maker)
{
	put_row(maker);
	return maker->failed ? -1 : 0;
}
