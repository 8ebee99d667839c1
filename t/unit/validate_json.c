/*
 * From a line to an event: JSON that is taken or refused, where its fault
 * is, what texts decode to, and keys that are there twice.
 */
#include "memory_kit.h"

#include <stdio.h>

#include "tap.h"
#include "validate/duplicate.h"
#include "validate/fault.h"
#include "validate/match.h"
#include "validate/record.h"

static char text[1 << 16];

/* Behind the text there is what must not be taken for a part of it. */
static const char *padded(const char *bytes, size_t len)
{
	memset(text + len, '7', TR2_TOKENS_PADDING);
	text[len] = '\n';
	return memcpy(text, bytes, len);
}

static struct tr2_record record;

static enum tr2_record_result read_record(const char *bytes)
{
	return tr2_record_read(&record, padded(bytes, strlen(bytes)),
			       strlen(bytes));
}

static const struct {
	const char *text;
	unsigned kind; /* TR2_NO_VALUE: refused */
} values[] = {
	{ "1", TR2_INTEGER },
	{ "0", TR2_INTEGER },
	{ "-0", TR2_INTEGER },
	{ "-1", TR2_INTEGER },
	{ "1234567", TR2_INTEGER },
	{ "12345678", TR2_INTEGER },
	{ "123456789012345678", TR2_INTEGER },
	{ "1234567890123456789", TR2_INTEGER },
	{ "18446744073709551615", TR2_INTEGER },
	{ "18446744073709551616", TR2_NO_VALUE },
	{ "99999999999999999999", TR2_NO_VALUE },
	{ "-9223372036854775808", TR2_INTEGER },
	{ "-9223372036854775809", TR2_NO_VALUE },
	{ "1.5", TR2_FRACTION },
	{ "0.5", TR2_FRACTION },
	{ "-1.25", TR2_FRACTION },
	{ "1234567.12345678", TR2_FRACTION },
	{ "12345678.123456789", TR2_FRACTION },
	{ "12345678901234567890.5", TR2_FRACTION },
	{ "1.", TR2_NO_VALUE },
	{ "-1.", TR2_NO_VALUE },
	{ ".5", TR2_NO_VALUE },
	{ "1.x", TR2_NO_VALUE },
	{ "1e5", TR2_FRACTION },
	{ "1E5", TR2_FRACTION },
	{ "1e+5", TR2_FRACTION },
	{ "1e-5", TR2_FRACTION },
	{ "1.5e3", TR2_FRACTION },
	{ "1e", TR2_NO_VALUE },
	{ "1e+", TR2_NO_VALUE },
	{ "e5", TR2_NO_VALUE },
	{ "1e308", TR2_FRACTION },
	{ "1e309", TR2_NO_VALUE },
	{ "-1e309", TR2_NO_VALUE },
	{ "01", TR2_NO_VALUE },
	{ "00", TR2_NO_VALUE },
	{ "-01", TR2_NO_VALUE },
	{ "01.5", TR2_NO_VALUE },
	{ "-", TR2_NO_VALUE },
	{ "--1", TR2_NO_VALUE },
	{ "+1", TR2_NO_VALUE },
	{ "1x", TR2_NO_VALUE },
	{ "1-", TR2_NO_VALUE },
	{ "/", TR2_NO_VALUE },
	{ "true", TR2_BOOLEAN },
	{ "false", TR2_BOOLEAN },
	{ "null", TR2_NULL },
	{ "tru", TR2_NO_VALUE },
	{ "truex", TR2_NO_VALUE },
	{ "trux", TR2_NO_VALUE },
	{ "falsy", TR2_NO_VALUE },
	{ "nul", TR2_NO_VALUE },
	{ "x", TR2_NO_VALUE },
	{ "\"\"", TR2_STRING },
	{ "\"a\"", TR2_STRING },
	{ "\"\\n\"", TR2_STRING },
	{ "\"\\u00e9\"", TR2_STRING },
	{ "\"\\ud83d\\ude00\"", TR2_STRING },
	{ "\"\\ud83d\"", TR2_NO_VALUE },
	{ "\"\\ud83dx\"", TR2_NO_VALUE },
	{ "\"\\ud83d\\n\"", TR2_NO_VALUE },
	{ "\"\\ud83d\\u0041\"", TR2_NO_VALUE },
	{ "\"\\ud83d\\udbff\"", TR2_NO_VALUE },
	{ "\"\\udc00\"", TR2_NO_VALUE },
	{ "\"\\udc00\\udc00\"", TR2_NO_VALUE },
	{ "\"\\ud800\\udc00\\udbff\\udfff\"", TR2_STRING },
	{ "\"\\ue000\\ud7ff\"", TR2_STRING },
	{ "\"\\x\"", TR2_NO_VALUE },
	{ "\"\\u12g4\"", TR2_NO_VALUE },
	{ "\"\\u123\"", TR2_NO_VALUE },
	{ "\"\\\"", TR2_NO_VALUE },
	{ "\"", TR2_NO_VALUE },
	{ "\"a", TR2_NO_VALUE },
	{ "\"a\"b", TR2_NO_VALUE },
	{ "[]", TR2_STRINGS },
	{ "[\"\"]", TR2_STRINGS },
	{ "[\"a\",\"\\n\"]", TR2_STRINGS },
	{ "[ \"a\" , \"b\" ]", TR2_STRINGS },
	{ "[1]", TR2_ARRAY },
	{ "[\"a\",1]", TR2_ARRAY },
	{ "[[]]", TR2_ARRAY },
	{ "[{}]", TR2_ARRAY },
	{ "[null]", TR2_ARRAY },
	{ "{}", TR2_OBJECT },
	{ "{\"a\":1}", TR2_OBJECT },
	{ "{\"a\":{\"b\":[1,2,{}]},\"c\":\"d\"}", TR2_OBJECT },
	{ " \t\r\n{ \"a\" : 1 } \t\r\n", TR2_OBJECT },
	{ "{\"a\":}", TR2_NO_VALUE },
	{ "{\"a\" 1}", TR2_NO_VALUE },
	{ "{\"a\",1}", TR2_NO_VALUE },
	{ "{\"a\":1,}", TR2_NO_VALUE },
	{ "{,}", TR2_NO_VALUE },
	{ "{1:2}", TR2_NO_VALUE },
	{ "{\"a\":1 \"b\":2}", TR2_NO_VALUE },
	{ "{\"a\":1]", TR2_NO_VALUE },
	{ "{\"a\"}", TR2_NO_VALUE },
	{ "{\"a\":1}}", TR2_NO_VALUE },
	{ "{\"a\":1}{\"a\":1}", TR2_NO_VALUE },
	{ "{\"a\":1", TR2_NO_VALUE },
	{ "{\"a\":", TR2_NO_VALUE },
	{ "{\"a\"", TR2_NO_VALUE },
	{ "{", TR2_NO_VALUE },
	{ "}", TR2_NO_VALUE },
	{ "[1,]", TR2_NO_VALUE },
	{ "[,1]", TR2_NO_VALUE },
	{ "[1 2]", TR2_NO_VALUE },
	{ "[1}", TR2_NO_VALUE },
	{ "[1:2]", TR2_NO_VALUE },
	{ "[1", TR2_NO_VALUE },
	{ "[", TR2_NO_VALUE },
	{ "[]]", TR2_NO_VALUE },
	{ "1 2", TR2_NO_VALUE },
	{ ":", TR2_NO_VALUE },
	{ ",", TR2_NO_VALUE },
	{ "", TR2_NO_VALUE },
	{ " ", TR2_NO_VALUE },
};

