/*
 * From a line to an event: JSON that is taken or refused, and where its
 * fault is.
 */
#include "kit/json.h"

#include <stdio.h>

#include "kit/tap.h"
#include "read/json/fault.h"

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

	if (tr2_parse_begin(&parse, pad_json(bytes, len), len) ==
	    TR2_TOKENS_OK) {
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

/* The strict reader and the parser must agree about every text. */
static size_t count_disagreements(const char *seed)
{
	static const char bytes[] = "{}[]:,\"\\ux019-+.eEtn /\x1f\x80\xc3\n\t";
	size_t len = strlen(seed), i, j, wrong = 0;
	char copy[256];
	bool refused;

	for (i = 0; i < len; i++)
		for (j = 0; j < sizeof(bytes); j++) {
			memcpy(copy, seed, len);
			copy[i] = bytes[j];
			refused = tr2_record_read(&record, pad_json(copy, len),
						  len) == TR2_RECORD_REFUSED;
			wrong += refused == (tr2_fault_find(text, len).kind ==
					     TR2_FAULT_NONE);
		}
	for (i = 0; i < len; i++) {
		refused = tr2_record_read(&record, pad_json(seed, i), i) ==
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
		tap_int((intmax_t)count_disagreements(seeds[i]), 0, name);
	}
}

/* The bytes that were cut off still follow the end. */
static void test_ends(void)
{
	static const char whole[] =
		" {\"a\\n\" : [ -1.5E-1 , 0 , {} ] , \"b\" : { \"c\" : null } ,"
		"\"\xe2\x82\xac\" : \"\xf0\x9f\x98\x80\\uD83D\\uDE00\" } ";
	struct tr2_fault found, wanted;
	size_t len, wrong = 0;

	for (len = 0; len < sizeof(whole); len++) {
		wanted = tr2_fault_find(pad_json(whole, len), len);
		pad_json(whole, sizeof(whole));
		found = tr2_fault_find(text, len);
		wrong += found.kind != wanted.kind || found.at != wanted.at ||
			 found.len != wanted.len;
	}
	tap_int((intmax_t)wrong, 0, "no text goes on behind its end");
	tap_int(tr2_fault_find(pad_json("12", 2), 1).kind, TR2_FAULT_NONE,
		"nor does a number");
}

static const struct {
	const char *text;
	enum tr2_fault_kind kind;
	size_t at, len;
	const char *expected;
} faults[] = {
	{ "{}", TR2_FAULT_NONE, 0, 0, NULL },
	{ " {} ", TR2_FAULT_NONE, 0, 0, NULL },
	{ " \t\r\n{ \r\t\n} \n\r\t", TR2_FAULT_NONE, 0, 0, NULL },
	{ "true", TR2_FAULT_NONE, 0, 0, NULL },
	{ "tru", TR2_FAULT_END, 3, 0, NULL },
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
	{ "[1,]", TR2_FAULT_SYNTAX, 3, 1, "something after the comma" },
	{ "{\"a\":1,}", TR2_FAULT_SYNTAX, 7, 1, "something after the comma" },
	{ "{\"a\":1 , }", TR2_FAULT_SYNTAX, 9, 1, "something after the comma" },
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
	{ "[\"\\ud83d\\udbff\"", TR2_FAULT_SURROGATE, 2, 6, NULL },
	{ "[\"\\ud83d\\ue000\"", TR2_FAULT_SURROGATE, 2, 6, NULL },
	{ "[\"\\ud83d\\ude0", TR2_FAULT_END, 13, 0, NULL },
	{ "[\"\\ud83d\\udex0\"", TR2_FAULT_SYNTAX, 12, 1,
	  "four hexadecimal digits" },
	{ "[18446744073709551616,x", TR2_FAULT_NUMBER, 1, 20, NULL },
	{ "[-9223372036854775809]", TR2_FAULT_NUMBER, 1, 20, NULL },
	{ "[18446744073709551616.5]", TR2_FAULT_NONE, 0, 0, NULL },
	{ "[1e999]", TR2_FAULT_NUMBER, 1, 5, NULL },
	{ "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\uabCD\"]", TR2_FAULT_NONE, 0, 0,
	  NULL },
};

static bool is_fault(const struct tr2_fault *fault, size_t i)
{
	const char *expected = fault->expected ? fault->expected : "";
	const char *wanted = faults[i].expected ? faults[i].expected : "";

	return fault->kind == faults[i].kind && fault->at == faults[i].at &&
	       fault->len == faults[i].len && !strcmp(expected, wanted);
}

static void test_faults(void)
{
	struct tr2_fault fault;
	size_t i, len;
	char name[64];

	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		len = strlen(faults[i].text);
		fault = tr2_fault_find(pad_json(faults[i].text, len), len);
		snprintf(name, sizeof(name), "fault %zu is found", i);
		tap_ok(is_fault(&fault, i), name);
	}
}

static void nest_brackets(char *bytes, const char *opened, const char *closed,
			  int depth)
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
		nest_brackets(bytes, "[", "]", depth);
		len = strlen(bytes);
		wrong += (kind_of(bytes, len) != 0) == (depth > 512);
		fault = tr2_fault_find(pad_json(bytes, len), len);
		wrong += fault.kind !=
			 (depth > 512 ? TR2_FAULT_DEPTH : TR2_FAULT_NONE);
		if (depth > 512)
			wrong += fault.at != 512 || fault.len != 1;
		wrong += tr2_fault_find(text, 512).kind != TR2_FAULT_END;
		memcpy(bytes, "{\"a\":", 5);
		nest_brackets(bytes + 5, "[", "]", depth);
		strcat(bytes, "}");
		wrong += (read_record(bytes) != TR2_RECORD_OK) ==
			 (depth <= 511);
		memcpy(bytes, "[[],[],", 7);
		nest_brackets(bytes + 7, "[", "]", depth);
		strcat(bytes, "]");
		len = strlen(bytes);
		wrong += (kind_of(bytes, len) != 0) == (depth > 511);
		wrong += (tr2_fault_find(pad_json(bytes, len), len).kind ==
			  TR2_FAULT_NONE) == (depth > 511);
	}
	tap_int((intmax_t)wrong, 0, "values are nested up to 512 deep");
}

int main(void)
{
	tap_run(test_values, test_agreement, test_ends, test_faults,
		test_depth);
	tr2_record_release(&record);
	return tap_done();
}
