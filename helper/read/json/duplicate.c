#include "read/json/duplicate.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/common/vec.h"

struct key {
	uint32_t token;
	size_t object; /* token of its `{` */
	const char *text;
	size_t len;
};

struct keys {
	struct tr2_parse *parse;
	bool inside;		/* skip the outermost keys */
	struct tr2_vec vec;	/* struct key */
	struct tr2_buf decoded; /* text of one key */
	struct tr2_buf texts;	/* large enough for all, so it never moves */
};

static int compare_names(const struct key *a, const struct key *b)
{
	int order = tr2_order(a->object, b->object);

	if (!order)
		order = tr2_order(a->len, b->len);
	return order ? order : memcmp(a->text, b->text, a->len);
}

/* Among equal names the last one in the text comes first. */
static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order = compare_names(a, b);

	return order ? order : tr2_order(b->token, a->token);
}

static void add_key(struct keys *keys, size_t object, size_t token)
{
	struct key *key = tr2_vec_add(&keys->vec, sizeof(*key));
	struct tr2_value value;
	const char *text;

	key->token = (uint32_t)token;
	key->object = object;
	tr2_parse_value(keys->parse, token, &value);
	text = tr2_parse_text(keys->parse, &value, &keys->decoded, &key->len);
	if (text == keys->decoded.bytes) {
		text = keys->texts.bytes + keys->texts.len;
		tr2_buf_add(&keys->texts, keys->decoded.bytes, key->len);
	}
	key->text = text;
}

/* Collect the keys of an object or array. Returns the token that ends it. */
static size_t collect_keys(struct keys *keys, size_t object)
{
	size_t token;

	for (token = object + 1;; token++)
		switch (tr2_parse_byte(keys->parse, token)) {
		case '{':
		case '[':
			token = collect_keys(keys, token);
			break;
		case '}':
		case ']':
			return token;
		case ':':
			if (object || !keys->inside)
				add_key(keys, object, token - 1);
		}
}

/* Returns the first key in the text that repeats an earlier one, or NULL. */
static const struct key *find_repeated(const struct keys *keys)
{
	const struct key *key = keys->vec.items, *found = NULL;
	uint32_t i;

	for (i = 0; i + 1 < keys->vec.count; i++)
		if (!compare_names(&key[i], &key[i + 1]) &&
		    (!found || key[i].token < found->token))
			found = &key[i];
	return found;
}

bool tr2_duplicate_find(struct tr2_parse *parse, bool inside,
			struct tr2_value *found)
{
	struct keys keys = { .parse = parse, .inside = inside };
	const struct key *repeated;

	if (parse->escapes && tr2_buf_grow(&keys.texts, parse->len))
		tr2_memory_out();
	collect_keys(&keys, 0);
	tr2_vec_sort(&keys.vec, sizeof(struct key), compare_keys);
	repeated = find_repeated(&keys);
	if (repeated)
		tr2_parse_value(parse, repeated->token, found);
	tr2_vec_release(&keys.vec);
	tr2_buf_release(&keys.decoded);
	tr2_buf_release(&keys.texts);
	return repeated;
}