/* The kind of the text as a value, by itself. */
static unsigned kind_of(const char *bytes, size_t len)
{
	static struct tr2_parse parse;
	struct tr2_value value;
	unsigned kind = TR2_NO_VALUE;
	size_t behind;

	if (tr2_parse_begin(&parse, padded(bytes, len), len) == TR2_TOKENS_OK) {
		behind = tr2_parse_value(&parse, 0, &value);
		if (tr2_parse_is_end(&parse, behind))
			kind = value.kind;
	}
	return kind;
}

/* As member of an object, alone and among others: the same. */
static unsigned kind_as_member(const char *bytes, bool escapes)
{
	char whole[4096];

	snprintf(whole, sizeof(whole), "{\"%s\":%s ,\"name\":%s}",
		 escapes ? "\\u006bey" : "key", bytes, bytes);
	if (read_record(whole) != TR2_RECORD_OK ||
	    !tr2_record_has(&record, TR2_KEY_NAME) || record.unknown > 1)
		return TR2_NO_VALUE;
	return record.value[TR2_KEY_NAME].kind;
}

static void test_values(void)
{
	size_t i;
	char name[80];
	bool alone, member;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		snprintf(name, sizeof(name), "the kind of value %zu is seen",
			 i);
		alone = kind_of(values[i].text, strlen(values[i].text)) ==
			values[i].kind;
		member = kind_as_member(values[i].text, false) ==
				 values[i].kind &&
			 kind_as_member(values[i].text, true) == values[i].kind;
		tap_ok(alone && member, name);
		if (!alone || !member)
			printf("# %s\n", values[i].text);
	}
}

