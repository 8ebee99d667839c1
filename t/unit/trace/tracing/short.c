/* Tracing objects whose host has no memory, descriptors or threads left. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "kit/short.h"
#include "kit/trace/tracing.h"

static void pass_time(void)
{
	TRACE_INSTANT("a", "passed", TRACE_SCOPE_THREAD);
}

/* All that a user does. Returns the result of enabling, or of creating. */
static int use_tracing(void)
{
	const struct trace_tracing_options options = {
		.pattern = "${pid}.json",
	};
	struct trace_tracing *tracing;
	int error;

	error = trace_tracing_configure(&options);
	if (error)
		return error;
	errno = 0;
	tracing = kit_tracing("a");
	if (!tracing)
		return errno;
	error = trace_tracing_enable(tracing);
	pass_time();
	if (!error)
		trace_tracing_disable(tracing);
	trace_tracing_destroy(tracing);
	return error;
}

static void test_memory(void)
{
	int call, error, wrong = 0, refused = 0;

	for (call = 1;; call++) {
		fail_from(call);
		error = use_tracing();
		if (!has_failed())
			break;
		fail_from(0);
		refused += error == ENOMEM;
		wrong += error && error != ENOMEM && error != EAGAIN;
		wrong += use_tracing() != 0;
	}
	fail_from(0);
	tap_ok(refused > 4, "who enables is told that out of memory");
	tap_int(wrong, 0, "and may try again");
}

static void test_descriptors(void)
{
	int low = dup(0), count, errors = 0;

	close(low);
	for (count = 0; count < 5; count++) {
		limit_files((rlim_t)(low + count));
		errors += use_tracing() != 0;
		limit_files(0);
	}
	tap_int(errors, 5, "who enables is told that descriptors are short");
	tap_int(use_tracing(), 0, "and may try again with more");
}

static void *no_pages(size_t size)
{
	(void)size;
	return NULL;
}

static void test_pages(void)
{
	host.pages = no_pages;
	tap_int(use_tracing(), ENOMEM, "so is who finds no room for a buffer");
	host.pages = usual->pages;
}

int main(void)
{
	short_install();
	kit_begin();
	tap_run(test_pages, test_memory, test_descriptors);
	kit_end();
	return tap_done();
}
