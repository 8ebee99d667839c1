/* Lists of words with commas between them. */
#include "base/list.h"

#include <string.h>

#include "kit/tap.h"

static const struct {
	const char *list, *word;
	int has;
	const char *name;
} rows[] = {
	{ "a", "a", 1, "a list may have one word" },
	{ "a,b", "a", 1, "the first word is in the list" },
	{ "a,b", "b", 1, "so is the last" },
	{ "a,bc,d", "bc", 1, "and one between them" },
	{ "", "a", 0, "an empty list has no word" },
	{ "ab", "a", 0, "the beginning of a word is no word" },
	{ "ab", "abc", 0, "nor is more than a word" },
	{ "ba", "a", 0, "nor the end of one" },
	{ "a, b", "b", 0, "a blank belongs to its word" },
	{ "ab,cd", "ad", 0, "words are compared byte by byte" },
	{ "a,,b", "", 1, "there may be an empty word" },
	{ "a,", "", 0, "what follows the last comma is no empty word" },
};

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_int(tr2_list_has(rows[i].list, rows[i].word,
				     strlen(rows[i].word)),
			rows[i].has, rows[i].name);
	return tap_done();
}
