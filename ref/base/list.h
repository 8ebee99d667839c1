/*
 * list.h - lists of words with commas between them, as settings have them.
 */
#ifndef TR2_BASE_LIST_H
#define TR2_BASE_LIST_H

/*
 * Is `word` one of the items of `list`? Items are compared byte by byte;
 * blanks belong to them. Async-signal-safe.
 */
int tr2_list_has(const char *list, const char *word);

#endif
