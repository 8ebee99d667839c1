/*
 * json.h - text as JSON. SPEC: chapter json.*
 */
#ifndef TR2_BASE_JSON_H
#define TR2_BASE_JSON_H

#include <stddef.h>

struct tr2_buf;

/*
 * Append `text` as the inside of a JSON string, without quotes around it.
 * Bytes that are not UTF-8 become U+FFFD, one for each maximal broken
 * sequence.
 * SPEC: json.escape, json.invalid-utf8
 */
void tr2_json_escape(struct tr2_buf *out, const char *text, size_t len);

/* The same with quotes around it. */
void tr2_json_text(struct tr2_buf *out, const char *text, size_t len);
void tr2_json_string(struct tr2_buf *out, const char *text);

/*
 * Is `text` exactly one JSON value (RFC 8259) that every reader accepts:
 * valid UTF-8, no LF or CR, no half of a surrogate pair, no repeated key, no
 * number out of range, nested at most 511 levels deep? Allocates memory only
 * for an object that may repeat a key, and from the 16th level on; without
 * memory the answer is no.
 * SPEC: json.data-json
 */
int tr2_json_is_value(const char *text);

/*
 * `text` begins with a JSON number. Accepts -2^63 to 2^64 - 1, and finite
 * doubles; a number that rounds to 2^1024 is not finite.
 * SPEC: input.number-range
 */
int tr2_json_is_in_range(const char *text);

#endif
