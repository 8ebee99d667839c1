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
#define PLACES_MORE 4096  /* at once */
#define AFTER_PROGRAM " \"'\\.\t,"

/* What has to be around a needle, as bits. */
enum around {
	AS_IT_IS = 1, /* its letters have one case */
	ENDS = 2, /* no letter, `_`, `-` or `.` follows it, but a number may */
	BEGINS = 4,  /* no letter or digit comes before it */
	PROGRAM = 8, /* a blank, quote or `,` follows it, or `.exe` */
	HOST = 16    /* it ends before a `/`, which may be encoded */
};

/* Three bytes of a needle, or two and any byte before them. */
struct needle_place {
	const char *needle;
	unsigned char len, around;
	signed char offset; /* where in the needle they begin */
	uint16_t next;	    /* the next place of these bytes; 0: none */
};

struct tr2_needles {
	uint16_t first[NUMBERS];     /* the first one, or 0 */
	struct needle_place *places; /* from 1 on */
	uint16_t count;
};

/*
 * A letter has one number in both cases, and digits, of which logs have many,
 * have those of no letter that is frequent.
 */
static unsigned number_byte(char c)
{
	return ((unsigned)c & 31) ^ (c & 0x40 ? 0 : 14);
}

static unsigned number_bytes(char first, char second, char third)
{
	return number_byte(first) | number_byte(second) << 5 |
	       number_byte(third) << 10;
}

/* Returns how rare a letter is in a log: those here are, the first most. */
static size_t rate_byte(char c)
{
	static const char rare[] = "zqxj_kvwybfugpmhlcdsornati-e.";
	const char *at = strchr(rare, tr2_ascii_fold(c));
	const size_t rate = at ? (size_t)(rare + sizeof(rare) - at)
			       : sizeof(rare);

	return rate * rate;
}

/* Returns where the four bytes begin of which the letters are the rarest. */
static size_t choose_bytes(const char *needle, size_t len)
{
	size_t best = 0, most = 0, rate, i, j;

	for (i = 0; i + 3 < len; i++) {
		for (rate = j = 0; j < 4; j++)
			rate += rate_byte(needle[i + j]);
		if (rate > most)
			best = i, most = rate;
	}
	return best;
}

static void add_place(struct tr2_needles *needles,
		      const struct needle_place *place, unsigned number)
{
	if (!(++needles->count % PLACES_MORE))
		needles->places = tr2_must_grow(
			needles->places, (needles->count + PLACES_MORE) *
						 sizeof(*needles->places));
	needles->places[needles->count] = *place;
	needles->places[needles->count].next = needles->first[number];
	needles->first[number] = needles->count;
}

/* Add three bytes of the needle, of which a `_` of a name may be `-` or blank. */
static void add_three(struct tr2_needles *needles, struct needle_place place,
		      size_t offset)
{
	static const char looks[] = "_- ";
	const char *text = place.needle + offset;
	unsigned form, rest, i;
	char bytes[3];

	place.offset = (signed char)offset;
	for (form = 0; form < 27; form++) {
		for (i = 0, rest = form; i < 3; i++, rest /= 3) {
			bytes[i] = text[i] == '_' ? looks[rest % 3] : text[i];
			if (rest % 3 &&
			    (text[i] != '_' || place.around & AS_IT_IS))
				break;
		}
		if (i == 3)
			add_place(needles, &place,
				  number_bytes(bytes[0], bytes[1], bytes[2]));
	}
}

/* Of three bytes only two are seen where they begin at an odd place. */
static void add_two(struct tr2_needles *needles, struct needle_place place)
{
	const char *text = place.needle;
	unsigned before;

	place.offset = -1;
	for (before = 0; before < 32; before++)
		add_place(needles, &place,
			  before | number_bytes('.', text[0], text[1]));
}

static void add_bytes(struct tr2_needles *needles, const char *needle,
		      size_t len, unsigned around)
{
	const struct needle_place place = { .needle = needle,
					    .len = (unsigned char)len,
					    .around = (unsigned char)around };
	const size_t best = choose_bytes(needle, len);

	add_three(needles, place, best);
	if (len > 3)
		add_three(needles, place, best + 1);
	else
		add_two(needles, place);
}

