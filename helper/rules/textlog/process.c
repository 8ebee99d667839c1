
#include <stdlib.h>

#include "lib/text/text.h"
#include "rules/textlog/textlog.h"

/* Each of two times is cut to a microsecond. SPEC: time.micro */
#define SLACK 2

#define DEPTH_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define CHILD_FACTOR UINT64_C(0xc2b2ae3d27d4eb4f)

/*
 * If a line was lost since the last one of this depth, it is unknown to which
 * process its lines belong.
 */
static struct tr2_text_process *process_at(struct tr2_processes *processes,
					   unsigned long depth)
{
	struct tr2_map_slot *slot = tr2_map_enter(
		&processes->places, tr2_hash_mix(1, depth, DEPTH_FACTOR));
	struct tr2_text_process *process;

	if (!slot->value) {
		process = tr2_vec_add(&processes->all, sizeof(*process));
		*process = (struct tr2_text_process){
			.depth = depth,
			.lost = processes->lost,
		};
		slot->value = processes->all.count;
	}
	process = processes->all.items;
	process += slot->value - 1;
	process->unknown |= process->lost != processes->lost;
	process->lost = processes->lost;
	return process;
}

static struct tr2_text_thread *thread_of(struct tr2_text_process *process,
					 uint64_t name)
{
	struct tr2_map_slot *slot = tr2_map_enter(&process->places, name);

	if (!slot->value) {
		TR2_VEC_PUT(&process->threads, struct tr2_text_thread,
			    .began = -1);
		slot->value = process->threads.count;
	}
	return (struct tr2_text_thread *)process->threads.items + slot->value -
	       1;
}

/* Another thread may get its name. */
static void end_thread(struct tr2_text_thread *thread)
{
	tr2_vec_release(&thread->open);
	*thread = (struct tr2_text_thread){ .began = -1 };
}

static void forget_threads(struct tr2_text_process *process)
{
	struct tr2_text_thread *threads = process->threads.items;

	while (process->threads.count)
		tr2_vec_release(&threads[--process->threads.count].open);
	tr2_map_release(&process->places);
}

/* Git writes dots for all open regions; others may stop at this number. */
#define DOTS_REGIONS 100

/* SPEC: perf.region-dots, perf.dots-dropped */
static const char *dots_id(const struct tr2_perf_step *step)
{
	const enum tr2_is is = step->columns->is;

	if (is == TR2_IS_REGION_ENTER || is == TR2_IS_REGION_LEAVE)
		return "perf.region-dots";
	if (is == TR2_IS_EXIT || is == TR2_IS_SIGNAL || step->none)
		return "perf.dots-dropped";
	return "perf.dots";
}

/* Are these the dots of so many regions? SPEC: perf.dots-most */
static bool has_dots(const struct tr2_perf_step *step, size_t regions)
{
	return step->free ? step->dots >= regions : step->dots == regions;
}

/* SPEC: perf.dots */
static bool check_dots(struct tr2_textlog *log,
		       const struct tr2_perf_step *step, size_t expected)
{
	struct tr2_span span = { step->columns->payload, 2 * step->dots };

	if (has_dots(step, expected) ||
	    (expected > DOTS_REGIONS && has_dots(step, DOTS_REGIONS)))
		return true;
	tr2_textlog_report_span(
		log, dots_id(step), span,
		step->dots < expected
			? "more regions are open than there are dots"
			: "fewer regions are open than there are dots");
	return false;
}

static void check_t_rel(struct tr2_textlog *log,
			const struct tr2_perf_step *step, int64_t since,
			const char *id)
{
	const struct tr2_columns *columns = step->columns;
	int64_t took = columns->us_abs - since, rel = columns->us_rel;

	if (since >= 0 && columns->us_abs >= 0 && rel >= 0 &&
	    (took > rel + SLACK || took < rel - SLACK))
		tr2_textlog_report_span(log, id, columns->t_rel,
					"not the time since it began");
}

/* SPEC: time.t_abs */
static void check_clock(struct tr2_textlog *log,
			const struct tr2_perf_step *step,
			struct tr2_text_thread *thread)
{
	const struct tr2_columns *columns = step->columns;

	if (columns->us_abs < 0)
		return;
	if (columns->us_abs < thread->last)
		tr2_textlog_report_span(
			log, "time.t_abs", columns->t_abs,
			"before the time of this thread's previous line");
	thread->last = columns->us_abs;
}

/*
 * A process forks into the background: both processes continue with the same
 * name and the same open regions.
 */
static bool is_detach(const struct tr2_textlog *log,
		      const struct tr2_perf_step *step)
{
	static const char label[] = "label:detach";
	size_t at = step->columns->payload + 2 * (size_t)step->dots;
	size_t end = at + sizeof(label) - 1;

	return step->columns->is == TR2_IS_REGION_ENTER &&
	       tr2_text_starts(log->event.bytes + at, log->event.len - at,
			       label) &&
	       (end == log->event.len || log->event.bytes[end] == ' ');
}

static void check_regions(struct tr2_textlog *log,
			  const struct tr2_perf_step *step,
			  struct tr2_text_thread *thread)
{
	enum tr2_is is = step->columns->is;
	size_t count = thread->open.count, expected = step->none ? 0 : count;
	const int64_t *open = thread->open.items;
	int64_t since = count ? open[count - 1] : thread->began;

