/* list.h - lists of words that are separated by commas, as in settings. */
#ifndef TR2_BASE_LIST_H
#define TR2_BASE_LIST_H

/*
 * Is `word` one of the items of `list`? Items are compared byte by byte;
 * blanks are part of an item. Async-signal-safe.
 */
int tr2_list_has(const char *list, const char *word);

#endif