/* Of any text the strict reader and the parser say the same. */
static size_t disagreements(const char *seed)
{
	static const char bytes[] = "{}[]:,\"\\ux019-+.eEtn /\x1f\x80\xc3\n\t";
	size_t len = strlen(seed), i, j, wrong = 0;
	char copy[256];
	bool refused;

	for (i = 0; i < len; i++)
		for (j = 0; j < sizeof(bytes); j++) {
			memcpy(copy, seed, len);
			copy[i] = bytes[j];
			refused = tr2_record_read(&record, padded(copy, len),
						  len) == TR2_RECORD_REFUSED;
			wrong += refused == (tr2_fault_find(text, len).kind ==
					     TR2_FAULT_NONE);
		}
	for (i = 0; i < len; i++) {
		refused = tr2_record_read(&record, padded(seed, i), i) ==
			  TR2_RECORD_REFUSED;
		wrong += !refused || !tr2_fault_find(text, i).kind;
	}
	return wrong;
}

static void test_agreement(void)
{
	static const char *const seeds[] = {
		"{\"event\":\"start\",\"argv\":[\"a\",\"b\"],\"t_abs\":0.25}",
		"{\"a\":\"\\u00e9\\ud83d\\ude00\",\"b\":[1,{\"c\":null}]}",
		"{ \"a\" : -12.5e+3 , \"b\" : true , \"c\" : [ ] }",
		"{\"code\":12,\"name\":\"\xc3\xa9\",\"z\":{},\"f\":false}",
		"{\"\\\"\":\"\\\\\",\"n\":18446744073709551615}",
	};
	size_t i;
	char name[64];

	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "both readers agree on seed %zu",
			 i);
		tap_int((intmax_t)disagreements(seeds[i]), 0, name);
	}
}

