/* What targets ask; they need nothing else of this room. */
#include "trace/outside/outside.h"

static bool has_file;		    /* atomic */
static const uint64_t *lost_events; /* or NULL: no file; atomic */
static void (*give_up)(void);	    /* or NULL: no provider; atomic */

bool tr2_outside_has_file(void)
{
	return __atomic_load_n(&has_file, __ATOMIC_ACQUIRE);
}

void tr2_outside_note_file(bool there)
{
	__atomic_store_n(&has_file, there, __ATOMIC_RELEASE);
}

void tr2_outside_note_lost(const uint64_t *lost)
{
	__atomic_store_n(&lost_events, lost, __ATOMIC_RELEASE);
}

uint64_t tr2_outside_count_lost(void)
{
	const uint64_t *lost = __atomic_load_n(&lost_events, __ATOMIC_ACQUIRE);

	return lost ? __atomic_load_n(lost, __ATOMIC_RELAXED) : 0;
}

void tr2_outside_note_provider(void (*end)(void))
{
	__atomic_store_n(&give_up, end, __ATOMIC_RELEASE);
}

void tr2_outside_yield(void)
{
	void (*end)(void) = __atomic_load_n(&give_up, __ATOMIC_ACQUIRE);

	if (end)
		end();
}