/* Of a short name, the byte after it counts as well. */
static void add_program(struct tr2_needles *needles, const char *name,
			size_t len)
{
	struct needle_place place = { name, (unsigned char)len,
				      AS_IT_IS | BEGINS | PROGRAM,
				      (signed char)(len - 2), 0 };
	const char *after = AFTER_PROGRAM;

	if (len > 3) {
		add_bytes(needles, name, len, place.around);
		return;
	}
	for (; *after; after++)
		add_place(needles, &place,
			  number_bytes(name[len - 2], name[len - 1], *after));
	if (len == 3)
		add_three(needles, place, 0);
	else
		add_two(needles, place);
}

static void add_programs(struct tr2_needles *needles)
{
	const char *name;
	size_t len, i;

	for (i = 0; i < tr2_secret_option_count; i++) {
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
#define CALL(table, name, ...) { name "(", 0 },
#define OBJECT(table, name, ...) { name, 0 },
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
	PARTS_CALLS(CALL) PARTS_OBJECTS(OBJECT)
	PARTS_PLACES(PLACE)
	{ "PWD=|PRIVATE KEY|-----BEGIN\"|Private-Lines", AS_IT_IS },
	{ "pw=|pw:|pw |pw\"|pw\\|pw'|pw,|pw\t|: eap |key is| key: | key = | key=|"
	  "thin:|pgpass|:*:|5432:|5433:|6432:", 0 },
	{ "basic|bearer|negotiate|ntlm|identified|expect|pragma", ENDS },
	/* clang-format on */
};

static void add_parts(struct tr2_needles *needles)
{
	const char *part;
	size_t i, len;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (part = parts[i].needles; *part;
		     part += len + (part[len] == '|')) {
			len = strcspn(part, "|");
			add_bytes(needles, part,
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
		add_bytes(needles, name->name, name->len + 1u, around);
	else if (name->flags & TR2_SECRET_OPTION)
		add_bytes(needles, name->name - 1, name->len + 1u, ENDS);
	else if (name->len > 2)
		add_bytes(needles, name->name, name->len,
			  name->flags & TR2_SECRET_FRONT ? 0 : around | ENDS);
}

struct tr2_needles *tr2_needles_open(void)
{
	struct tr2_needles *needles = tr2_must_zeros(sizeof(*needles));
	const struct tr2_secret_name *name;

	needles->places =
		tr2_must_grow(NULL, PLACES_MORE * sizeof(*needles->places));
	for (name = tr2_secret_names; name->name; name++)
		add_name(needles, name);
	add_programs(needles);
	add_parts(needles);
	return needles;
}

void tr2_needles_close(struct tr2_needles *needles)
{
	if (needles)
		free(needles->places);
	free(needles);
}

static char fold_byte(char c)
{
	return (char)(c == '-' || c == ' ' ? '_' : tr2_ascii_fold(c));
}

static bool is_needle(const struct needle_place *place, const char *text)
{
	size_t i;

	if (place->around & AS_IT_IS)
		return !memcmp(text, place->needle, place->len);
	for (i = 0; i < place->len; i++)
		if (fold_byte(place->needle[i]) != fold_byte(text[i]))
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

static bool is_around(const struct needle_place *place, const char *text,
		      size_t len, size_t start)
{
	const size_t end = start + place->len;
	const char after = end < len ? text[end] : ' ';

	if (place->around & BEGINS && start &&
	    tr2_secret_alphanumeric(text[start - 1]) &&
	    !(start > 1 && text[start - 2] == '\\')) /* not in `\n` */
		return false;
	if (place->around & PROGRAM && !(after && strchr(AFTER_PROGRAM, after)))
		return false;
	return !(place->around & ENDS) || ends_name(text, len, end);
}

static bool is_any(const struct tr2_needles *needles, uint16_t number,
		   const char *text, size_t len, size_t at)
{
	const struct needle_place *place;
	size_t start;

	for (; number; number = place->next) {
		place = &needles->places[number];
		start = at - (size_t)place->offset;
		if (place->offset > 0 && at < (size_t)place->offset)
			continue;
		if (len >= start && len - start >= place->len &&
		    is_needle(place, text + start) &&
		    is_around(place, text, len, start))
			return true;
	}
	return false;
}

/* Where the text ends, a blank is taken for the byte after it. */
bool tr2_needles_find(const struct tr2_needles *needles, const char *text,
		      size_t len)
{
	uint16_t number;
	size_t at;

	for (at = 0; at + 2 < len; at += 2) {
		number = needles->first[number_bytes(text[at], text[at + 1],
						     text[at + 2])];
		if (number && is_any(needles, number, text, len, at))
			return true;
	}
	return at + 1 < len &&
	       is_any(needles,
		      needles->first[number_bytes(text[at], text[at + 1], ' ')],
		      text, len, at);
}
