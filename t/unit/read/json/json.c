#define _GNU_SOURCE /* MAP_ANONYMOUS */
/* JSON: both readers agree, ends and depth, matches many bytes at a time. */
#include <stdio.h>
#include "kit/tap.h"
#include "read/json/fault.h"
#include "kit/memory.h"
#include "kit/validate.h"
#include "read/json/duplicate.h"
#include "read/json/match.h"
#include "kit/json.h"

/*
 * ---- Json
 */

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

/* The strict reader and the parser must agree about every text. */
static size_t count_disagreements(const char *seed)
{
	static const char bytes[] = "{}[]:,\"\\ux019-+.eEtn /\x1f\x80\xc3\n\t";
	size_t len = strlen(seed), wrong = 0;
	char copy[256];
	bool refused;

	for (size_t i = 0; i < len; i++)
		for (size_t j = 0; j < sizeof(bytes); j++) {
			memcpy(copy, seed, len);
			copy[i] = bytes[j];
			refused = tr2_record_read(&record, pad_json(copy, len),
						  len) == TR2_RECORD_REFUSED;
			wrong += refused == (tr2_fault_find(text, len).kind ==
					     TR2_FAULT_NONE);
		}
	for (size_t i = 0; i < len; i++) {
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
	char name[64];

	for (size_t i = 0; i < 5; i++) {
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
	size_t wrong = 0;

	for (size_t len = 0; len < sizeof(whole); len++) {
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

	for (int depth = 511; depth <= 513; depth++) {
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

static void run_json(void)
{
	tap_run(test_agreement, test_ends, test_depth);
	tr2_record_release(&record);
}

/*
 * ---- Match
 */

static struct tr2_parse parse;

static const char when[] = "2026-12-31T23:59:60.123456Z";

/* Must this byte stay, at a place where the text has `now`? */
static bool is_digit_for(size_t byte, char now)
{
	return byte >= '0' && byte <= '9' && now >= '0' && now <= '9';
}

static void test_time_shape(void)
{
	char bytes[64], *end, *page = memory_page(&end);
	size_t wrong = 0;

	(void)page;
	tap_ok(tr2_match_time(when, 27), "a time is one");
	for (size_t i = 0; i < 27; i++) {
		memcpy(end - 27, when, 27);
		wrong += tr2_match_time(end - i, i);
		for (size_t j = 0; j < 256; j++) {
			if (is_digit_for(j, when[i]))
				continue;
			end[(long)i - 27] = (char)j;
			wrong += tr2_match_time(end - 27, 27) !=
				 (j == (unsigned char)when[i]);
		}
	}
	memcpy(bytes, when, 27);
	wrong += tr2_match_time(bytes, 28) || tr2_match_time(bytes, 26);
	tap_int((intmax_t)wrong, 0, "a time has its shape");
}

static void test_other_matches(void)
{
	char *end, *page = memory_page(&end);
	size_t i, wrong, not_plain;

	(void)page;
	for (wrong = not_plain = 0, i = 1; i <= 24; i++)
		for (size_t j = 0; j < 256 * i; j++) {
			const size_t byte = j / i;

			memset(end - i, 'x', i);
			end[(long)(j % i) - (long)i] = (char)byte;
			wrong += tr2_match_sid(end - i, i) ==
				 (byte < 0x20 || byte == 0x7f);
			not_plain +=
				tr2_match_plain(end - i, i) ==
				(byte >= 0x80 || byte == '{' || byte == '\\');
		}
	tap_ok(!not_plain && tr2_match_plain(end, 0),
	       "a plain text is ASCII without backslashes and braces");
	tap_int((intmax_t)wrong, 0, "a SID has no control characters");
	tap_ok(!tr2_match_sid(end, 0), "nothing is no SID");
}

static void test_digits(void)
{
	tap_ok(!tr2_match_digits("7", 0), "nothing is no number");
	tap_ok(tr2_match_digits("0123456789", 10) && tr2_match_digits("7", 1) &&
		       tr2_match_digits("12a", 2),
	       "a number has digits");
	tap_ok(!tr2_match_digits("/", 1) && !tr2_match_digits(":", 1) &&
		       !tr2_match_digits("12a", 3),
	       "a number has nothing but digits");
}

static const char *mended_up_to(const char *bytes, size_t len)
{
	static char copy[64];

	strcpy(copy, bytes);
	tr2_fault_mend_utf8(copy, len);
	return copy;
}

static const char *mend_bytes(const char *bytes)
{
	return mended_up_to(bytes, strlen(bytes));
}

static void test_mending(void)
{
	tap_str(mend_bytes("abc\x7f"), "abc\x7f", "ASCII needs no mending");
	tap_str(mend_bytes("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		"nor do other characters");
	tap_str(mend_bytes("a\x80z\xff"), "a?z?", "a byte is mended");
	tap_str(mend_bytes("\xe2\x82z\xc3"), "??z?", "parts of one are mended");
	tap_str(mended_up_to("\xff\xff", 1), "?\xff",
		"what is behind the text is not");
	tap_str(mended_up_to("a\xc3\xa9", 2), "a?\xa9",
		"nor is it a part of a character");
}

static void run_match(void)
{
	tr2_parse_release(&parse);
	tap_run(test_time_shape, test_other_matches, test_digits, test_mending);
	tr2_record_release(&record);
}

int main(void)
{
	tap_run(run_json, run_match);
	return tap_done();
}
