/*
 * utf16.h - UTF-16 to UTF-8: PowerShell writes what it redirects in this form,
 * with a byte order mark. The end of such a file has none.
 */
#ifndef TR2_READ_BYTES_UTF16_H
#define TR2_READ_BYTES_UTF16_H

#include <stdbool.h>
#include <stddef.h>

struct tr2_utf16 {
	bool is_on, is_big; /* the high byte of a unit comes first */
	size_t mark;	    /* bytes of the mark at the begin */
	int half;	    /* first byte of a unit, or -1 */
	unsigned high;	    /* first unit of a pair, or 0 */
};

/* Do the bytes begin with UTF-16? */
bool tr2_utf16_begins(struct tr2_utf16 *utf16, const char *bytes, size_t len);

/* So many bytes may become of `len` bytes, and of a rest before them. */
#define TR2_UTF16_ROOM(len) (((len) + 4) / 2 * 3 + 3)

/*
 * Turn the bytes into UTF-8; returns its length. Half of a pair of surrogates
 * becomes U+FFFD. With `len` 0 the text ends.
 */
size_t tr2_utf16_read(struct tr2_utf16 *utf16, const char *bytes, size_t len,
		      char *out);

#endif
