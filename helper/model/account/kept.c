/* What is kept of a process that ended. */
#include <string.h>

#include "lib/common/capped.h"
#include "model/account/forest.h"
#include "model/account/name.h"
#include "model/account/resolve.h"
#include "read/value.h"

static void commit_lengths(struct tr2_forest *forest,
			   const struct tr2_summary_process *process)
{
	const struct tr2_length *length = process->lengths.items;
	struct tr2_row *row;

	for (uint32_t i = 0; i < process->lengths.count; i++, length++) {
		row = tr2_rows_at(&forest->rows,
				  tr2_local_at(process, length->local)->row);
		tr2_sketch_add(&row->sketch, length->value);
	}
}

/* `git add -p` waits for its user, and no region says so. */
static uint32_t find_own_phase(struct tr2_forest *forest,
			       const struct tr2_summary_process *process)
{
	const uint32_t asks =
		1U << TR2_CHOSE_PATCH | 1U << TR2_CHOSE_PATCH_SHORT |
		1U << TR2_CHOSE_INTERACTIVE | 1U << TR2_CHOSE_INTERACTIVE_SHORT;
	const uint32_t phase = tr2_rows_phase(&forest->rows, process->command);

	return phase == TR2_PHASE_HASH && process->facts.choices & asks
		       ? TR2_PHASE_NONE
		       : phase;
}

/*
 * What has no phase has that of the command. The time of children is given
 * later.
 */
static void commit_phases(struct tr2_forest *forest,
			  const struct tr2_summary_process *process)
{
	const uint32_t own = find_own_phase(forest, process);
	uint32_t to;

	for (uint32_t i = 0; i < TR2_PHASES; i++) {
		to = i ? i : own;
		tr2_sum_add(&forest->phases[to], &forest->phases_over[to],
			    process->phases[i] - process->waited[i]);
	}
}

static void add_number(uint32_t *number, bool *several, uint32_t more)
{
	*several |= *number && more && *number != more;
	if (!*number)
		*number = more;
}

void tr2_about_add(struct tr2_about *about, const struct tr2_about *more)
{
	add_number(&about->version, &about->versions, more->version);
	add_number(&about->repository, &about->repositories, more->repository);
	about->versions |= more->versions;
	about->repositories |= more->repositories;
	if (more->begin && (!about->begin || more->begin < about->begin))
		about->begin = more->begin;
}

static void add_about(struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	const bool is_inner = process->life.self.has_parent;
	/* Other programs that git runs have versions of their own. */
	const bool is_other = is_inner && !process->names.name;
	const struct tr2_about one = {
		.version = is_other ? 0 : process->names.version,
		.repository = is_inner ? 0 : process->names.repository,
		.begin = process->life.self.timed ? process->life.self.begin
						  : 0,
	};

	tr2_about_add(&forest->about, &one);
	if (is_other)
		forest->about.inner = process->names.version;
}

static void note_advice(struct tr2_forest *forest,
			const struct tr2_summary_process *process)
{
	const struct tr2_advised advised = {
		.name = tr2_rows_text(&forest->rows, process->command, NULL),
		.remote = process->remote,
		.facts = &process->facts,
		.locals = &process->locals,
		.phases = process->phases,
		.length = process->life.self.end - process->life.self.begin,
		.is_root = process->direct,
		.has_children = process->children.count,
	};

	tr2_advice_note(&forest->rows, &forest->advice, &advised);
}

void tr2_kept_count(struct tr2_forest *forest,
		    const struct tr2_summary_process *process)
{
	const struct tr2_local *local = process->locals.items;
	struct tr2_sums sums;
	struct tr2_row *row;

	for (uint32_t i = 1; i < process->locals.count; i++) {
		row = tr2_rows_at(&forest->rows, local[i].row);
		sums = local[i].sums;
		if (row->table == TR2_TABLE_CHILDREN)
			sums.self = 0; /* it is given later */
		tr2_sums_add(&row->sums, &sums);
	}
	if (process->direct) /* others get their time later */
		commit_phases(forest, process);
	commit_lengths(forest, process);
	note_advice(forest, process);
	add_about(forest, process);
	forest->counts.processes++;
	tr2_members_add(&forest->held, process->life.self.key);
	forest->counts.unclosed += process->unclosed;
	forest->counts.untimed += !process->life.self.timed;
}

