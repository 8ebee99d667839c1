/* A process for which there is no memory is not put, instead of a part. */
#include "views/otlp/otlp_kit.h"

#include "host/host.h"

static const struct tr2_host *usual;
static int calls_left; /* before one that fails */

static void *grow_poorly(void *old, size_t size)
{
	return calls_left-- ? usual->realloc(old, size) : NULL;
}

static void tell_all(void)
{
	otlp_take("{\"event\":\"version\",\"sid\":\"a/b\",\"exe\":\"2\"}");
	otlp_tell("a/b", "start", 1, ",\"argv\":[\"p\\u0041\"]");
	otlp_tell("a/b", "cmd_name", 1, ",\"name\":\"n\",\"hierarchy\":\"h\"");
	otlp_tell("a/b", "cmd_mode", 1, ",\"name\":\"m\"");
	otlp_tell("a/b", "region_enter", 1,
		  ",\"category\":\"c\",\"label\":\"l\"");
	otlp_tell("a/b", "data", 1, ",\"value\":\"v\"");
	otlp_tell("a/b", "child_start", 1, ",\"child_id\":0");
	otlp_tell("a/b", "child_exit", 1, ",\"child_id\":0,\"code\":1");
	otlp_tell("a/b", "counter", 1, ",\"name\":\"n\",\"count\":1");
	otlp_tell("a/b", "timer", 1, ",\"intervals\":1");
	otlp_tell("a/b", "signal", 2, ",\"signo\":9");
	otlp_tell("c", "printf", 2, ",\"msg\":\"c\"");
	otlp_tell("c", "atexit", 3, ",\"code\":1");
}

/* Is it the same text, or none, if the call after so many fails? */
static bool tell_poorly(int calls, const char *wanted, bool *out)
{
	struct tr2_host host = *usual;

	otlp_begin();
	host.realloc = grow_poorly;
	calls_left = calls;
	tr2_host = &host;
	*out = kit_runs_out(tell_all);
	tr2_host = usual;
	tr2_otlp_release(&otlp);
	tr2_record_release(&record);
	record = (struct tr2_record){ 0 };
	return *out || !strcmp(put_text, wanted);
}

static char whole[1 << 16];

static void test_each_call(void)
{
	int calls, poor = 0, wrong = 0;
	bool out;

	tell_poorly(-1, "", &out);
	strcpy(whole, put_text);
	for (calls = 0; calls < 100; calls++) {
		wrong += !tell_poorly(calls, whole, &out);
		poor += out;
	}
	tap_ok(poor > 20 && poor < 100, "a process needs memory");
	tap_int(wrong, 0, "it is put as a whole or not at all");
}

int main(void)
{
	usual = tr2_host;
	test_each_call();
	return tap_done();
}
