#include "trace/provider/spare.h"

#include <errno.h>
#include <string.h>

#include "trace/provider/private.h"
#include "host/host.h"

static struct trace_provider *spare;   /* atomic */
static struct trace_provider *parents; /* a forked child frees it */
static int is_over; /* atomic: the program took it over, or does without */

static struct trace_provider *leave_spare(void)
{
	return __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQ_REL);
}

struct trace_provider *tr2_provider_take_spare(const char *path)
{
	struct trace_provider *provider = leave_spare();

	if (!provider)
		return NULL;
	__atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
	if (!strcmp(provider->path, path))
		return provider;
	trace_provider_destroy(provider);
	return NULL;
}

static int is_named(void)
{
	const char *manager = tr2_host->getenv("TRACE_MANAGER");

	return manager && *manager;
}

int tr2_provider_is_wanted(void)
{
	return is_named() && !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
}

int tr2_provider_begin_spare(void)
{
	static const struct trace_provider_options options;
	struct trace_provider *provider;
	int error = errno;

	if (!is_named())
		return 0;
	trace_provider_destroy(parents);
	parents = NULL;
	provider = tr2_provider_create(&options);
	if (provider && tr2_provider_is_idle(provider)) {
		trace_provider_destroy(provider);
		provider = NULL;
	}
	__atomic_store_n(&spare, provider, __ATOMIC_RELEASE);
	errno = error;
	return provider != NULL;
}

void tr2_provider_end_spare(void)
{
	__atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
	trace_provider_destroy(leave_spare());
}

/* The parent's thread may have been changing its categories. */
void tr2_provider_forget_spare(void)
{
	struct trace_provider *left = leave_spare();

	if (!left)
		return;
	left->categories = NULL;
	parents = left;
}
