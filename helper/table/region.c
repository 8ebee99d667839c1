#include "common/capped.h"
#include "common/hash.h"
#include "common/memory.h"
#include "rules/value.h"
#include "table/event.h"

static void copy_text(struct tr2_flat_region *region,
		      struct tr2_flat_region_text *to,
		      struct tr2_record *record, enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_text(record, key, &len);

	if (!text)
		return;
	*to = (struct tr2_flat_region_text){ true, len };
	tr2_buf_add(&region->texts, text, len);
	if (region->texts.failed)
		tr2_memory_out();
}

/* Each is mixed by itself: "a" in "b" is not "b" in "a". */
static uint64_t hash_name(struct tr2_record *record)
{
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t category = tr2_record_hash(record, TR2_KEY_CATEGORY);

	return tr2_hash_mix(tr2_hash_mix(0, category, factor),
			    tr2_record_hash(record, TR2_KEY_LABEL), factor);
}

void tr2_flat_region_enter(const struct tr2_flat_step *step)
{
	struct tr2_record *record = step->record;
	struct tr2_flat_region *region;

	if (!step->process || (step->process->ended && !step->process->forked))
		return;
	region = tr2_vec_renew(&step->process->regions,
			       step->process->regions.count, sizeof(*region));
	region->thread = tr2_record_hash(record, TR2_KEY_THREAD);
	region->name = hash_name(record);
	region->start = step->time;
	region->has_repo =
		tr2_record_integer(record, TR2_KEY_REPO, &region->repo);
	region->has_nesting =
		tr2_record_integer(record, TR2_KEY_NESTING, &region->nesting);
	copy_text(region, &region->thread_text, record, TR2_KEY_THREAD);
	copy_text(region, &region->category, record, TR2_KEY_CATEGORY);
	copy_text(region, &region->label, record, TR2_KEY_LABEL);
	copy_text(region, &region->msg, record, TR2_KEY_MSG);
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

static void put_texts(struct tr2_flat_row *row,
		      const struct tr2_flat_region *region)
{
	size_t at = put_text(row, TR2_FLAT_REGIONS_THREAD, region,
			     &region->thread_text, 0);

	at = put_text(row, TR2_FLAT_REGIONS_CATEGORY, region, &region->category,
		      at);
	at = put_text(row, TR2_FLAT_REGIONS_LABEL, region, &region->label, at);
	put_text(row, TR2_FLAT_REGIONS_MSG, region, &region->msg, at);
}

/* Negative: it has no end. */
static void put_region(struct tr2_flat_maker *maker,
		       const struct tr2_flat_process *process,
		       const struct tr2_flat_region *region, int64_t wall)
{
	struct tr2_flat_row *row = &maker->row;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_REGIONS))
		return;
	tr2_flat_set_text(row, TR2_FLAT_REGIONS_SID, process->sid,
			  process->sid_len);
	tr2_flat_set_text(row, TR2_FLAT_REGIONS_SESSION, process->sid,
			  process->session_len);
	tr2_flat_take_name(maker, TR2_FLAT_REGIONS_COMMAND, process->command);
	tr2_flat_set_time(row, TR2_FLAT_REGIONS_TIME, region->start);
	put_texts(row, region);
	if (region->has_repo)
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_REPO, region->repo);
	if (region->has_nesting)
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_NESTING,
				    region->nesting);
	if (wall >= 0) {
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_WALL_US, wall);
		tr2_flat_set_number(row, TR2_FLAT_REGIONS_SELF_US,
				    wall > region->inner ? wall - region->inner
							 : 0);
	}
	tr2_flat_output_put(maker->output, row);
}

static struct tr2_flat_region *region_at(struct tr2_flat_process *process,
					 uint32_t place)
{
	return (struct tr2_flat_region *)process->regions.items + place;
}

/* Returns the place of the last one of the thread, or `count`. */
static uint32_t find_region(struct tr2_flat_process *process, uint32_t before,
			    uint64_t thread, const uint64_t *name)
{
	const struct tr2_flat_region *region;

	while (before--) {
		region = region_at(process, before);
		if (region->thread == thread &&
		    (!name || region->name == *name))
			return before;
	}
	return process->regions.count;
}

static void remove_region(struct tr2_flat_process *process, uint32_t place)
{
	struct tr2_flat_region *region = region_at(process, place);

	tr2_flat_region_free(region);
	process->regions.count--;
	memmove(region, region + 1,
		(process->regions.count - place) * sizeof(*region));
}

/* The duration decides; without one, the times. Negative: unknown. */
static int64_t measure_region(const struct tr2_flat_step *step,
			      const struct tr2_flat_region *region)
{
	int64_t wall;

	if (tr2_record_seconds(step->record, TR2_KEY_T_REL, &wall))
		return wall;
	return step->time && region->start ? step->time - region->start : -1;
}

static void count_region(const struct tr2_flat_step *step, int64_t wall)
{
	struct tr2_flat_maker *maker = step->maker;

	if (!maker->select->rules.count)
		return;
	tr2_flat_copy_key(&maker->first, step->record, TR2_KEY_CATEGORY);
	tr2_flat_copy_key(&maker->second, step->record, TR2_KEY_LABEL);
	tr2_select_region(maker->select, step->process, maker->first.bytes,
			  maker->second.bytes, wall > 0 ? wall : 0);
}

void tr2_flat_region_leave(const struct tr2_flat_step *step)
{
	struct tr2_flat_process *process = step->process;
	uint64_t thread, name;
	uint32_t place, outer;
	int64_t wall;

	if (!process)
		return;
	thread = tr2_record_hash(step->record, TR2_KEY_THREAD);
	name = hash_name(step->record);
	place = find_region(process, process->regions.count, thread, &name);
	if (place == process->regions.count)
		return;
	wall = measure_region(step, region_at(process, place));
	put_region(step->maker, process, region_at(process, place), wall);
	count_region(step, wall);
	outer = find_region(process, place, thread, NULL);
	if (outer < place && wall > 0)
		region_at(process, outer)->inner =
			tr2_capped_add(region_at(process, outer)->inner, wall);
	remove_region(process, place);
}

void tr2_flat_abandon_regions(struct tr2_flat_maker *maker,
			      struct tr2_flat_process *process)
{
	uint32_t i;

	for (i = 0; i < process->regions.count; i++) {
		put_region(maker, process, region_at(process, i), -1);
		tr2_flat_region_free(region_at(process, i));
	}
	tr2_vec_release(&process->regions);
}
