#include "read/text/made.h"

#include <string.h>

#include "base/json.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* A longer number may be out of range. */
#define SURE_DIGITS ((size_t)18)

void tr2_made_begin(struct tr2_made *made, enum tr2_is is)
{
	tr2_buf_reset(&made->text);
	tr2_buf_reset(&made->places);
	made->unsure = false;
	made->is = is;
	made->count = 0;
}

void tr2_made_token(struct tr2_made *made)
{
	const uint32_t at = (uint32_t)made->text.len;

	tr2_buf_add(&made->places, &at, sizeof(at));
}

void tr2_made_key(struct tr2_made *made, enum tr2_key key)
{
	const uint32_t at = (uint32_t)made->text.len;
	const struct tr2_names_member *member = &tr2_names_members[key];
	const uint32_t end = at + member->len;
	const uint32_t tokens[] = { at, at + 1, end - 1, end };
	char *text = tr2_buf_take(&made->text, sizeof(member->text));

	if (!text)
		return;
	memcpy(text, member->text, sizeof(member->text));
	made->text.len = end;
	tr2_buf_add(&made->places, tokens, sizeof(tokens));
	made->key[made->count] = (uint8_t)key;
	made->value[made->count].start = end;
	made->value[made->count].token =
		(uint32_t)(made->places.len / sizeof(*tokens)) - 1;
}

void tr2_made_value(struct tr2_made *made, enum tr2_kind kind)
{
	made->value[made->count].kind = kind;
	made->value[made->count].end = (uint32_t)made->text.len;
	made->count += made->count + 1 < TR2_MADE_MOST;
}

void tr2_made_text(struct tr2_made *made, enum tr2_key key, const char *text,
		   size_t len)
{
	tr2_made_key(made, key);
	tr2_json_text(&made->text, text, len);
	tr2_made_value(made, TR2_STRING);
}

/* JSON has no zeros before a number. */
void tr2_made_number(struct tr2_made *made, enum tr2_key key,
		     enum tr2_kind kind, const char *text, size_t len)
{
	tr2_made_key(made, key);
	if (len && *text == '-') {
		tr2_buf_byte(&made->text, '-');
		text++, len--;
	}
	while (len > 1 && *text == '0' && tr2_text_is_digit(text[1]))
		text++, len--;
	tr2_buf_add(&made->text, text, len);
	made->unsure |= len > SURE_DIGITS;
	tr2_made_value(made, kind);
}

static void end_text(struct tr2_made *made)
{
	const size_t len = made->text.len;

	tr2_buf_byte(&made->text, '\n');
	if (tr2_buf_grow(&made->text, TR2_TOKENS_PADDING) ||
	    made->places.failed)
		tr2_memory_out();
	memset(made->text.bytes + len + 1, 0, TR2_TOKENS_PADDING);
	made->tokens = (struct tr2_tokens){
		.text = made->text.bytes,
		.len = len,
		.at = (const void *)made->places.bytes,
		.count = made->places.len / sizeof(uint32_t),
	};
}

/* What begins with a comma now becomes an object. */
void tr2_made_end(struct tr2_made *made)
{
	tr2_made_token(made);
	tr2_buf_byte(&made->text, '}');
	tr2_made_token(made);
	end_text(made);
	made->tokens.count--; /* the last one is the end */
	made->text.bytes[0] = '{';
}

void tr2_made_copy(struct tr2_made *made, const char *text, size_t len)
{
	tr2_made_begin(made, TR2_IS_OTHER);
	made->unsure = true;
	tr2_buf_add(&made->text, text, len);
	end_text(made);
}

void tr2_made_release(struct tr2_made *made)
{
	tr2_buf_release(&made->text);
	tr2_buf_release(&made->places);
}
