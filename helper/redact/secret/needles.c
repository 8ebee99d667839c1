#include "redact/secret/needles.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "lib/common/memory.h"
#include "event/secrets.h"
#include "redact/secret/scan.h"
#include "parts_rows.h"
#include "shapes_rows.h"

#define NUMBERS (1 << 15) /* of three bytes, five bits of each */
#define NEEDLES_MORE 1024 /* at once */
#define AFTER_PROGRAM " \"'\\.\t,"

/* What has to be around a needle, as bits. */
enum around {
	AS_IT_IS = 1, /* its letters have one case */
	ENDS = 2, /* no letter, `_`, `-` or `.` follows it, but a number may */
	BEGINS = 4,  /* no letter or digit comes before it */
	PROGRAM = 8, /* a blank, quote or `,` follows it, or `.exe` */
	HOST = 16    /* it ends before a `/`, which may be encoded */
};

struct needle {
	const char *text;
	unsigned char len, around;
	uint16_t next; /* the next one with these three bytes; 0: none */
};

struct tr2_needles {
	unsigned char numbers[256]; /* of each byte, of which a case, a `-` and
				       a blank make no other one */
	uint16_t first[NUMBERS];    /* with these three bytes, or 0 */
	struct needle *needles;	    /* from 1 on */
	uint16_t count;
};

static char fold_byte(char c)
{
	return (char)(c == '-' || c == ' ' ? '_' : tr2_ascii_fold(c));
}

/* Digits, of which logs have many, have the numbers of rare letters. */
static void number_bytes(struct tr2_needles *needles)
{
	char c;

	for (unsigned i = 0; i < 256; i++) {
		c = fold_byte((char)i);
		needles->numbers[i] =
			(unsigned char)((c & 31) ^ (c & 0x40 ? 0 : 14));
	}
}

/* Returns the number of a byte and of the two before it, which have this one. */
static unsigned add_byte(const struct tr2_needles *needles, unsigned number,
			 char c)
{
	return number >> 5 | (unsigned)needles->numbers[(unsigned char)c] << 10;
}

/* Add a needle of which this is the third byte, or what follows its two. */
static void add_as(struct tr2_needles *needles, const char *text, size_t len,
		   unsigned around, char third)
{
	unsigned number = add_byte(needles, 0, text[0]);

	number = add_byte(needles, add_byte(needles, number, text[1]), third);
	if (!(++needles->count % NEEDLES_MORE))
		needles->needles = tr2_must_grow(
			needles->needles, (needles->count + NEEDLES_MORE) *
						  sizeof(*needles->needles));
	needles->needles[needles->count] =
		(struct needle){ text, (unsigned char)len,
				 (unsigned char)around,
				 needles->first[number] };
	needles->first[number] = needles->count;
}

static void add_needle(struct tr2_needles *needles, const char *text,
		       size_t len, unsigned around)
{
	add_as(needles, text, len, around, text[2]);
}

static void add_program(struct tr2_needles *needles, const char *name,
			size_t len)
{
	static const unsigned around = AS_IT_IS | BEGINS | PROGRAM;
	const char *after = AFTER_PROGRAM;

	if (len > 2)
		add_needle(needles, name, len, around);
	else
		for (; *after; after++)
			add_as(needles, name, len, around, *after);
}

static void add_programs(struct tr2_needles *needles)
{
	const char *name;
	size_t len;

	for (size_t i = 0; i < tr2_secret_option_count; i++) {
		name = tr2_secret_options[i].programs;
		for (; *name; name += len + (name[len] == ' ')) {
			len = strcspn(name, " ");
			if (tr2_secret_find_row(name, len) == (int)i)
				add_program(needles, name, len);
		}
	}
}

#define TOKEN(prefix, ...) { prefix, AS_IT_IS },
#define READER(table, part, ...) { part, AS_IT_IS },
#define CALL(table, name, ...) { name "(|" name "=(", 0 },
#define PLACE(table, place, ...) { place, HOST },
#define SHAPE(needle, prefix, ...) \
	{ needle, sizeof(needle) == sizeof(prefix) ? BEGINS : 0 },

/*
 * What else a line has that has a secret; a `|` is between those of one kind. No
 * word goes on with a token's beginning. A name of two letters is too short
 * alone.
 */
