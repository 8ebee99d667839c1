#include "read/text/made.h"

#include <string.h>

#include "base/json.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* A longer number may be out of range. */
#define SURE_DIGITS ((size_t)18)

/* A byte gets at most so many as an escape, */
#define ESCAPE ((size_t)6)

/* and so many tokens, if it is a word. All keys and quotes need less. */
#define TOKENS ((size_t)2)
#define REST ((size_t)1024)

/* There is room from the beginning, so that appends need not look for it. */
void tr2_made_begin(struct tr2_made *made, enum tr2_is is, size_t len)
{
	tr2_buf_reset(&made->text);
	if (tr2_buf_grow(&made->text, ESCAPE * len + REST) ||
	    tr2_buf_grow(&made->places,
			 (TOKENS * len + REST) * sizeof(uint32_t)))
		tr2_memory_out();
	made->tokens.count = 0;
	made->unsure = made->escapes = false;
	made->is = is;
	made->clock = -1;
	made->count = 0;
}

static uint32_t *add_tokens(struct tr2_made *made, size_t count)
{
	uint32_t *tokens = (void *)made->places.bytes;

	made->tokens.count += count;
	return tokens + made->tokens.count - count;
}

void tr2_made_token(struct tr2_made *made)
{
	*add_tokens(made, 1) = (uint32_t)made->text.len;
}

void tr2_made_key(struct tr2_made *made, enum tr2_key key)
{
	const uint32_t at = (uint32_t)made->text.len;
	const struct tr2_names_member *member = &tr2_names_members[key];
	const uint32_t end = at + member->len;
	uint32_t *tokens = add_tokens(made, 4);

	memcpy(made->text.bytes + at, member->text, sizeof(member->text));
	made->text.len = end;
	tokens[0] = at;
	tokens[1] = at + 1;
	tokens[2] = end - 1;
	tokens[3] = end;
	made->key[made->count] = (uint8_t)key;
	made->value[made->count].start = end;
	made->value[made->count].token = (uint32_t)made->tokens.count - 1;
}

void tr2_made_value(struct tr2_made *made, enum tr2_kind kind)
{
	made->value[made->count].kind = kind;
	made->value[made->count].end = (uint32_t)made->text.len;
	made->count += made->count + 1 < TR2_MADE_MOST;
}

void tr2_made_string(struct tr2_made *made, const char *text, size_t len)
{
	const size_t before = made->text.len;

	tr2_json_text(&made->text, text, len);
	made->escapes |= made->text.len - before > len + 2;
}

void tr2_made_text(struct tr2_made *made, enum tr2_key key, const char *text,
		   size_t len)
{
	tr2_made_key(made, key);
	tr2_made_string(made, text, len);
	tr2_made_value(made, TR2_STRING);
}

void tr2_made_plain(struct tr2_made *made, enum tr2_key key, const char *text,
		    size_t len)
{
	char *at;

	tr2_made_key(made, key);
	at = made->text.bytes + made->text.len;
	at[0] = '"';
	memcpy(at + 1, text, len);
	at[len + 1] = '"';
	made->text.len += len + 2;
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
	memcpy(made->text.bytes + made->text.len, text, len);
	made->text.len += len;
	made->unsure |= len > SURE_DIGITS;
	tr2_made_value(made, kind);
}

static void end_text(struct tr2_made *made)
{
	const size_t len = made->text.len;

	tr2_buf_byte(&made->text, '\n');
	if (tr2_buf_grow(&made->text, TR2_TOKENS_PADDING))
		tr2_memory_out();
	memset(made->text.bytes + len + 1, 0, TR2_TOKENS_PADDING);
	made->tokens.text = made->text.bytes;
	made->tokens.len = len;
	made->tokens.at = (void *)made->places.bytes;
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
	tr2_made_begin(made, TR2_IS_OTHER, len);
	made->unsure = true;
	tr2_buf_add(&made->text, text, len);
	end_text(made);
}

void tr2_made_release(struct tr2_made *made)
{
	tr2_buf_release(&made->text);
	tr2_buf_release(&made->places);
}
