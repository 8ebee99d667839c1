/* A trace provider whose host or manager has no room for it. */
#define _GNU_SOURCE
#include "trace/provider/host_kit.h"

static const char *known_of(char *text, size_t size)
{
	memset(text, 'k', size - 1);
	text[size - 1] = '\0';
	return text;
}

/* More than a socket holds if the other side does not read. */
static void test_many_categories(void)
{
	static struct trace_known_category known[64];
	static char text[16000];
	const struct trace_provider_options options = {
		.socket = path,
		.categories = known,
		.category_count = 64,
		.wait_ms = 10000,
	};
	struct trace_provider *provider;
	size_t i;

	for (i = 0; i < 64; i++)
		known[i].name = known_of(text, sizeof(text));
	provider = trace_provider_create_with_options(&options);
	tap_ok(provider && !provider->tracing,
	       "a provider leaves a manager that does not listen");
	trace_provider_destroy(provider);
	fail_from(2);
	tap_ok(!trace_provider_create_with_options(&options),
	       "there is no provider without memory for its categories");
	fail_from(0);
	close(accept(listener, NULL, NULL));
}

static bool is_idle(void)
{
	struct trace_provider *provider = create_provider(0);
	bool idle = provider && provider->wake.writer.fd < 0;

	limit_files(0);
	trace_provider_destroy(provider);
	return idle;
}

static void test_thread(void)
{
	limit_threads(1);
	tap_ok(is_idle(), "a provider whose stack has no room does nothing");
	limit_threads(0);
}

static void test_pauses(void)
{
	tap_int(tr2_provider_next_pause(0), 100, "the first pause is short");
	tap_int(tr2_provider_next_pause(100), 200, "the next is twice as long");
	tap_int(tr2_provider_next_pause(25600), 51200, "then twice that");
	tap_int(tr2_provider_next_pause(51200), 60000, "but a minute at most");
	tap_int(tr2_provider_next_pause(60000), 60000, "however often it is");
}

int main(void)
{
	install_host();
	test_thread();
	listen_as(geteuid());
	tap_run(test_many_categories, test_pauses);
	leave_place();
	return tap_done();
}
