#include "views/result/result.h"

#include <inttypes.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/common/hash.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define PEAK_LEAST 3
#define REPEATS_LEAST 10
#define REPEAT_WITHIN 5000000 /* microseconds from begin to begin */
#define HOLDERS_MOST 1000     /* commands that are asked for each lock */

struct crowd { /* The commands of one repository, by begin. */
	const struct tr2_forest *forest;
	const struct tr2_command_note *first;
	uint32_t count;
	struct tr2_contention found;
};

static const char *show_text(const struct crowd *crowd, uint32_t number)
{
	return tr2_rows_text(&crowd->forest->rows, number, NULL);
}

/*
 * Where begins and ends are in order, the difference of both runs. They have
 * dates, so they are not negative.
 */
static void count_peak(struct crowd *crowd)
{
	struct tr2_contention *found = &crowd->found;
	struct tr2_vec ends = { 0 };
	const uint64_t *end;
	int64_t until = INT64_MIN;
	uint32_t ended = 0;

	for (uint32_t i = 0; i < crowd->count; i++) {
		TR2_VEC_COPY(&ends, uint64_t, (uint64_t)crowd->first[i].end);
		found->summed = tr2_capped_add(found->summed,
					       crowd->first[i].end -
						       crowd->first[i].begin);
	}
	tr2_vec_sort_numbers(&ends);
	end = ends.items;
	for (uint32_t i = 0; i < crowd->count; i++) {
		const struct tr2_command_note *note = &crowd->first[i];

		while (end[ended] <= (uint64_t)note->begin && ended < i)
			ended++;
		if (i + 1 - ended > found->peak)
			found->peak = i + 1 - ended;
		if (note->end > until)
			found->elapsed = tr2_capped_add(
				found->elapsed,
				note->end - tr2_most(note->begin, until));
		until = tr2_most(until, note->end);
	}
	tr2_vec_release(&ends);
}

#define WRITES_INDEX                                                    \
	"add am apply checkout cherry-pick clone commit merge mv pull " \
	"read-tree rebase reset restore revert rm stash status "        \
	"submodule switch update-index worktree"
#define WRITES_REFS                                                         \
	"am branch checkout cherry-pick clone commit fetch gc maintenance " \
	"merge pack-refs pull push rebase receive-pack remote replace "     \
	"reset revert stash switch tag update-ref worktree"
#define WRITES_CONFIG                                                     \
	"branch checkout clone config init push remote submodule switch " \
	"sparse-checkout worktree"

/* Which commands may hold the lock? */
static const char *find_writers(const char *lock)
{
	if (!strcmp(lock, "index.lock"))
		return WRITES_INDEX;
	if (!strcmp(lock, "config.lock"))
		return WRITES_CONFIG;
	if (!strcmp(lock, TR2_LOCK_OWN))
		return "";
	if (!strcmp(lock, TR2_LOCK_REF) || !strcmp(lock, TR2_LOCK_MOVED))
		return WRITES_REFS;
	return WRITES_REFS " prune repack";
}

/* What could not lock a ref may have held the index before. */
static bool may_hold(const struct crowd *crowd,
		     const struct tr2_command_note *one,
		     const struct tr2_command_note *failed, const char *writers)
{
	if (one->lock && (one->lock == failed->lock ||
			  strcmp(show_text(crowd, failed->lock), "index.lock")))
		return false;
	return tr2_words_list_has(writers, show_text(crowd, one->name));
}

/* Returns the one that began last before this one, and ran beside it. */
static const struct tr2_command_note *find_holder(const struct crowd *crowd,
						  uint32_t number)
{
	const struct tr2_command_note *failed = &crowd->first[number], *one;
	const char *writers = find_writers(show_text(crowd, failed->lock));
	uint32_t asked = 0;

	for (uint32_t i = number; i-- > 0 && asked < HOLDERS_MOST; asked++) {
		one = &crowd->first[i];
		if (one->end > failed->begin &&
		    may_hold(crowd, one, failed, writers))
			return one;
	}
	for (uint32_t i = number + 1; i < crowd->count && asked < HOLDERS_MOST;
	     i++, asked++) {
		one = &crowd->first[i];
		if (one->begin < failed->end &&
		    may_hold(crowd, one, failed, writers))
			return one;
	}
	return NULL;
}

