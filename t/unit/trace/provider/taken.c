/* The spare provider, call by call: no thread runs, and no time passes. */
#include "trace/provider/calls_kit.h"

#include "trace/provider/spare.h"

static void test_taken_over(void)
{
	static const struct trace_known_category known = { "io", "the disk" };
	const struct trace_provider_options options = {
		.name = "own",
		.categories = &known,
		.category_count = 1,
	};
	struct trace_provider *own;

	manager = "/m";
	tap_int(tr2_provider_begin_spare(), 1, "there is a spare provider");
	own = create_provider(&options);
	tap_ok(own == context && !threads, "the program's is the same one");
	tap_str(own->name, "own", "with its name");
	tap_ok(own->renamed && own->known_len == 12,
	       "which the manager will be told, with its categories");
	tap_int((intmax_t)written, sizeof(trace_provider_packet_t),
		"the thread is woken for that");
	tr2_provider_end_spare();
	tap_int(joins, 0, "the program has it now");
	destroy_provider(own);
	tap_int(joins, 1, "which ends with it");
}

static void test_elsewhere(void)
{
	struct trace_provider *own;

	tr2_provider_begin_spare();
	own = create_provider(&somewhere);
	tap_ok(joins == 1 && threads == 1 && !own->renamed,
	       "for another manager there is another provider");
	destroy_provider(own);
}

static void test_child(void)
{
	tr2_provider_begin_spare();
	self = 101;
	forget();
	threads = joins = 0;
	tr2_provider_forget_spare();
	tap_int(threads, 0, "a child asks for no thread in its fork");
	tr2_provider_begin_spare();
	tap_ok(threads == 1 && !joins && context->home, "a child has its own");
	tr2_provider_end_spare();
	tap_int(joins, 1, "and can end it");
	tap_ok(!tr2_provider_is_wanted(),
	       "none is wanted by a program that has had one");
}

static void test_without_thread(void)
{
	create_fails = 1;
	tap_int(tr2_provider_begin_spare(), 0,
		"a provider without a thread is none");
	create_fails = 0;
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tr2_host = &host;
	tap_run(test_taken_over, test_elsewhere, test_child,
		test_without_thread);
	tap_ok(!locks_wrong && !memory_live && !memory_broken && !made,
	       "nothing is left of spare providers");
	(void)errno_changes;
	(void)pipes_fail;
	(void)dup_fails_at;
	(void)ended;
	(void)blocked;
	(void)settles_at;
	(void)create_named;
	(void)open_count;
	return tap_done();
}
