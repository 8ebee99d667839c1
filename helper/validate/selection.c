#include "validate/selection.h"

#include <stdlib.h>
#include <string.h>

#include "validate/memory.h"
#include "validate/rules.h"

struct tr2_selection_word {
	char *prefix;
	bool select;
};

static bool begins_an_id(const char *prefix)
{
	size_t i;

	for (i = 0; i < tr2_rules_count; i++)
		if (tr2_rules_is_prefix(prefix, tr2_rules[i].id))
			return true;
	return false;
}

static char *copy_word(const char *word, size_t len)
{
	char *copy = tr2_must_grow(NULL, len + 1);

	memcpy(copy, word, len);
	copy[len] = '\0';
	return copy;
}

static void add_word(struct tr2_selection *selection, char *prefix, bool select)
{
	struct tr2_selection_word word = { prefix, select };
	size_t size = (selection->count + 1) * sizeof(word);

	selection->words = tr2_must_grow(selection->words, size);
	selection->words[selection->count++] = word;
	selection->selects |= select;
}

char *tr2_selection_add(struct tr2_selection *selection, const char *list,
			bool select)
{
	size_t len;
	char *word;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		word = copy_word(list, len);
		if (!begins_an_id(word))
			return word;
		add_word(selection, word, select);
		if (!list[len])
			return NULL;
	}
}

bool tr2_selection_has(const struct tr2_selection *selection, const char *id)
{
	bool has = !selection->selects;
	size_t i, longest = 0, len;

	for (i = 0; i < selection->count; i++) {
		len = strlen(selection->words[i].prefix);
		if (len < longest ||
		    !tr2_rules_is_prefix(selection->words[i].prefix, id))
			continue;
		longest = len;
		has = selection->words[i].select;
	}
	return has;
}

void tr2_selection_release(struct tr2_selection *selection)
{
	while (selection->count)
		free(selection->words[--selection->count].prefix);
	free(selection->words);
}
