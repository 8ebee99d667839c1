/*
 * Find the tokens of a text by a loop over its bytes. For a text that is not
 * JSON it finds the same tokens as simdjson's first stage: a backslash before
 * a quote escapes it anywhere, and a string right after a number or word is
 * not a token.
 */
#include "read/json/tokens.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "lib/common/memory.h"

struct tokenizing {
	const char *text;
	size_t len, at, count;
	uint32_t *places;
	bool in_word; /* inside a number or a word */
};

/* There is at most one token for each byte, and the end. */
void tr2_tokens_make_room(struct tr2_tokens *tokens, size_t len)
{
	if (len < tokens->plain_room)
		return;
	tokens->plain_room = 2 * len + 4096;
	tokens->plain = tr2_must_grow(tokens->plain,
				      tokens->plain_room * sizeof(uint32_t));
}

static void put_token(struct tokenizing *this)
{
	this->places[this->count++] = (uint32_t)this->at;
}

/* Skip a character of any length; false: the bytes are not a character. */
static bool skip_character(struct tokenizing *this)
{
	int len = tr2_utf8_length(this->text + this->at, this->len - this->at);

	if (len > 0)
		this->at += (size_t)len;
	return len > 0;
}

/* Skip what follows a backslash. */
static void skip_escaped(struct tokenizing *this)
{
	char byte = this->at < this->len ? this->text[this->at] : '\0';

	if (byte == '"' || byte == '\\')
		this->at++;
}

/*
 * Skip a string, from its first quote to after the last one; false: it is
 * broken or not closed.
 */
static bool skip_string(struct tokenizing *this)
{
	this->at++;
	while (this->at < this->len) {
		unsigned char byte = (unsigned char)this->text[this->at];

		if (byte < ' ' || !skip_character(this))
			return false;
		if (byte == '"')
			return true;
		if (byte == '\\')
			skip_escaped(this);
	}
	return false;
}

static bool skip_word(struct tokenizing *this)
{
	char byte = this->text[this->at];

	if (!this->in_word)
		put_token(this);
	this->in_word = true;
	if (!skip_character(this))
		return false;
	if (byte == '\\')
		skip_escaped(this);
	return true;
}

static bool is_one_of(const char *bytes, char byte)
{
	return byte && strchr(bytes, byte);
}

static bool skip_next(struct tokenizing *this)
{
	bool was_in_word = this->in_word;
	char byte = this->text[this->at];
	bool is_mark = is_one_of("{}[]:,", byte);

	if (byte != '"' && !is_mark && !is_one_of(" \t\n\r", byte))
		return skip_word(this);
	this->in_word = false;
	if (is_mark || (byte == '"' && !was_in_word))
		put_token(this);
	if (byte == '"')
		return skip_string(this);
	this->at++;
	return true;
}

enum tr2_tokens_result tr2_tokens_find_plain(struct tr2_tokens *tokens,
					     const char *text, size_t len)
{
	struct tokenizing this = { .text = text, .len = len };

	tr2_tokens_make_room(tokens, len);
	this.places = tokens->plain;
	while (this.at < len)
		if (!skip_next(&this))
			return TR2_TOKENS_REFUSED;
	if (!this.count)
		return TR2_TOKENS_REFUSED;
	this.places[this.count] = (uint32_t)len;
	tokens->text = text;
	tokens->len = len;
	tokens->at = this.places;
	tokens->count = this.count;
	return TR2_TOKENS_OK;
}