	if (is == TR2_IS_REGION_LEAVE && !expected) {
		thread->lost = true;
		return;
	}
	expected -= is == TR2_IS_REGION_LEAVE;
	if (is != TR2_IS_THREAD_EXIT && !check_dots(log, step, expected)) {
		thread->lost = true;
		return;
	}
	if (is == TR2_IS_REGION_LEAVE) {
		check_t_rel(log, step, since, "region.t_rel");
		thread->open.count--;
	} else if (is == TR2_IS_REGION_ENTER) {
		TR2_VEC_COPY(&thread->open, int64_t, step->columns->us_abs);
	} else if (is == TR2_IS_DATA || is == TR2_IS_DATA_JSON) {
		check_t_rel(log, step, since, "region.data-t_rel");
	}
}

/*
 * Children have ids of their own in each process. A second child_start with
 * an id replaces the first.
 * SPEC: event.child_exit.t_rel, event.child_ready.t_rel
 */
static void check_child(struct tr2_text_process *process,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step)
{
	const size_t at = step->columns->payload + 2 * (size_t)step->dots;
	const enum tr2_is is = step->columns->is;
	struct tr2_map_slot *slot;

	if (!tr2_text_starts(log->event.bytes + at, log->event.len - at, "[ch"))
		return;
	slot = tr2_map_enter(
		&process->places,
		tr2_hash_mix(2, strtoul(log->event.bytes + at + 3, NULL, 10),
			     CHILD_FACTOR));
	if (is == TR2_IS_CHILD_START)
		slot->value = (uint64_t)(step->columns->us_abs + 1);
	else if (slot->value)
		check_t_rel(log, step, (int64_t)slot->value - 1,
			    is == TR2_IS_CHILD_EXIT
				    ? "event.child_exit.t_rel"
				    : "event.child_ready.t_rel");
}

static void step_thread(struct tr2_text_process *process,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step)
{
	const struct tr2_span *name = &step->columns->thread;
	const char *text = log->event.bytes + name->at;
	struct tr2_text_thread *thread =
		thread_of(process, tr2_hash(text, name->len).a);

	if (step->columns->is == TR2_IS_THREAD_START)
		thread->began = step->columns->us_abs;
	else if (tr2_text_is(text, name->len, "main"))
		thread->began = 0;
	check_clock(log, step, thread);
	if (!thread->lost)
		check_regions(log, step, thread);
	else if (step->none)
		check_dots(log, step, 0);
	if (step->columns->is == TR2_IS_THREAD_EXIT) {
		check_t_rel(log, step, thread->began,
			    "event.thread_exit.t_rel");
		end_thread(thread);
	}
	check_child(process, log, step);
}

/*
 * SPEC: session.depth
 * Between its exec and the end of its program, or the failure of the exec,
 * a process may write, and another one of this depth may begin.
 */
static void begin_process(struct tr2_text_process *process)
{
	if (process->is_gone || process->may_be_gone)
		process->alive -= process->alive > 0;
	process->may_be_back = process->may_be_gone;
	process->unknown = process->alive || process->stray ||
			   process->may_be_back;
	process->is_gone = process->may_be_gone = false;
	process->alive++;
	forget_threads(process);
}

static void step_process(struct tr2_text_process *process, enum tr2_is is)
{
	if (is == TR2_IS_VERSION)
		begin_process(process);
	else if (!process->alive)
		process->unknown = process->stray = true;
	if (is == TR2_IS_EXEC)
		process->may_be_gone = true;
	else if (is == TR2_IS_SIGNAL)
		process->is_gone = true;
	else if (is == TR2_IS_EXEC_RESULT) {
		process->alive += process->may_be_back;
		process->may_be_gone = process->may_be_back = false;
	}
}

/* Does the log have the beginning of the process? SPEC: perf.column.depth */
static bool check_begun(struct tr2_processes *all, struct tr2_textlog *log,
			struct tr2_text_process *process,
			const struct tr2_perf_step *step)
{
	bool begun = process->begun || step->columns->is == TR2_IS_VERSION;

	process->begun = true;
	if (begun || !all->from_start)
		return true;
	tr2_textlog_report_span(log, "perf.column.depth", step->columns->depth,
				"no process of this depth has begun");
	return false;
}

void tr2_processes_step(struct tr2_processes *processes,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step)
{
	enum tr2_is is = step->columns->is;
	struct tr2_text_process *process = process_at(
		processes,
		strtoul(log->event.bytes + step->columns->depth.at + 1, NULL,
			10));

	if (!processes->any)
		processes->from_start = is == TR2_IS_VERSION;
	processes->any = true;
	if (!check_begun(processes, log, process, step)) {
		process->unknown = process->stray = true;
		return;
	}
	step_process(process, is);
	if (!process->unknown)
		step_thread(process, log, step);
	else if (step->none)
		check_dots(log, step, 0);
	if (is_detach(log, step))
		process->unknown = process->stray = true;
	if (is == TR2_IS_ATEXIT) {
		process->alive -= process->alive > 0;
		process->is_gone = process->may_be_gone = false;
	}
}

void tr2_processes_lost(struct tr2_processes *processes)
{
	processes->lost++;
	processes->any = true;
}

void tr2_processes_lost_line(struct tr2_processes *processes)
{
	tr2_processes_lost(processes);
	processes->from_start = false;
}

void tr2_processes_release(struct tr2_processes *processes)
{
	struct tr2_text_process *process = processes->all.items;

	for (size_t i = 0; i < processes->all.count; i++, process++) {
		forget_threads(process);
		tr2_vec_release(&process->threads);
	}
	tr2_vec_release(&processes->all);
	tr2_map_release(&processes->places);
}
