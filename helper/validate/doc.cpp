/* The one file that knows simdjson: its DOM parser, behind doc.h. */
#include "validate/doc.h"

#include <new>

#include <simdjson.h>

static_assert(TR2_DOC_PADDING >= simdjson::SIMDJSON_PADDING,
	      "simdjson reads further behind the text than doc.h says");

struct tr2_doc_parser {
	simdjson::dom::parser parser;
	simdjson::dom::document document;
	size_t room = 0;
};

/* Doubling: memory is asked for a few times, however the lines grow. */
static bool make_room(struct tr2_doc *doc, size_t len)
{
	if (!doc->parser)
		doc->parser = new (std::nothrow) tr2_doc_parser;
	if (!doc->parser)
		return false;

	struct tr2_doc_parser *p = doc->parser;
	size_t room = p->room ? p->room : 4096;

	while (room < len)
		room *= 2;
	if (room == p->room)
		return true;
	if (p->parser.allocate(room, TR2_DOC_DEPTH) ||
	    p->document.allocate(room))
		return false;
	p->room = room;
	doc->tape = p->document.tape.get();
	doc->strings = p->document.string_buf.get();
	return true;
}

extern "C" enum tr2_doc_result tr2_doc_parse(struct tr2_doc *doc,
					     const char *text, size_t len)
{
	if (!make_room(doc, len))
		return TR2_DOC_NO_MEMORY;

	struct tr2_doc_parser *p = doc->parser;

	if (p->parser.parse_into_document(p->document, text, len, false)
		    .error())
		return TR2_DOC_REFUSED;
	return TR2_DOC_OK;
}

extern "C" void tr2_doc_release(struct tr2_doc *doc)
{
	delete doc->parser;
	*doc = TR2_DOC_INIT;
}
