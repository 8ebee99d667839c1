/* spool_kit.h - what a spool gives back. */
#ifndef UNIT_LIB_FILES_SPOOL_KIT_H
#define UNIT_LIB_FILES_SPOOL_KIT_H

#include "kit/validate.h"

#include "validate/report/spool.h"

#define KEPT ((size_t)4 << 20)

/* All texts in their order. Valid until the next call. */
static inline const char *print_sorted(struct tr2_spool *spool)
{
	static struct tr2_buf out;
	size_t i;

	tr2_buf_reset(&out);
	tr2_spool_sort(spool);
	for (i = 0; i < spool->entries.count; i++)
		tr2_spool_read(spool, i, &out);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

#endif
