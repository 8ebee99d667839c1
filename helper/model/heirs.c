#include "model/heirs.h"

struct tr2_heir_kept {
	int64_t base, first, length;
	uint64_t next; /* of the same parent, from 1; 0: none */
	bool has_pid;
};

static bool offer_heir(struct tr2_timeline *parent,
		       const struct tr2_timeline *child, bool has_pid)
{
	if (!tr2_timeline_offer_heir(parent, child, has_pid))
		return parent->is_replaced;
	tr2_timeline_end_with(parent, child);
	return true;
}

static void keep_heir(struct tr2_heirs *heirs, uint64_t parent_sid,
		      const struct tr2_timeline *child, bool has_pid)
{
	struct tr2_map_slot *slot = tr2_map_enter(&heirs->places, parent_sid);
	struct tr2_heir_kept *kept = tr2_vec_add(&heirs->kept, sizeof(*kept));

	*kept = (struct tr2_heir_kept){ child->base, child->first,
					tr2_timeline_length(child), slot->value,
					has_pid };
	slot->value = heirs->kept.count;
}

/* Its exec may be one of the events that are held. */
void tr2_heirs_offer(struct tr2_heirs *heirs, uint64_t parent_sid,
		     struct tr2_timeline *parent,
		     const struct tr2_timeline *child, bool has_pid)
{
	if (!parent || (!offer_heir(parent, child, has_pid) &&
			(has_pid || parent->held || parent->early)))
		keep_heir(heirs, parent_sid, child, has_pid);
}

void tr2_heirs_take(const struct tr2_heirs *heirs, uint64_t sid,
		    struct tr2_timeline *process)
{
	uint64_t place = tr2_map_value(&heirs->places, sid);
	const struct tr2_heir_kept *kept;
	struct tr2_timeline heir;

	for (; place; place = kept->next) {
		kept = (struct tr2_heir_kept *)heirs->kept.items + place - 1;
		heir = (struct tr2_timeline){ .base = kept->base,
					      .first = kept->first,
					      .now = kept->length };
		offer_heir(process, &heir, kept->has_pid);
	}
}

void tr2_heirs_release(struct tr2_heirs *heirs)
{
	tr2_map_release(&heirs->places);
	tr2_vec_release(&heirs->kept);
}
