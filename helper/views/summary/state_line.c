#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "views/summary/state_part.h"

static const char escapes[] = "\\\\\tt\nn\rr"; /* a byte, and its letter */

static void put_text(struct tr2_buf *out, const char *text)
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

void tr2_state_put(struct tr2_buf *out, const struct tr2_rows *names,
		   const char *kind, const char *form,
		   const struct tr2_state_record *record)
{
	const int64_t *number = record->number;
	const char *const *text = record->text;
	const uint32_t *name = record->name;

	tr2_buf_str(out, kind);
	for (; *form && (*form != '?' || record->more); form++)
		if (*form == '#') {
			tr2_buf_byte(out, '\t');
			tr2_buf_int(out, *number++);
		} else if (*form == 'n') {
			put_text(out, tr2_rows_text(names, *name++, NULL));
		} else if (*form == 's') {
			put_text(out, *text++);
		} else if (*form == 't') {
			put_text(out, tr2_table_names[record->table]);
		}
	tr2_buf_byte(out, '\n');
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

void tr2_fields_split(struct tr2_fields *fields, const char *line, size_t len)
{
	char *at, *field;

	tr2_buf_reset(&fields->text);
	tr2_buf_add(&fields->text, line, len);
	tr2_must_end(&fields->text);
	fields->count = 0;
	for (at = fields->text.bytes; at && fields->count < TR2_FIELDS_MOST;) {
		fields->at[fields->count++] = field = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
		unescape_field(field);
	}
}

static bool read_number(const char *text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 10);
	return *text && !*end && !errno;
}

static bool read_table(const char *text, enum tr2_table *table)
{
	int at = 0;

	while (at < TR2_TABLES && strcmp(text, tr2_table_names[at]) != 0)
		at++;
	*table = (enum tr2_table)at;
	return at < TR2_TABLES;
}

/* Where the next field of each kind goes. */
struct places {
	int64_t *number;
	uint32_t *name;
	const char **text;
	enum tr2_table *table;
};

static bool take_field(struct places *to, struct tr2_rows *rows, char form,
		       const char *text)
{
	if (form == '#')
		return read_number(text, to->number++);
	if (form == 't')
		return read_table(text, to->table);
	if (form == 's')
		*to->text++ = text;
	else
		*to->name++ = tr2_rows_word(rows, text);
	return true;
}

bool tr2_fields_take(const struct tr2_fields *fields, const char *form,
		     struct tr2_rows *rows, struct tr2_state_record *record)
{
	struct places to = { record->number, record->name, record->text,
			     &record->table };
	size_t next = 1, left; /* its kind is before it */
	bool is_mark;

	for (; *form && *form != '.'; form++) {
		left = fields->count - next;
		is_mark = *form == '?' || *form == '!';
		if (is_mark)
			record->more = left;
		if (!left)
			return is_mark;
		if (!is_mark &&
		    !take_field(&to, rows, *form, fields->at[next++]))
			return false;
	}
	return !*form || next == fields->count;
}

void tr2_pair_put(struct tr2_buf *out, uint64_t first, uint64_t second)
{
	tr2_buf_uint(out, first);
	tr2_buf_byte(out, ':');
	tr2_buf_uint(out, second);
	tr2_buf_byte(out, ',');
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

bool tr2_pair_read(const char **text, uint64_t *first, uint64_t *second)
{
	return read_digits(text, ':', first) && read_digits(text, ',', second);
}
