#include "base/list.h"

#include <string.h>

int tr2_list_take(const char **list, struct tr2_list_word *word)
{
	if (!**list)
		return 0;
	word->text = *list;
	word->len = strcspn(*list, ",");
	*list += word->len;
	*list += **list == ',';
	return 1;
}

int tr2_list_has(const char *list, const char *text, size_t len)
{
	struct tr2_list_word word;

	while (tr2_list_take(&list, &word))
		if (word.len == len && !memcmp(word.text, text, len))
			return 1;
	return 0;
}