static void add_calls(struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	const struct tr2_child_span *child = process->children.items;
	const struct tr2_local *local;
	struct tr2_tree_call call;

	for (uint32_t i = 0; i < process->children.count; i++, child++) {
		local = tr2_local_at(process, child->local);
		call = child->call;
		call.begin += process->life.self.begin;
		call.end += process->life.self.begin;
		tr2_tree_add_call(&forest->tree, &call);
		TR2_VEC_PUT(&forest->calls, struct tr2_kept_call,
			    .row = local->row, .frame = child->frame,
			    .code = child->code, .phase = local->phase);
	}
}

/*
 * After its last event the process has its time itself, or the program that it
 * executed has it.
 */
static void add_rest(struct tr2_summary_process *process)
{
	struct tr2_segment rest = { .from = process->now,
				    .owner = TR2_OWNER_PROCESS };
	const struct tr2_child_span *child = process->children.items;
	uint32_t i = process->children.count;

	if (process->now >= process->life.self.end - process->life.self.begin)
		return;
	while (i && child[i - 1].call.kind != TR2_CALL_EXEC)
		i--;
	if (i) {
		rest.owner = TR2_OWNER_CHILD | (i - 1);
		rest.frame = child[i - 1].frame & TR2_FRAME_MOST;
	}
	TR2_VEC_COPY(&process->segments, struct tr2_segment, rest);
}

/* From the numbers of a process to those of all. */
static void add_segments(struct tr2_forest *forest,
			 const struct tr2_summary_process *process,
			 uint32_t first_call)
{
	const struct tr2_segment *segment = process->segments.items;
	struct tr2_segment *added;
	uint32_t owner;

	for (uint32_t i = 0; i < process->segments.count; i++) {
		added = tr2_vec_add(&forest->segments, sizeof(*added));
		*added = segment[i];
		added->from += process->life.self.begin;
		owner = segment[i].owner;
		if (owner & TR2_OWNER_CHILD)
			added->owner = owner + first_call;
		else if (owner == TR2_OWNER_PROCESS)
			added->owner = TR2_OWNER_SELF;
		else if (owner != TR2_OWNER_GIVEN)
			added->owner = tr2_local_at(process, owner)->row;
	}
}

/*
 * Is it known where it ran, and when? Who takes processes shows no summary.
 */
static bool has_place(const struct tr2_forest *forest,
		      const struct tr2_summary_process *process)
{
	return !forest->take && process->life.self.timed &&
	       (process->apart ||
		tr2_time_has_date(process->life.self.begin)) &&
	       process->names.repository;
}

void tr2_kept_note(struct tr2_forest *forest,
		   const struct tr2_summary_process *process)
{
	struct tr2_command_note note;

	if (!has_place(forest, process))
		return;
	note = (struct tr2_command_note){
		.begin = process->life.self.begin + process->apart,
		.end = process->life.self.end + process->apart,
		.repository = process->names.repository,
		.name = process->command,
		.caller = process->names.caller,
		.lock = process->lock,
		.root = process->root,
	};
	forest->notes.seen++;
	tr2_notes_keep(&forest->notes, &forest->rows, &note);
}

static void add_process(struct tr2_forest *forest,
			struct tr2_summary_process *process)
{
	struct tr2_kept *added = tr2_vec_add(&forest->ended, sizeof(*added));

	*added = (struct tr2_kept){
		.self = tr2_local_at(process, 0)->sums.self,
		.segments = forest->segments.count,
		.name = process->command,
		.caller = process->names.caller,
		.begun = (uint32_t)process->life.number,
		.code = (int32_t)tr2_timeline_exit(&process->life.timeline, 0),
		.direct = process->direct,
		.failed = tr2_timeline_failed(&process->life.timeline),
		.unfinished =
			tr2_timeline_is_unfinished(&process->life.timeline),
	};
	added->phase = (uint8_t)find_own_phase(forest, process);
	added->serves = tr2_sides_serves(
		tr2_rows_text(&forest->rows, added->name, NULL));
	forest->servers += added->serves;
	if (!process->names.repository)
		process->names.repository = tr2_name_repository(
			&forest->rows, process, added->serves);
	added->group = forest->by ? tr2_name_group(forest, process) : 0;
	tr2_tree_add(&forest->tree, &process->life.self);
	if (tr2_forest_is_filtered(forest))
		return;
	if (!process->life.self.has_parent)
		tr2_kept_note(forest, process);
	else if (process->lock)
		tr2_map_enter(&forest->locks, process->root)->value =
			process->lock;
}

static void note_stuck(struct tr2_forest *forest,
		       const struct tr2_summary_process *process)
{
	if (process->life.self.has_parent || !process->stuck ||
	    !tr2_timeline_is_unfinished(&process->life.timeline))
		return;
	forest->stuck = (struct tr2_stuck){
		.roots = forest->stuck.roots + 1,
		.name = process->command,
		.row = tr2_local_at(process, process->stuck)->row,
	};
}

