#include "rules/textlog/textlog.h"

#include <string.h>

#include "normal_rows.h"
#include "read/text/clock.h"
#include "read/text/form.h"
#include "read/text/pieces.h"
#include "lib/text/text.h"

/*
 * The beginning of each event's payload, and its forms. A payload with
 * another beginning is a printf, which may be any text.
 * SPEC: normal.payload
 */
struct normal_payload {
	enum tr2_is is;
	enum tr2_older older;
	const char *begins;
	const char *holds; /* the payload also contains this, or NULL */
	const char *patterns[TR2_PATTERNS];
	const char *old; /* the form of git 2.22 and 2.23, or NULL */
};

/* normal.tsv is made from SPEC.md by `make rules`. */
#define PUT_ROW(how, ...) PUT_##how(__VA_ARGS__)
#define PUT_SHOWN(is, older, begins, holds, a, b, c, old) \
	{ TR2_IS_##is, older, begins, holds, { a, b, c }, old },
#define PUT_NEVER(...)
#define PUT_ANY(...)
#define NAME_ROW(how, is, older, begins, ...) NAME_##how(begins)
#define NAME_SHOWN(begins)
#define NAME_NEVER(begins) begins,
#define NAME_ANY(begins)
#define ADD_BIT(how, is, ...) | UINT64_C(1) << TR2_IS_##is

/* clang-format off */
static const struct normal_payload payloads[] = { NORMAL_ROWS(PUT_ROW) };

#define PAYLOAD_COUNT (sizeof(payloads) / sizeof(payloads[0]))

/* SPEC: normal.events */
static const char *const never_shown[] = { NORMAL_ROWS(NAME_ROW) };

#define NEVER_SHOWN_COUNT (sizeof(never_shown) / sizeof(never_shown[0]))

_Static_assert((0 NORMAL_ROWS(ADD_BIT)) == (UINT64_C(1) << TR2_IS_OTHER) - 1,
	       "an event of the schemas has no row among the payloads");
_Static_assert(TR2_IS_OTHER < 64, "a mask has a bit for each event");
/* clang-format on */

/* Find the payload of the text after an event of this type. */
static const struct normal_payload *payload_of(enum tr2_is last,
					       const char *text, size_t len)
{
	const struct normal_payload *payload = payloads;

	for (size_t i = 0; i < PAYLOAD_COUNT; i++, payload++) {
		if (!tr2_text_starts(text, len, payload->begins) ||
		    (payload->holds &&
		     !tr2_text_find(text, len, payload->holds)))
			continue;
		/* The word may begin a printf, but not after `version`. */
		if (payload->is == TR2_IS_START && last != TR2_IS_VERSION)
			continue;
		return payload;
	}
	return NULL;
}

static bool is_never_shown(const char *text, size_t len)
{
	for (size_t i = 0; i < NEVER_SHOWN_COUNT; i++)
		if (tr2_text_starts(text, len, never_shown[i]))
			return true;
	return false;
}

/*
 * Returns where the payload begins, after a clock. 0: it is in another place,
 * or there is no source, and `bad` says so. A file name never has two blanks
 * in a row.
 * SPEC: normal.column, normal.column-no-file
 */
static size_t prefix_end(const char *text, size_t len, struct tr2_what *bad)
{
	size_t source, at = tr2_normal_find_payload(text, len, &source);
	const bool named =
		source < len &&
		!tr2_text_find(text + TR2_CLOCK, source - TR2_CLOCK, "  ");

	if (at && named)
		return at;
	*bad = (struct tr2_what){ .level = TR2_ERROR,
				  .id = "normal.prefix",
				  .expected = "`file:line` and a blank",
				  .at = TR2_CLOCK,
				  .len = 1 };
	if (!named)
		return 0;
	bad->id = source == TR2_CLOCK ? "normal.column-no-file"
				      : "normal.column";
	bad->expected = "50 bytes before the payload";
	bad->at = source;
	return 0;
}

/* Is the payload to the right of its column? SPEC: normal.column */
static bool is_shifted(const struct tr2_textlog *log, const char *text,
		       size_t len)
{
	const char *payload = text;

	while (len && *payload == ' ')
		payload++, len--;
	return payload > text && payload_of(log->last, payload, len);
}

/* Returns the form of the present event, and where its payload begins. */
static const struct normal_payload *at_hand(const struct tr2_textlog *log,
					    size_t *at)
{
	const char *text = log->event.bytes;
	size_t len = log->event.len;
	struct tr2_what bad;

	*at = 0;
	if (tr2_clock_is(text, len, false)) {
		*at = prefix_end(text, len, &bad);
		text += *at;
	}
	return payload_of(log->last, text, len - *at);
}

/*
 * Is this event complete, so that no further line can belong to it? An event
 * that ends with arbitrary text may always continue.
 */
static bool is_whole(const struct tr2_textlog *log,
		     const struct normal_payload *payload, size_t at)
{
	return payload &&
	       tr2_pattern_is_whole(payload->patterns, log->event.bytes + at,
				    log->event.len - at);
}

bool tr2_normal_begins(struct tr2_textlog *log, const char *text, size_t len)
{
	const struct normal_payload *payload;
	size_t at;
	bool known;

	if (tr2_clock_is(text, len, true))
		return true;
	if (log->event.len > TR2_TEXT_LONG)
		return false;
	payload = at_hand(log, &at);
	known = payload_of(payload ? payload->is : TR2_IS_OTHER, text, len) ||
		is_never_shown(text, len);
	if (!(log->brief && known) && !is_whole(log, payload, at))
		return false;
	log->brief = log->brief || known;
	return true;
}

/* Does the line begin as an event does, of which the end may be lost? */
static bool begins_as_event(const char *text, size_t len)
{
	for (size_t i = 0; i < PAYLOAD_COUNT; i++)
		if (tr2_text_starts(text, len, payloads[i].begins))
			return true;
	return false;
}

/* SPEC: input.carried */
void tr2_normal_unwrap(struct tr2_textlog *log, size_t lf)
{
	const struct normal_payload *payload;
	struct tr2_mismatch ignored;
	size_t at;

	payload = at_hand(log, &at);
	if (!payload || at > lf || payload->is == TR2_IS_ALIAS ||
	    payload->is == TR2_IS_EXEC ||
	    begins_as_event(log->event.bytes + lf + 1,
			    log->event.len - lf - 1) ||
	    tr2_form_is_open(log->event.bytes + at, lf - at, false) ||
	    tr2_pattern_match(payload->patterns, log->event.bytes + at, lf - at,
			      &ignored))
		return;
	log->event.bytes[lf] = ' ';
	tr2_textlog_unwrapped(log);
}

/* Git 2.22 and 2.23 also glued a directory to `cd`. */
static enum tr2_older find_older(const struct normal_payload *payload,
				 const char *text, size_t len)
{
	return tr2_text_starts(text, len, "child_start[") &&
			       tr2_text_find(text, len, "]  cd")
		       ? TR2_OLDER_NORMAL_CD
		       : payload->older;
}

static void check_known(struct tr2_textlog *log,
			const struct normal_payload *payload, size_t at)
{
	const char *text = log->event.bytes + at;
	size_t len = log->event.len - at, begins = strlen(payload->begins);
	bool old;

	log->events[payload->is]++;
	if (payload->is == TR2_IS_VERSION &&
	    tr2_text_is_old_git(text + begins, len - begins))
		log->ages |= TR2_AGE_OLD;
	old = log->ages & TR2_AGE_OLD;
	tr2_textlog_check(log, at, payload->patterns, old ? payload->old : NULL,
			  old ? find_older(payload, text, len) : 0,
			  "normal.payload");
}

static void check_payload(struct tr2_textlog *log, size_t at)
{
	const char *text = log->event.bytes + at;
	size_t len = log->event.len - at;
	const struct normal_payload *payload = payload_of(log->last, text, len);
	struct tr2_what what = tr2_what_at(TR2_ERROR, "normal.events", at, 1);

	log->last = payload ? payload->is : TR2_IS_PRINTF;
	if (payload) {
		check_known(log, payload, at);
	} else if (is_never_shown(text, len)) {
		tr2_textlog_report(log, what, "not an event of NORMAL");
	} else if (tr2_text_starts(text, len, "def_param ")) {
		tr2_textlog_older(log, TR2_OLDER_NORMAL_PARAM, at);
		log->events[TR2_IS_DEF_PARAM]++;
	} else if (at) {
		/* In brief form it may be the rest of the event before. */
		log->events[TR2_IS_PRINTF]++;
	}
}

void tr2_normal_check(struct tr2_textlog *log)
{
	const char *text = log->event.bytes;
	size_t len = log->event.len, at = 0;
	struct tr2_what bad = { .level = TR2_ERROR,
				.id = "time.local",
				.expected = "HH:MM:SS.uuuuuu and a blank",
				.len = 1 };

	if (tr2_clock_is(text, len, false)) {
		at = prefix_end(text, len, &bad);
		if (is_shifted(log, text + at, len - at)) {
			bad.id = "normal.column";
			bad.expected = "the payload";
			bad.at = at;
			at = 0;
		}
	} else if (!tr2_clock_is(text, len, true)) {
		check_payload(log, 0);
		return;
	}
	if (at)
		check_payload(log, at);
	else
		tr2_textlog_report(log, bad, "not the prefix of a line");
}
