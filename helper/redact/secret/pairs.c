/* Pairs of a name and a value in XML, SQL, JSON, calls and lists. */
#include "redact/secret/scan.h"

#include <string.h>

#include "lib/text/text.h"
#include "parts_rows.h"

#define TAG_MOST 256
#define BEFORE_MOST 64	/* bytes before a tag that may name its value */
#define CLAUSE_MOST 256 /* bytes from `identified` to its password or salt */

/* ---- Elements of XML */

/* Returns where the tag begins that ends here, after its `<`, or 0. */
static size_t begin_tag(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < TAG_MOST && text[at - 1] != '<')
		if (text[--at] == '>')
			return 0;
	return at && text[at - 1] == '<' ? at : 0;
}

/*
 * `<token>` alone stands for a value in many messages. The name may be of the tag,
 * in it, as in `<entry key="NAME">`, or before it, as in `<key>NAME</key>`.
 */
bool tr2_secret_find_element(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t tag = begin_tag(text, at);
	const size_t before = tag < BEFORE_MOST ? 0 : tag - BEFORE_MOST;
	const size_t data =
		tr2_text_starts(text + at, scan->len - at, "><![CDATA[")
			? at + 2
			: at;
	const char *open = memchr(text + data, '<', scan->len - data);
	const size_t end = open ? (size_t)(open - text) : scan->len;
	const size_t len = tr2_text_count_word(text + tag, at - tag, "_-.:");

	return len && scan->len - end > len + 2 && text[end + 1] == '/' &&
	       text[end + 2 + len] == '>' &&
	       !memcmp(text + end + 2, text + tag, len) &&
	       tr2_secret_names_any(text + before, at - before) ==
		       TR2_SECRET_VALUE &&
	       tr2_secret_take(scan, at + 1, end, found);
}

/* ---- Literals of SQL */

/* Is this word near before? */
static bool is_near(const char *text, size_t end, const char *word)
{
	const size_t least = end > CLAUSE_MOST ? end - CLAUSE_MOST : 0;

	while (end > least && !tr2_secret_ends_in(text, end, word))
		end--;
	return end > least;
}

/* `IDENTIFIED WITH plugin BY`, `... BY 'hash' SALT`, `SET PASSWORD FOR user =` */
static bool is_clause(const char *text, size_t end)
{
	if (end && text[end - 1] == '=')
		return is_near(text, end, "password_for");
	return (tr2_secret_ends_in(text, end, "by") ||
		tr2_secret_ends_in(text, end, "as") ||
		tr2_secret_ends_in(text, end, "salt")) &&
	       is_near(text, end, "identified");
}

/* `PASSWORD` and the like. `secret "a" not found` tells a name. */
static bool is_keyword(const char *text, size_t end, char quote)
{
	static const struct tr2_secret_part clauses[] =
		TR2_SECRET_PARTS(PARTS_CLAUSES);
	const struct tr2_secret_part *part = clauses;

	if (end && text[end - 1] == '=')
		end--;
	end = tr2_secret_skip_back(text, end, " \t\r\n");
	while (part->text && !((!part->more || part->more == quote) &&
			       tr2_secret_ends_in(text, end, part->text)))
		part++;
	return part->text;
}

bool tr2_secret_find_literal(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t start = tr2_secret_skip_back(text, at, "\\");
	size_t end = start - (start && text[start - 1] == '(');

	end = tr2_secret_skip_back(text, end, " \t\r\n");
	return end < start &&
	       (is_keyword(text, end, text[at]) || is_clause(text, end)) &&
	       (text[at] != '$' || tr2_secret_begins_open(scan, start)) &&
	       tr2_secret_find_value(scan, start, found);
}

/* ---- Lists */

#define NAME_MOST 64
#define VALUE_MOST 128 /* bytes between a value and its name */

bool tr2_secret_names_other(const char *name, size_t len)
{
	return tr2_secret_is_one(name, len,
				 "name key id var param variable parameterkey "
				 "optionname k");
}

bool tr2_secret_is_value(const char *name, size_t len)
{
	return tr2_secret_is_one(name, len, "value parametervalue v");
}

/* Which of two names has this value, only their language knows. */
enum tr2_secret_value tr2_secret_names_near(const struct tr2_secret_scan *scan,
					    size_t at)
{
	const size_t start = at < VALUE_MOST ? 0 : at - VALUE_MOST;
	const size_t end = scan->len - at < VALUE_MOST ? scan->len
						       : at + VALUE_MOST;

	return tr2_secret_names_any(scan->text + start, end - start);
}

/* ---- Calls and lists */

#define CALL_MOST 256 /* bytes of the values of a call */

