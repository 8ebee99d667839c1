/* How many processes of a PERF log are remembered. */
#include "kit/tap.h"
#include "read/plain/owner.h"

static struct tr2_owners owners;

static void tell_line(enum tr2_is is, unsigned long number)
{
	const struct tr2_owner_line line = {
		.is = is,
		.clock = (int64_t)number * 1000000,
		.t_abs = is == TR2_IS_VERSION ? TR2_NO_TIME : 5,
		.number = number,
		.text = "x",
		.len = 1,
	};

	tr2_owners_end_line(&owners, tr2_owners_find(&owners, &line), &line);
}

int main(void)
{
	unsigned long i;

	tr2_owners_begin(&owners, "log");
	for (i = 1; i <= 3000; i++)
		tell_line(TR2_IS_VERSION, i);
	tap_ok(owners.all.count <= 512,
	       "processes that never end are forgotten when others begin");
	for (; i <= 3020; i++) {
		tell_line(TR2_IS_VERSION, i);
		tell_line(TR2_IS_ATEXIT, i);
	}
	tap_ok(owners.all.count >= 16 && owners.all.count <= 512,
	       "so are those that have ended, but for the last ones");
	tr2_owners_release(&owners);
	return tap_done();
}
