/*
 * strings.h - the string table of a trace: each string once, by its contents,
 * with an index from 1 to FXT_STRINGS.
 *
 * The table has its own copy of the bytes, so it outlives the library that
 * contained a literal. Any thread may use it, without a lock: an entry is
 * complete before others can find it. If two threads add the same string at
 * the same moment, it may get two indices.
 */
#ifndef TR2_TRACE_ENGINE_STRINGS_H
#define TR2_TRACE_ENGINE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct tr2_trace_strings;

/* Make an empty table; NULL if there is no memory. It is never freed. */
struct tr2_trace_strings *tr2_trace_strings_make(void);

/* Forget all strings. Nobody may use the table meanwhile. */
void tr2_trace_strings_clear(struct tr2_trace_strings *strings);

/*
 * Returns the index of a string; 0: it has none, or there is no room for it.
 * A new string is passed to `define` before other threads can find it; if
 * `define` returns 0, nobody will find it.
 */
uint16_t tr2_trace_strings_index(struct tr2_trace_strings *strings,
				 const char *bytes, size_t len,
				 int (*define)(uint16_t index,
					       const char *bytes, size_t len));

/*
 * Returns the table's copy of a string that has an index, with a NUL after
 * it.
 */
const char *tr2_trace_strings_text(const struct tr2_trace_strings *strings,
				   uint16_t index);

#endif
