#include "views/otlp/otlp.h"

#include "views/otlp/process.h"

void tr2_otlp_begin(struct tr2_otlp *otlp, tr2_otlp_fn *put, void *context)
{
	*otlp = (struct tr2_otlp){ .walk = { .view = &tr2_otlp_view,
					     .taker = otlp },
				   .put = put,
				   .context = context };
}

void tr2_otlp_event(void *context, struct tr2_record *record)
{
	struct tr2_otlp *otlp = context;
	struct tr2_life *life;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len);

	if (!sid || !tr2_record_has(record, TR2_KEY_EVENT)) {
		otlp->foreign++;
		return;
	}
	otlp->walk.now = otlp->place.now;
	life = tr2_walk_find(&otlp->walk, sid, len);
	if (!life)
		return;
	((struct tr2_otlp_process *)life)->events++;
	tr2_walk_take(&otlp->walk, life, record);
}

static struct tr2_otlp_process *find_held(const struct tr2_otlp *otlp)
{
	return (struct tr2_otlp_process *)tr2_life_of(otlp->walk.open.first);
}

const struct tr2_otlp_place *tr2_otlp_find_held(const struct tr2_otlp *otlp)
{
	const struct tr2_otlp_process *process = find_held(otlp);

	return process ? &process->first : NULL;
}

void tr2_otlp_let_go(struct tr2_otlp *otlp)
{
	struct tr2_otlp_process *process = find_held(otlp);

	tr2_walk_settle(&otlp->walk, &process->life);
	tr2_otlp_put_part(otlp, process);
	tr2_walk_put_aside(&otlp->walk, &process->life);
}

void tr2_otlp_put_idle(struct tr2_otlp *otlp, uint64_t before, size_t most)
{
	struct tr2_walk *walk = &otlp->walk;
	struct tr2_rest_place *place = walk->aside.first;
	struct tr2_life *life;

	while ((life = tr2_life_of(place))) {
		place = place->next;
		if (life->recent < before || walk->aside.count > most)
			tr2_walk_end_life(walk, life);
	}
}

void tr2_otlp_put_ended(struct tr2_otlp *otlp, uint64_t before)
{
	struct tr2_walk *walk = &otlp->walk;

	while (walk->rest.count && tr2_life_rested(walk)->recent < before)
		tr2_walk_end_life(walk, tr2_life_rested(walk));
}
