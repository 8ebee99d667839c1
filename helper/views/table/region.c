#include "lib/common/capped.h"
#include "lib/common/memory.h"
#include "read/value.h"
#include "views/table/event.h"

/* A process whose regions are told, and the rows that they become. */
struct region_step {
	struct tr2_flat_maker *maker;
	struct tr2_flat_process *process;
};

static struct tr2_flat_region *region_at(const struct region_step *step,
					 uint32_t place)
{
	return (struct tr2_flat_region *)step->process->regions.items + place;
}

static void copy_text(struct tr2_flat_region *region,
		      struct tr2_flat_region_text *to,
		      struct tr2_record *record, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	*to = (struct tr2_flat_region_text){ text != NULL, text ? len : 0 };
	tr2_buf_add(&region->texts, text ? text : "", to->len);
	if (region->texts.failed)
		tr2_memory_out();
}

static void read_region(struct tr2_flat_region *region,
			struct tr2_record *record)
{
	region->inner = 0;
	region->has_repo =
		tr2_record_integer(record, TR2_KEY_REPO, &region->repo);
	region->has_nesting =
		tr2_record_integer(record, TR2_KEY_NESTING, &region->nesting);
	tr2_buf_reset(&region->texts);
	copy_text(region, &region->category, record, TR2_KEY_CATEGORY);
	copy_text(region, &region->label, record, TR2_KEY_LABEL);
	copy_text(region, &region->msg, record, TR2_KEY_MSG);
}

static void begin_region(void *context, const struct tr2_moment *moment,
			 struct tr2_timeline_span *span)
{
	const struct region_step *step = context;
	struct tr2_vec *regions = &step->process->regions;

	if (span->kind != TR2_SPAN_REGION)
		return;
	while (regions->count <= span->place)
		tr2_vec_renew(regions, regions->count,
			      sizeof(struct tr2_flat_region));
	read_region(region_at(step, span->place), moment->record);
}

/* Returns the place after the text. */
static size_t put_text(struct tr2_flat_row *row, size_t column,
		       const struct tr2_flat_region *region,
		       const struct tr2_flat_region_text *text, size_t at)
{
	if (text->present)
		tr2_flat_set_text(row, column,
				  text->len ? region->texts.bytes + at : "",
				  text->len);
	return at + text->len;
}

static void put_texts(const struct region_step *step,
		      const struct tr2_flat_region *region)
{
	struct tr2_flat_row *row = &step->maker->row;
	size_t at = put_text(row, TR2_FLAT_REGIONS_CATEGORY, region,
			     &region->category, 0);

	at = put_text(row, TR2_FLAT_REGIONS_LABEL, region, &region->label, at);
	put_text(row, TR2_FLAT_REGIONS_MSG, region, &region->msg, at);
}

static void put_thread(const struct region_step *step,
		       const struct tr2_timeline_span *span)
{
	const struct tr2_buf *name =
		&tr2_timeline_thread_at(&step->process->timeline, span->thread)
			 ->name;

	if (name->len)
		tr2_flat_set_text(&step->maker->row, TR2_FLAT_REGIONS_THREAD,
				  name->bytes, name->len);
}

static void put_region(const struct region_step *step,
		       const struct tr2_timeline_span *span,
		       const struct tr2_flat_region *region)
{
	const struct tr2_flat_process *process = step->process;
	struct tr2_flat_row *row = &step->maker->row;

	if (!tr2_flat_begin(step->maker, TR2_FLAT_KIND_REGIONS))
		return;
	tr2_flat_set_text(row, TR2_FLAT_REGIONS_SID, process->sid,
			  process->sid_len);
	tr2_flat_set_text(row, TR2_FLAT_REGIONS_SESSION, process->sid,
			  process->session_len);
	tr2_flat_take_name(step->maker, TR2_FLAT_REGIONS_COMMAND,
			   process->command);
	tr2_flat_set_time(row, TR2_FLAT_REGIONS_TIME, span->time);
	put_thread(step, span);
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
	struct tr2_flat_maker *maker = step->maker;
	const char *texts = region->texts.len ? region->texts.bytes : "";

	if (!maker->select->rules.count)
		return;
	tr2_flat_copy_text(&maker->first, texts, region->category.len);
	tr2_flat_copy_text(&maker->second, texts + region->category.len,
			   region->label.len);
	tr2_select_region(maker->select, step->process, maker->first.bytes,
			  maker->second.bytes, length);
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

static void end_region(void *context, const struct tr2_moment *moment,
		       struct tr2_timeline_span *span)
{
	const struct region_step *step = context;
	struct tr2_flat_region unseen = { 0 };
	bool is_seen = span->place != TR2_NO_SPAN;
	struct tr2_flat_region *region = &unseen;

	if (span->kind != TR2_SPAN_REGION)
		return;
	if (is_seen)
		region = region_at(step, span->place);
	else
		read_region(region, moment->record);
	put_region(step, span, region);
	count_region(step, region, span->length);
	add_inner(step, span);
	tr2_buf_release(&unseen.texts);
}

/* A tr2_timeline_view has to have one. */
static void pass_over(void *context, const struct tr2_moment *moment)
{
	(void)context;
	(void)moment;
}

static const struct tr2_timeline_view view = { .take = pass_over,
					       .begin_span = begin_region,
					       .end_span = end_region };

void tr2_flat_take_regions(const struct tr2_flat_step *step)
{
	struct region_step context = { step->maker, step->process };

	if (step->process)
		tr2_timeline_take(&step->process->timeline, step->record, &view,
				  &context);
}

void tr2_flat_end_regions(struct tr2_flat_maker *maker,
			  struct tr2_flat_process *process)
{
	struct region_step context = { maker, process };

	tr2_timeline_close(&process->timeline, &view, &context);
}
