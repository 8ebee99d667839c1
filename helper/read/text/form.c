#include "read/text/form.h"

#include <string.h>

#include "base/json.h"
#include "lib/text/text.h"
#include "read/text/clock.h"

struct form_reader {
	const char *text, *end;
	const char *next; /* the text of the form after the present part, */
	size_t next_len;  /* and its length up to the next part */
	struct tr2_buf *out;
};

/* clang-format off */
#define TEXT(text) { text, sizeof(text) - 1 }
#define KEY(key, name) [TR2_KEY_##key] = TEXT(",\"" name "\":")

/* Those that lines of NORMAL and PERF have, as JSON. */
static const struct {
	const char *text;
	size_t len;
} keys[TR2_KEYS] = {
	KEY(THREAD, "thread"), KEY(TIME, "time"), KEY(FILE, "file"),
	KEY(LINE, "line"), KEY(REPO, "repo"), KEY(EXE, "exe"),
	KEY(T_ABS, "t_abs"), KEY(ARGV, "argv"), KEY(CODE, "code"),
	KEY(SIGNO, "signo"), KEY(MSG, "msg"), KEY(PATH, "path"),
	KEY(ANCESTRY, "ancestry"), KEY(NAME, "name"),
	KEY(HIERARCHY, "hierarchy"), KEY(ALIAS, "alias"),
	KEY(CHILD_ID, "child_id"), KEY(CHILD_CLASS, "child_class"),
	KEY(HOOK_NAME, "hook_name"), KEY(CD, "cd"), KEY(PID, "pid"),
	KEY(T_REL, "t_rel"), KEY(READY, "ready"), KEY(EXEC_ID, "exec_id"),
	KEY(SCOPE, "scope"), KEY(PARAM, "param"), KEY(VALUE, "value"),
	KEY(WORKTREE, "worktree"), KEY(NESTING, "nesting"),
	KEY(CATEGORY, "category"), KEY(LABEL, "label"), KEY(KEY, "key"),
	KEY(INTERVALS, "intervals"), KEY(T_TOTAL, "t_total"),
	KEY(T_MIN, "t_min"), KEY(T_MAX, "t_max"), KEY(COUNT, "count"),
};
/* clang-format on */

void tr2_form_key(struct tr2_buf *out, enum tr2_key key)
{
	tr2_buf_add(out, keys[key].text, keys[key].len);
}

static void put_string(struct tr2_buf *out, const char *text, size_t len)
{
	tr2_buf_byte(out, '"');
	tr2_json_escape(out, text, len);
	tr2_buf_byte(out, '"');
}

void tr2_form_text(struct tr2_buf *out, enum tr2_key key, const char *text,
		   size_t len)
{
	tr2_form_key(out, key);
	put_string(out, text, len);
}

/* JSON has no zeros before a number. */
void tr2_form_number(struct tr2_buf *out, enum tr2_key key, const char *text,
		     size_t len)
{
	tr2_form_key(out, key);
	if (len && *text == '-') {
		tr2_buf_byte(out, '-');
		text++, len--;
	}
	while (len > 1 && *text == '0' && tr2_text_is_digit(text[1]))
		text++, len--;
	tr2_buf_add(out, text, len);
}

/* After a closing quote, '\'' and '\!' continue the word. */
static bool goes_on(const char *text, const char *end)
{
	return end - text > 3 && text[1] == '\\' &&
	       (text[2] == '\'' || text[2] == '!') && text[3] == '\'';
}

/* Append the inside of the quotes; returns what follows them, or the end. */
static const char *put_quoted(struct tr2_buf *out, const char *text,
			      const char *end)
{
	const char *quote;

	for (;; text = quote + 4) {
		quote = memchr(text, '\'', (size_t)(end - text));
		if (!quote)
			quote = end;
		tr2_json_escape(out, text, (size_t)(quote - text));
		if (quote == end)
			return end;
		if (!goes_on(quote, end))
			return quote + 1;
		tr2_buf_byte(out, quote[2]);
	}
}

/*
 * Append the word up to this byte as a string. Other bytes that should be
 * quoted and are not belong to it. Returns its end.
 */
static const char *put_word(struct tr2_buf *out, const char *text,
			    const char *end, char stop)
{
	const char *from;

	tr2_buf_byte(out, '"');
	while (text < end && *text != stop) {
		if (*text == '\'') {
			text = put_quoted(out, text + 1, end);
			continue;
		}
		for (from = text; text < end && *text != stop && *text != '\'';)
			text++;
		tr2_json_escape(out, from, (size_t)(text - from));
	}
	tr2_buf_byte(out, '"');
	return text;
}

/* Is this what follows the part, at its only possible place? */
static bool is_next(const struct form_reader *in, const char *text)
{
	if (!in->next_len)
		return text == in->end;
	return (size_t)(in->end - text) >= in->next_len &&
	       !memcmp(text, in->next, in->next_len);
}