static void add_lock(struct crowd *crowd, uint32_t number)
{
	const struct tr2_command_note *holder = find_holder(crowd, number);
	struct tr2_vec *locks = &crowd->found.locks;
	struct tr2_contention_lock *lock = locks->items, one = { .count = 1 };

	one.lock = show_text(crowd, crowd->first[number].lock);
	one.caller = "";
	if (holder) {
		one.holder = show_text(crowd, holder->name);
		one.caller = show_text(crowd, holder->caller);
	}
	for (uint32_t i = 0; i < locks->count; i++)
		if (lock[i].lock == one.lock && lock[i].holder == one.holder &&
		    lock[i].caller == one.caller) {
			lock[i].count++;
			return;
		}
	lock = tr2_vec_add(locks, sizeof(*lock));
	*lock = one;
}

struct run { /* Of one command by one caller. */
	uint32_t name, caller;
	uint32_t count, longest; /* without a pause, and at most so far */
	int64_t last;
};

static struct run *enter_run(struct tr2_vec *runs, struct tr2_map *places,
			     const struct tr2_command_note *note)
{
	const uint32_t key[] = { note->name, note->caller };
	struct tr2_map_slot *slot = tr2_map_enter(
		places, tr2_hash((const char *)key, sizeof(key)).a);
	struct run *run;

	if (!slot->value) {
		run = tr2_vec_add(runs, sizeof(*run));
		*run = (struct run){ .name = note->name,
				     .caller = note->caller };
		slot->value = runs->count;
	}
	return (struct run *)runs->items + slot->value - 1;
}

TR2_COMPARE(compare_repeats, tr2_contention_repeat,
	    TR2_BY_LAST(count, TR2_BY_TEXT(command, TR2_BY_TEXT(caller, 0))));

static void find_repeats(struct crowd *crowd)
{
	struct tr2_vec runs = { 0 };
	struct tr2_map places = { 0 };
	struct run *run;

	for (uint32_t i = 0; i < crowd->count; i++) {
		run = enter_run(&runs, &places, &crowd->first[i]);
		if (crowd->first[i].begin - run->last > REPEAT_WITHIN)
			run->count = 0;
		if (++run->count > run->longest)
			run->longest = run->count;
		run->last = crowd->first[i].begin;
	}
	run = runs.items;
	for (uint32_t i = 0; i < runs.count; i++, run++) {
		if (run->longest < REPEATS_LEAST)
			continue;
		TR2_VEC_PUT(&crowd->found.repeats, struct tr2_contention_repeat,
			    show_text(crowd, run->name),
			    show_text(crowd, run->caller), run->longest);
	}
	tr2_vec_sort(&crowd->found.repeats,
		     sizeof(struct tr2_contention_repeat), compare_repeats);
	tr2_vec_release(&runs);
	tr2_map_release(&places);
}

static void tell_crowd(struct crowd *crowd, tr2_contention_fn *tell,
		       void *context)
{
	struct tr2_contention *found = &crowd->found;

	*found = (struct tr2_contention){
		.repository = show_text(crowd, crowd->first->repository),
		.commands = crowd->count,
	};
	count_peak(crowd);
	for (uint32_t i = 0; i < crowd->count; i++)
		if (crowd->first[i].lock)
			add_lock(crowd, i);
	find_repeats(crowd);
	if (found->peak >= PEAK_LEAST || found->locks.count ||
	    found->repeats.count)
		tell(context, found);
	tr2_vec_release(&found->locks);
	tr2_vec_release(&found->repeats);
}

TR2_COMPARE(compare_crowds, crowd,
	    strcmp(show_text(a, a->first->repository),
		   show_text(b, b->first->repository)));

/* By repository, whose numbers depend on the order of the input. */
static void find_crowds(const struct tr2_forest *forest, struct tr2_vec *crowds)
{
	const struct tr2_command_note *note = forest->notes.list.items;
	struct crowd *crowd = NULL;

	for (uint32_t i = 0; i < forest->notes.list.count; i++, note++) {
		if (!crowd || crowd->first->repository != note->repository) {
			crowd = tr2_vec_add(crowds, sizeof(*crowd));
			*crowd = (struct crowd){ .forest = forest,
						 .first = note };
		}
		crowd->count++;
	}
	tr2_vec_sort(crowds, sizeof(*crowd), compare_crowds);
}

void tr2_contention_tell(const struct tr2_forest *forest,
			 tr2_contention_fn *tell, void *context)
{
	struct tr2_vec crowds = { 0 };
	struct crowd *crowd;

	find_crowds(forest, &crowds);
	crowd = crowds.items;
	for (uint32_t i = 0; i < crowds.count; i++)
		tell_crowd(&crowd[i], tell, context);
	tr2_vec_release(&crowds);
}

