#include "secret/needles.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "common/memory.h"
#include "event/secrets.h"
#include "event/token.h"

#define PAIRS 65536
#define PLACES_MOST 2048
#define SMALL 14 /* bits: two bytes without their highest */

/* What has to be around a needle, as bits. */
enum around {
	AS_IT_IS = 1, /* its letters have one case */
	ENDS = 2, /* no letter, `_`, `-` or `.` follows it, but a number may */
	BEGINS = 4,  /* no letter or digit comes before it */
	EQUALS = 8,  /* a `=` follows it */
	PROGRAM = 16 /* a blank or quote follows it, or `.exe` */
};

/* A pair of bytes of a needle. */
struct needle_place {
	const char *needle;
	unsigned char len, offset, around;
	uint16_t next; /* the next place of this pair; 0: there is none */
};

struct tr2_needles {
	unsigned char small[1 << SMALL]; /* may a pair have a place? */
	char shorts[8][3][3];  /* names of two bytes, and the byte after them */
	uint16_t first[PAIRS]; /* the first place of a pair, or 0 */
	struct needle_place places[PLACES_MOST];
	uint16_t count;
};

/* The same number as the two bytes have in memory. */
static size_t pair_of(char first, char second)
{
	const char bytes[2] = { first, second };
	uint16_t pair;

	memcpy(&pair, bytes, sizeof(pair));
	return pair;
}

static size_t small_pair(unsigned pair)
{
	return (pair & 0x7f) | (pair >> 1 & 0x3f80);
}

/* How seldom is the pair in a log? Those here are common, the first most. */
static size_t rate_pair(const char *pair)
{
	static const char common[] =
		"inremaai.c-pea-hveaditcdf-dfz-ennetintmelegiatilonsiteacstel"
		"deidevtrexeglicoerchthesfiabhrcaimioorndtat_epomrypolan_hed_"
		"pabeck_raruseeshungongce-cmmse_eran-as_anae.ant.odavda_td-lo"
		"himo_lamxibse_ece-..--rsalbarituctprtolddirunietk-ues.rtef-t"
		"tst-obmdcmbjje-ocl-m_ihokewrn._nnc-ied.g-s.lrgd.ffluvarkoanp";
	size_t i;

	for (i = 0; common[i]; i += 2)
		if (common[i] == tr2_ascii_fold(pair[0]) &&
		    common[i + 1] == tr2_ascii_fold(pair[1]))
			break;
	return i;
}

/* Returns where the three bytes begin that follow each other most seldom. */
static size_t choose_bytes(const char *needle, size_t len)
{
	size_t best = 0, most = 0, rate, i;

	for (i = 0; i + 2 < len; i++) {
		rate = rate_pair(needle + i);
		if (rate_pair(needle + i + 1) < rate)
			rate = rate_pair(needle + i + 1);
		if (rate > most)
			best = i, most = rate;
	}
	return best;
}

static void add_pair(struct tr2_needles *needles,
		     const struct needle_place *place, char first, char second)
{
	uint16_t *row = &needles->first[pair_of(first, second)];
	uint16_t number = ++needles->count;

	needles->small[small_pair((unsigned)pair_of(first, second))] = 1;
	needles->places[number] = *place;
	needles->places[number].next = *row;
	*row = number;
}

/* Returns the other form that a byte of a name may have, or the byte. */
static char find_other(char c)
{
	if (tr2_ascii_lower(c))
		return (char)(c - 'a' + 'A');
	return c == '_' ? '-' : c;
}

static void add_forms(struct tr2_needles *needles,
		      const struct needle_place *place)
{
	const char first = place->needle[place->offset];
	const char second = place->needle[place->offset + 1];
	const char forms[2][2] = { { first, find_other(first) },
				   { second, find_other(second) } };
	int i, j;

	for (i = 0; i < 2; i++)
		for (j = 0; j < 2; j++)
			if ((!i || forms[0][1] != first) &&
			    (!j || forms[1][1] != second))
				add_pair(needles, place, forms[0][i],
					 forms[1][j]);
}

static void add_bytes(struct tr2_needles *needles, const char *needle,
		      size_t len, unsigned around)
{
	const size_t best = choose_bytes(needle, len);
	struct needle_place place = { .needle = needle,
				      .len = (unsigned char)len,
				      .around = (unsigned char)around };
	int i;

	for (i = 0; i < 2; i++) {
		place.offset = (unsigned char)(best + (size_t)i);
		if (around & AS_IT_IS)
			add_pair(needles, &place, needle[place.offset],
				 needle[place.offset + 1]);
		else
			add_forms(needles, &place);
	}
}

static void add_needle(struct tr2_needles *needles, const char *needle,
		       unsigned around)
{
	add_bytes(needles, needle, strlen(needle), around);
}

