/*
 * Is a text one JSON value that every reader accepts? Each function gets the
 * text after the part that is already checked, and returns the text after the
 * part that it has read, or NULL.
 */
#include "base/json.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "host/host.h"
#include "host/memory.h"

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static const char *read_digits(const char *at)
{
	size_t run = strspn(at, "0123456789");

	return run ? at + run : NULL;
}

/* Read the digits of the exponent, with or without a sign. */
static const char *read_power(const char *at)
{
	return read_digits(at + (*at == '+' || *at == '-'));
}

/* A number with up to 18 digits and no exponent is always in range. */
static int may_be_large(const char *number, const char *end, int is_exponent)
{
	return end - number > 18 || is_exponent;
}

static const char *read_number(const char *at)
{
	const char *number = at;
	int is_exponent = 0;

	if (*at == '-')
		at++;
	at = *at == '0' ? at + 1 : read_digits(at);
	if (at && *at == '.')
		at = read_digits(at + 1);
	if (at && (*at == 'e' || *at == 'E')) {
		is_exponent = 1;
		at = read_power(at + 1);
	}
	if (at && may_be_large(number, at, is_exponent) &&
	    !tr2_json_is_in_range(number))
		return NULL;
	return at;
}

/* Read four hexadecimal digits; if they are missing, *value does not change. */
static const char *read_hex(const char *at, unsigned long *value)
{
	char digits[5] = "";

	if (strspn(at, "0123456789abcdefABCDEF") < 4)
		return NULL;
	memcpy(digits, at, 4);
	*value = strtoul(digits, NULL, 16);
	return at + 4;
}

/* Read what follows `\u`. Half of a surrogate pair is not a character. */
static const char *read_unicode(const char *at)
{
	unsigned long value = 0;

	at = read_hex(at, &value);
	if (value < 0xd800 || value > 0xdfff)
		return at;
	if (value > 0xdbff || at[0] != '\\' || at[1] != 'u')
		return NULL;
	at = read_hex(at + 2, &value);
	return value >= 0xdc00 && value <= 0xdfff ? at : NULL;
}

static const char *read_escape(const char *at)
{
	static const char letters[] = {
		'"', '\\', '/', 'b', 'f', 'n', 'r', 't'
	};

	if (*at == 'u')
		return read_unicode(at + 1);
	return memchr(letters, *at, sizeof(letters)) ? at + 1 : NULL;
}

/*
 * Skip most of a string: ASCII without quotes, `\\` and controls. A char may
 * have no sign.
 */
static const char *skip_plain(const char *at)
{
	while ((signed char)*at >= ' ' && *at != '"' && *at != '\\')
		at++;
	return at;
}

static const char *read_string(const char *at)
{
	int length;

	while (at && *(at = skip_plain(at)) != '"') {
		if ((unsigned char)*at < 0x20)
			return NULL;
		if (*at == '\\') {
			at = read_escape(at + 1);
			continue;
		}
		length = tr2_utf8_length(at, SIZE_MAX); /* a NUL ends it */
		at = length > 0 ? at + length : NULL;
	}
	return at ? at + 1 : NULL;
}

static const char *read_word(const char *at, const char *word)
{
	size_t len = strlen(word);

	return strncmp(at, word, len) ? NULL : at + len;
}

static const char *read_scalar(const char *at)
{
	switch (*at) {
	case '"':
		return read_string(at + 1);
	case 't':
		return read_word(at, "true");
	case 'f':
		return read_word(at, "false");
	case 'n':
		return read_word(at, "null");
	default:
		return read_number(at);
	}
}

/*
 * Keys are compared by a hash of their characters and of the number of their
 * object. A small filter remembers the keys so far: a key that the filter
 * does not know is not repeated, and needs no memory.
 */
