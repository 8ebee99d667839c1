#include "lib/text/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/utf8.h"

static const struct range {
	unsigned first, last;
} unfit[] = {
	{ 0x0, 0x1f },	    { 0x7f, 0x9f },	{ 0x61c, 0x61c },
	{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

#define REPLACEMENT 0xfffdu

#define UNFIT (sizeof(unfit) / sizeof(unfit[0]))

static bool is_unfit(unsigned code)
{
	for (size_t i = 0; i < UNFIT; i++)
		if (code >= unfit[i].first && code <= unfit[i].last)
			return true;
	return false;
}

/*
 * The high bits of the first byte give the length of the character; a 0
 * follows them.
 */
static unsigned decode_character(const char *text, size_t bytes)
{
	unsigned code = (unsigned char)*text;

	if (bytes > 1)
		code &= 0xffu >> (bytes + 1);
	for (size_t i = 1; i < bytes; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3fu);
	return code;
}

struct foreign_character {
	size_t bytes;
	unsigned code;
	bool unfit;
};

static struct foreign_character look_at(const char *text, size_t len)
{
	int bytes = tr2_utf8_length(text, len);
	struct foreign_character character = { 1, REPLACEMENT, true };

	if (bytes <= 0)
		return character;
	character.bytes = (size_t)bytes;
	character.code = decode_character(text, (size_t)bytes);
	character.unfit = is_unfit(character.code);
	return character;
}

static bool is_old_command(const char *text, size_t len)
{
	return len >= 3 && !memcmp(text, "##[", 3);
}

/*
 * GitHub's runner obeys `##[` anywhere, and `::` at the beginning of a line.
 * It first removes white space, some of which is not ASCII.
 */
static bool is_command(const char *text, size_t len, size_t at)
{
	if (is_old_command(text + at, len - at))
		return true;
	if (len - at < 2 || memcmp(text + at, "::", 2) != 0)
		return false;
	while (at &&
	       (memchr(" \n\r\t", text[at - 1], 4) || (text[at - 1] & 0x80)))
		at--;
	return !at;
}

size_t tr2_foreign_character(struct tr2_buf *out, const char *text, size_t len,
			     size_t at)
{
	struct foreign_character character = look_at(text + at, len - at);

	if (character.unfit || is_command(text, len, at))
		tr2_buf_byte(out, memchr("\n\r\t", text[at], 3) ? ' ' : '?');
	else
		tr2_buf_add(out, text + at, character.bytes);
	return character.bytes;
}

bool tr2_foreign_fits(const char *text, size_t len)
{
	struct foreign_character character;

	for (size_t at = 0; at < len; at += character.bytes) {
		character = look_at(text + at, len - at);
		if (character.unfit || is_old_command(text + at, len - at))
			return false;
	}
	return true;
}

void tr2_foreign_line(struct tr2_buf *out, const char *text, size_t len)
{
	size_t at = 0;

	while (at < len)
		at += tr2_foreign_character(out, text, len, at);
}

void tr2_foreign_after(struct tr2_buf *out, const char *before,
		       const char *text)
{
	tr2_buf_str(out, before);
	tr2_foreign_line(out, text, strlen(text));
}

void tr2_foreign_print(FILE *out, const char *text)
{
	struct tr2_buf line = TR2_BUF_INIT;

	tr2_foreign_line(&line, text, strlen(text));
	if (line.failed)
		fputs("(out of memory)", out);
	else if (line.len)
		fwrite(line.bytes, 1, line.len, out);
	tr2_buf_release(&line);
}

void tr2_foreign_json(struct tr2_buf *out, const char *text)
{
	size_t start = out->len;

	tr2_json_string(out, text);
	tr2_foreign_json_from(out, start);
}

static void put_code(struct tr2_buf *out, unsigned code)
{
	static const char hex[] = "0123456789abcdef";

	tr2_buf_str(out, "\\u");
	for (int shift = 12; shift >= 0; shift -= 4)
		tr2_buf_byte(out, hex[code >> shift & 15]);
}

/* Nearly every character of a trace needs only this test. */
static bool is_plain(char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '#';
}

/* Returns the place of the next unfit character from `at` on, or the end. */
static size_t find_unfit(const struct tr2_buf *json, size_t at)
{
	struct foreign_character character;

	for (; at < json->len; at += character.bytes) {
		while (at < json->len && is_plain(json->bytes[at]))
			at++;
		if (at == json->len)
			break;
		character = look_at(json->bytes + at, json->len - at);
		if (character.unfit ||
		    is_old_command(json->bytes + at, json->len - at))
			break;
	}
	return at;
}

void tr2_foreign_json_from(struct tr2_buf *out, size_t start)
{
	struct tr2_buf rest = TR2_BUF_INIT;
	struct foreign_character character;
	size_t at = find_unfit(out, start), next;

	if (at == out->len)
		return;
	tr2_buf_add(&rest, out->bytes + at, out->len - at);
	out->len = at;
	for (at = 0; at < rest.len; at = next + character.bytes) {
		next = find_unfit(&rest, at);
		tr2_buf_add(out, rest.bytes + at, next - at);
		if (next == rest.len)
			break;
		character = look_at(rest.bytes + next, rest.len - next);
		put_code(out, character.code);
	}
	out->failed |= rest.failed;
	tr2_buf_release(&rest);
}

void tr2_foreign_blame(const char *name, const char *file, const char *why)
{
	fprintf(stderr, "trace2 %s: ", name);
	tr2_foreign_print(stderr, file);
	fprintf(stderr, ": %s\n", why);
}

void tr2_foreign_complain(const char *name, const char *what, const char *value)
{
	fprintf(stderr, "trace2 %s: %s", name, what);
	if (value) {
		fputs(": ", stderr);
		tr2_foreign_print(stderr, value);
	}
	fputc('\n', stderr);
}
