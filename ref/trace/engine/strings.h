/*
 * strings.h - the string table of a trace: each string once, by what it
 * holds, under an index of 1 to FXT_STRINGS.
 *
 * The table has its own copy of the bytes, so it outlives the library that
 * a literal was in. Any thread, no lock: an entry is complete before it is
 * found. Two threads that bring the same new string at the same moment may
 * give it two indices.
 */
#ifndef TR2_TRACE_ENGINE_STRINGS_H
#define TR2_TRACE_ENGINE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct tr2_trace_strings;

/* Empty; NULL if there is no memory. Never freed. */
struct tr2_trace_strings *tr2_trace_strings_make(void);

/* Forget all. With nobody using it. */
void tr2_trace_strings_clear(struct tr2_trace_strings *strings);

/*
 * The index of a string; 0: there is none, or no room for one more. A new
 * one is shown to `define` before anybody else can find it; if that gives
 * 0, nobody will.
 */
uint16_t tr2_trace_strings_index(struct tr2_trace_strings *strings,
				 const char *bytes, size_t len,
				 int (*define)(uint16_t index,
					       const char *bytes, size_t len));

/* The table's copy of a string that has an index, with a NUL behind it. */
const char *tr2_trace_strings_text(const struct tr2_trace_strings *strings,
				   uint16_t index);

#endif