static const struct {
	const char *text;
	enum tr2_fault_kind kind;
	size_t at, len;
	const char *expected;
} faults[] = {
	{ "{}", TR2_FAULT_NONE, 0, 0, NULL },
	{ " {} ", TR2_FAULT_NONE, 0, 0, NULL },
	{ "", TR2_FAULT_END, 0, 0, NULL },
	{ "{", TR2_FAULT_END, 1, 0, NULL },
	{ "{\"a", TR2_FAULT_END, 3, 0, NULL },
	{ "{\"a\"", TR2_FAULT_END, 4, 0, NULL },
	{ "{\"a\":", TR2_FAULT_END, 5, 0, NULL },
	{ "{\"a\":1", TR2_FAULT_END, 6, 0, NULL },
	{ "{\"a\":1,", TR2_FAULT_END, 7, 0, NULL },
	{ "{\"a\":tr", TR2_FAULT_END, 7, 0, NULL },
	{ "{\"a\":\"\\", TR2_FAULT_END, 7, 0, NULL },
	{ "{\"a\":\"\\u1", TR2_FAULT_END, 9, 0, NULL },
	{ "{\"a\":-", TR2_FAULT_END, 6, 0, NULL },
	{ "{\"a\":1.", TR2_FAULT_END, 7, 0, NULL },
	{ "{\"a\":1e", TR2_FAULT_END, 7, 0, NULL },
	{ "[1", TR2_FAULT_END, 2, 0, NULL },
	{ "{}{}", TR2_FAULT_MORE, 2, 1, NULL },
	{ "{} {", TR2_FAULT_MORE, 3, 1, NULL },
	{ "[]{}", TR2_FAULT_SYNTAX, 2, 1, "the end of the line" },
	{ "{}x", TR2_FAULT_SYNTAX, 2, 1, "the end of the line" },
	{ "x", TR2_FAULT_SYNTAX, 0, 1, "a value" },
	{ "{x", TR2_FAULT_SYNTAX, 1, 1, "a key in double quotes" },
	{ "{\"a\"x", TR2_FAULT_SYNTAX, 4, 1, "`:`" },
	{ "{\"a\":x", TR2_FAULT_SYNTAX, 5, 1, "a value" },
	{ "{\"a\":1x", TR2_FAULT_SYNTAX, 6, 1, "`,` or `}`" },
	{ "[1}", TR2_FAULT_SYNTAX, 2, 1, "`,` or `]`" },
	{ "[1,]", TR2_FAULT_SYNTAX, 3, 1, "something behind the comma" },
	{ "{\"a\":1,}", TR2_FAULT_SYNTAX, 7, 1, "something behind the comma" },
	{ "{\"a\":1 , }", TR2_FAULT_SYNTAX, 9, 1,
	  "something behind the comma" },
	{ "[truf", TR2_FAULT_SYNTAX, 1, 1, "a value" },
	{ "[-x", TR2_FAULT_SYNTAX, 2, 1, "a digit" },
	{ "[1.x", TR2_FAULT_SYNTAX, 3, 1, "a digit" },
	{ "[1ex", TR2_FAULT_SYNTAX, 3, 1, "a digit" },
	{ "[01", TR2_FAULT_SYNTAX, 2, 1, "`,` or `]`" },
	{ "[\"\\x", TR2_FAULT_SYNTAX, 3, 1, "an escape that JSON has" },
	{ "[\"\\u00g0", TR2_FAULT_SYNTAX, 6, 1, "four hexadecimal digits" },
	{ "[\"a\tb", TR2_FAULT_SYNTAX, 3, 1, "control characters escaped" },
	{ "[\xc3\xa9", TR2_FAULT_SYNTAX, 1, 2, "a value" },
	{ "[\xc3x", TR2_FAULT_UTF8, 1, 1, NULL },
	{ "[\"\xe2\x82\"", TR2_FAULT_UTF8, 2, 2, NULL },
	{ "[\"\xff\"", TR2_FAULT_UTF8, 2, 1, NULL },
	{ "[\"ab\\ud83d\"", TR2_FAULT_SURROGATE, 4, 6, NULL },
	{ "[\"\\ud83d\\n\"", TR2_FAULT_SURROGATE, 2, 6, NULL },
	{ "[\"\\ud83d\\u0041\"", TR2_FAULT_SURROGATE, 2, 6, NULL },
	{ "[\"\\udfff\"", TR2_FAULT_SURROGATE, 2, 6, NULL },
	{ "[18446744073709551616,x", TR2_FAULT_NUMBER, 1, 20, NULL },
	{ "[-9223372036854775809]", TR2_FAULT_NUMBER, 1, 20, NULL },
	{ "[1e999]", TR2_FAULT_NUMBER, 1, 5, NULL },
	{ "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\uabCD\"]", TR2_FAULT_NONE, 0, 0,
	  NULL },
};

