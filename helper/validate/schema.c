#include "validate/schema.h"

#include <string.h>

static uint64_t head_of(const char *text, size_t len)
{
	uint64_t head;

	memcpy(&head, text, sizeof(head));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	head = __builtin_bswap64(head);
#endif
	return len < 8 ? head & ((UINT64_C(1) << (8 * len)) - 1) : head;
}

int tr2_names_find(const struct tr2_names *names, const char *text, size_t len)
{
	uint64_t head = head_of(text, len);
	int place = names->place[((head ^ len) * names->factor) >> 56];
	const struct tr2_name *name = &names->name[place];

	if (name->head != head || name->len != len)
		return -1;
	if (len > 8 && memcmp(name->text + 8, text + 8, len - 8))
		return -1;
	return place;
}
