/* Messages that GIT_TRACE and its relatives switch on. */
#include "trace2.h"

#include <strings.h>

#include "host/host.h"
#include "process/process.h"

enum { UNKNOWN, OFF, ON };

#undef trace2_key_is_on

static int read_state(const char *variable)
{
	const char *text = tr2_host->getenv(variable);

	if (!text || !*text || !strcmp(text, "0") || !strcasecmp(text, "false"))
		return OFF;
	return ON;
}

/* Two threads may read the variable at the same time, with one result. */
int trace2_key_is_on(struct trace2_key *key)
{
	int state = __atomic_load_n(&key->state_, __ATOMIC_RELAXED);

	if (!__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		return 0;
	if (state == UNKNOWN) {
		state = read_state(key->variable);
		__atomic_store_n(&key->state_, state, __ATOMIC_RELAXED);
	}
	return state == ON;
}

void trace2_printf_key_va_fl(const char *file, int line, struct trace2_key *key,
			     const char *fmt, va_list ap)
{
	struct tr2_event event;
	struct tr2_thread *self;

	if (!trace2_key_is_on(key))
		return;
	self = tr2_begin(&event, TR2_EVENT_PRINTF, file, line);
	if (!self)
		return;
	event.category = key->category;
	event.msg = tr2_message(self, fmt, ap);
	tr2_finish(self, &event);
}

void trace2_printf_key_fl(const char *file, int line, struct trace2_key *key,
			  const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_printf_key_va_fl(file, line, key, fmt, ap);
	va_end(ap);
}
