/*
 * fxt_guest_kit.h - for tests that play the engine: no agent ever wants it.
 */
#ifndef UNIT_TARGET_FXT_GUEST_KIT_H
#define UNIT_TARGET_FXT_GUEST_KIT_H

#include "target/fxt_guest.h"

int tr2_fxt_guest_is_needed(void)
{
	return 0;
}

int tr2_fxt_guest_begin(struct tr2_fxt_file *file, const char *categories)
{
	(void)file;
	(void)categories;
	return 0;
}

void tr2_fxt_guest_offer(struct tr2_fxt_file *file, const char *categories)
{
	(void)file;
	(void)categories;
}

int tr2_fxt_guest_loses(void)
{
	return 0;
}

int tr2_fxt_guest_settle(const struct tr2_destination_options *destination)
{
	(void)destination;
	return 0;
}

uint64_t tr2_fxt_guest_lost(void)
{
	return 0;
}

int tr2_fxt_guest_end(void)
{
	return 0;
}

void tr2_fxt_guest_forget(void)
{
}

#endif
