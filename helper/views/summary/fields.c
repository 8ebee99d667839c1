#include "views/summary/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

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

/* Read numbers from the given field on. */
bool tr2_fields_numbers(const struct tr2_fields *fields, size_t first,
			int64_t *values, size_t count)
{
	char *end;
	size_t i;

	if (fields->count < first + count)
		return false;
	for (i = 0; i < count; i++) {
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

bool tr2_fields_pair(const char **text, uint64_t *first, uint64_t *second)
{
	return read_digits(text, ':', first) && read_digits(text, ',', second);
}

bool tr2_fields_sketch(const char *text, struct tr2_sketch *sketch)
{
	uint64_t number, count;

	while (*text) {
		if (!tr2_fields_pair(&text, &number, &count) ||
		    number > TR2_SKETCH_LAST)
			return false;
		tr2_sketch_add_bucket(sketch, (uint32_t)number, count);
	}
	return true;
}
