/* What targets ask; they need nothing else of this room. */
#include "trace/outside/outside.h"

static bool has_file;	      /* atomic */
static void (*give_up)(void); /* or NULL: no provider; atomic */

bool tr2_outside_has_file(void)
{
	return __atomic_load_n(&has_file, __ATOMIC_ACQUIRE);
}

void tr2_outside_note_file(bool there)
{
	__atomic_store_n(&has_file, there, __ATOMIC_RELEASE);
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
