/*
 * From a line to an event: JSON that is taken or refused, and where its
 * fault is.
 */
#include "kit/json.h"

#include <stdio.h>

#include "kit/tap.h"
#include "read/json/fault.h"

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
	tap_run(test_agreement, test_ends, test_depth);
	tr2_record_release(&record);
	return tap_done();
}