/* Returns where the next part of the form begins, or NULL. */
static const char *find_next(const struct form_reader *in)
{
	size_t len = (size_t)(in->end - in->text);
	const char *text = in->text, *last = in->end - in->next_len;

	if (!in->next_len)
		return in->end;
	if (!in->next[in->next_len]) /* the form ends with it */
		return len >= in->next_len && is_next(in, last) ? last : NULL;
	for (; text <= last; text++) {
		text = memchr(text, *in->next, (size_t)(last - text) + 1);
		if (!text || is_next(in, text))
			return text;
	}
	return NULL;
}

/* Words are in brackets, or, in older forms, after another blank. */
static const char *read_words(const struct form_reader *in)
{
	const char *text = in->text, *end = in->end;

	if (text < end && *text == '[' && end[-1] == ']')
		text++, end--;
	else if (text < end && *text == ' ')
		text++;
	tr2_buf_byte(in->out, '[');
	while (text < end) {
		text = put_word(in->out, text, end, ' ');
		if (text++ < end)
			tr2_buf_byte(in->out, ',');
	}
	if (text == end && text > in->text && text[-1] == ' ')
		in->out->len--;
	tr2_buf_byte(in->out, ']');
	return in->end;
}

/* Names are between ` <- `, and not quoted. */
static const char *read_names(const struct form_reader *in)
{
	const char *text = in->text, *stop;

	tr2_buf_byte(in->out, '[');
	for (;; text = stop + strlen(" <- ")) {
		stop = tr2_text_find(text, (size_t)(in->end - text), " <- ");
		if (!stop)
			stop = in->end;
		put_string(in->out, text, (size_t)(stop - text));
		if (stop == in->end)
			break;
		tr2_buf_byte(in->out, ',');
	}
	tr2_buf_byte(in->out, ']');
	return in->end;
}

static const char *skip_number(const struct form_reader *in)
{
	const char *text = in->text;

	if (text < in->end && *text == '-')
		text++;
	if (text == in->end || !tr2_text_is_digit(*text))
		return NULL;
	while (text < in->end && tr2_text_is_digit(*text))
		text++;
	return text;
}

static const char *skip_seconds(const struct form_reader *in)
{
	size_t width =
		tr2_clock_seconds(in->text, (size_t)(in->end - in->text));

	return width ? in->text + width : NULL;
}

static const char *read_text(const struct form_reader *in, bool one_word)
{
	const char *end = find_next(in);

	if (!end ||
	    (one_word && memchr(in->text, ' ', (size_t)(end - in->text))))
		return NULL;
	return end;
}

static const char *put_number(const struct form_reader *in, char part,
			      enum tr2_key key)
{
	const char *end = part == 'n' ? skip_number(in) : skip_seconds(in);

	if (end)
		tr2_form_number(in->out, key, in->text,
				(size_t)(end - in->text));
	return end;
}

static const char *put_text(const struct form_reader *in, char part,
			    enum tr2_key key)
{
	const char *end = read_text(in, part == 'c');

	if (end)
		tr2_form_text(in->out, key, in->text, (size_t)(end - in->text));
	return end;
}

/* Append the value of a part; returns its end, or NULL. */
static const char *read_value(const struct form_reader *in, char part,
			      enum tr2_key key)
{
	switch (part) {
	case 'n':
	case 's':
		return put_number(in, part, key);
	case 't':
	case 'c':
		return put_text(in, part, key);
	case 'w':
		tr2_form_key(in->out, key);
		return put_word(in->out, in->text, in->end,
				in->next_len ? *in->next : '\n');
	case 'q':
	case 'a':
		tr2_form_key(in->out, key);
		return part == 'q' ? read_words(in) : read_names(in);
	default:
		return find_next(in);
	}
}

bool tr2_form_read(const struct tr2_form *form, const char *text, size_t len,
		   struct tr2_buf *out)
{
	struct form_reader in = { text, text + len, form->text, 0, out };
	const size_t before = out->len;
	const enum tr2_key *key = form->keys;
	char part;

	for (;;) {
		in.next_len = strcspn(in.next, "%");
		if ((size_t)(in.end - in.text) < in.next_len ||
		    memcmp(in.text, in.next, in.next_len))
			break;
		in.text += in.next_len;
		in.next += in.next_len;
		if (!*in.next) {
			if (in.text == in.end)
				return true;
			break;
		}
		part = in.next[1];
		in.next += 2;
		in.next_len = strcspn(in.next, "%");
		in.text = read_value(&in, part, *key);
		key += part != '*';
		if (!in.text)
			break;
	}
	out->len = before;
	return false;
}

bool tr2_form_is_open(const char *text, size_t len)
{
	const char *end = text + len;
	bool open = false;

	for (; text < end; text++) {
		if (*text != '\'')
			continue;
		if (open && goes_on(text, end))
			text += 3;
		else
			open = !open;
	}
	return open;
}
