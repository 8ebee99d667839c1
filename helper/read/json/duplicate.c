#include "read/json/duplicate.h"

#include "lib/common/hash.h"
#include "lib/common/map.h"

struct keys {
	struct tr2_parse *parse;
	bool inside;	     /* skip the outermost keys */
	struct tr2_map seen; /* hashes of a key and its object */
	struct tr2_buf decoded;
	size_t repeated; /* the first token that was seen; 0: none */
};

static void take_key(struct keys *keys, size_t object, size_t token)
{
	struct tr2_value key;
	const char *text;
	size_t len;

	tr2_parse_value(keys->parse, token, &key);
	text = tr2_parse_text(keys->parse, &key, &keys->decoded, &len);
	if (!tr2_map_add(&keys->seen,
			 tr2_hash_mix(object, tr2_hash(text, len).a,
				      UINT64_C(0x9e3779b97f4a7c15))) &&
	    !keys->repeated)
		keys->repeated = token;
}

/* Take the keys of an object or array. Returns the token that ends it. */
static size_t take_keys(struct keys *keys, size_t object)
{
	for (size_t token = object + 1;; token++)
		switch (tr2_parse_byte(keys->parse, token)) {
		case '{':
		case '[':
			token = take_keys(keys, token);
			break;
		case '}':
		case ']':
			return token;
		case ':':
			if (object || !keys->inside)
				take_key(keys, object, token - 1);
		}
}

bool tr2_duplicate_find(struct tr2_parse *parse, bool inside,
			struct tr2_value *found)
{
	struct keys keys = { .parse = parse, .inside = inside };

	take_keys(&keys, 0);
	if (keys.repeated)
		tr2_parse_value(parse, keys.repeated, found);
	tr2_map_release(&keys.seen);
	tr2_buf_release(&keys.decoded);
	return keys.repeated;
}
