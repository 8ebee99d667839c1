#include "trace/agent/categories.h"

#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "base/list.h"

const char tr2_categories_all[] = "*";

bool tr2_categories_match(const char *list, const char *group, size_t len)
{
	const char *comma;
	size_t item;

	if (list == tr2_categories_all)
		return true;
	for (;; group += item + 1, len -= item + 1) {
		comma = len ? memchr(group, ',', len) : NULL;
		item = comma ? (size_t)(comma - group) : len;
		if (item && tr2_list_has(list, group, item))
			return true;
		if (!comma)
			return false;
	}
}

/*
 * Unions
 */

static int by_name(const void *a, const void *b)
{
	const struct tr2_list_word *left = a, *right = b;
	size_t least = left->len < right->len ? left->len : right->len;
	int order = memcmp(left->text, right->text, least);

	if (order)
		return order;
	return (left->len > right->len) - (left->len < right->len);
}

/*
 * Split the list. Returns the number of names; if `names` is NULL, only
 * counts.
 */
static size_t split_list(const char *list, struct tr2_list_word *names)
{
	struct tr2_list_word name;
	size_t count = 0;

	while (tr2_list_take(&list, &name)) {
		if (!name.len)
			continue;
		if (names)
			names[count] = name;
		count++;
	}
	return count;
}

/* Join the names in `text`, which is large enough: sorted, each once. */
static void join_names(struct tr2_list_word *names, size_t count, char *text)
{
	qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		if (i && !by_name(&names[i - 1], &names[i]))
			continue;
		if (i)
			*text++ = ',';
		memcpy(text, names[i].text, names[i].len);
		text += names[i].len;
	}
	*text = '\0';
}

/* All unions that were ever made. */
static struct kept {
	struct kept *next;
	char text[];
} * all_kept;

/* Returns the kept union that equals `made`; takes over or frees `made`. */
static const char *keep_list(struct kept *made)
{
	for (struct kept *kept = all_kept; kept; kept = kept->next) {
		if (strcmp(kept->text, made->text))
			continue;
		tr2_host->free(made);
		return kept->text;
	}
	made->next = all_kept;
	all_kept = made;
	return made->text;
}

const char *tr2_categories_union(const char *const *lists, size_t count)
{
	size_t i, bytes = 1, total = 0;
	struct tr2_list_word *names;
	struct kept *made;

	for (i = 0; i < count; i++) {
		if (lists[i] == tr2_categories_all)
			return tr2_categories_all;
		bytes += strlen(lists[i]) + 1;
		total += split_list(lists[i], NULL);
	}
	names = tr2_host->realloc(NULL, (total + 1) * sizeof(*names));
	made = tr2_host->realloc(NULL, sizeof(*made) + bytes);
	if (names && made) {
		for (total = 0, i = 0; i < count; i++)
			total += split_list(lists[i], names + total);
		join_names(names, total, made->text);
	} else {
		tr2_host->free(made);
		made = NULL;
	}
	tr2_host->free(names);
	return made ? keep_list(made) : NULL;
}

/*
 * Lists of a program
 */

bool tr2_categories_are_names(const char *const *categories, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!categories[i] || strchr(categories[i], ','))
			return false;
	return true;
}

size_t tr2_categories_measure(const char *const *categories, size_t count)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += strlen(categories[i]) + 1;
	return bytes;
}

void tr2_categories_join(const char *const *categories, size_t count,
			 char *text)
{
	size_t len;

	for (size_t i = 0; i < count; i++) {
		len = strlen(categories[i]);
		memcpy(text, categories[i], len);
		text += len;
		*text++ = i + 1 < count ? ',' : '\0';
	}
}
