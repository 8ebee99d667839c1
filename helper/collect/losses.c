#include "collect/metrics.h"

#include <inttypes.h>

#include "lib/files/clock.h"

#define TELL_NS UINT64_C(60000000000) /* between two messages */

static void put_losses(FILE *out, const char *begin,
		       const struct tr2_losses *losses)
{
	fprintf(out,
		"%sevents were lost: %" PRIu64 " dropped, %" PRIu64
		" missed by outputs, %" PRIu64 " refused by receivers\n",
		begin, losses->dropped, losses->missed, losses->refused);
}

void tr2_losses_put(FILE *out, const struct tr2_losses *losses)
{
	if (losses->dropped || losses->missed || losses->refused)
		put_losses(out, "# ", losses);
}

void tr2_losses_tell(struct tr2_losses_told *told,
		     const struct tr2_losses *losses)
{
	uint64_t sum = losses->dropped + losses->missed, now = tr2_clock_now();

	if (sum <= told->sum || (told->at && now - told->at < TELL_NS))
		return;
	told->sum = sum;
	told->at = now;
	put_losses(stderr, "trace2 collect: ", losses);
}
