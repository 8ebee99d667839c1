/*
 * Any text through redaction, as JSON, and quoted: JSON stays JSON, an escape
 * hides no secret, what is valid comes back as it was, what holds no URL stays,
 * and quotes can be taken away again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"
#include "base/quote.h"
#include "event/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_claim(int holds)
{
	if (!holds)
		abort();
}

/* In objects, two keys without their secrets may be the same. */
static int may_repeat(const char *json)
{
	const char *hidden = strstr(json, "<REDACTED>");

	return hidden && strstr(hidden + 1, "<REDACTED>");
}

static int is_simple(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80 || *text == '\\')
			return 0;
	return 1;
}

/* Every character as an escape; what is hidden stands as it is. */
static void check_escapes(const char *text, const char *hidden)
{
	struct tr2_buf json = TR2_BUF_INIT, shown = TR2_BUF_INIT;
	char hex[3] = { 0 };
	const char *at;

	for (at = text; *at; at++) {
		tr2_buf_str(&json, "\\u00");
		tr2_buf_byte(&json, "0123456789abcdef"[*at >> 4]);
		tr2_buf_byte(&json, "0123456789ABCDEF"[*at & 15]);
	}
	tr2_buf_byte(&json, '\0');
	tr2_redact_add_json(&shown, json.bytes);
	for (at = shown.bytes; *at; hidden++) {
		char c = *at;

		if (c == '\\') {
			memcpy(hex, at + 4, 2);
			c = (char)strtol(hex, NULL, 16);
			at += 5;
		}
		check_claim(c == *hidden);
		at++;
	}
	check_claim(!*hidden);
	tr2_buf_release(&json);
	tr2_buf_release(&shown);
}

static void check_redaction(const char *text)
{
	struct tr2_buf once = TR2_BUF_INIT, json = TR2_BUF_INIT;
	const char *url = strstr(text, "://");

	tr2_redact_add(&once, text);
	check_claim(tr2_redact_wanted(text) || !strcmp(once.bytes, text));
	check_claim(tr2_redact_wanted(text) || !url || !strpbrk(url, "@="));
	tr2_redact_add_json(&json, text);
	check_claim(tr2_redact_wanted_json(text) || !strcmp(json.bytes, text));
	check_claim(!tr2_json_is_value(text) || tr2_json_is_value(json.bytes) ||
		    may_repeat(json.bytes));
	if (is_simple(text) && !strchr(text, '"'))
		check_escapes(text, once.bytes);
	tr2_buf_release(&once);
	tr2_buf_release(&json);
}

static int is_utf8(const char *text)
{
	size_t left = strlen(text);
	int len;

	for (; left; text += len, left -= (size_t)len) {
		len = tr2_utf8_length(text, left);
		if (len < 0)
			return 0;
	}
	return 1;
}

/* The character behind a `\`, and how long it is written. */
static size_t unescape_character(const char *at, char *character)
{
	static const char from[] = "\"\\bfnrt";
	static const char to[] = "\"\\\b\f\n\r\t";
	const char *known = strchr(from, at[1]);
	char hex[3] = { 0 };

	if (known && at[1]) {
		*character = to[known - from];
		return 2;
	}
	check_claim(!strncmp(at, "\\u00", 4));
	memcpy(hex, at + 4, 2);
	*character = (char)strtol(hex, NULL, 16);
	return 6;
}

static void check_json(const char *text)
{
	struct tr2_buf json = TR2_BUF_INIT, back = TR2_BUF_INIT;
	const char *at;
	char character;

	tr2_json_string(&json, text);
	tr2_buf_byte(&json, '\0');
	check_claim(tr2_json_is_value(json.bytes) && is_utf8(json.bytes));
	json.bytes[json.len - 2] = '\0';
	for (at = json.bytes + 1; *at;) {
		character = *at;
		at += *at == '\\' ? unescape_character(at, &character) : 1;
		tr2_buf_byte(&back, character);
	}
	tr2_buf_byte(&back, '\0');
	check_claim(!is_utf8(text) || !strcmp(back.bytes, text));
	tr2_buf_release(&json);
	tr2_buf_release(&back);
}

/* As a shell does; a blank between two words stays. */
static void check_quotes(const char *text)
{
	const char *const words[] = { text, text, NULL };
	struct tr2_buf quoted = TR2_BUF_INIT, back = TR2_BUF_INIT;
	size_t len = strlen(text);
	int inside = 0;
	const char *at;

	tr2_quote_words(&quoted, words);
	tr2_buf_byte(&quoted, '\0');
	for (at = quoted.bytes; *at; at++) {
		if (*at == '\'')
			inside = !inside;
		else if (*at == '\\' && !inside)
			tr2_buf_byte(&back, *++at);
		else
			tr2_buf_byte(&back, *at);
	}
	tr2_buf_byte(&back, '\0');
	check_claim(!inside && back.len == 2 * len + 2 &&
		    back.bytes[len] == ' ');
	check_claim(!memcmp(back.bytes, text, len) &&
		    !strcmp(back.bytes + len + 1, text));
	tr2_buf_release(&quoted);
	tr2_buf_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	check_redaction(text);
	check_json(text);
	check_quotes(text);
	free(text);
	return 0;
}
