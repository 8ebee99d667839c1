/*
 * near.h - a word that was mistyped, and the words that are valid.
 */
#ifndef TR2_CLI_NEAR_H
#define TR2_CLI_NEAR_H

#include <stddef.h>

/* The number of the word in a list that ends with NULL, or -1. */
int tr2_near_index(const char *const *words, const char *word);

/*
 * The valid word that needs the fewest changes (a letter more, less, other,
 * or two that changed places) to become this one, or NULL where each needs
 * more than two, or more than a third of its letters.
 */
const char *tr2_near_find(const char *const *words, const char *word);

/*
 * On standard error, as a line: "trace2 NAME: WHAT 'WORD'", and then "; did
 * you mean 'VALID'?" or all valid words in parentheses. NAME may be empty;
 * WORD is foreign.
 */
void tr2_near_complain(const char *name, const char *what, const char *word,
		       const char *const *words);

#endif
