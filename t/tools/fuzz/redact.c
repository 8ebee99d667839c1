/*
 * Any bytes as a log: the first of them says what is hidden. What is shown of
 * an EVENT line is JSON of the same structure: only texts change. What is
 * shown of a NORMAL or PERF line is one line.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "redact/redactor/line.h"
#include "redact/redactor/redactor.h"

enum { NORMAL = 64, PERF = 128 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Append a JSON text without its blanks and what its strings hold. */
static void add_structure(struct tr2_buf *out, const char *json, size_t len)
{
	int inside = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (inside && json[i] == '\\')
			i++;
		else if (json[i] == '"')
			inside = !inside;
		else if (!inside && !strchr(" \t\r", json[i]))
			tr2_buf_byte(out, json[i]);
	}
	tr2_buf_byte(out, '\0');
}

/* Whoever reads the line can read what is shown of it. */
static void check_event(const char *line, size_t len, const char *shown,
			size_t shown_len)
{
	struct tr2_redactor *reader = tr2_redactor_open(0, NULL, 0);
	struct tr2_buf before = { 0 }, after = { 0 };

	add_structure(&before, line, len);
	add_structure(&after, shown, shown_len);
	if (strcmp(before.bytes, after.bytes) ||
	    memchr(shown, '\n', shown_len) ||
	    !tr2_redactor_line(reader, shown, &shown_len))
		abort();
	tr2_buf_release(&before);
	tr2_buf_release(&after);
	tr2_redactor_close(reader);
}

/* A line of NORMAL or PERF never has a NUL: such lines are left out. */
static void hide_in_text(struct tr2_redactor *redactor, const char *line,
			 size_t len)
{
	struct tr2_buf copy = { 0 }, out = { 0 };

	if (memchr(line, '\0', len))
		return;
	tr2_buf_add(&copy, line, len);
	tr2_buf_byte(&copy, '\0');
	tr2_redactor_put_text(redactor, &out, copy.bytes);
	if (out.len && memchr(out.bytes, '\n', out.len))
		abort();
	tr2_buf_release(&copy);
	tr2_buf_release(&out);
}

static void hide_in_line(struct tr2_redactor *redactor, unsigned flags,
			 const char *line, size_t len)
{
	size_t shown_len = len;
	const char *shown;

	if (flags & (NORMAL | PERF)) {
		hide_in_text(redactor, line, len);
		return;
	}
	shown = tr2_redactor_line(redactor, line, &shown_len);
	if (shown)
		check_event(line, len, shown, shown_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char key[] = "0123456789abcdef";
	struct tr2_redactor *redactor;
	const char *line, *end, *last;

	if (size < 2)
		return 0;
	redactor = tr2_redactor_open(data[0] & TR2_HIDE_ALL, key, sizeof(key));
	line = (const char *)data + 1;
	last = (const char *)data + size;
	for (; line < last; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		if (!end)
			end = last;
		hide_in_line(redactor, data[0], line, (size_t)(end - line));
	}
	tr2_redactor_close(redactor);
	return 0;
}
