/*
 * Writes an event when the program is done with its provider. Linked with
 * --wrap=trace_provider_destroy to programs that only show how to have one.
 */
#include <trace-provider/provider.h>
#include <trace/event.h>

void __real_trace_provider_destroy(trace_provider_t *provider);
void __wrap_trace_provider_destroy(trace_provider_t *provider);

void __wrap_trace_provider_destroy(trace_provider_t *provider)
{
	TRACE_INSTANT("example", "done", TRACE_SCOPE_PROCESS);
	__real_trace_provider_destroy(provider);
}
