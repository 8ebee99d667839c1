#include "views/otlp/otlp.h"

#include "lib/common/hash.h"
#include "views/otlp/process.h"
#include "read/value.h"

#define ENDED 1	  /* its events that follow are late, */
#define SKIPPED 2 /* or were read before */

void tr2_otlp_begin(struct tr2_otlp *otlp, tr2_otlp_fn *put, void *context)
{
	*otlp = (struct tr2_otlp){ .put = put, .context = context };
}

/* Add it as the last one of a list. */
static void append_process(struct tr2_otlp_list *list,
			   struct tr2_otlp_process *process)
{
	process->list = list;
	process->next = NULL;
	process->prev = list->last;
	*(list->last ? &list->last->next : &list->first) = process;
	list->last = process;
	list->count++;
}

static void remove_process(struct tr2_otlp_process *process)
{
	struct tr2_otlp_list *list = process->list;

	*(process->prev ? &process->prev->next : &list->first) = process->next;
	*(process->next ? &process->next->prev : &list->last) = process->prev;
	list->count--;
}

static void enter_list(struct tr2_map *map, const struct tr2_otlp_list *list)
{
	struct tr2_otlp_process *process;

	for (process = list->first; process; process = process->next)
		tr2_map_enter(map, process->hash)->value = (uintptr_t)process;
}

/* Forget the processes that ended long ago. */
static void forget_sids(struct tr2_otlp *otlp)
{
	size_t open = otlp->held.count + otlp->gone.count;

	if (!otlp->sids_most || otlp->recent.count < otlp->sids_most + open)
		return;
	tr2_heirs_release(&otlp->heirs);
	tr2_map_release(&otlp->older);
	otlp->older = otlp->recent;
	otlp->recent = (struct tr2_map){ 0 };
	enter_list(&otlp->recent, &otlp->held);
	enter_list(&otlp->recent, &otlp->gone);
}

static struct tr2_otlp_process *
add_process(struct tr2_otlp *otlp, const char *sid, size_t len, uint64_t hash)
{
	struct tr2_otlp_process *process = tr2_otlp_begin_process(sid, len);

	process->hash = hash;
	process->first = otlp->place;
	process->events_most = otlp->events_most;
	append_process(&otlp->held, process);
	otlp->begun++;
	return process;
}

/* Returns the process with this SID, or NULL if no event of it may come. */
static struct tr2_otlp_process *find_process(struct tr2_otlp *otlp,
					     const char *sid, size_t len)
{
	uint64_t hash = tr2_hash(sid, len).a;
	struct tr2_map_slot *slot;

	forget_sids(otlp);
	slot = tr2_map_enter(&otlp->recent, hash);
	if (!slot->value && tr2_map_value(&otlp->older, hash) <= SKIPPED)
		slot->value = tr2_map_value(&otlp->older, hash);
	otlp->late += slot->value == ENDED;
	if (slot->value == ENDED || slot->value == SKIPPED)
		return NULL;
	if (!slot->value)
		slot->value = (uintptr_t)add_process(otlp, sid, len, hash);
	return (struct tr2_otlp_process *)(uintptr_t)slot->value;
}

/* Returns the process with this SID, if it is still open, or NULL. */
static struct tr2_otlp_process *find_open(const struct tr2_otlp *otlp,
					  uint64_t sid)
{
	uint64_t value = tr2_map_value(&otlp->recent, sid);

	return value > SKIPPED ? (struct tr2_otlp_process *)(uintptr_t)value
			       : NULL;
}

/* Its parent may have executed it, and then ends with it. */
static void offer_heir(struct tr2_otlp *otlp,
		       const struct tr2_otlp_process *process)
{
	const char *sid = process->sid.bytes;
	size_t slash = process->sid.len;
	struct tr2_otlp_process *parent;
	bool has_pid;
	uint64_t hash;

	while (slash && sid[slash - 1] != '/')
		slash--;
	if (!slash)
		return;
	hash = tr2_hash(sid, slash - 1).a;
	has_pid = tr2_sid_pid(sid, slash - 1) == process->pid;
	parent = find_open(otlp, hash);
	if (parent || !tr2_map_value(&otlp->recent, hash))
		tr2_heirs_offer(&otlp->heirs, hash,
				parent ? &parent->timeline : NULL,
				&process->timeline, has_pid);
}

/* It has ended, or there is nothing more to wait for. */
static void finish_process(struct tr2_otlp *otlp,
			   struct tr2_otlp_process *process)
{
	tr2_rest_leave(&otlp->rest, &process->rest);
	tr2_otlp_settle(process);
	tr2_heirs_take(&otlp->heirs, process->hash, &process->timeline);
	offer_heir(otlp, process);
	otlp->crowded += process->crowded;
	tr2_otlp_end_process(otlp, process);
	tr2_map_enter(&otlp->recent, process->hash)->value = ENDED;
	if (otlp->finish)
		otlp->finish(otlp->context, process->hash);
	remove_process(process);
	tr2_otlp_free_process(process);
}

