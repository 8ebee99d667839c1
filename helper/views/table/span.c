#include "lib/common/capped.h"
#include "model/account/name.h"
#include "views/table/event.h"

static struct tr2_flat_open *open_at(const struct tr2_flat_step *step,
				     uint32_t place)
{
	return tr2_vec_reach(&step->process->open, place,
			     sizeof(struct tr2_flat_open));
}

static enum tr2_flat_kind kind_of(const struct tr2_timeline_span *span)
{
	return span->kind == TR2_SPAN_REGION ? TR2_FLAT_KIND_REGIONS
					     : TR2_FLAT_KIND_CHILDREN;
}

void tr2_flat_begin_span(void *maker, struct tr2_summary_process *process,
			 const struct tr2_moment *moment,
			 const struct tr2_timeline_span *span)
{
	const struct tr2_flat_step step = { maker, process->beside,
					    moment->record, span->time };
	struct tr2_rows *texts = &step.maker->forest.rows;
	struct tr2_flat_open *open = open_at(&step, span->place);

	tr2_flat_begin(&step, &open->row, kind_of(span));
	open->inner = 0;
	if (!step.maker->select->rules.count)
		return;
	open->category = tr2_name_key(texts, step.record, TR2_KEY_CATEGORY);
	open->label = tr2_name_key(texts, step.record, TR2_KEY_LABEL);
}

static void put_region(const struct tr2_flat_step *step,
		       const struct tr2_timeline_span *span,
		       struct tr2_flat_open *open)
{
	struct tr2_flat_row *row = &open->row;

	tr2_flat_set_number(row, TR2_FLAT_REGIONS_WALL_US, span->length);
	tr2_flat_set_number(
		row, TR2_FLAT_REGIONS_SELF_US,
		span->length > open->inner ? span->length - open->inner : 0);
	tr2_flat_set_number(row, TR2_FLAT_REGIONS_UNCLOSED, span->unclosed);
	tr2_flat_put(step, row);
}

/* Its time is not the own time of the region around it. */
static void count_region(const struct tr2_flat_step *step,
			 const struct tr2_timeline_span *span,
			 const struct tr2_flat_open *open)
{
	const struct tr2_rows *texts = &step->maker->forest.rows;
	struct tr2_flat_open *outer;

	tr2_select_count(
		step->maker->select, step->process, TR2_SELECT_TIMERS,
		&(struct tr2_selected){
			.first = tr2_rows_text(texts, open->category, NULL),
			.second = tr2_rows_text(texts, open->label, NULL),
			.wall = span->length });
	if (span->outer == TR2_NO_SPAN)
		return;
	outer = open_at(step, span->outer);
	outer->inner = tr2_capped_add(outer->inner, span->length);
}

static void put_child(const struct tr2_flat_step *step,
		      const struct tr2_timeline_span *span,
		      struct tr2_flat_row *row)
{
	if (step->record)
		tr2_flat_take_end(step, row);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_WALL_US, span->length);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_UNCLOSED, span->unclosed);
	tr2_flat_put(step, row);
}

void tr2_flat_end_span(void *maker, struct tr2_summary_process *process,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span)
{
	const struct tr2_flat_step step = { maker, process->beside,
					    moment->record, span->time };
	const bool is_wanted = step.maker->output->kinds >> kind_of(span) & 1;
	struct tr2_flat_open *open = open_at(&step, span->place);

	if (span->kind != TR2_SPAN_REGION) {
		if (is_wanted)
			put_child(&step, span, &open->row);
		return;
	}
	if (is_wanted)
		put_region(&step, span, open);
	count_region(&step, span, open);
}
