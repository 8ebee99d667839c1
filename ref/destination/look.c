#include "destination/look.h"

static uint64_t load_time(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static void store_time(uint64_t *value, uint64_t ns)
{
	__atomic_store_n(value, ns, __ATOMIC_RELAXED);
}

/* What a thread knows of one destination. */
struct own_look {
	const struct tr2_destination_look *look;
	uint64_t event_ns;  /* time of the thread's previous event */
	uint64_t looked_ns; /* time of its last look */
};

enum { OWN = 3 }; /* the text targets */

static __thread struct own_look own[OWN]
	__attribute__((tls_model("initial-exec")));

/* A further destination takes the place of the first one. */
static struct own_look *find_own(const struct tr2_destination_look *look)
{
	struct own_look *mine = own;

	while (mine < own + OWN && mine->look && mine->look != look)
		mine++;
	if (mine == own + OWN)
		mine = own;
	if (mine->look != look)
		*mine = (struct own_look){ .look = look };
	return mine;
}

void tr2_destination_look_anew(struct tr2_destination_look *look)
{
	*look = (struct tr2_destination_look){ 0 };
	*find_own(look) = (struct own_look){ .look = look };
}

/* Does the event come later than it would if the host had done nothing? */
static int is_late(struct tr2_destination_look *look, struct own_look *mine,
		   uint64_t now)
{
	const uint64_t before = mine->event_ns;
	const uint64_t quickest = load_time(&look->quickest_ns);
	const uint64_t gap = now > before ? now - before : 0;

	mine->event_ns = now;
	if (gap && before && gap < quickest)
		store_time(&look->quickest_ns, gap);
	if (!quickest)
		store_time(&look->quickest_ns, TR2_LOOK_QUICK_NS);
	return gap > 2 * quickest;
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
int tr2_destination_is_due(struct tr2_destination_look *look, uint64_t now)
{
	struct own_look *mine = find_own(look);
	const int late = is_late(look, mine, now);

	if (now < mine->looked_ns + TR2_LOOK_OFTEN_NS &&
	    (!late || !pay_look(look, now)))
		return 0;
	mine->looked_ns = now;
	return 1;
}
