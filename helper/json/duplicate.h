/*
 * duplicate.h - two members of one object with the same key.
 */
#ifndef TR2_JSON_DUPLICATE_H
#define TR2_JSON_DUPLICATE_H

#include "json/parse.h"

/*
 * Find a key that its object, at any depth, has before already: true, and
 * `found` is the first such key. The text, an object or array, was read and
 * is sound. `inside`: its own keys are known to differ, only those of the
 * objects inside of it are looked at.
 * Takes n log n time, whoever chose the keys.
 */
bool tr2_duplicate_find(struct tr2_parse *parse, bool inside,
			struct tr2_value *found);

#endif
