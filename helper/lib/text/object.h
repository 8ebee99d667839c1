/*
 * object.h - the members of a JSON object, for what a command prints.
 *
 * Each call puts a comma first where something of the same object is before
 * it; braces and brackets are the caller's.
 */
#ifndef TR2_TEXT_OBJECT_H
#define TR2_TEXT_OBJECT_H

#include <stdint.h>

#include "base/buf.h"

/* "KEY": */
void tr2_object_key(struct tr2_buf *out, const char *key);

/* The same, and the bracket or brace that the value begins with. */
void tr2_object_open(struct tr2_buf *out, const char *key, char bracket);

/* Foreign text, as tr2_foreign_json() puts it. */
void tr2_object_text(struct tr2_buf *out, const char *key, const char *text);

/* A number, and one that is never negative. */
void tr2_object_number(struct tr2_buf *out, const char *key, int64_t value);
void tr2_object_count(struct tr2_buf *out, const char *key, uint64_t value);

/* What is before an item of an array: a comma, but for the first. */
void tr2_object_next(struct tr2_buf *out);

#endif
