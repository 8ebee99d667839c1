/*
 * text.h - finding text in bytes that may hold NULs.
 */
#ifndef TR2_VALIDATE_TEXT_H
#define TR2_VALIDATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Are the bytes `wanted`? */
bool tr2_text_is(const char *bytes, size_t len, const char *wanted);

/* Does `wanted` stand at the beginning of the bytes? */
bool tr2_text_starts(const char *bytes, size_t len, const char *wanted);

/* The first `wanted` in the bytes, or NULL. */
const char *tr2_text_find(const char *bytes, size_t len, const char *wanted);

#endif
