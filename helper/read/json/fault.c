#include "read/json/fault.h"

#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "read/json/parse.h"
#include "lib/text/text.h"

/* Each read_ function moves past what it reads, or sets the fault. */
struct fault_reader {
	const char *text;
	size_t len;
	size_t at;
	unsigned depth;
	struct tr2_fault fault;
};

static bool set_fault(struct fault_reader *in, enum tr2_fault_kind kind,
		      size_t at, size_t len)
{
	in->fault.kind = kind;
	in->fault.at = at;
	in->fault.len = len;
	return false;
}

static bool is_at(const struct fault_reader *in, char byte)
{
	return in->at < in->len && in->text[in->at] == byte;
}

/* Move past the byte if it is here. */
static bool skip_byte(struct fault_reader *in, char byte)
{
	bool found = is_at(in, byte);

	in->at += found;
	return found;
}

static bool is_digit_at(const struct fault_reader *in)
{
	return in->at < in->len && tr2_text_is_digit(in->text[in->at]);
}

static bool read_utf8(struct fault_reader *in)
{
	int len = tr2_utf8_length(in->text + in->at, in->len - in->at);

	if (len < 0)
		return set_fault(in, TR2_FAULT_UTF8, in->at, (size_t)-len);
	in->at += (size_t)len;
	return true;
}

/* Nothing fits here: set the fault to the end, a bad byte, or bad syntax. */
static bool refuse_byte(struct fault_reader *in, const char *expected)
{
	size_t at = in->at;

	if (at >= in->len)
		return set_fault(in, TR2_FAULT_END, in->len, 0);
	if (!in->text[at])
		return set_fault(in, TR2_FAULT_NUL, at, 1);
	if (!read_utf8(in))
		return false;
	in->fault.expected = expected;
	return set_fault(in, TR2_FAULT_SYNTAX, at, in->at - at);
}

static void skip_blanks(struct fault_reader *in)
{
	while (skip_byte(in, ' ') || skip_byte(in, '\t') ||
	       skip_byte(in, '\r') || skip_byte(in, '\n'))
		;
}

static bool read_hex(struct fault_reader *in, unsigned *value)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit;
	int i;

	for (*value = 0, i = 0; i < 4; i++, in->at++) {
		digit = in->at < in->len && in->text[in->at]
				? strchr(digits, in->text[in->at])
				: NULL;
		if (!digit)
			return refuse_byte(in, "four hexadecimal digits");
		*value = *value << 4 | (unsigned)((digit - digits) & 15);
	}
	return true;
}

/* Read what follows `\u`; two such escapes form a character beyond U+FFFF. */
static bool read_unicode(struct fault_reader *in)
{
	size_t start = in->at - 2;
	unsigned high, low;

	if (!read_hex(in, &high))
		return false;
	if (high < 0xd800 || high > 0xdfff)
		return true;
	if (high < 0xdc00 && skip_byte(in, '\\') && skip_byte(in, 'u')) {
		if (!read_hex(in, &low))
			return false;
		if (low >= 0xdc00 && low <= 0xdfff)
			return true;
	}
	return set_fault(in, TR2_FAULT_SURROGATE, start, 6);
}

static bool read_escape(struct fault_reader *in)
{
	in->at++;
	if (skip_byte(in, 'u'))
		return read_unicode(in);
	if (!in->text[in->at] || !strchr("\"\\/bfnrt", in->text[in->at]))
		return refuse_byte(in, "an escape that JSON has");
	in->at++;
	return true;
}

static bool read_string(struct fault_reader *in)
{
	in->at++;
	while (!skip_byte(in, '"')) {
		if (in->at >= in->len || (unsigned char)in->text[in->at] < 0x20)
			return refuse_byte(in, "control characters escaped");
		if (is_at(in, '\\') ? !read_escape(in) : !read_utf8(in))
			return false;
	}
	return true;
}

static bool read_digits(struct fault_reader *in)
{
	if (!is_digit_at(in))
		return refuse_byte(in, "a digit");
	while (is_digit_at(in))
		in->at++;
	return true;
}

static bool read_number(struct fault_reader *in)
{
	size_t start = in->at;

	skip_byte(in, '-');
	if (!skip_byte(in, '0') && !read_digits(in))
		return false;
	if (skip_byte(in, '.') && !read_digits(in))
		return false;
	if (skip_byte(in, 'e') || skip_byte(in, 'E')) {
		if (!skip_byte(in, '+'))
			skip_byte(in, '-');
		if (!read_digits(in))
			return false;
	}
	if (!tr2_json_is_in_range(in->text + start))
		return set_fault(in, TR2_FAULT_NUMBER, start, in->at - start);
	return true;
}

/*
 * Read true, false or null. The text may also end inside the word; then
 * nothing fits after it.
 */
static bool read_word(struct fault_reader *in, const char *word)
{
	size_t left = in->len - in->at, len = strlen(word);

	if (memcmp(in->text + in->at, word, left < len ? left : len))
		return refuse_byte(in, "a value");
	in->at += len;
	return true;
}

static bool read_value(struct fault_reader *in);

static bool read_element(struct fault_reader *in)
{
	skip_blanks(in);
	return read_value(in);
}

static bool read_member(struct fault_reader *in)
{
	if (!is_at(in, '"'))
		return refuse_byte(in, "a key in double quotes");
	if (!read_string(in))
		return false;
	skip_blanks(in);
	if (!skip_byte(in, ':'))
		return refuse_byte(in, "`:`");
	return read_element(in);
}

static bool read_list(struct fault_reader *in, char closer,
		      bool (*read_one)(struct fault_reader *))
{
	if (++in->depth > TR2_PARSE_DEPTH)
		return set_fault(in, TR2_FAULT_DEPTH, in->at, 1);
	in->at++;
	skip_blanks(in);
	while (!skip_byte(in, closer)) {
		if (!read_one(in))
			return false;
		skip_blanks(in);
		if (skip_byte(in, closer))
			break;
		if (!skip_byte(in, ','))
			return refuse_byte(in, closer == '}' ? "`,` or `}`"
							     : "`,` or `]`");
		skip_blanks(in);
		if (is_at(in, closer))
			return refuse_byte(in, "something after the comma");
	}
	in->depth--;
	return true;
}

static bool read_value(struct fault_reader *in)
{
	if (in->at >= in->len)
		return refuse_byte(in, "a value");
	switch (in->text[in->at]) {
	case '{':
		return read_list(in, '}', read_member);
	case '[':
		return read_list(in, ']', read_element);
	case '"':
		return read_string(in);
	case 't':
		return read_word(in, "true");
	case 'f':
		return read_word(in, "false");
	case 'n':
		return read_word(in, "null");
	default:
		if (is_at(in, '-') || is_digit_at(in))
			return read_number(in);
		return refuse_byte(in, "a value");
	}
}

struct tr2_fault tr2_fault_find(const char *text, size_t len)
{
	struct fault_reader in = { .text = text, .len = len };
	bool object;

	if (!read_element(&in))
		return in.fault;
	object = in.text[in.at - 1] == '}';
	skip_blanks(&in);
	if (object && is_at(&in, '{'))
		set_fault(&in, TR2_FAULT_MORE, in.at, 1);
	else if (in.at != len)
		refuse_byte(&in, "the end of the line");
	return in.fault;
}

void tr2_fault_mend_utf8(char *text, size_t len)
{
	size_t at = 0;
	int step;

	while (at < len) {
		step = tr2_utf8_length(text + at, len - at);
		for (; step < 0; step++)
			text[at++] = '?';
		at += (size_t)step;
	}
}
