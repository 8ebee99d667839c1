#include <stdlib.h>

#include "lib/common/capped.h"
#include "lib/common/memory.h"
#include "model/account/name.h"
#include "read/value.h"
#include "views/table/event.h"

static struct tr2_flat_child *child_at(struct tr2_flat_process *process,
				       uint32_t place)
{
	return tr2_vec_reach(&process->children, place,
			     sizeof(struct tr2_flat_child));
}

static void put_thread(struct tr2_flat_row *row, size_t column,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span)
{
	const struct tr2_timeline_thread *thread =
		tr2_timeline_thread_at(moment->timeline, span->thread);

	if (thread->name)
		tr2_flat_set_text(row, column, thread->name, thread->name_len);
}

static void begin_child(struct tr2_flat_maker *maker,
			struct tr2_flat_process *process,
			const struct tr2_moment *moment,
			const struct tr2_timeline_span *span)
{
	struct tr2_flat_child *child;
	struct tr2_record *record = moment->record;
	struct tr2_rows *texts = &maker->forest.rows;
	const char *argv;
	size_t len;

	if (!(maker->output->kinds >> TR2_FLAT_KIND_CHILDREN & 1))
		return;
	child = child_at(process, span->place);
	child->child_class = tr2_name_key(texts, record, TR2_KEY_CHILD_CLASS);
	child->hook = tr2_name_key(texts, record, TR2_KEY_HOOK_NAME);
	child->cd = tr2_name_key(texts, record, TR2_KEY_CD);
	argv = tr2_record_raw(record, TR2_KEY_ARGV, &len);
	child->argv = argv ? tr2_rows_name(texts, argv, len) : 0;
}

/* What the log says when it ends; the record is NULL if it says nothing. */
static void put_end(struct tr2_flat_row *row, struct tr2_record *record)
{
	int64_t number;
	size_t len = 0;
	const char *ready;

	if (!record)
		return;
	if (tr2_record_integer(record, TR2_KEY_PID, &number))
		tr2_flat_set_number(row, TR2_FLAT_CHILDREN_PID, number);
	ready = tr2_record_text(record, TR2_KEY_READY, &len);
	tr2_flat_set_text(row, TR2_FLAT_CHILDREN_READY, ready, len);
	if ((record->is == TR2_IS_CHILD_EXIT ||
	     record->is == TR2_IS_EXEC_RESULT) &&
	    tr2_record_integer(record, TR2_KEY_CODE, &number))
		tr2_flat_set_number(row, TR2_FLAT_CHILDREN_CODE, number);
}

static void put_begin(struct tr2_flat_maker *maker,
		      const struct tr2_flat_child *child)
{
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_CLASS, child->child_class);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_HOOK, child->hook);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_CD, child->cd);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_ARGV, child->argv);
}

static void end_child(struct tr2_flat_maker *maker,
		      struct tr2_flat_process *process,
		      const struct tr2_moment *moment,
		      const struct tr2_timeline_span *span)
{
	struct tr2_flat_row *row = &maker->row;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_CHILDREN))
		return;
	tr2_flat_set_sid(row, TR2_FLAT_CHILDREN_SID, process->sid.bytes,
			 process->sid.len);
	tr2_flat_take_name(maker, TR2_FLAT_CHILDREN_COMMAND,
			   process->facts.command);
	tr2_flat_set_time(row, TR2_FLAT_CHILDREN_TIME, span->time);
	tr2_flat_set_text(row, TR2_FLAT_CHILDREN_EVENT,
			  span->kind == TR2_SPAN_EXEC ? "exec" : "child_start",
			  span->kind == TR2_SPAN_EXEC ? 4 : 11);
	put_thread(row, TR2_FLAT_CHILDREN_THREAD, moment, span);
	if (span->place != TR2_NO_SPAN)
		put_begin(maker, child_at(process, span->place));
	put_end(row, moment->record);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_WALL_US, span->length);
	tr2_flat_set_number(row, TR2_FLAT_CHILDREN_UNCLOSED, span->unclosed);
	tr2_flat_output_put(maker->output, row);
}

/* A process whose regions are told, and the rows that they become. */
struct region_step {
	struct tr2_flat_maker *maker;
	struct tr2_flat_process *process;
	const struct tr2_moment *moment;
};

TR2_VEC_AT(region_at, region_step, process->regions, tr2_flat_region);

static void copy_message(struct tr2_flat_region *region,
			 struct tr2_record *record)
{
	size_t len = 0;
	const char *text = tr2_record_text(record, TR2_KEY_MSG, &len);

	region->has_msg = text;
	region->msg_len = (uint32_t)len;
	if (len)
		region->msg = memcpy(tr2_must_grow(NULL, len), text, len);
}