static void test_faults(void)
{
	struct tr2_fault fault;
	size_t i, len;
	char name[64];

	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		len = strlen(faults[i].text);
		fault = tr2_fault_find(padded(faults[i].text, len), len);
		snprintf(name, sizeof(name), "fault %zu is found", i);
		if (!tap_ok(fault.kind == faults[i].kind &&
				    fault.at == faults[i].at &&
				    fault.len == faults[i].len &&
				    !fault.expected == !faults[i].expected &&
				    (!fault.expected ||
				     !strcmp(fault.expected,
					     faults[i].expected)),
			    name))
			printf("# %s: %d %zu %zu %s\n", faults[i].text,
			       fault.kind, fault.at, fault.len, fault.expected);
	}
	fault = tr2_fault_find(padded("[\0]", 3), 3);
	tap_ok(fault.kind == TR2_FAULT_NUL && fault.at == 1 && fault.len == 1,
	       "a NUL is found");
	fault = tr2_fault_find(padded("[\"\0\"]", 5), 5);
	tap_ok(fault.kind == TR2_FAULT_NUL && fault.at == 2,
	       "a NUL in a string is found");
	fault = tr2_fault_find(padded("[\"\\\0\"]", 6), 6);
	tap_ok(fault.kind == TR2_FAULT_NUL && fault.at == 3,
	       "a NUL in an escape is found");
	fault = tr2_fault_find(padded("[\"\\u\0\"]", 7), 7);
	tap_ok(fault.kind == TR2_FAULT_NUL && fault.at == 4,
	       "a NUL among digits is found");
}

static void nest(char *bytes, const char *opened, const char *closed, int depth)
{
	int i;

	for (*bytes = '\0', i = 0; i < depth; i++)
		bytes += sprintf(bytes, "%s", opened);
	for (; i > 0; i--)
		bytes += sprintf(bytes, "%s", closed);
}

static void test_depth(void)
{
	static char bytes[1 << 13];
	struct tr2_fault fault;
	size_t len, wrong = 0;
	int depth;

	for (depth = 511; depth <= 513; depth++) {
		nest(bytes, "[", "]", depth);
		len = strlen(bytes);
		wrong += (kind_of(bytes, len) != 0) == (depth > 512);
		fault = tr2_fault_find(padded(bytes, len), len);
		wrong += fault.kind !=
			 (depth > 512 ? TR2_FAULT_DEPTH : TR2_FAULT_NONE);
		if (depth > 512)
			wrong += fault.at != 512 || fault.len != 1;
		memcpy(bytes, "{\"a\":", 5);
		nest(bytes + 5, "[", "]", depth);
		strcat(bytes, "}");
		wrong += (read_record(bytes) != TR2_RECORD_OK) ==
			 (depth <= 511);
		memcpy(bytes, "[[],[],", 7);
		nest(bytes + 7, "[", "]", depth);
		strcat(bytes, "]");
		len = strlen(bytes);
		wrong += (kind_of(bytes, len) != 0) == (depth > 511);
		wrong += (tr2_fault_find(padded(bytes, len), len).kind ==
			  TR2_FAULT_NONE) == (depth > 511);
	}
	tap_int((intmax_t)wrong, 0, "values are nested up to 512 deep");
}

