#include "validate/report/selection.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "rules/rules.h"

struct tr2_selection_word {
	char *prefix;
	bool select;
};

static bool begins_an_id(const char *prefix)
{
	size_t i = tr2_rules_count;

	while (i--)
		if (tr2_rules_is_prefix(prefix, tr2_rules[i].id))
			return true;
	return false;
}

static void add_word(struct tr2_selection *selection, char *prefix, bool select)
{
	struct tr2_selection_word *word =
		tr2_vec_add(&selection->words, sizeof(*word));

	*word = (struct tr2_selection_word){ prefix, select };
	selection->selects |= select;
}

char *tr2_selection_add(struct tr2_selection *selection, const char *list,
			bool select)
{
	size_t len;
	char *word;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		word = tr2_must_copy(list);
		word[len] = '\0';
		if (!begins_an_id(word))
			return word;
		add_word(selection, word, select);
		if (!list[len])
			return NULL;
	}
}

/* A rule that is none for emitters is asked of all logs. */
static bool is_bound(unsigned classes, const char *id)
{
	const struct tr2_rule *rule = classes ? tr2_rules_find(id) : NULL;

	return !rule || !rule->classes || rule->classes & classes;
}

bool tr2_selection_has(const struct tr2_selection *selection, const char *id)
{
	const struct tr2_selection_word *words = selection->words.items;
	bool has = !selection->selects;
	size_t i, longest = 0, len;

	for (i = 0; i < selection->words.count; i++) {
		len = strlen(words[i].prefix);
		if (len < longest || !tr2_rules_is_prefix(words[i].prefix, id))
			continue;
		longest = len;
		has = words[i].select;
	}
	return has && is_bound(selection->classes, id);
}

void tr2_selection_release(struct tr2_selection *selection)
{
	struct tr2_selection_word *words = selection->words.items;

	while (selection->words.count)
		free(words[--selection->words.count].prefix);
	tr2_vec_release(&selection->words);
}
