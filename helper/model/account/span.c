#include "model/account/forest.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/text/text.h"
#include "read/value.h"
#include "model/account/name.h"

static struct tr2_row *find_row(const struct tr2_summary_step *step,
				uint32_t place)
{
	return tr2_rows_at(&step->forest->rows,
			   tr2_local_at(step->process, place)->row);
}

/* Count the threads of a region, process by process. */
static void count_thread(const struct tr2_summary_step *step, uint32_t local)
{
	const struct tr2_timeline *timeline = &step->process->life.timeline;
	const uint64_t key[] = {
		local + UINT64_C(1),
		tr2_timeline_thread_at(timeline, step->moment->thread)->hash
	};
	struct tr2_local *entered = tr2_local_at(step->process, local);

	if (!entered->sums.threads)
		entered->thread = key[1];
	else if (entered->thread == key[1] ||
		 !tr2_map_add(&step->process->threads,
			      tr2_hash((const char *)key, sizeof(key)).a))
		return;
	entered->sums.threads++;
}

/* Only some commands check out what they unpack. */
static enum tr2_phase find_region_phase(const struct tr2_summary_step *step,
					uint32_t local)
{
	const char *name = tr2_rows_text(&step->forest->rows,
					 step->process->names.name, NULL);

	return tr2_phase_within((enum tr2_phase)find_row(step, local)->phase,
				name);
}

static void begin_region(const struct tr2_summary_step *step,
			 const struct tr2_timeline_span *span)
{
	uint32_t local =
		tr2_step_enter_keys(step, TR2_TABLE_REGIONS, TR2_KEY_LABEL);

	count_thread(step, local);
	tr2_process_enter(step->process, span->place, local);
	if (!span->unseen && span->thread == step->process->life.timeline.main)
		tr2_process_push(step->process, span->place,
				 find_region_phase(step, local));
}

static uint32_t name_class(const struct tr2_summary_step *step, bool is_exec)
{
	uint32_t class = tr2_name_key(&step->forest->rows, step->record,
				      TR2_KEY_CHILD_CLASS);

	return is_exec ? tr2_rows_name(&step->forest->rows, "exec", 4) : class;
}

/* git gives no class to what the user set up: gpg, a driver, an --exec. */
static bool is_foreign(const struct tr2_summary_step *step, uint32_t local)
{
	const struct tr2_row *row = find_row(step, local);
	const struct tr2_rows *rows = &step->forest->rows;
	const char *name = tr2_rows_text(rows, row->name[1], NULL);

	return !strcmp(tr2_rows_text(rows, row->name[0], NULL), "?") && *name &&
	       strncmp(name, "git", 3) != 0;
}

static void push_child(const struct tr2_summary_step *step, uint32_t place,
		       enum tr2_phase otherwise)
{
	uint32_t owner = tr2_open_span_at(step->process, place)->owner;
	uint32_t local = tr2_process_find_local(step->process, owner);
	struct tr2_local *entered = tr2_local_at(step->process, local);
	enum tr2_phase phase;

	if (!entered->phase)
		entered->phase = find_row(step, local)->phase;
	if (!entered->phase &&
	    (otherwise != TR2_PHASE_PROGRAMS || is_foreign(step, local)))
		entered->phase = (uint8_t)otherwise;
	phase = (enum tr2_phase)entered->phase;
	if (!phase && is_foreign(step, local))
		phase = TR2_PHASE_PROGRAMS;
	tr2_process_push(step->process, place, phase);
}

/* Git runs shells in threads of their own for filters alone. */
static bool is_filter(const struct tr2_summary_step *step,
		      const struct tr2_timeline_span *span)
{
	return span->thread != step->process->life.timeline.main &&
	       tr2_words_have_shell(step->record);
}

/* What a child is for, which its names do not tell. */
static enum tr2_phase find_use(const struct tr2_summary_step *step,
			       const struct tr2_timeline_span *span,
			       enum tr2_phase use)
{
	return use != TR2_PHASE_CREDENTIALS && is_filter(step, span)
		       ? TR2_PHASE_FILTER
		       : use;
}

static bool is_pager(const struct tr2_summary_step *step)
{
	size_t len;
	const char *text =
		tr2_record_text(step->record, TR2_KEY_CHILD_CLASS, &len);

	return text && tr2_text_is(text, len, "pager");
}

void tr2_step_push_pager(const struct tr2_summary_step *step)
{
	uint32_t place = step->process->pager;

	step->process->pager = TR2_NO_SPAN;
	if (place != TR2_NO_SPAN)
		push_child(step, place, TR2_PHASE_NONE);
}

