#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "views/summary/state_part.h"

static const char escapes[] = "\\\\\tt\nn\rr"; /* a byte, and its letter */

void tr2_fields_put(struct tr2_buf *out, const char *text)
{
	const char *found;

	tr2_buf_byte(out, '\t');
	for (; *text; text++) {
		for (found = escapes; *found && *found != *text; found += 2)
			;
		if (*found)
			tr2_buf_byte(out, '\\');
		tr2_buf_byte(out, *found ? found[1] : *text);
	}
}

static void unescape_field(char *field)
{
	const char *found;
	char *to = field;

	for (; *field; field++, to++) {
		*to = *field;
		if (*field != '\\' || !field[1])
			continue;
		field++;
		for (found = escapes; *found && found[1] != *field; found += 2)
			;
		*to = *found ? *found : *field;
	}
	*to = '\0';
}

void tr2_fields_put_number(struct tr2_buf *out, int64_t value)
{
	tr2_buf_byte(out, '\t');
	tr2_buf_int(out, value);
}

void tr2_fields_split(struct tr2_fields *fields, const char *line, size_t len)
{
	char *at;

	tr2_buf_reset(&fields->text);
	tr2_buf_add(&fields->text, line, len);
	tr2_must_end(&fields->text);
	fields->count = 0;
	for (at = fields->text.bytes; at && fields->count < TR2_FIELDS_MOST;) {
		fields->at[fields->count++] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
	}
	for (len = 0; len < fields->count; len++)
		unescape_field((char *)fields->at[len]);
}

bool tr2_fields_numbers(const struct tr2_fields *fields, size_t first,
			int64_t *values, size_t count)
{
	char *end;

	if (fields->count < first + count)
		return false;
	for (size_t i = 0; i < count; i++) {
		errno = 0;
		values[i] = strtoll(fields->at[first + i], &end, 10);
		if (!*fields->at[first + i] || *end || errno)
			return false;
	}
	return true;
}

/*
 * Read digits, and the byte that has to follow them; strtoull() alone would
 * accept blanks and signs.
 */
static bool read_digits(const char **text, char stop, uint64_t *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*value = strtoull(*text, &end, 10);
	if (*end != stop || errno)
		return false;
	*text = end + 1;
	return true;
}

/* Read "NUMBER:NUMBER," and go on after it; false: there is another text. */
static bool read_pair(const char **text, uint64_t *first, uint64_t *second)
{
	return read_digits(text, ':', first) && read_digits(text, ',', second);
}

bool tr2_fields_sketch(const char *text, struct tr2_sketch *sketch)
{
	uint64_t number, count;

	while (*text) {
		if (!read_pair(&text, &number, &count) ||
		    number > TR2_SKETCH_LAST)
			return false;
		tr2_sketch_add_bucket(sketch, (uint32_t)number, count);
	}
	return true;
}

/* Which of several was the first depends on the order of the logs. */
static void put_only(struct tr2_buf *out, const struct tr2_forest *forest,
		     uint32_t name, bool several)
{
	tr2_fields_put(out,
		       tr2_rows_text(&forest->rows, several ? 0 : name, NULL));
}

void tr2_state_put_about(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_about *about = &forest->about;

	if (!about->version && !about->versions && !about->repository &&
	    !about->repositories && !about->begin)
		return;
	tr2_buf_str(out, "about");
	put_only(out, forest, about->version, about->versions);
	put_only(out, forest, about->repository, about->repositories);
	tr2_fields_put_number(out, about->versions);
	tr2_fields_put_number(out, about->repositories);
	tr2_fields_put_number(out, about->begin);
	tr2_buf_byte(out, '\n');
}

bool tr2_state_take_about(struct tr2_forest *forest,
			  const struct tr2_fields *fields)
{
	struct tr2_about about;
	int64_t values[3];

	if (!tr2_fields_numbers(fields, 3, values, 3))
		return false;
	about = (struct tr2_about){
		.version = tr2_rows_name(&forest->rows, fields->at[1],
					 strlen(fields->at[1])),
		.repository = tr2_rows_name(&forest->rows, fields->at[2],
					    strlen(fields->at[2])),
		.versions = values[0] != 0,
		.repositories = values[1] != 0,
		.begin = values[2],
	};
	tr2_about_add(&forest->about, &about);
	return true;
}

