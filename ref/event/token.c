#include "event/token.h"

#include <string.h>

#include "base/ascii.h"
#include "event/secrets.h"

/* SPEC: redact.token */
#define USER_LEAST 4	/* bytes after a known beginning */
#define RANDOM_LEAST 20 /* bytes of a token without one */
#define RANDOM_LONG 32

#define ALNUM TR2_TOKEN_ALNUM
#define CAPITALS TR2_TOKEN_CAPITALS
#define WORD TR2_TOKEN_WORD
#define HYPHEN TR2_TOKEN_HYPHEN
#define DOT TR2_TOKEN_DOT
#define MORE TR2_TOKEN_MORE
#define ALL TR2_TOKEN_ALL
#define LOOSE 1
#define STRICT 0
#define KIND(prefix, bytes, least, loose, name, source) \
	{ prefix, sizeof(prefix) - 1, bytes, least, loose },

const struct tr2_token_kind tr2_token_kinds[] = { TR2_TOKENS(KIND){ NULL, 0, 0,
								    0, 0 } };

#define ASKED 0
#define AT 1
#define NAME(name, flags, meaning, source) { name, flags },

const struct tr2_query_name tr2_query_names[] = { TR2_SECRET_QUERY(NAME){ NULL,
									  0 } };

unsigned tr2_token_byte(char c)
{
	if (tr2_ascii_lower(c))
		return TR2_TOKEN_LOWER;
	if (tr2_ascii_upper(c))
		return TR2_TOKEN_UPPER;
	if (tr2_ascii_digit(c))
		return TR2_TOKEN_DIGIT;
	switch (c) {
	case '_':
		return TR2_TOKEN_LOW_LINE;
	case '-':
		return TR2_TOKEN_HYPHEN;
	case '.':
		return TR2_TOKEN_DOT;
	case '+':
	case '/':
	case '=':
	case '~':
	case '%':
		return TR2_TOKEN_MORE;
	default:
		return TR2_TOKEN_OTHER;
	}
}

/* `Word` is one word, so a lower-case letter after an upper-case one is none */
static int is_change(unsigned last, unsigned kind)
{
	return last && kind != last &&
	       !(last == TR2_TOKEN_UPPER && kind == TR2_TOKEN_LOWER);
}

void tr2_token_add(struct tr2_token *token, char c)
{
	unsigned kind = tr2_token_byte(c);

	if (token->len < TR2_TOKEN_HEAD)
		token->head[token->len] = c;
	token->len++;
	token->bytes |= kind;
	token->hex += kind == TR2_TOKEN_DIGIT || (c >= 'a' && c <= 'f');
	if (!(kind & TR2_TOKEN_ALNUM))
		return;
	token->changes += (unsigned)is_change(token->last, kind);
	token->last = kind;
}

static int has_kind(const struct tr2_token *token,
		    const struct tr2_token_kind *kind)
{
	const size_t len = kind->len;

	return token->len >= len + USER_LEAST &&
	       !memcmp(token->head, kind->prefix, len) &&
	       (kind->loose || token->bytes & TR2_TOKEN_CAPITALS);
}

/*
 * Words and dates have few changes between letters and digits; a random text
 * has one in two to four bytes.
 */
static int is_random(const struct tr2_token *token)
{
	unsigned each = token->len < RANDOM_LONG ? 4 : 8;

	if (token->len >= RANDOM_LONG && token->hex == token->len)
		return 1;
	return token->len >= RANDOM_LEAST &&
	       !(token->bytes & TR2_TOKEN_OTHER) && token->changes >= 5 &&
	       token->changes * each >= token->len;
}

int tr2_token_is_user(const struct tr2_token *token)
{
	const struct tr2_token_kind *kind;

	if (token->len <= USER_LEAST)
		return 0;
	for (kind = tr2_token_kinds; kind->prefix; kind++)
		if (*kind->prefix == *token->head && has_kind(token, kind))
			return 1;
	return is_random(token);
}