static void test_texts(void)
{
	static const char *const cases[][2] = {
		{ "plain", "plain" },
		{ "", "" },
		{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t" },
		{ "a\\nb", "a\nb" },
		{ "\\u0041\\u007f", "A\x7f" },
		{ "\\u0080\\u07ff", "\xc2\x80\xdf\xbf" },
		{ "\\u0800\\uffff", "\xe0\xa0\x80\xef\xbf\xbf" },
		{ "\\ud7ff\\ue000", "\xed\x9f\xbf\xee\x80\x80" },
		{ "\\ud800\\udc00", "\xf0\x90\x80\x80" },
		{ "\\udbff\\udfff", "\xf4\x8f\xbf\xbf" },
		{ "\\uD83D\\uDE00x", "\xf0\x9f\x98\x80x" },
		{ "\\uabcd\\uABCD\\uefEF",
		  "\xea\xaf\x8d\xea\xaf\x8d\xee\xbf\xaf" },
		{ "\xc3\xa9\\t", "\xc3\xa9\t" },
	};
	char whole[256], name[64];
	const char *got;
	size_t i, len;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(whole, sizeof(whole),
			 "{\"k\":\"\\n\",\"name\":\"%s\"}", cases[i][0]);
		snprintf(name, sizeof(name), "text %zu is decoded", i);
		read_record(whole);
		got = tr2_record_text(&record, TR2_KEY_NAME, &len);
		tap_bytes(got, len, cases[i][1], strlen(cases[i][1]), name);
	}
	read_record("{\"name\":\"a\\u0000b\"}");
	got = tr2_record_text(&record, TR2_KEY_NAME, &len);
	tap_bytes(got, len, "a\0b", 3, "a text may hold a NUL");
	tap_ok(!memcmp(got + len, "\0\0\0\0\0\0\0\0", 8),
	       "behind a decoded text are zeros");
	read_record("{\"name\":1}");
	tap_ok(!tr2_record_text(&record, TR2_KEY_NAME, &len) &&
		       !tr2_record_text(&record, TR2_KEY_FILE, &len),
	       "what is no string has no text");
}

/* Where the repeated key begins, or 0. */
static size_t repeated(const char *bytes)
{
	static struct tr2_parse parse;
	struct tr2_value found;

	tr2_parse_begin(&parse, padded(bytes, strlen(bytes)), strlen(bytes));
	return tr2_duplicate_find(&parse, &found) ? found.start : 0;
}

static void test_duplicates(void)
{
	static const struct {
		const char *text;
		size_t at;
	} cases[] = {
		{ "{}", 0 },
		{ "[]", 0 },
		{ "{\"a\":1}", 0 },
		{ "{\"a\":1,\"a\":2}", 7 },
		{ "{\"a\":1,\"b\":2}", 0 },
		{ "{\"a\":1,\"ab\":2}", 0 },
		{ "{\"a\":{\"a\":1}}", 0 },
		{ "{\"a\":{\"b\":1},\"b\":1}", 0 },
		{ "{\"a\":{\"b\":1,\"b\":2}}", 12 },
		{ "{\"a\":{\"b\":1},\"a\":2}", 13 },
		{ "{\"a\":1,\"b\":1,\"b\":2,\"a\":3}", 19 - 6 },
		{ "{\"b\":1,\"a\":1,\"b\":2,\"a\":3}", 13 },
		{ "{\"a\":1,\"a\":2,\"a\":3}", 7 },
		{ "[{\"a\":1},{\"a\":1}]", 0 },
		{ "[{\"a\":1},{\"a\":1,\"a\":1}]", 16 },
		{ "{\"a\":[{\"b\":1}],\"a\":1}", 15 },
		{ "{\"\\u0061\":1,\"a\":2}", 12 },
		{ "{\"a\":1,\"\\u0061\":2}", 7 },
		{ "{\"\\u0061b\":1,\"\\u0062a\":2,\"\\u0061b\":2}", 25 },
		{ "{\"a\":\"a\",\"b\":\"a\"}", 0 },
		{ "{\"a\":\":\",\"b\":[\"a\",\"a\"]}", 0 },
	};
	static char bytes[1 << 14];
	char name[64], *end = bytes;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(name, sizeof(name), "repeated key %zu is found", i);
		tap_int((intmax_t)repeated(cases[i].text),
			(intmax_t)cases[i].at, name);
	}
	end += sprintf(end, "{");
	for (i = 0; i < 500; i++)
		end += sprintf(end, "\"\\u006b%zu\":%zu,", i * 7 % 500, i);
	sprintf(end, "\"z\":1}");
	tap_int((intmax_t)repeated(bytes), 0, "many keys may differ");
	i = (size_t)(end - bytes);
	sprintf(end, "\"k499\":1}");
	tap_int((intmax_t)repeated(bytes), (intmax_t)i,
		"one of many keys may be there twice");
}

