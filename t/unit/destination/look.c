/* When a destination looks at its descriptor. */
#include "kit/tap.h"

#include "destination/look.h"

#define START 1000000000u

/* How many of `count` events, `gap` ns apart, are a reason to look. */
static int count_looks(struct tr2_destination_look *look,
		       struct tr2_destination_seen *seen, int count,
		       uint64_t gap)
{
	int looks = 0;

	for (int i = 0; i < count; i++) {
		seen->now_ns += gap;
		looks += tr2_destination_is_due(look, seen);
	}
	return looks;
}

static void test_price(void)
{
	struct tr2_destination_look look = { 0 };
	struct tr2_destination_seen seen = { .now_ns = START };

	count_looks(&look, &seen, 2, 100);
	tap_int(count_looks(&look, &seen, 1000, 300), 1000,
		"a host that does a little is looked after at each event");
	tap_int(count_looks(&look, &seen, 100000, 300), 426,
		"then looks take half a percent of the time");
	seen.now_ns += (uint64_t)TR2_LOOK_CREDIT * TR2_LOOK_PRICE_NS;
	tap_int(count_looks(&look, &seen, 1000, 300), 1000,
		"after a rest there is credit again");
	tap_int(count_looks(&look, &seen, 1000, 101000), 1000,
		"a look each 100 us needs no credit");
}

/* A thread may have descriptors of its own. */
static void test_threads(void)
{
	struct tr2_destination_look look = { 0 };
	struct tr2_destination_seen seen = { .now_ns = START }, other;

	count_looks(&look, &seen, 1, 0);
	look.paid_ns = UINT64_MAX / 2; /* no credit is left */
	tap_int(count_looks(&look, &seen, 300, 1000), 3,
		"a thread looks every 100 us");
	other = (struct tr2_destination_seen){ .now_ns = seen.now_ns };
	tap_int(count_looks(&look, &other, 1, 0), 1,
		"another one looks for itself");
	tap_int(count_looks(&look, &other, 300, 1000), 3, "and no more often");
	look = (struct tr2_destination_look){ 0 };
	tap_int(count_looks(&look, &seen, 1, 0), 1,
		"a destination that is new is looked at");
}

int main(void)
{
	tap_run(test_price, test_threads);
	return tap_done();
}
