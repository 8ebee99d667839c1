#include "cli/near.h"

#include <stdio.h>
#include <string.h>

#include "lib/text/foreign.h"

#define LONGEST 32 /* a longer word is near to none */

int tr2_near_index(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

static unsigned min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* How many changes make the first i letters of a the first j letters of b. */
struct changes {
	const char *a, *b;
	unsigned of[LONGEST + 1][LONGEST + 1];
};

static unsigned count_at(const struct changes *changes, size_t i, size_t j)
{
	const unsigned(*of)[LONGEST + 1] = changes->of;
	const char *a = changes->a + i, *b = changes->b + j;
	unsigned least;

	if (!i || !j)
		return (unsigned)(i + j);
	least = min_of(of[i - 1][j], of[i][j - 1]) + 1;
	least = min_of(least, of[i - 1][j - 1] + (a[-1] != b[-1]));
	if (i > 1 && j > 1 && a[-1] == b[-2] && a[-2] == b[-1])
		least = min_of(least, of[i - 2][j - 2] + 1);
	return least;
}

static unsigned count_changes(const char *a, const char *b)
{
	struct changes changes = { .a = a, .b = b };
	const size_t a_len = strlen(a), b_len = strlen(b);

	for (size_t i = 0; i <= a_len; i++)
		for (size_t j = 0; j <= b_len; j++)
			changes.of[i][j] = count_at(&changes, i, j);
	return changes.of[a_len][b_len];
}

const char *tr2_near_find(const char *const *words, const char *word)
{
	const char *found = NULL;
	unsigned changes, fewest = 3;

	if (strlen(word) > LONGEST)
		return NULL;
	for (; *words; words++) {
		if (strlen(*words) > LONGEST)
			continue;
		changes = count_changes(word, *words);
		if (changes < fewest && 3 * changes <= strlen(*words)) {
			fewest = changes;
			found = *words;
		}
	}
	return found;
}

void tr2_near_complain(const char *name, const char *what, const char *word,
		       const char *const *words)
{
	const char *near = tr2_near_find(words, word), *before = " (";

	fprintf(stderr, "trace2%s%s: %s '", *name ? " " : "", name, what);
	tr2_foreign_print(stderr, word);
	fputc('\'', stderr);
	if (near) {
		fprintf(stderr, "; did you mean '%s'?\n", near);
		return;
	}
	for (; *words; words++, before = ", ")
		fprintf(stderr, "%s%s", before, *words);
	fputs(")\n", stderr);
}