static void put_lock(struct tr2_buf *out,
		     const struct tr2_contention_lock *lock)
{
	tr2_text_put(out, "  %" PRIu32 " command%s failed", lock->count,
		     lock->count == 1 ? "" : "s");
	tr2_foreign_after(out, " because of ", lock->lock);
	if (lock->holder)
		tr2_foreign_after(out,
				  strcmp(lock->lock, TR2_LOCK_MOVED)
					  ? "; it was likely held by "
					  : "; it was likely moved by ",
				  lock->holder);
	else if (!strcmp(lock->lock, TR2_LOCK_MOVED))
		tr2_buf_str(out, "; no command of these logs moved it");
	else if (strcmp(lock->lock, TR2_LOCK_OWN) != 0)
		tr2_buf_str(out, "; another program held it, or a command that "
				 "was killed; if none runs, remove the file");
	if (*lock->caller)
		tr2_foreign_after(out, " of ", lock->caller);
	tr2_buf_byte(out, '\n');
}

/* Callers that share a working tree wait for each other, or fail. */
static void put_remedy(struct tr2_buf *out, const struct tr2_contention *one)
{
	const struct tr2_contention_lock *lock = one->locks.items;
	bool shares = false, looks = false;

	for (uint32_t i = 0; i < one->locks.count; i++) {
		if (!lock[i].holder || strcmp(lock[i].lock, "index.lock") != 0)
			continue;
		if (strcmp(lock[i].holder, "status") != 0)
			shares = true;
		else
			looks = true;
	}
	if (looks)
		tr2_buf_str(out, "  'git --no-optional-locks status', for what "
				 "only looks, takes no lock\n");
	if (shares)
		tr2_buf_str(out, "  a working tree for each caller ('git "
				 "worktree add'), or one command for many "
				 "files, avoids it\n");
}

/* Tenths of how many ran at once, where any did. */
static int64_t find_mean(const struct tr2_contention *one)
{
	return one->elapsed > 0 ? (int64_t)(10.0 * (double)one->summed /
						    (double)one->elapsed +
					    0.5)
				: 10;
}

static void put_count(struct tr2_buf *out, const struct tr2_contention *one)
{
	tr2_text_put(out, "  %" PRIu32 " commands in ", one->commands);
	tr2_cell_time(out, one->elapsed);
	tr2_text_put(out,
		     ", up to %" PRIu32 " at once, on average %" PRId64
		     ".%" PRId64 "; together they took ",
		     one->peak, find_mean(one) / 10, find_mean(one) % 10);
	tr2_cell_time(out, one->summed);
	tr2_buf_byte(out, '\n');
}

static void put_crowd(void *context, const struct tr2_contention *one)
{
	const struct tr2_contention_lock *lock = one->locks.items;
	const struct tr2_contention_repeat *repeat = one->repeats.items;
	struct tr2_buf *out = context;

	tr2_foreign_after(out, "\nAt once in ", one->repository);
	tr2_buf_byte(out, '\n');
	if (one->commands > 1)
		put_count(out, one);
	for (uint32_t i = 0; i < one->locks.count; i++)
		put_lock(out, &lock[i]);
	put_remedy(out, one);
	for (uint32_t i = 0; i < one->repeats.count; i++, repeat++) {
		tr2_text_put(out, "  %" PRIu32, repeat->count);
		tr2_foreign_after(out, " \xc3\x97 ", repeat->command);
		tr2_buf_str(out, ", each within seconds of the last");
		if (*repeat->caller)
			tr2_foreign_after(out, ", by ", repeat->caller);
		tr2_buf_byte(out, '\n');
	}
}

static void put_limits(struct tr2_buf *out, const struct tr2_notes *notes)
{
	if (notes->cut)
		tr2_text_put(out,
			     "\nAt once: of %" PRIu64
			     " commands, those of some hours of some "
			     "repositories are compared, %" PRIu32 "\n",
			     notes->seen, notes->list.count);
	if (notes->older)
		tr2_text_put(out,
			     "\nAt once: without the commands of %" PRIu64
			     " state%s of an older version\n",
			     notes->older, notes->older == 1 ? "" : "s");
}

void tr2_contention_put(struct tr2_buf *out, const struct tr2_forest *forest)
{
	put_limits(out, &forest->notes);
	tr2_contention_tell(forest, put_crowd, out);
}
