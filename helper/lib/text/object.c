#include "lib/text/object.h"

#include "lib/text/foreign.h"

void tr2_object_next(struct tr2_buf *out)
{
	char last = out->len ? out->bytes[out->len - 1] : '{';

	if (last != '{' && last != '[')
		tr2_buf_byte(out, ',');
}

void tr2_object_key(struct tr2_buf *out, const char *key)
{
	tr2_object_next(out);
	tr2_buf_byte(out, '"');
	tr2_buf_str(out, key);
	tr2_buf_str(out, "\":");
}

void tr2_object_open(struct tr2_buf *out, const char *key, char bracket)
{
	tr2_object_key(out, key);
	tr2_buf_byte(out, bracket);
}

void tr2_object_text(struct tr2_buf *out, const char *key, const char *text)
{
	tr2_object_key(out, key);
	tr2_foreign_json(out, text);
}

void tr2_object_number(struct tr2_buf *out, const char *key, int64_t value)
{
	tr2_object_key(out, key);
	tr2_buf_int(out, value);
}

void tr2_object_count(struct tr2_buf *out, const char *key, uint64_t value)
{
	tr2_object_key(out, key);
	tr2_buf_uint(out, value);
}
