#include "trace/provider/spare.h"

#include <errno.h>
#include <string.h>

#include "trace/provider/private.h"
#include "host/host.h"

/* Until the program takes it over. Atomic. */
static struct trace_provider *spare;

static struct trace_provider *leave_spare(void)
{
	return __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQ_REL);
}

struct trace_provider *tr2_provider_take_spare(const char *path)
{
	struct trace_provider *provider = leave_spare();

	if (!provider || !strcmp(provider->path, path))
		return provider;
	trace_provider_destroy(provider);
	return NULL;
}

int tr2_provider_begin_spare(void)
{
	static const struct trace_provider_options options;
	const char *manager = tr2_host->getenv("TRACE_MANAGER");
	struct trace_provider *provider;
	int error = errno;

	if (!manager || !*manager)
		return 0;
	provider = tr2_provider_create(&options);
	if (provider && tr2_provider_is_idle(provider)) {
		trace_provider_destroy(provider);
		provider = NULL;
	}
	__atomic_store_n(&spare, provider, __ATOMIC_RELEASE);
	errno = error;
	return provider != NULL;
}

int tr2_provider_has_spare(void)
{
	return __atomic_load_n(&spare, __ATOMIC_ACQUIRE) != NULL;
}

void tr2_provider_end_spare(void)
{
	trace_provider_destroy(leave_spare());
}

void tr2_provider_renew_spare(void)
{
	struct trace_provider *parents = leave_spare();

	if (!parents)
		return;
	trace_provider_destroy(parents);
	tr2_provider_begin_spare();
}
