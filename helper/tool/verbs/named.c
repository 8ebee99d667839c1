/* Events whose every text is an argument. */
#include "verbs.h"

#define AT(line) "named.c", (line)
#define NONE TRACE2_REPO_NONE
#define TOTALS 64

static int run_region_named(int argc, const char **argv)
{
	if (argc != 3)
		tool_die(AT(10), "expect <category> <label> <message>");
	TRACE(region_enter_printf, AT(11), argv[0], argv[1], NONE, "%s",
	      argv[2]);
	TRACE(region_leave_printf, AT(12), argv[0], argv[1], NONE, "%s",
	      argv[2]);
	return 0;
}

static int run_json_named(int argc, const char **argv)
{
	if (argc != 3)
		tool_die(AT(20), "expect <category> <key> <json>");
	TRACE(data_json, AT(21), argv[0], NONE, argv[1], argv[2]);
	return 0;
}

/* The library may read them until the process ends. */
static void use_total(int place, const char **argv, int add)
{
	static struct trace2_timer timers[TOTALS];
	static struct trace2_counter counters[TOTALS];

	timers[place] = (struct trace2_timer){ argv[0], argv[1], 0, 0 };
	counters[place] = (struct trace2_counter){ argv[0], argv[1], 0, 0 };
	TRACED(trace2_timer_start(&timers[place]));
	fake_sleep(2000);
	TRACED(trace2_timer_stop(&timers[place]));
	TRACED(trace2_counter_add(&counters[place], (uint64_t)add));
}

static int run_totals_named(int argc, const char **argv)
{
	int add, i;

	for (i = 0; 3 * i < argc && i < TOTALS; i++) {
		if (argc < 3 * i + 3 || tool_int(&add, argv[3 * i + 2]) < 0)
			tool_die(AT(30), "expect <category> <name> <value>");
		use_total(i, argv + (ptrdiff_t)3 * i, add);
	}
	return 0;
}

const struct verb verbs_named[] = {
	{ "region_named", run_region_named, "<category> <label> <message>" },
	{ "json_named", run_json_named, "<category> <key> <json>" },
	{ "totals_named", run_totals_named, "[<category> <name> <value>]+" },
	{ NULL, NULL, NULL },
};