static const struct {
	const char *needles;
	unsigned around;
} parts[] = {
	/* clang-format off */
	TR2_TOKENS(TOKEN) PARTS_READERS(READER) SHAPES_ROWS(SHAPE)
	PARTS_CALLS(CALL) PARTS_PLACES(PLACE)
	{ "PWD=|PRIVATE KEY|BEGIN\"|Private-Lines", AS_IT_IS },
	{ "pw=|pw:|pw |pw\"|pw\\|pw'|pw,|pw\t|: eap |"
	  "thin:|pgpass|:*:|5432:|5433:|6432:", 0 },
	{ "basic|bearer|negotiate|ntlm|identified|expect|pragma", ENDS },
	/* clang-format on */
};

static void add_parts(struct tr2_needles *needles)
{
	size_t len;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (const char *part = parts[i].needles; *part;
		     part += len + (part[len] == '|')) {
			len = strcspn(part, "|");
			add_needle(needles, part,
				   parts[i].around & HOST ? strcspn(part, "/")
							  : len,
				   parts[i].around);
		}
}

/*
 * A name that only a query has comes before a `=`, and one that only an option
 * has after a `-`.
 */
static void add_name(struct tr2_needles *needles,
		     const struct tr2_secret_name *name)
{
	const unsigned around = name->flags & TR2_SECRET_AT_WORD ? BEGINS : 0;

	if (name->flags & TR2_SECRET_ASKED)
		add_needle(needles, name->name, name->len + 1u, around);
	else if (name->flags & TR2_SECRET_OPTION)
		add_needle(needles, name->name - 1, name->len + 1u, ENDS);
	else if (name->len > 2)
		add_needle(needles, name->name, name->len,
			   name->flags & TR2_SECRET_FRONT ? 0 : around | ENDS);
}

struct tr2_needles *tr2_needles_open(void)
{
	struct tr2_needles *needles = tr2_must_zeros(sizeof(*needles));
	const struct tr2_secret_name *name;

	needles->needles =
		tr2_must_grow(NULL, NEEDLES_MORE * sizeof(*needles->needles));
	number_bytes(needles);
	for (name = tr2_secret_names; name->name; name++)
		add_name(needles, name);
	add_programs(needles);
	add_parts(needles);
	return needles;
}

void tr2_needles_close(struct tr2_needles *needles)
{
	if (needles)
		free(needles->needles);
	free(needles);
}

static bool is_needle(const struct needle *needle, const char *text)
{
	if (needle->around & AS_IT_IS)
		return !memcmp(text, needle->text, needle->len);
	for (size_t i = 0; i < needle->len; i++)
		if (fold_byte(needle->text[i]) != fold_byte(text[i]))
			return false;
	return true;
}

/* The name ends here, or with a number, as in `TOKEN_2`. */
static bool ends_name(const char *text, size_t len, size_t at)
{
	if (at + 1 < len && memchr("_-", text[at], 2) &&
	    tr2_ascii_digit(text[at + 1]))
		return true;
	return at == len ||
	       !(tr2_ascii_alpha(text[at]) || memchr("_-.", text[at], 3));
}

static bool is_around(const struct needle *needle, const char *text, size_t len,
		      size_t start)
{
	const size_t end = start + needle->len;
	const char after = end < len ? text[end] : ' ';

	if (needle->around & BEGINS && start &&
	    tr2_secret_alphanumeric(text[start - 1]) &&
	    !(start > 1 && text[start - 2] == '\\')) /* not in `\n` */
		return false;
	if (needle->around & PROGRAM &&
	    !(after && strchr(AFTER_PROGRAM, after)))
		return false;
	return !(needle->around & ENDS) || ends_name(text, len, end);
}

static bool is_any(const struct tr2_needles *needles, uint16_t number,
		   const char *text, size_t len, size_t start)
{
	const struct needle *needle;

	for (; number; number = needle->next) {
		needle = &needles->needles[number];
		if (len - start >= needle->len &&
		    is_needle(needle, text + start) &&
		    is_around(needle, text, len, start))
			return true;
	}
	return false;
}

/* Where the text ends, a blank is taken for the byte after it. */
bool tr2_needles_find(const struct tr2_needles *needles, const char *text,
		      size_t len)
{
	unsigned number = 0;

	for (size_t at = 0; at <= len; at++) {
		number = add_byte(needles, number, at < len ? text[at] : ' ');
		if (needles->first[number] && at > 1 &&
		    is_any(needles, needles->first[number], text, len, at - 2))
			return true;
	}
	return false;
}
