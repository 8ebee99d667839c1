/*
 * random_kit.h - numbers, texts and JSON that a seed decides: what programs
 * give to the library, right or wrong.
 */
#ifndef UNIT_PROCESS_RANDOM_RANDOM_KIT_H
#define UNIT_PROCESS_RANDOM_RANDOM_KIT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RANDOM_TEXT 16384

/* Each thread has one. */
struct random_state {
	uint64_t number;
	char texts[4][RANDOM_TEXT]; /* the last four are valid */
	unsigned next;
};

/* splitmix64 */
static inline uint64_t random_next(struct random_state *state)
{
	uint64_t mixed = state->number += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

/* 0 to limit - 1 */
static inline unsigned random_below(struct random_state *state, unsigned limit)
{
	return (unsigned)(random_next(state) >> 33) % limit;
}

#define RANDOM_PICK(state, array) \
	((array)[random_below(state, sizeof(array) / sizeof(*(array)))])

static inline char *random_room(struct random_state *state)
{
	return state->texts[state->next++ & 3];
}

/* No line breaks, which NORMAL and PERF write as they are. */
static int random_is_plain;

static inline const char *random_bytes(struct random_state *state)
{
	static const char some[] = "ab \n\r\t\"'\\/:@{}[],\x01\x1f\x7f\x80\xbf"
				   "\xc3\xa9\xe2\x82\xac\xed\xa0\xf0\x9f\xff|=";
	char *text = random_room(state);
	unsigned len = random_below(state, 40);

	for (unsigned i = 0; i < len; i++)
		text[i] = some[random_below(state, sizeof(some) - 1)];
	for (unsigned i = 0; random_is_plain && i < len; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = '_';
	text[len] = '\0';
	return text;
}

static inline const char *random_long(struct random_state *state)
{
	char *text = random_room(state);
	unsigned len = random_below(state, RANDOM_TEXT - 1);

	memset(text, 'x', len);
	text[len] = '\0';
	return text;
}

/* A word, no text at all, or anything. */
static inline const char *random_text(struct random_state *state)
{
	static const char *const words[] = {
		"word",	      "two words",
		"",	      "main",
		"it's",	      "a:b",
		"exit:1",     " leading",
		"trailing ",  "https://u:p@host/x?token=a",
		"index.c:12", "d0 | main | x",
		"version 1",  "..label",
		"\"quoted\"", "argv[0]",
		"th01:name",  "-",
		"0",	      "\xc3\xa4\xe2\x82\xac",
	};

	switch (random_below(state, 16)) {
	case 0:
		return NULL;
	case 1:
	case 2:
		return random_bytes(state);
	case 3:
		return random_below(state, 8) ? "w" : random_long(state);
	default:
		return RANDOM_PICK(state, words);
	}
}

/* A text where NULL is no choice. */
static inline const char *random_string(struct random_state *state)
{
	const char *text = random_text(state);

	return text ? text : "";
}

static inline const char *const *random_argv(struct random_state *state,
					     const char *words[5])
{
	unsigned count = random_below(state, 5);

	for (unsigned i = 0; i < count; i++)
		words[i] = random_string(state);
	words[count] = NULL;
	return random_below(state, 12) ? words : NULL;
}

/* Some values of JSON, most of them right, each with its neighbours. */
static inline void random_add_json(struct random_state *state, char *out,
				   size_t size, int depth)
{
	static const char *const scalars[] = {
		"1",
		"-0",
		"1e400",
		"0e999",
		"1E-5",
		"18446744073709551616",
		"true",
		"null",
		"123456789012345678901234567890.5",
		"\"a\"",
		"\"\\ud800\"",
		"\"\\ud83d\\ude00\"",
		"\"\\u0000\"",
		"\"x\ny\"",
		"\"\xff\"",
		"nul",
		"01",
		"\"https:\\/\\/u\\u003ap@h\"",
		"\"\"",
		"-9223372036854775809",
		"\"https://h?sig=1\"",
	};
	static const char *const keys[] = { "a", "b",	      "\\u0061",
					    "",	 "x://u:a@h", "x://u:b@h" };
	unsigned kind = random_below(state, 8), count;
	size_t len;

	if (depth > 4 || kind < 4) {
		snprintf(out, size, "%s", RANDOM_PICK(state, scalars));
		return;
	}
	count = random_below(state, 4);
	snprintf(out, size, kind < 6 ? "[" : "{");
	for (unsigned i = 0; i < count; i++) {
		len = strlen(out);
		if (kind >= 6)
			snprintf(out + len, size - len,
				 "%s\"%s\": ", i ? "," : "",
				 RANDOM_PICK(state, keys));
		else if (i)
			snprintf(out + len, size - len, " ,");
		len = strlen(out);
		random_add_json(state, out + len, size - len, depth + 1);
	}
	len = strlen(out);
	snprintf(out + len, size - len, kind < 6 ? "]" : "}");
}

static inline const char *random_deep(struct random_state *state)
{
	char *text = random_room(state);
	unsigned depth = 505 + random_below(state, 12);

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	text[2 * depth] = '\0';
	return text;
}

static inline const char *random_json(struct random_state *state)
{
	char *text;

	switch (random_below(state, 12)) {
	case 0:
		return random_text(state);
	case 1:
		return random_deep(state);
	default:
		text = random_room(state);
		random_add_json(state, text, 1024, 0);
		return text;
	}
}

#endif