/* Is a text in quotes among these values? `login(user, password)` has none. */
static bool has_quoted(const char *text, size_t len)
{
	size_t at = 1;

	while (at + 1 < len && !(tr2_secret_quote(text[at]) &&
				 !memchr(" )\\'\"\n", text[at + 1], 6) &&
				 memchr("(, [{=\\'\"", text[at - 1], 9)))
		at++;
	return at + 1 < len;
}

/* `login("USER", "VALUE")`: which value is the secret, only its language knows. */
static bool find_in_call(const struct tr2_secret_scan *scan, size_t at,
			 struct tr2_secret_span *found)
{
	static const struct tr2_secret_part calls[] =
		TR2_SECRET_PARTS(PARTS_CALLS);
	const char *text = scan->text;
	const size_t len = scan->len - at < CALL_MOST ? scan->len - at
						      : CALL_MOST;
	const bool several = memchr(text + at, ',', len);
	const size_t end = at - (at && text[at - 1] == '=');
	const struct tr2_secret_part *part = calls;

	while (part->text && !((several || part->more == 1) &&
			       tr2_secret_ends_in(text, end, part->text)))
		part++;
	return part->text && has_quoted(text + at, len) &&
	       tr2_secret_take(scan, at + 1, scan->len, found) &&
	       tr2_secret_take(scan, at + 1, tr2_secret_end_command(scan, at),
			       found);
}

/*
 * Of `("user", "password", "host")` all are names, and `["pass", "show"]` may be
 * a command.
 */
static bool is_value_of(const struct tr2_secret_scan *scan, char bracket,
			const struct tr2_secret_span *found)
{
	const char *value = scan->text + found->start;
	const size_t len = found->end - found->start;

	if (!tr2_secret_in_sentence(value, len))
		return true;
	return bracket == '(' && !tr2_secret_is_state(value, len) &&
	       !memchr(value, ' ', len) &&
	       tr2_secret_name(value, len, false) == TR2_SECRET_NONE;
}

/* `("NAME", `, before the value that begins at `next` */
static bool find_second(const struct tr2_secret_scan *scan, size_t comma,
			size_t next, struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t end = tr2_secret_skip_back(text, comma, "\\'\"` \t");
	const size_t start = tr2_secret_begin_word(text, end, "_-.", NAME_MOST);
	const size_t open = tr2_secret_skip_back(text, start, "\\'\"` \t\n");
	const enum tr2_secret_value value =
		tr2_secret_name(text + start, end - start, false);
	struct tr2_secret_scan list = *scan;

	if (!open || open == start || !memchr("([{", text[open - 1], 3) ||
	    !tr2_secret_quote(text[start - 1]))
		return false;
	list.quote = '\0';
	if (value == TR2_SECRET_LINE)
		return tr2_secret_find_header(&list, next, '\0', false, found);
	return value == TR2_SECRET_VALUE &&
	       tr2_secret_find_value(&list, next, found) &&
	       is_value_of(scan, text[open - 1], found);
}

bool tr2_secret_find_in_list(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const size_t next = tr2_secret_skip_blanks(scan, at + 1);
	const size_t open = tr2_secret_skip_escapes(scan, next);

	if (scan->text[at] == '(')
		return find_in_call(scan, at, found);
	return open < scan->len && tr2_secret_quote(scan->text[open]) &&
	       find_second(scan, at, next, found);
}

/* ---- Cells of a table */

/* `(name|token|key)` is a pattern, of which no `|` is at the end. */
static bool is_cell(const struct tr2_secret_scan *scan, size_t at, size_t start,
		    size_t end)
{
	const char *text = scan->text;

	return end > start &&
	       !tr2_text_find(text + start, end - start, TR2_SECRET_GONE) &&
	       (start > at + 1 || (end < scan->len && text[end] == '|') ||
		tr2_secret_mixed(text + start, end - start)) &&
	       !memchr(text + start, ' ', end - start) &&
	       !tr2_secret_in_sentence(text + start, end - start);
}

/*
 * `| NAME | VALUE |`, also `| API key | VALUE |`; a word of a sentence is no
 * value, but a command of a pipe.
 */
bool tr2_secret_find_cell(struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t end = tr2_secret_skip_back(text, at, " `*");
	const size_t word = tr2_secret_begin_word(text, end, "_-.", NAME_MOST);
	const size_t name = tr2_secret_begin_name(text, word, end);
	const size_t before = tr2_secret_skip_back(text, name, " `*");
	const size_t start = tr2_secret_skip_on(scan, at + 1, " `*");
	size_t stop = start;

	while (stop < scan->len && !memchr("|\n", text[stop], 2))
		stop++;
	stop = tr2_secret_skip_back(text, stop, " `*");
	return name < end && is_cell(scan, at, start, stop) &&
	       (!before || memchr("|\n", text[before - 1], 2)) &&
	       tr2_secret_name(text + name, end - name, false) ==
		       TR2_SECRET_VALUE &&
	       tr2_secret_take(scan, start, stop, found);
}
