#include <stdlib.h>
#include <string.h>

#include "read/json/parse.h"
#include "collect/post/post.h"
#include "lib/text/text.h"

#define SECOND UINT64_C(1000000000) /* ns */
#define WAIT_FIRST (SECOND / 4)
#define WAIT_MOST (30 * SECOND)
#define WAIT_ASKED_MOST UINT64_C(600) /* s; a server may ask for years */

enum tr2_verdict tr2_answer_judge(const struct tr2_answer *answer)
{
	/* Somebody will correct the URL, or not; nothing was refused. */
	if (answer->status / 100 == 3)
		return TR2_POST_AGAIN;
	switch (answer->status) {
	case 0:
	case 429:
	case 502:
	case 503:
	case 504:
		return TR2_POST_AGAIN;
	default:
		return answer->status / 100 == 2 ? TR2_POST_TAKEN
						 : TR2_POST_REFUSED;
	}
}

/* Read the member of the object at this token. False: there is none. */
static bool find_member(struct tr2_parse *parse, size_t token, const char *name,
			struct tr2_value *value)
{
	struct tr2_value key;
	size_t len = strlen(name);

	while (tr2_parse_byte(parse, token) != '}') {
		token = tr2_parse_key(parse, token + 1, &key);
		token = token ? tr2_parse_value(parse, token, value) : 0;
		if (!token)
			return false;
		if (key.end - key.start == len + 2 &&
		    !memcmp(parse->text + key.start + 1, name, len))
			return true;
	}
	return false;
}

/* A number of 64 bits may be a string in this JSON. */
static uint64_t read_number(const struct tr2_parse *parse,
			    const struct tr2_value *value)
{
	const char *text = parse->text + value->start;

	if (value->kind != TR2_STRING && value->kind != TR2_INTEGER)
		return 0;
	text += *text == '"';
	/* strtoull() would make a large number of a negative one. */
	return tr2_text_is_digit(*text) ? strtoull(text, NULL, 10) : 0;
}

static void read_words(struct tr2_parse *parse, const struct tr2_value *value,
		       struct tr2_buf *text)
{
	struct tr2_buf scratch = TR2_BUF_INIT;
	const char *words;
	size_t len;

	if (value->kind != TR2_STRING)
		return;
	words = tr2_parse_text(parse, value, &scratch, &len);
	tr2_buf_add(text, words, len);
	tr2_buf_release(&scratch);
}

/* Both of what is taken in part and what failed. */
static uint64_t read_object(struct tr2_parse *parse, struct tr2_buf *text)
{
	struct tr2_value value;
	uint64_t count = 0;

	if (find_member(parse, 0, "message", &value))
		read_words(parse, &value, text);
	if (!find_member(parse, 0, "partialSuccess", &value) ||
	    value.kind != TR2_OBJECT)
		return 0;
	parse->next = value.token;
	if (find_member(parse, parse->next, "rejectedSpans", &value))
		count = read_number(parse, &value);
	if (find_member(parse, parse->next, "errorMessage", &value))
		read_words(parse, &value, text);
	return count;
}

uint64_t tr2_answer_read(struct tr2_answer *answer, struct tr2_buf *text)
{
	struct tr2_parse parse = { 0 };
	struct tr2_value whole;
	uint64_t count = 0;
	size_t token;
	bool is_object = false;

	if (answer->body.len <= TR2_TOKENS_PADDING)
		return 0;
	if (tr2_parse_begin(&parse, answer->body.bytes,
			    answer->body.len - TR2_TOKENS_PADDING) ==
	    TR2_TOKENS_OK) {
		token = tr2_parse_value(&parse, 0, &whole);
		is_object = token && whole.kind == TR2_OBJECT &&
			    tr2_parse_is_end(&parse, token);
		if (is_object)
			count = read_object(&parse, text);
	}
	answer->is_unread |= !is_object;
	tr2_parse_release(&parse);
	return count;
}

/* Twice as long each time, and between a half and one and a half of that. */
uint64_t tr2_answer_wait(const struct tr2_answer *answer, unsigned attempt,
			 uint32_t random)
{
	uint64_t wait = WAIT_FIRST;

	if (answer->wait)
		return SECOND * (answer->wait < WAIT_ASKED_MOST
					 ? answer->wait
					 : WAIT_ASKED_MOST);
	for (; attempt > 1 && wait < WAIT_MOST; attempt--)
		wait *= 2;
	if (wait > WAIT_MOST)
		wait = WAIT_MOST;
	return wait / 2 + wait / 1024 * (random % 1024);
}

void tr2_answer_release(struct tr2_answer *answer)
{
	tr2_buf_release(&answer->body);
}
