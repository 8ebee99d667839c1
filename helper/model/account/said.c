#include "model/account/forest.h"

#include "lib/common/hash.h"
#include "model/account/name.h"
#include "model/tree.h"
#include "model/words/words.h"

static uint64_t mix_value(uint64_t hash, const struct tr2_record *record,
			  enum tr2_key key)
{
	size_t len;
	const char *text = tr2_record_raw(record, key, &len);
	uint64_t word = 0;

	if (text)
		word = (uint64_t)record->value[key].kind ^
		       tr2_hash(text, len).a;
	return tr2_hash_mix(hash, word, UINT64_C(0x9e3779b97f4a7c15));
}

const struct tr2_said *tr2_said_read(struct tr2_said kept[TR2_SAID_MOST],
				     struct tr2_rows *rows,
				     struct tr2_record *record)
{
	struct tr2_facts facts = { 0 };
	struct tr2_said *said;
	uint64_t key = 0;

	key = mix_value(key, record, TR2_KEY_ARGV);
	key = mix_value(key, record, TR2_KEY_CHILD_CLASS);
	key = mix_value(key, record, TR2_KEY_USE_SHELL) | 1; /* 0: none */
	said = &kept[key >> 32 & (TR2_SAID_MOST - 1)];
	if (said->key == key)
		return said;
	tr2_words_choose(&facts, record);
	*said = (struct tr2_said){
		.key = key,
		.name = tr2_words_name(rows, record),
		.remote = tr2_name_remote(rows, record),
		.words = tr2_tree_read_words(record),
		.choices = facts.choices,
		.asks = tr2_words_ask(record),
	};
	return said;
}
