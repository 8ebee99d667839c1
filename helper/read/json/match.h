/*
 * match.h - the patterns that the schemas name, as functions.
 *
 * Each function gets a text that is valid UTF-8, and returns whether the
 * pattern with this name in schema/common.schema.json accepts it.
 */
#ifndef TR2_JSON_MATCH_H
#define TR2_JSON_MATCH_H

#include <stdbool.h>
#include <stddef.h>

bool tr2_match_digits(const char *text, size_t len);
bool tr2_match_sid(const char *text, size_t len);
bool tr2_match_time(const char *text, size_t len);

/* Not a pattern: true for ASCII without a backslash or a `{`. */
bool tr2_match_plain(const char *text, size_t len);

#endif
