/* Instrumented calls where there is room for one object only. */
#define TR2_MODULES 1
#include "trace/functions/functions.c"

#include <stdlib.h>

#include "kit/trace/trace.h"

static int return_one(void)
{
	return 1;
}

static void *address_of(int (*function)(void))
{
	void *address;

	memcpy(&address, &function, sizeof(address));
	return address;
}

static void test_full_table(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	__cyg_profile_func_enter(address_of(return_one), NULL);
	__cyg_profile_func_enter(address_of((int (*)(void))getpagesize), NULL);
	tap_ok(strstr(kit_lines(), "begin full/function") != NULL,
	       "the first object is known");
	tap_int((intmax_t)module_count, 1, "and no other has room");
}

/* The handler's own functions may be instrumented, too. */
static bool answer_slowly(struct trace_handler *handler, const char *category)
{
	(void)handler;
	(void)category;
	__cyg_profile_func_enter(address_of(return_one), NULL);
	__cyg_profile_func_exit(address_of(return_one), NULL);
	return true;
}

static void test_recursion(void)
{
	static const struct trace_handler_ops ops = {
		.is_category_enabled = answer_slowly,
	};
	static struct trace_handler handler = { &ops };
	static uint64_t buffer[8192];

	trace_engine_terminate();
	tap_int(trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT,
				   buffer, sizeof(buffer)),
		0, "a handler may be instrumented");
	__cyg_profile_func_enter(address_of(return_one), NULL);
	tap_int((intmax_t)depth, 1, "its own calls are not traced");
	trace_stop_engine(0);
}

int main(void)
{
	tap_run(test_full_table, test_recursion);
	return tap_done();
}
