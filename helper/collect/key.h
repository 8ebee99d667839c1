/* key.h - the secret key of placeholders. */
#ifndef TR2_COLLECT_KEY_H
#define TR2_COLLECT_KEY_H

#include <stddef.h>

#define TR2_COLLECT_KEY_LEAST 16
#define TR2_COLLECT_KEY_MOST 4096

/*
 * Read the key from the file. If there is no name (NULL), it is `redact.key`
 * of the spool directory, which is made once, with random bytes, for its owner
 * only: placeholders agree with those before a restart. Returns the length of
 * the key, or 0 after a message; the file then does not have 16 to 4096 bytes,
 * or cannot be read or made.
 */
size_t tr2_collect_read_key(const char *file, const char *spool,
			    char key[TR2_COLLECT_KEY_MOST + 1]);

#endif