/* A program, after which its options come. */
static void add_program(struct tr2_needles *needles, const char *name,
			size_t len, size_t *shorts)
{
	static const char after[] = { ' ', '"', '\'' };
	char *form;
	size_t i;

	if (len > 2) {
		add_bytes(needles, name, len, AS_IT_IS | BEGINS | PROGRAM);
		return;
	}
	for (i = 0; i < sizeof(after); i++) {
		form = needles->shorts[*shorts][i];
		memcpy(form, name, 2);
		form[2] = after[i];
		add_bytes(needles, form, 3, AS_IT_IS | BEGINS);
	}
	++*shorts;
}

static void add_programs(struct tr2_needles *needles)
{
#define LIST(programs, ...) programs,
	static const char *const lists[] = { TR2_SECRET_OPTIONS(LIST) };
	const char *name;
	size_t len, i, shorts = 0;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		name = lists[i];
		if (i && !strcmp(name, lists[i - 1]))
			continue;
		for (; *name; name += len + (name[len] == ' ')) {
			len = strcspn(name, " ");
			add_program(needles, name, len, &shorts);
		}
	}
}

/* The hosts of webhooks; what follows may be encoded. */
static void add_places(struct tr2_needles *needles)
{
#define PLACE(place, ...) place,
	static const char *const places[] = { TR2_SECRET_PLACES(PLACE) };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++)
		add_bytes(needles, places[i], strcspn(places[i], "/"), 0);
}

static unsigned find_around(const struct tr2_secret_name *name)
{
	unsigned around = ENDS;

	if (name->flags & TR2_SECRET_AT_WORD)
		around |= BEGINS;
	if (name->flags & TR2_SECRET_ASKED)
		around |= EQUALS;
	return around;
}

struct tr2_needles *tr2_needles_open(void)
{
	struct tr2_needles *needles = tr2_must_zeros(sizeof(*needles));
	const struct tr2_token_kind *kind;
	const struct tr2_secret_name *name;

	for (kind = tr2_token_kinds; kind->prefix; kind++)
		add_needle(needles, kind->prefix, AS_IT_IS);
	for (name = tr2_secret_names; name->name; name++)
		add_needle(needles, name->name, find_around(name));
	add_programs(needles);
	add_places(needles);
	add_needle(needles, "basic", ENDS);
	add_needle(needles, "bearer", ENDS);
	add_needle(needles, "PRIVATE KEY", AS_IT_IS);
	return needles;
}

void tr2_needles_close(struct tr2_needles *needles)
{
	free(needles);
}

static bool is_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

static bool is_needle(const struct needle_place *place, const char *text)
{
	size_t i;

	if (place->around & AS_IT_IS)
		return !memcmp(text, place->needle, place->len);
	for (i = 0; i < place->len; i++)
		if (place->needle[i] !=
		    (text[i] == '-' ? '_' : tr2_ascii_fold(text[i])))
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
	    is_alphanumeric(text[start - 1]) &&
	    !(start > 1 && text[start - 2] == '\\')) /* not in `\n` */
		return false;
	if (place->around & EQUALS && after != '=')
		return false;
	if (place->around & PROGRAM && !memchr(" \"'\\.\t", after, 6))
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
		start = at - place->offset;
		if (at >= place->offset && len - start >= place->len &&
		    is_needle(place, text + start) &&
		    is_around(place, text, len, start))
			return true;
	}
	return false;
}

/* May one of the four pairs here have a place? */
static bool has_small(const struct tr2_needles *needles, const char *text)
{
	const unsigned char *small = needles->small;
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	return small[small_pair(bytes & 0xffff)] |
	       small[small_pair(bytes >> 16 & 0xffff)] |
	       small[small_pair(bytes >> 32 & 0xffff)] |
	       small[small_pair((unsigned)(bytes >> 48))];
}

static bool has_needle(const struct tr2_needles *needles, const char *text,
		       size_t len, size_t at, size_t end)
{
	uint16_t number;

	for (; at < end; at += 2) {
		number = needles->first[pair_of(text[at], text[at + 1])];
		if (number && is_any(needles, number, text, len, at))
			return true;
	}
	return false;
}

/* A URL whose `:`, `/` or `@` is encoded has one of `%3A`, `%2F` and `%25`. */
static bool has_encoded(const char *text, size_t len)
{
	const char *end = text + len, *at = text;

	while (at + 2 < end && (at = memchr(at, '%', (size_t)(end - at - 2)))) {
		at++;
		if (tr2_ascii_digit(*at) &&
		    (!memcmp(at, "25", 2) || !memcmp(at, "40", 2) ||
		     (*at == '3' && tr2_ascii_fold(at[1]) == 'a') ||
		     (*at == '2' && tr2_ascii_fold(at[1]) == 'f')))
			return true;
	}
	return false;
}

bool tr2_needles_find(const struct tr2_needles *needles, const char *text,
		      size_t len)
{
	size_t i;

	for (i = 0; i + 8 < len; i += 8)
		if (has_small(needles, text + i) &&
		    has_needle(needles, text, len, i, i + 8))
			return true;
	return has_needle(needles, text, len, i, len ? len - 1 : 0) ||
	       has_encoded(text, len);
}
