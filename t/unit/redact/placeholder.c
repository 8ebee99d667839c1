/* Placeholders: the keyed hash is the one of RFC 2104, with SHA-256. */
#include "kit/tap.h"

#include "redact/placeholder.h"

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

int main(void)
{
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
	tap_int((intmax_t)strlen(hash_path(16, "path", 64)), 64,
		"a hash has up to 64 digits");
	tr2_placeholder_init(&key, "kkkkkkkkkkkkkkkk", 16);
	tr2_placeholder_add(&key, &out, "path", path, strlen(path));
	tap_str(text, "<path-05643084bc7fcee8>",
		"a placeholder has its word and 16 digits");
	return tap_done();
}
