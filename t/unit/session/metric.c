/* Arrays that grow, and the names of stopwatches and counters. */
#include "kit/memory.h"

#include <errno.h>

#include "kit/tap.h"
#include "host/memory.h"
#include "session/metric.h"

static struct tr2_host host;

static int is_zero(const char *bytes, size_t len)
{
	while (len--)
		if (bytes[len])
			return 0;
	return 1;
}

static void *refuse_loudly(void *old, size_t size)
{
	errno = ENOMEM;
	return memory_realloc(old, size);
}

static void test_arrays(void)
{
	size_t room = 0, few = 0;
	uint32_t *array = tr2_memory_grow(NULL, &room, 0, sizeof(*array));

	tap_int((intmax_t)room, 4, "an array begins with room for four");
	tap_ok(is_zero((char *)array, 4 * sizeof(*array)),
	       "elements begin with zeros");
	memset(array, 1, 4 * sizeof(*array));
	tap_ok(tr2_memory_grow(array, &room, 3, sizeof(*array)) == array,
	       "an array with room stays");
	array = tr2_memory_grow(array, &room, 4, sizeof(*array));
	tap_int((intmax_t)room, 8, "an array's room is doubled");
	tap_ok(array[0] == 0x01010101 && array[3] == 0x01010101 &&
		       is_zero((char *)(array + 4), 4 * sizeof(*array)),
	       "growth keeps elements, new ones begin with zeros");
	array = tr2_memory_grow(array, &room, 63, sizeof(*array));
	tap_int((intmax_t)room, 64, "an array's room is doubled until it does");
	memory_fail(1);
	host.realloc = refuse_loudly;
	errno = 77;
	tap_ok(!tr2_memory_grow(array, &room, 64, sizeof(*array)) &&
		       room == 64 && array[0] == 0x01010101,
	       "an array that can't grow stays as it is");
	tap_int(errno, 77, "and errno, too");
	host.realloc = memory_realloc;
	memory_fail(0);
	tap_ok(!tr2_memory_grow(NULL, &few, SIZE_MAX, 1) &&
		       !tr2_memory_grow(NULL, &few, SIZE_MAX / 8, 8) && !few,
	       "there is an end to arrays");
	memory_fail(1);
	tap_ok(!tr2_memory_grow(NULL, &few, SIZE_MAX / 4 / 8, 8) &&
		       memory_calls == 1,
	       "the system may refuse the largest");
	memory_fail(0);
	memory_free(array);
}

/* A registration needs two texts, and an array at first. */
static void test_registers(void)
{
	struct tr2_metrics metrics = { 0 };
	struct tr2_metric *metric;
	int i, wrong = 0;

	for (i = 1; i <= 3; i++) {
		memory_fail(i);
		wrong += tr2_metrics_add(&metrics, "cat", "name", 2) != 0;
		memory_fail(0);
		wrong += memory_live != (i > 1) || metrics.count != 0;
		if (i == 1)
			continue;
		memory_free(metrics.metric);
		memset(&metrics, 0, sizeof(metrics));
	}
	tap_int(wrong, 0, "a timer that finds no memory has no id");
	for (i = 1; i <= 8; i++)
		wrong += tr2_metrics_add(&metrics, "cat", "name", 2) != i;
	wrong += tr2_metrics_add(&metrics, NULL, NULL, 0) != i;
	tap_int(wrong, 0, "timers are numbered from 1");
	metric = &metrics.metric[7];
	tap_str(metric->category, "cat", "a timer keeps its category");
	tap_str(metric->name, "name", "a timer keeps its name");
	tap_int(metric->per_thread, 2, "a timer keeps what it was told");
	tap_ok(!*metric[1].category && !*metric[1].name &&
		       !metric[1].per_thread,
	       "a counter may have no names");
	tap_int((intmax_t)metrics.room, 16, "there is room for sixteen timers");
	memset(&metrics.metric[15], 0, sizeof(metrics.metric[15]));
	for (i = 0; i < 9; i++) {
		memory_free(metrics.metric[i].category);
		memory_free(metrics.metric[i].name);
	}
	memory_free(metrics.metric);
	tap_int(memory_live, 0, "nothing else was taken for timers");
}

static void test_fold(void)
{
	struct tr2_metric list = { .name = NULL };
	struct tr2_metrics counters = { &list, 1, 1 };
	struct tr2_shares share = { 0 };

	tr2_counter_add(&share, 1, 5);
	tr2_metrics_fold(&counters, &share);
	tr2_metrics_fold(&counters, &share);
	tap_int((intmax_t)list.total.total, 5, "a share is in the total once");
	memory_free(share.measure);
}

int main(void)
{
	host = tr2_host_system;
	memory_install(&host);
	tap_run(test_arrays, test_registers, test_fold);
	tap_int(memory_live, 0, "no memory of metrics is lost");
	tap_int(memory_broken, 0, "metrics write into their memory alone");
	return tap_done();
}
