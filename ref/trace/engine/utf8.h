/* utf8.h - UTF-8 decoding and repair. */
#ifndef TR2_TRACE_ENGINE_UTF8_H
#define TR2_TRACE_ENGINE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "trace/engine/fxt.h"

/*
 * Replace each byte that is not part of a character by `?`. Most texts are
 * ASCII, which is read eight bytes at a time.
 * SPEC: fxt.string.utf8
 */
void tr2_trace_utf8_mend(char *bytes, size_t len);

/* As fxt_put_bytes() and fxt_put_text(), but repairs the text. */
static inline uint64_t *tr2_trace_put_bytes(uint64_t *at, const char *bytes,
					    size_t len)
{
	uint64_t *end = fxt_put_bytes(at, bytes, len);

	tr2_trace_utf8_mend((char *)at, len);
	return end;
}

static inline uint64_t *tr2_trace_put_text(uint64_t *at, struct fxt_text text)
{
	if (!(text.ref & FXT_INLINE))
		return at;
	return tr2_trace_put_bytes(at, text.bytes, fxt_text_bytes(text));
}

#endif
