/* Placeholders: the keyed hash is the one of RFC 2104, with SHA-256. */
#include "kit/tap.h"

#include "lib/common/hash.h"
#include "redact/redactor/placeholder.h"

static const char path[] = "/home/alice/x";

static const char *hash_path(size_t key_len, const char *word, unsigned digits)
{
	static char text[65];
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_placeholder key;
	char bytes[100];

	memset(bytes, 'k', sizeof(bytes));
	tr2_placeholder_init(&key, bytes, key_len);
	tr2_placeholder_digits(&key, &out, word, path, strlen(path), digits);
	text[out.len] = '\0';
	tr2_placeholder_release(&key);
	return text;
}

/* More values than the memo has rows, of lengths around its longest. */
static void test_many(const struct tr2_placeholder *key)
{
	char value[100], text[64], whole[65];
	int i, wrong = 0;

	for (i = 0; i < 4000; i++) {
		struct tr2_buf out = TR2_BUF_FIXED(text);
		struct tr2_buf all = TR2_BUF_FIXED(whole);
		int len = snprintf(value, sizeof(value), "%0*d", 76 + i / 2 % 8,
				   i / 2 % 1000);

		tr2_placeholder_digits(key, &out, "path", value, (size_t)len,
				       16);
		tr2_placeholder_digits(key, &all, "path", value, (size_t)len,
				       64);
		wrong += memcmp(text, whole, 16) != 0;
	}
	tap_int(wrong, 0, "of many values each has its own hash");
}

/* Returns whether the memo keeps both in the same row. */
static int share_row(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return tr2_hash(a, a_len).a % TR2_MEMO_ROWS ==
	       tr2_hash(b, b_len).a % TR2_MEMO_ROWS;
}

/* A value, and one that begins with it, in one row of the memo. */
static void test_beginning(const struct tr2_placeholder *key)
{
	char value[32], text[64], other[64];
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_buf long_out = TR2_BUF_FIXED(other);
	int len, i = 0;

	do
		len = snprintf(value, sizeof(value), "a%d", i++);
	while (!share_row(value, 1, value, (size_t)len));
	tr2_placeholder_digits(key, &long_out, "path", value, (size_t)len, 16);
	tr2_placeholder_digits(key, &out, "path", value, 1, 16);
	tap_ok(memcmp(text, other, 16),
	       "a value is not taken for one that begins with it");
}

int main(void)
{
	char first[64];
	char text[64] = { 0 };
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_placeholder key;

	tap_str(hash_path(16, "path", 16), "05643084bc7fcee8",
		"a short key is padded");
	tap_str(hash_path(64, "path", 16), "7abfa89c1a229822",
		"a key may fill a block");
	tap_str(hash_path(65, "path", 16), "5ec9455a8f96a3ed",
		"a longer key is hashed");
	tap_str(hash_path(16, "host", 16), "94836fff0a86915c",
		"a word is a part of the value");
	tap_str(hash_path(0, "path", 16), "b37a183f565bc088",
		"a key may be empty");
	tap_str(hash_path(16, "path", 64),
		"05643084bc7fcee8af100bfcfd0d543b"
		"49f4b789ba8916819ebc3b081f4ac55e",
		"a hash has up to 64 digits");
	tr2_placeholder_init(&key, "kkkkkkkkkkkkkkkk", 16);
	tr2_placeholder_add(&key, &out, "path", path, strlen(path));
	strcpy(first, text);
	tap_str(text, "<path-05643084bc7fcee8>",
		"a placeholder has its word and 16 digits");
	out.len = 0;
	tr2_placeholder_add(&key, &out, "path", path, strlen(path));
	tap_str(text, first, "the second time a value has the same one");
	out.len = 0;
	tr2_placeholder_add(&key, &out, "host", path, strlen(path));
	tap_ok(strcmp(strchr(text, '-'), strchr(first, '-')),
	       "what was kept for a word is not taken for another");
	test_many(&key);
	test_beginning(&key);
	tr2_placeholder_release(&key);
	return tap_done();
}