static void test_matches(void)
{
	static const char when[] = "2026-12-31T23:59:60.123456Z";
	static const struct {
		size_t at;
		const char *low, *high, *less, *more;
	} parts[] = {
		{ 5, "01", "12", "00", "13" },	{ 8, "01", "31", "00", "32" },
		{ 11, "00", "23", NULL, "24" }, { 14, "00", "59", NULL, "60" },
		{ 17, "00", "60", NULL, "61" },
	};
	char bytes[64], *end, *page = memory_page(&end);
	size_t i, j, wrong = 0;

	(void)page;
	tap_ok(tr2_match_time(when, 27), "a time is one");
	for (i = 0; i < 27; i++) {
		memcpy(end - 27, when, 27);
		wrong += tr2_match_time(end - i, i);
		for (j = 0; j < 256; j++) {
			if (j >= '0' && j <= '9' && when[i] >= '0' &&
			    when[i] <= '9')
				continue;
			end[(long)i - 27] = (char)j;
			wrong += tr2_match_time(end - 27, 27) !=
				 (j == (unsigned char)when[i]);
		}
	}
	memcpy(bytes, when, 27);
	wrong += tr2_match_time(bytes, 28) || tr2_match_time(bytes, 26);
	tap_int((intmax_t)wrong, 0, "a time has its shape");
	for (wrong = i = 0; i < 5; i++) {
		memcpy(bytes, when, 27);
		memcpy(bytes + parts[i].at, parts[i].low, 2);
		wrong += !tr2_match_time(bytes, 27);
		memcpy(bytes + parts[i].at, parts[i].high, 2);
		wrong += !tr2_match_time(bytes, 27);
		memcpy(bytes + parts[i].at, parts[i].more, 2);
		wrong += tr2_match_time(bytes, 27);
		if (!parts[i].less)
			continue;
		memcpy(bytes + parts[i].at, parts[i].less, 2);
		wrong += tr2_match_time(bytes, 27);
	}
	tap_int((intmax_t)wrong, 0, "the parts of a time have limits");
	for (wrong = 0, i = 1; i <= 24; i++)
		for (j = 0; j < 256 * i; j++) {
			memset(end - i, 'x', i);
			end[(long)(j % i) - (long)i] = (char)(j / i);
			wrong += tr2_match_sid(end - i, i) ==
				 (j / i < 0x20 || j / i == 0x7f);
		}
	tap_int((intmax_t)wrong, 0, "a SID has no control characters");
	tap_ok(!tr2_match_sid(end, 0) && !tr2_match_digits(end, 0),
	       "nothing is no SID and no number");
	tap_ok(tr2_match_digits("0123456789", 10) &&
		       !tr2_match_digits("/", 1) && !tr2_match_digits(":", 1) &&
		       !tr2_match_digits("12a", 3) &&
		       tr2_match_digits("12a", 2),
	       "a number has digits");
}

static const char *mended(const char *bytes)
{
	static char copy[64];

	strcpy(copy, bytes);
	tr2_fault_mend_utf8(copy, strlen(bytes));
	return copy;
}

static void test_mending(void)
{
	tap_str(mended("abc\x7f"), "abc\x7f", "ASCII needs no mending");
	tap_str(mended("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		"nor do other characters");
	tap_str(mended("a\x80z\xff"), "a?z?", "a byte is mended");
	tap_str(mended("\xe2\x82z\xc3"), "??z?", "parts of one are mended");
}

int main(void)
{
	test_values();
	test_agreement();
	test_faults();
	test_depth();
	test_texts();
	test_duplicates();
	test_matches();
	test_mending();
	tr2_record_release(&record);
	return tap_done();
}