void tr2_state_put_failure(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_failure failure = forest->failure;

	if (!failure.count)
		return;
	tr2_buf_str(out, "failure");
	tr2_fields_put(out, tr2_rows_text(&forest->rows, failure.name, NULL));
	tr2_fields_put(out, failure.message.bytes);
	tr2_fields_put_number(out, (int64_t)failure.count);
	tr2_fields_put_number(out, failure.end);
	tr2_fields_put_number(out, (int64_t)failure.key);
	tr2_fields_put_number(out, failure.has_code);
	tr2_fields_put_number(out, failure.code);
	tr2_fields_put_number(out, failure.signal);
	for (size_t i = 2; failure.child[1] && i--;)
		tr2_fields_put(out, tr2_rows_text(&forest->rows,
						  failure.child[i], NULL));
	tr2_buf_byte(out, '\n');
}

bool tr2_state_take_failure(struct tr2_forest *forest,
			    const struct tr2_fields *fields)
{
	int64_t values[6];
	struct tr2_failure failure;

	if (!tr2_fields_numbers(fields, 3, values, 6))
		return false;
	failure = (struct tr2_failure){
		.count = (uint64_t)values[0],
		.end = values[1],
		.key = (uint64_t)values[2],
		.name = tr2_rows_name(&forest->rows, fields->at[1],
				      strlen(fields->at[1])),
		.has_code = values[3] != 0,
		.code = values[4],
		.signal = values[5],
	};
	if (fields->count > 9) { /* an older state has names of hooks alone */
		failure.child[1] = tr2_rows_word(&forest->rows, fields->at[9]);
		failure.child[0] = tr2_rows_word(
			&forest->rows,
			fields->count > 10 ? fields->at[10] : "hook");
	}
	tr2_failure_offer(&forest->failure, &failure, fields->at[2]);
	return true;
}

static void put_kind(struct tr2_buf *out, const struct tr2_rows *rows,
		     const struct tr2_command_note *note)
{
	const uint32_t names[] = { note->repository, note->name, note->caller,
				   note->lock, note->within };
	const size_t count = sizeof(names) / sizeof(names[0]);

	tr2_buf_str(out, "ran");
	for (size_t i = 0; i < count - !note->within; i++)
		tr2_fields_put(out, tr2_rows_text(rows, names[i], NULL));
	tr2_buf_byte(out, '\t');
}

/* When each began, after the one before it, and how long it took. */
static void put_ran(struct tr2_buf *out, const struct tr2_rows *rows,
		    const struct tr2_vec *list)
{
	const struct tr2_command_note *note = list->items;
	uint64_t last = 0;

	for (uint32_t i = 0; i < list->count; i++, note++) {
		if (!i || note->kind != note[-1].kind) {
			tr2_buf_str(out, i ? "\n" : "");
			put_kind(out, rows, note);
			last = 0;
		}
		tr2_buf_uint(out, (uint64_t)note->begin - last);
		tr2_buf_byte(out, ':');
		tr2_buf_uint(out, (uint64_t)note->end - (uint64_t)note->begin);
		tr2_buf_byte(out, ',');
		last = (uint64_t)note->begin;
	}
	if (list->count)
		tr2_buf_byte(out, '\n');
}

void tr2_state_put_notes(struct tr2_buf *out, const struct tr2_notes *notes,
			 const struct tr2_rows *rows)
{
	const struct tr2_command_note *note = notes->list.items;
	struct tr2_vec list = { 0 };

	if (!notes->seen && !notes->older)
		return;
	tr2_buf_str(out, "commands");
	tr2_fields_put_number(out, (int64_t)notes->seen);
	tr2_fields_put_number(out, (int64_t)notes->cut);
	tr2_fields_put_number(out, (int64_t)notes->older);
	tr2_buf_byte(out, '\n');
	for (uint32_t i = 0; i < notes->list.count; i++)
		*(struct tr2_command_note *)tr2_vec_add(&list, sizeof(*note)) =
			note[i];
	tr2_notes_sort_kinds(&list);
	put_ran(out, rows, &list);
	tr2_vec_release(&list);
}

