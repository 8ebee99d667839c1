#include "destination/look.h"

static uint64_t load_time(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static void store_time(uint64_t *value, uint64_t ns)
{
	__atomic_store_n(value, ns, __ATOMIC_RELAXED);
}

/*
 * Does the event come later than it would if the host had done nothing? A
 * destination that is new is looked at.
 */
static int is_late(struct tr2_destination_look *look,
		   struct tr2_destination_seen *seen)
{
	const uint64_t now = seen->now_ns, before = seen->event_ns;
	const uint64_t quickest = load_time(&look->quickest_ns);
	const uint64_t gap = now > before ? now - before : 0;

	seen->event_ns = now;
	if (gap && before && gap < quickest)
		store_time(&look->quickest_ns, gap);
	if (!quickest)
		store_time(&look->quickest_ns, TR2_LOOK_QUICK_NS);
	return !quickest || gap > 2 * quickest;
}

static int pay_look(struct tr2_destination_look *look, uint64_t now)
{
	const uint64_t credit = (uint64_t)TR2_LOOK_CREDIT * TR2_LOOK_PRICE_NS;
	const uint64_t paid = load_time(&look->paid_ns);

	if (paid >= now + credit)
		return 0;
	store_time(&look->paid_ns,
		   (paid > now ? paid : now) + TR2_LOOK_PRICE_NS);
	return 1;
}

/*
 * A look is always due after TR2_LOOK_OFTEN_NS: such a gap has paid for the
 * look, however many looks are owed.
 */
int tr2_destination_is_due(struct tr2_destination_look *look,
			   struct tr2_destination_seen *seen)
{
	const uint64_t now = seen->now_ns;
	const int late = is_late(look, seen);

	if (now < seen->looked_ns + TR2_LOOK_OFTEN_NS &&
	    (!late || !pay_look(look, now)))
		return 0;
	seen->looked_ns = now;
	return 1;
}
