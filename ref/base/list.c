#include "base/list.h"

#include <string.h>

int tr2_list_has(const char *list, const char *word)
{
	const size_t len = strlen(word);

	while (*list) {
		size_t item = strcspn(list, ",");

		if (item == len && !memcmp(list, word, len))
			return 1;
		list += item;
		list += *list == ',';
	}
	return 0;
}