static void read_region(const struct region_step *step,
			struct tr2_flat_region *region)
{
	struct tr2_rows *texts = &step->maker->forest.rows;
	struct tr2_record *record = step->moment->record;

	*region = (struct tr2_flat_region){
		.has_category = tr2_record_has(record, TR2_KEY_CATEGORY),
		.has_label = tr2_record_has(record, TR2_KEY_LABEL),
		.category = tr2_name_key(texts, record, TR2_KEY_CATEGORY),
		.label = tr2_name_key(texts, record, TR2_KEY_LABEL),
	};
	region->has_repo =
		tr2_record_integer(record, TR2_KEY_REPO, &region->repo);
	region->has_nesting =
		tr2_record_integer(record, TR2_KEY_NESTING, &region->nesting);
	copy_message(region, record);
}

void tr2_flat_begin_span(void *maker, struct tr2_summary_process *process,
			 const struct tr2_moment *moment,
			 const struct tr2_timeline_span *span)
{
	const struct region_step step = { maker, process->beside, moment };

	if (span->kind != TR2_SPAN_REGION) {
		begin_child(maker, step.process, moment, span);
		return;
	}
	read_region(&step, tr2_vec_reach(&step.process->regions, span->place,
					 sizeof(struct tr2_flat_region)));
}

static void put_name(const struct region_step *step, size_t column,
		     bool is_present, uint32_t number)
{
	size_t len;
	const char *text =
		tr2_rows_text(&step->maker->forest.rows, number, &len);

	if (is_present)
		tr2_flat_set_text(&step->maker->row, column, text, len);
}

static void put_texts(const struct region_step *step,
		      const struct tr2_flat_region *region)
{
	put_name(step, TR2_FLAT_REGIONS_CATEGORY, region->has_category,
		 region->category);
	put_name(step, TR2_FLAT_REGIONS_LABEL, region->has_label,
		 region->label);
	if (region->has_msg)
		tr2_flat_set_text(&step->maker->row, TR2_FLAT_REGIONS_MSG,
				  region->msg ? region->msg : "",
				  region->msg_len);
}

static void put_region(const struct region_step *step,
		       const struct tr2_timeline_span *span,
		       const struct tr2_flat_region *region)
{
	const struct tr2_flat_process *process = step->process;
	struct tr2_flat_row *row = &step->maker->row;

	if (!tr2_flat_begin(step->maker, TR2_FLAT_KIND_REGIONS))
		return;
	tr2_flat_set_sid(row, TR2_FLAT_REGIONS_SID, process->sid.bytes,
			 process->sid.len);
	tr2_flat_take_name(step->maker, TR2_FLAT_REGIONS_COMMAND,
			   process->facts.command);
	tr2_flat_set_time(row, TR2_FLAT_REGIONS_TIME, span->time);
	put_thread(row, TR2_FLAT_REGIONS_THREAD, step->moment, span);
	put_texts(step, region);
	if (region->has_repo)
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_REPO, region->repo);
	if (region->has_nesting)
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_NESTING,
				    region->nesting);
	tr2_flat_set_number(row, TR2_FLAT_REGIONS_WALL_US, span->length);
	tr2_flat_set_number(row, TR2_FLAT_REGIONS_SELF_US,
			    span->length > region->inner
				    ? span->length - region->inner
				    : 0);
	tr2_flat_set_number(row, TR2_FLAT_REGIONS_UNCLOSED, span->unclosed);
	tr2_flat_output_put(step->maker->output, row);
}

static void count_region(const struct region_step *step,
			 const struct tr2_flat_region *region, int64_t length)
{
	const struct tr2_rows *texts = &step->maker->forest.rows;

	tr2_select_region(step->maker->select, step->process,
			  tr2_rows_text(texts, region->category, NULL),
			  tr2_rows_text(texts, region->label, NULL), length);
}

/* Its time is not the own time of the region around it. */
static void add_inner(const struct region_step *step,
		      const struct tr2_timeline_span *span)
{
	struct tr2_flat_region *outer;

	if (span->outer == TR2_NO_SPAN)
		return;
	outer = region_at(step, span->outer);
	outer->inner = tr2_capped_add(outer->inner, span->length);
}

void tr2_flat_end_span(void *maker, struct tr2_summary_process *process,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span)
{
	const struct region_step step = { maker, process->beside, moment };
	struct tr2_flat_region unseen, *region = &unseen;

	if (span->kind != TR2_SPAN_REGION) {
		end_child(maker, step.process, moment, span);
		return;
	}
	if (span->place != TR2_NO_SPAN)
		region = region_at(&step, span->place);
	else
		read_region(&step, region);
	put_region(&step, span, region);
	count_region(&step, region, span->length);
	add_inner(&step, span);
	free(region->msg);
	region->msg = NULL;
}
