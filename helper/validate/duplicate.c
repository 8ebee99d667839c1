#include "validate/duplicate.h"

#include <stdlib.h>

#include "validate/memory.h"

struct tr2_duplicate_key {
	const char *text;
	size_t len;
	size_t at; /* on the tape */
};

static int compare_text(const struct tr2_duplicate_key *a,
			const struct tr2_duplicate_key *b)
{
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->text, b->text, a->len);
}

static int compare(const void *left, const void *right)
{
	const struct tr2_duplicate_key *a = left, *b = right;
	int order = compare_text(a, b);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void add_key(struct tr2_duplicates *duplicates, size_t count,
		    const struct tr2_doc *doc, size_t at)
{
	struct tr2_duplicate_key *key;

	if (count == duplicates->room) {
		duplicates->room = count ? 2 * count : 64;
		duplicates->keys = tr2_memory_grow(
			duplicates->keys, duplicates->room * sizeof(*key));
	}
	key = &duplicates->keys[count];
	key->text = tr2_doc_text(doc, at, &key->len);
	key->at = at;
}

/* The first key of the object at `at` that repeats an earlier one. */
static size_t find_in_object(struct tr2_duplicates *duplicates,
			     const struct tr2_doc *doc, size_t at)
{
	const struct tr2_duplicate_key *key;
	size_t end = tr2_doc_end(doc, at) - 1;
	size_t i, count = 0, found = 0;

	for (at++; at < end; at = tr2_doc_next(doc, at + 1))
		add_key(duplicates, count++, doc, at);
	if (count < 2)
		return 0;
	qsort(duplicates->keys, count, sizeof(*key), compare);
	for (i = 1, key = duplicates->keys + 1; i < count; i++, key++)
		if (!compare_text(key - 1, key) && (!found || key->at < found))
			found = key->at;
	return found;
}

size_t tr2_duplicates_find(struct tr2_duplicates *duplicates,
			   const struct tr2_doc *doc)
{
	size_t end = tr2_doc_next(doc, TR2_DOC_ROOT), at, found = 0;

	for (at = TR2_DOC_ROOT; at < end && !found; at = tr2_doc_step(doc, at))
		if (tr2_doc_tag(doc, at) == '{')
			found = find_in_object(duplicates, doc, at);
	return found;
}

void tr2_duplicates_release(struct tr2_duplicates *duplicates)
{
	free(duplicates->keys);
}