bool tr2_state_take_notes(struct tr2_forest *forest,
			  const struct tr2_fields *fields)
{
	int64_t values[3];

	if (!tr2_fields_numbers(fields, 1, values, 3))
		return false;
	forest->notes.seen += (uint64_t)values[0];
	forest->notes.older += (uint64_t)values[2];
	tr2_notes_cut(&forest->notes, (uint64_t)values[1]);
	return true;
}

bool tr2_state_take_ran(struct tr2_forest *forest,
			const struct tr2_fields *fields)
{
	struct tr2_command_note note = { 0 };
	uint32_t *const names[] = { &note.repository, &note.name, &note.caller,
				    &note.lock, &note.within };
	const size_t count = fields->count - 2U;
	const char *text = count == 4 || count == 5 ? fields->at[1 + count]
						    : NULL;
	uint64_t after, length;

	for (size_t i = 0; text && i < count; i++)
		*names[i] = tr2_rows_name(&forest->rows, fields->at[1 + i],
					  strlen(fields->at[1 + i]));
	while (text && *text) {
		if (!read_pair(&text, &after, &length))
			return false;
		note.begin = (int64_t)((uint64_t)note.begin + after);
		note.end = (int64_t)((uint64_t)note.begin + length);
		tr2_notes_keep(&forest->notes, &forest->rows, &note);
	}
	return text;
}

#define HASH ((size_t)16) /* digits */

void tr2_state_put_held(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_members *held = &forest->held;
	const uint64_t *hash = held->hashes.items;
	char digits[HASH + 1];

	if (forest->window.apart) {
		tr2_buf_str(out, "apart");
		tr2_fields_put_number(out, (int64_t)forest->window.apart);
		tr2_buf_byte(out, '\n');
	}
	if (!held->hashes.count)
		return;
	tr2_buf_str(out, "held");
	tr2_fields_put_number(out, held->shift);
	tr2_buf_byte(out, '\t');
	for (uint32_t i = 0; i < held->hashes.count; i++) {
		snprintf(digits, sizeof(digits), "%016" PRIx64, hash[i]);
		tr2_buf_add(out, digits, HASH);
	}
	tr2_buf_byte(out, '\n');
}

bool tr2_state_take_apart(struct tr2_forest *forest,
			  const struct tr2_fields *fields)
{
	int64_t apart;

	if (!tr2_fields_numbers(fields, 1, &apart, 1))
		return false;
	forest->window.apart += (uint64_t)apart;
	return true;
}

static bool read_hashes(struct tr2_members *held, const char *text)
{
	char digits[HASH + 1] = "";

	for (; *text; text += HASH) {
		if (strspn(text, "0123456789abcdef") < HASH)
			return false;
		memcpy(digits, text, HASH);
		tr2_members_add(held, strtoull(digits, NULL, 16));
	}
	return true;
}

const char *tr2_state_take_held(struct tr2_forest *forest,
				const struct tr2_fields *fields)
{
	static char why[120];
	struct tr2_members more = { 0 };
	int64_t shift;
	uint32_t common;
	bool whole;

	if (!tr2_fields_numbers(fields, 1, &shift, 1) || fields->count != 3 ||
	    shift < 0 || shift > 64)
		return "expected the processes of a state";
	tr2_members_thin(&more, (unsigned)shift);
	whole = read_hashes(&more, fields->at[2]);
	common = whole ? tr2_members_merge(&forest->held, &more) : 0;
	tr2_vec_release(&more.hashes);
	if (!whole)
		return "expected the processes of a state";
	if (!common)
		return NULL;
	snprintf(why, sizeof(why),
		 "%" PRIu32 " of its processes are in another state too%s; "
		 "they would count twice",
		 common, forest->held.shift ? ", and more, of a sample" : "");
	return why;
}