static uint64_t hash_byte(uint64_t hash, unsigned long byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

/* Hash the UTF-8 form of a character: `\u00e9` is the same key as e-acute. */
static uint64_t hash_character(uint64_t hash, unsigned long c)
{
	if (c < 0x80)
		return hash_byte(hash, c);
	if (c < 0x800)
		return hash_byte(hash_byte(hash, 0xc0 | c >> 6),
				 0x80 | (c & 63));
	if (c < 0x10000)
		hash = hash_byte(hash, 0xe0 | c >> 12);
	else
		hash = hash_byte(hash_byte(hash, 0xf0 | c >> 18),
				 0x80 | (c >> 12 & 63));
	return hash_byte(hash_byte(hash, 0x80 | (c >> 6 & 63)),
			 0x80 | (c & 63));
}

/* Decode what follows a `\`; the escape has been checked before. */
static const char *decode_escape(const char *at, unsigned long *c)
{
	static const char from[] = "bfnrt";
	static const char to[] = "\b\f\n\r\t";
	const char *known = strchr(from, *at);
	unsigned long low = 0;

	*c = (unsigned char)(known ? to[known - from] : *at);
	if (*at != 'u')
		return at + 1;
	at = read_hex(at + 1, c);
	if (*c < 0xd800 || *c > 0xdfff)
		return at;
	at = read_hex(at + 2, &low);
	*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
	return at;
}

static uint64_t hash_key(uint64_t hash, const char *at)
{
	unsigned long c;

	while (*at != '"') {
		if (*at != '\\') {
			hash = hash_byte(hash, (unsigned char)*at++);
			continue;
		}
		at = decode_escape(at + 1, &c);
		hash = hash_character(hash, c);
	}
	return hash;
}

/* The event around the value is the 512th level. SPEC: input.depth */
#define DEPTH_MAX 511

/* The levels that need no memory: most values have fewer. */
#define DEPTH_NEAR 16

struct level {
	uint64_t object; /* the object's number */
	char closer;	 /* the byte that closes the value */
};

/*
 * `depth` values are open, from levels[1] on. The closer of levels[0] is a
 * blank, which never occurs where a value could close. All levels would be
 * too many for small stacks.
 */
struct open_values {
	struct level near[DEPTH_NEAR];
	struct level *levels; /* near, or memory for DEPTH_MAX + 1 */
	int depth;
	uint64_t objects;
	uint64_t filter[32]; /* one bit for each key, set up late */
	int is_suspect;	     /* a key may be repeated */
	int has_keys;
	struct tr2_buf *hashes; /* all hashes; NULL: look for suspects */
};

static void begin_values(struct open_values *open, struct tr2_buf *hashes)
{
	open->levels = open->near;
	open->levels[0].closer = ' ';
	open->levels[0].object = 0;
	open->depth = 0;
	open->objects = 0;
	open->has_keys = open->is_suspect = 0;
	open->hashes = hashes;
}

static void end_values(struct open_values *open)
{
	if (open->levels != open->near)
		tr2_host->free(open->levels);
}

static char closer_of(const struct open_values *open)
{
	return open->levels[open->depth].closer;
}

/* Move to memory that has room for all levels. 0 if it fails. */
static int move_levels(struct open_values *open)
{
	struct level *levels =
		tr2_memory_realloc(NULL, (DEPTH_MAX + 1) * sizeof(*levels));

	if (!levels)
		return 0;
	memcpy(levels, open->near, sizeof(open->near));
	open->levels = levels;
	return 1;
}

static void keep_key(struct open_values *open, const char *key)
{
	const uint64_t start = UINT64_C(0xcbf29ce484222325);
	uint64_t hash =
		hash_key(start ^ open->levels[open->depth].object << 32, key);
	uint64_t bit = UINT64_C(1) << (hash >> 53 & 63);
	uint64_t *word = &open->filter[hash >> 59];

	if (open->hashes) {
		tr2_buf_add(open->hashes, &hash, sizeof(hash));
		return;
	}
	if (!open->has_keys)
		memset(open->filter, 0, sizeof(open->filter));
	open->has_keys = 1;
	open->is_suspect |= (*word & bit) != 0;
	*word |= bit;
}

/* Read the key and the colon if an object is open. */
static const char *read_key(const char *at, struct open_values *open)
{
	const char *key;

	if (closer_of(open) != '}')
		return at;
	if (*at != '"')
		return NULL;
	key = at + 1;
	at = read_string(key);
	if (!at)
		return NULL;
	keep_key(open, key);
	at = skip_blanks(at);
	return *at == ':' ? skip_blanks(at + 1) : NULL;
}

/* Close what ends here; then read a comma if something is still open. */
static const char *read_ends(const char *at, struct open_values *open)
{
	at = skip_blanks(at);
	while (*at == closer_of(open)) {
		open->depth--;
		at = skip_blanks(at + 1);
	}
	if (!open->depth)
		return at;
	return *at == ',' ? skip_blanks(at + 1) : NULL;
}

/* Read what follows the byte that opens a value. */
static const char *open_value(const char *at, struct open_values *open)
{
	struct level *level;

	if (open->depth == DEPTH_MAX)
		return NULL;
	if (++open->depth == DEPTH_NEAR && open->levels == open->near &&
	    !move_levels(open))
		return NULL;
	level = &open->levels[open->depth];
	level->closer = *at == '{' ? '}' : ']';
	level->object = ++open->objects;
	return skip_blanks(at + 1);
}

static int read_value(const char *text, struct open_values *open)
{
	const char *at = skip_blanks(text);

	do {
		at = read_key(at, open);
		if (!at)
			return 0;
		if (*at == '{' || *at == '[') {
			at = open_value(at, open);
			if (at && *at != closer_of(open))
				continue;
		} else {
			at = read_scalar(at);
		}
		at = at ? read_ends(at, open) : NULL;
	} while (at && open->depth);
	return at && !*at;
}

static int compare_hashes(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static int hold_repetition(struct tr2_buf *hashes)
{
	const uint64_t *hash = (const uint64_t *)(void *)hashes->bytes;
	size_t count = hashes->len / sizeof(*hash);

	if (count)
		qsort(hashes->bytes, count, sizeof(*hash), compare_hashes);
	for (size_t i = 1; i < count; i++)
		if (hash[i - 1] == hash[i])
			return 1;
	return 0;
}

/* Read a value again that has many keys, or two keys that share a bit. */
static int has_repeated_key(const char *text, struct open_values *open)
{
	struct tr2_buf hashes = TR2_BUF_INIT;
	int repeated;

	begin_values(open, &hashes);
	repeated = !read_value(text, open) || hashes.failed ||
		   hold_repetition(&hashes);
	end_values(open);
	tr2_buf_release(&hashes);
	return repeated;
}

/* SPEC: json.data-json */
int tr2_json_is_value(const char *text)
{
	struct open_values open;
	int is_value;

	begin_values(&open, NULL);
	is_value = read_value(text, &open);
	end_values(&open);
	return is_value && (!open.is_suspect || !has_repeated_key(text, &open));
}
