/*
 * doc.h - one JSON text, parsed. C's view of simdjson's tape.
 *
 * The tape holds the document in its own order, one 64-bit word an
 * element: a tag in the top 8 bits, a payload below.
 *
 *	"	a string (payload: its offset in `strings`, where 4 bytes of
 *		length stand before the text); keys are strings too
 *	l u d	a number: int64_t, uint64_t or double in the word behind
 *	t f n	true, false, null
 *	{ [	payload: low 32 bits the index behind the closing word,
 *		the next 24 how many members (0xffffff: that many or more)
 *	} ]	their ends
 *
 * Word 0 is the root; the value of the text is at TR2_DOC_ROOT.
 */
#ifndef TR2_VALIDATE_DOC_H
#define TR2_VALIDATE_DOC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR2_DOC_ROOT 1
#define TR2_DOC_PADDING 64 /* readable bytes behind the text, any value */
#define TR2_DOC_DEPTH 512  /* deeper nesting is refused */

struct tr2_doc {
	const uint64_t *tape;
	const unsigned char *strings;
	struct tr2_doc_parser *parser;
};

#define TR2_DOC_INIT             \
	{                        \
		NULL, NULL, NULL \
	}

enum tr2_doc_result { TR2_DOC_OK, TR2_DOC_REFUSED, TR2_DOC_NO_MEMORY };

/*
 * Parse one JSON text. Also refused, though legal JSON: numbers outside
 * int64_t and uint64_t that are written as integers, numbers beyond double,
 * escapes of lone surrogates, and nesting deeper than TR2_DOC_DEPTH.
 * Memory is kept from one text to the next.
 */
enum tr2_doc_result tr2_doc_parse(struct tr2_doc *doc, const char *text,
				  size_t len);
void tr2_doc_release(struct tr2_doc *doc);

#ifdef __cplusplus
}
#else

static inline char tr2_doc_tag(const struct tr2_doc *doc, size_t at)
{
	return (char)(doc->tape[at] >> 56);
}

/* The text of the string at `at`; 8 bytes behind it are readable. */
static inline const char *tr2_doc_text(const struct tr2_doc *doc, size_t at,
				       size_t *len)
{
	const unsigned char *string =
		doc->strings + (doc->tape[at] & UINT64_C(0xffffffffffffff));
	uint32_t length;

	memcpy(&length, string, sizeof(length));
	*len = length;
	return (const char *)string + sizeof(length);
}

/* Behind the closing word of the array or object at `at`. */
static inline size_t tr2_doc_end(const struct tr2_doc *doc, size_t at)
{
	return (uint32_t)doc->tape[at];
}

static inline size_t tr2_doc_count(const struct tr2_doc *doc, size_t at)
{
	return doc->tape[at] >> 32 & 0xffffff;
}

/* Behind the element at `at`, whatever it is, without what is in it. */
static inline size_t tr2_doc_step(const struct tr2_doc *doc, size_t at)
{
	switch (tr2_doc_tag(doc, at)) {
	case 'l':
	case 'u':
	case 'd':
		return at + 2;
	default:
		return at + 1;
	}
}

/* Behind the value at `at`, with all that is in it. */
static inline size_t tr2_doc_next(const struct tr2_doc *doc, size_t at)
{
	switch (tr2_doc_tag(doc, at)) {
	case '{':
	case '[':
		return tr2_doc_end(doc, at);
	default:
		return tr2_doc_step(doc, at);
	}
}

#endif
#endif
