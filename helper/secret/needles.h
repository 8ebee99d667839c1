/*
 * needles.h - may a line have a secret? A quick test, since few lines have.
 *
 * A needle is a part that such a line must have: the beginning of a token, or
 * the name of a secret. Each needle has three bytes that seldom follow each
 * other, and a table knows both pairs of them. So it is enough to look up each
 * second pair of bytes of a line.
 */
#ifndef TR2_SECRET_NEEDLES_H
#define TR2_SECRET_NEEDLES_H

#include <stdbool.h>
#include <stddef.h>

struct tr2_needles;

struct tr2_needles *tr2_needles_open(void);
void tr2_needles_close(struct tr2_needles *needles);

/* It never misses a secret that secret.h finds. */
bool tr2_needles_find(const struct tr2_needles *needles, const char *text,
		      size_t len);

#endif