/* An end claims an earlier time than an event before it. */
static void cut_segments(struct tr2_summary_process *process)
{
	const struct tr2_segment *segment = process->segments.items;
	struct tr2_tree_process *self = &process->life.self;
	uint32_t *count = &process->segments.count;
	int64_t end = tr2_most(self->end - self->begin, process->given_until);

	self->end = self->begin + end;
	if (process->now <= end)
		return;
	while (*count > process->given && segment[*count - 1].from >= end)
		--*count;
	process->now = end;
}

/* Under a filter only its callers tell whether it counts. */
bool tr2_kept_add(struct tr2_forest *forest,
		  struct tr2_summary_process *process)
{
	struct tr2_kept *ended;

	cut_segments(process);
	if (process->direct)
		tr2_process_flush(process);
	tr2_charting_keep(forest, process);
	add_process(forest, process);
	tr2_failure_note(forest, process);
	note_stuck(forest, process);
	add_rest(process);
	add_segments(forest, process, forest->calls.count);
	add_calls(forest, process);
	if (forest->view)
		forest->view->end(forest->taker, process);
	if (!forest->whole && !tr2_forest_is_filtered(forest)) {
		tr2_kept_count(forest, process);
		return false;
	}
	ended = forest->ended.items;
	ended[forest->ended.count - 1].whole = process;
	return true;
}

/*
 * A hook that failed, which the command obeys; or else what is not git itself.
 * No command fails for what watches its files.
 */
static bool is_refusal(const struct tr2_forest *forest,
		       const struct tr2_kept_call *call, bool hooks)
{
	const struct tr2_row *row = tr2_rows_at(&forest->rows, call->row);
	const char *class = tr2_rows_text(&forest->rows, row->name[0], NULL);
	const char *name = tr2_rows_text(&forest->rows, row->name[1], NULL);

	if ((hooks && !call->code) || hooks != !strcmp(class, "hook") ||
	    strstr(name, "fsmonitor") || strstr(name, "watchman"))
		return false;
	if (!hooks)
		return strcmp(class, "exec") != 0 &&
		       (!strncmp(name, "git-remote-", 11) ||
			(strncmp(name, "git-", 4) != 0 &&
			 strncmp(name, "alias ", 6) != 0));
	return !strcmp(name, "post-checkout") ||
	       (strncmp(name, "post-", 5) != 0 &&
		strcmp(name, "pre-auto-gc") != 0);
}

static bool is_within(const struct tr2_tree *tree, uint32_t number,
		      uint32_t command)
{
	while (number != command && number != TR2_TREE_NONE)
		number = tr2_tree_process_at(tree, number)->caller;
	return number == command;
}

/* Of programs, what succeeds after one that failed has done its work. */
static const struct tr2_row *find_child(const struct tr2_forest *forest,
					bool hooks)
{
	const struct tr2_tree *tree = &forest->tree;
	const struct tr2_kept_call *call;
	const struct tr2_row *found = NULL;
	int64_t begin, last = INT64_MIN;
	uint32_t at = 0;

	for (uint32_t i = 0; i < tree->processes.count; i++)
		for (; at < tr2_tree_last(tree, i); at++) {
			call = tr2_kept_call_at(forest, at);
			begin = tr2_tree_call_at(tree, at)->begin;
			if (begin < last || !is_refusal(forest, call, hooks) ||
			    !is_within(tree, i, forest->failure.number))
				continue;
			last = begin;
			found = call->code
					? tr2_rows_at(&forest->rows, call->row)
					: NULL;
		}
	return found;
}

/* Does it tell why, and not only that another program stopped? */
static bool tells_cause(const struct tr2_failure *failure)
{
	static const char *const vague[] = {
		"",
		"the remote end hung up unexpectedly",
		"unable to read files to diff",
		"whoever read its output was gone",
	};

	for (size_t i = 0; i < sizeof(vague) / sizeof(vague[0]); i++)
		if (!strcmp(failure->message.bytes, vague[i]))
			return false;
	return true;
}

void tr2_kept_find_refusal(struct tr2_forest *forest)
{
	struct tr2_failure *failure = &forest->failure;
	const struct tr2_row *row = find_child(forest, true);

	if (!row && !tells_cause(failure))
		row = find_child(forest, false);
	if (row)
		memcpy(failure->child, row->name, sizeof(failure->child));
}