void tr2_otlp_skip(struct tr2_otlp *otlp, uint64_t hash)
{
	tr2_map_enter(&otlp->recent, hash)->value = SKIPPED;
}

static struct tr2_otlp_process *find_rested(const struct tr2_otlp *otlp)
{
	return TR2_REST_OWNER(otlp->rest.first, struct tr2_otlp_process);
}

/* It has or had an end. */
static void rest_process(struct tr2_otlp *otlp,
			 struct tr2_otlp_process *process)
{
	if (process->timeline.went_on) {
		tr2_rest_leave(&otlp->rest, &process->rest);
		return;
	}
	if (!otlp->rest_most && process->timeline.ending == TR2_ENDING_EXIT)
		return;
	tr2_rest_enter(&otlp->rest, &process->rest);
	while (otlp->rest.count > otlp->rest_most)
		finish_process(otlp, find_rested(otlp));
}

void tr2_otlp_event(void *context, struct tr2_record *record)
{
	struct tr2_otlp *otlp = context;
	struct tr2_otlp_process *process;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT)) {
		otlp->foreign++;
		return;
	}
	process = find_process(otlp, sid, len);
	if (!process)
		return;
	process->recent = otlp->place.now;
	process->events++;
	tr2_otlp_take_event(process, record);
	if (otlp->part_most && process->done.len >= otlp->part_most)
		tr2_otlp_put_part(otlp, process);
	if (process->timeline.ending)
		rest_process(otlp, process);
}

const struct tr2_otlp_place *tr2_otlp_find_held(const struct tr2_otlp *otlp)
{
	return otlp->held.first ? &otlp->held.first->first : NULL;
}

void tr2_otlp_let_go(struct tr2_otlp *otlp)
{
	struct tr2_otlp_process *process = otlp->held.first;

	tr2_otlp_settle(process);
	tr2_otlp_put_part(otlp, process);
	remove_process(process);
	append_process(&otlp->gone, process);
}

void tr2_otlp_put_idle(struct tr2_otlp *otlp, uint64_t before, size_t most)
{
	struct tr2_otlp_process *process = otlp->gone.first, *next;

	for (; process; process = next) {
		next = process->next;
		if (process->recent < before || otlp->gone.count > most)
			finish_process(otlp, process);
	}
}

void tr2_otlp_put_ended(struct tr2_otlp *otlp, uint64_t before)
{
	while (otlp->rest.count && find_rested(otlp)->recent < before)
		finish_process(otlp, find_rested(otlp));
}

/* The SID of a child is longer than that of its parent. */
static int compare_sids(const void *left, const void *right)
{
	const struct tr2_otlp_process *const *a = left, *const *b = right;

	return ((*a)->sid.len < (*b)->sid.len) -
	       ((*a)->sid.len > (*b)->sid.len);
}

static void settle_list(const struct tr2_otlp_list *list)
{
	struct tr2_otlp_process *process;

	for (process = list->first; process; process = process->next)
		tr2_otlp_settle(process);
}

/* Finish all, but those that executed a program: they end with it. */
static void finish_list(struct tr2_otlp *otlp, struct tr2_otlp_process *process,
			struct tr2_vec *replaced)
{
	struct tr2_otlp_process *next, **added;

	for (; process; process = next) {
		next = process->next;
		if (process->timeline.is_replaced) {
			added = tr2_vec_add(replaced, sizeof(*added));
			*added = process;
		} else {
			finish_process(otlp, process);
		}
	}
}

void tr2_otlp_end(struct tr2_otlp *otlp)
{
	struct tr2_vec replaced = { 0 };
	struct tr2_otlp_process **process;
	uint32_t i;

	settle_list(&otlp->gone);
	settle_list(&otlp->held);
	tr2_otlp_put_ended(otlp, UINT64_MAX);
	finish_list(otlp, otlp->gone.first, &replaced);
	finish_list(otlp, otlp->held.first, &replaced);
	tr2_vec_sort(&replaced, sizeof(*process), compare_sids);
	process = replaced.items;
	for (i = 0; i < replaced.count; i++)
		finish_process(otlp, process[i]);
	tr2_vec_release(&replaced);
}

static void free_list(struct tr2_otlp_list *list)
{
	struct tr2_otlp_process *process;

	while ((process = list->first)) {
		remove_process(process);
		tr2_otlp_free_process(process);
	}
}

void tr2_otlp_release(struct tr2_otlp *otlp)
{
	free_list(&otlp->held);
	free_list(&otlp->gone);
	tr2_map_release(&otlp->recent);
	tr2_map_release(&otlp->older);
	tr2_heirs_release(&otlp->heirs);
}
