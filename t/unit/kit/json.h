/*
 * json.h - texts for the validator's readers.
 */
#ifndef UNIT_KIT_JSON_H
#define UNIT_KIT_JSON_H

#include <string.h>

#include "read/record.h"

static char text[1 << 16];
static struct tr2_record record;

/* Behind the text there is what must not be taken for a part of it. */
static inline const char *pad_json(const char *bytes, size_t len)
{
	memset(text + len, '7', TR2_TOKENS_PADDING);
	text[len] = '\n';
	return memcpy(text, bytes, len);
}

static inline enum tr2_record_result read_record(const char *bytes)
{
	return tr2_record_read(&record, pad_json(bytes, strlen(bytes)),
			       strlen(bytes));
}

#endif