static void begin_child(const struct tr2_summary_step *step,
			const struct tr2_timeline_span *span)
{
	struct tr2_summary_process *process = step->process;
	struct tr2_rows *rows = &step->forest->rows;
	const struct tr2_said *said =
		tr2_said_read(step->forest->said, rows, step->record);
	bool is_exec = span->kind == TR2_SPAN_EXEC;
	struct tr2_child_span *child;
	uint32_t name, local, place;

	name = tr2_name_use(rows, step->record, &process->names);
	if (!process->remote)
		process->remote = said->remote;
	local = tr2_step_enter_row(step, TR2_TABLE_CHILDREN,
				   name_class(step, is_exec),
				   name ? name : said->name);
	place = process->children.count;
	child = tr2_vec_renew(&process->children, place, sizeof(*child));
	child->local = local;
	child->call = (struct tr2_tree_call){
		.begin = span->begin,
		.pid = is_exec ? process->life.self.pid : 0,
		.words = said->words & TR2_WORDS_MOST,
		.kind = is_exec ? TR2_CALL_EXEC : TR2_CALL_CHILD,
	};
	tr2_process_enter(process, span->place, TR2_OWNER_CHILD | place);
	if (!is_exec && is_pager(step) && !process->life.timeline.ending)
		process->pager = span->place;
	else
		push_child(step, span->place,
			   find_use(step, span,
				    name ? TR2_PHASE_NONE : said->use));
}

void tr2_step_begin_span(const struct tr2_summary_step *step,
			 const struct tr2_timeline_span *span)
{
	if (span->kind == TR2_SPAN_REGION)
		begin_region(step, span);
	else
		begin_child(step, span);
}

/* Take it out of those that may own time. */
static void pop_span(const struct tr2_summary_step *step,
		     const struct tr2_timeline_span *span)
{
	if (tr2_open_span_at(step->process, span->place)->owns)
		tr2_process_pop(step->process, span->place,
				span->begin + span->length);
}

/* A span with this local row was so long; its length is also for quantiles. */
static void count_span(const struct tr2_summary_step *step, uint32_t local,
		       int64_t length)
{
	tr2_sums_count(tr2_step_sums(step, local), length);
	if (!step->forest->percentiles)
		return;
	TR2_VEC_PUT(&step->process->lengths, struct tr2_length, local,
		    length > 0 ? (uint64_t)length : 0);
}

static void end_region(const struct tr2_summary_step *step,
		       const struct tr2_timeline_span *span)
{
	struct tr2_summary_process *process = step->process;
	const uint32_t local = tr2_open_span_at(process, span->place)->owner;

	if (span->unseen && span->thread == process->life.timeline.main)
		tr2_process_claim(process, local,
				  find_region_phase(step, local), span->begin);
	pop_span(step, span);
	process->unclosed += span->unclosed;
	count_span(step, local, span->length);
}

static void read_result(const struct tr2_summary_step *step,
			struct tr2_child_span *child)
{
	int64_t code = 0;

	tr2_record_integer(step->record, TR2_KEY_CODE, &code);
	child->code = (int32_t)code;
	tr2_step_sums(step, child->local)->failed += code != 0;
	tr2_tree_end_call(&child->call, step->record);
}

/*
 * The process itself goes on after an exec that failed; one that is never
 * closed has put another program in its place.
 */
static void end_child(const struct tr2_summary_step *step,
		      const struct tr2_timeline_span *span)
{
	struct tr2_summary_process *process = step->process;
	uint32_t place = tr2_open_span_at(process, span->place)->owner &
			 ~TR2_OWNER_CHILD;
	struct tr2_child_span *child = tr2_child_span_at(process, place);

	count_span(step, child->local, span->length);
	child->call.end = span->begin + span->length;
	process->unclosed += span->unclosed;
	if (step->record)
		read_result(step, child);
	if (process->pager == span->place)
		process->pager = TR2_NO_SPAN;
	pop_span(step, span);
}

/* Those that end with their process come in reverse. */
static void note_stuck(const struct tr2_summary_step *step,
		       const struct tr2_timeline_span *span)
{
	struct tr2_summary_process *process = step->process;

	if (!step->record && span->unclosed && !process->stuck)
		process->stuck = tr2_process_find_local(
			process, tr2_open_span_at(process, span->place)->owner);
}

void tr2_step_end_span(const struct tr2_summary_step *step,
		       const struct tr2_timeline_span *span)
{
	note_stuck(step, span);
	if (span->kind == TR2_SPAN_REGION)
		end_region(step, span);
	else
		end_child(step, span);
}
