/* Placeholders: the keyed hash is the one of RFC 2104, with SHA-256. */
#include "kit/tap.h"
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
	return text;
}

static void test_placeholder(void)
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
}

int main(void)
{
	test_placeholder();
	return tap_done();
}
