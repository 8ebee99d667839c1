/*
 * needles.h - may a line have a secret? A quick test, since few lines have.
 *
 * A needle is a part that such a line must have: the beginning of a token, the
 * name of a secret, or that of a program. A table knows their first three bytes.
 */
#ifndef TR2_SECRET_NEEDLES_H
#define TR2_SECRET_NEEDLES_H

#include <stdbool.h>
#include <stddef.h>

struct tr2_needles;

struct tr2_needles *tr2_needles_open(void);
void tr2_needles_close(struct tr2_needles *needles);

/*
 * May the text have a secret that secret.h finds, but for one of which a byte is
 * spelled as another? Never misses one.
 */
bool tr2_needles_find(const struct tr2_needles *needles, const char *text,
		      size_t len);

/*
 * May a byte be spelled as `%70`, `\u0070`, `&#112;` or a character that looks
 * like it, or does an escape set a colour? Never misses one, and is quick.
 */
bool tr2_view_differs(const char *text, size_t len);

#endif
