/* duplicate.h - find two members of an object with the same key. */
#ifndef TR2_JSON_DUPLICATE_H
#define TR2_JSON_DUPLICATE_H

#include "read/json/parse.h"

/*
 * Find a key that its object, at any depth, already has: true, and `found` is
 * the first such key. The text is an object or array that was read without a
 * fault. With `inside`, its own keys are known to differ, so only the objects
 * inside it are examined.
 */
bool tr2_duplicate_find(struct tr2_parse *parse, bool inside,
			struct tr2_value *found);

#endif
