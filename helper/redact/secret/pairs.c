/* Pairs of a name and a value in XML, SQL, JSON, calls and lists. */
#include "redact/secret/scan.h"

#include <string.h>

#include "lib/text/text.h"
#include "parts_rows.h"

#define TAG_MOST 256
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

/* `<key>NAME</key>` before the tag, as lists of properties have it, or `<name>` */
static bool is_after_key(const char *text, size_t tag)
{
	size_t end = tr2_secret_skip_back(text, tag - 1, " \t\r\n"), start;

	if (end > 6 && !memcmp(text + end - 6, "</key>", 6))
		end -= 6;
	else if (end > 7 && !memcmp(text + end - 7, "</name>", 7) &&
		 !strncmp(text + tag, "value>", 6))
		end -= 7;
	else
		return false;
	start = tr2_secret_begin_word(text, end, "_-.", TAG_MOST);
	return tr2_secret_name(text + start, end - start, false) ==
	       TR2_SECRET_VALUE;
}

/* Is it the name of a secret, or has it one, as in `<entry key="NAME">`? */
static bool is_secret_tag(const char *text, size_t tag, size_t name, size_t end)
{
	const char *colon = memchr(text + tag, ':', name - tag);
	const size_t start = colon ? (size_t)(colon + 1 - text) : tag;

	return tr2_secret_name(text + start, name - start, false) ==
		       TR2_SECRET_VALUE ||
	       is_after_key(text, tag) ||
	       tr2_secret_value_before(text, end) == TR2_SECRET_VALUE;
}

/* `<token>` alone stands for a value in many messages. */
bool tr2_secret_find_element(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t tag = begin_tag(text, at);
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
	       is_secret_tag(text, tag, tag + len, at) &&
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

/* Does the text end here in a word of the table that has this, or 0? */
static bool ends_in_part(const struct tr2_secret_part *part, const char *text,
			 size_t end, unsigned more)
{
	while (part->text && !((!part->more || part->more == more) &&
			       tr2_secret_ends_in(text, end, part->text)))
		part++;
	return part->text;
}

/* `PASSWORD` and the like. `secret "a" not found` tells a name. */
static bool is_keyword(const char *text, size_t end, char quote)
{
	static const struct tr2_secret_part clauses[] =
		TR2_SECRET_PARTS(PARTS_CLAUSES);

	if (end && text[end - 1] == '=')
		end--;
	end = tr2_secret_skip_back(text, end, " \t\r\n");
	return ends_in_part(clauses, text, end, (unsigned char)quote);
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
	       (text[at] != '$' ||
		tr2_secret_find_dollars(scan, start, found)) &&
	       tr2_secret_find_value(scan, start, found);
}

/* ---- Lists */

#define NAME_MOST 64
#define VALUE_MOST 1024 /* bytes of a value and of the name after it */

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

enum tr2_secret_value tr2_secret_value_before(const char *text, size_t at)
{
	const size_t end = tr2_secret_skip_back(text, at, " \t\r\n,;\"'\\-");
	const size_t start = tr2_secret_begin_word(text, end, "_-.", NAME_MOST);
	size_t mark = tr2_secret_skip_back(text, start, " \t\"'\\"), name;

	if (start == end || !mark)
		return TR2_SECRET_NONE;
	if (text[start - 1] == '<')
		return tr2_secret_name(text + start, end - start, false);
	if (!memchr(":=", text[mark - 1], 2))
		return TR2_SECRET_NONE;
	mark = tr2_secret_skip_back(text, mark - 1, " \t\"'\\");
	name = tr2_secret_begin_word(text, mark, "_-.", NAME_MOST);
	return tr2_secret_names_other(text + name, mark - name)
		       ? tr2_secret_name(text + start, end - start, false)
		       : TR2_SECRET_NONE;
}

static size_t skip_name(const struct tr2_secret_scan *scan, size_t at)
{
	return at + tr2_text_count_word(scan->text + at, scan->len - at, "_-.");
}

enum tr2_secret_value tr2_secret_value_after(const struct tr2_secret_scan *scan,
					     size_t at)
{
	struct tr2_secret_scan near = *scan;
	struct tr2_secret_span value;
	size_t end;

	if (near.len - at > VALUE_MOST)
		near.len = at + VALUE_MOST;
	at = tr2_secret_skip_blanks(&near, at + 1);
	if (at == near.len || !tr2_secret_find_value(&near, at, &value))
		return TR2_SECRET_NONE;
	at = tr2_secret_skip_on(&near, value.end, " \t\r\n,;\"'\\-");
	end = skip_name(&near, at);
	if (!tr2_secret_names_other(near.text + at, end - at))
		return TR2_SECRET_NONE;
	at = tr2_secret_skip_on(&near, end, " \t\"'\\");
	if (at == near.len || !memchr(":=", near.text[at], 2))
		return TR2_SECRET_NONE;
	at = tr2_secret_skip_on(&near, at + 1, " \t\"'\\");
	return tr2_secret_name(near.text + at, skip_name(&near, at) - at,
			       false);
}

#define CALL_MOST 256	/* bytes of the values before the secret */
#define OBJECT_MOST 256 /* bytes of the pairs before it */

/* ---- Calls */

/* Is the value with this number a secret of the call whose name ends here? */
static bool is_argument(const char *text, size_t end, unsigned number)
{
	static const struct tr2_secret_part calls[] =
		TR2_SECRET_PARTS(PARTS_CALLS);

	return ends_in_part(calls, text, end - (end && text[end - 1] == '='),
			    number);
}

/* Returns where the quote begins that ends here, or `least`. */
static size_t skip_quoted(const char *text, size_t end, size_t least)
{
	size_t at = end;

	while (at > least + 1 && text[at - 2] != text[end - 1])
		at--;
	return at > least + 1 ? at - 2 : least;
}

/* Returns where the list begins in which this place is, and counts commas. */
static size_t find_bracket(const char *text, size_t at, unsigned *commas)
{
	const size_t least = at > CALL_MOST ? at - CALL_MOST : 0;
	unsigned depth = 0;

	while (at > least) {
		if (tr2_secret_quote(text[at - 1])) {
			at = skip_quoted(text, at, least);
			continue;
		}
		at--;
		if (memchr(")]}", text[at], 3))
			depth++;
		else if (memchr("([{", text[at], 3) && !depth--)
			return at + 1;
		*commas += !depth && text[at] == ',';
	}
	return 0;
}

/*
 * Of `("user", "password", "host")` all are names, and `["pass", "show"]` may be
 * a command.
 */
static bool is_value_of(const struct tr2_secret_scan *scan, size_t bracket,
			const struct tr2_secret_span *found)
{
	const char *value = scan->text + found->start;
	const size_t len = found->end - found->start;

	if (!tr2_secret_in_sentence(value, len))
		return true;
	return scan->text[bracket] == '(' && !tr2_secret_is_state(value, len) &&
	       !memchr(value, ' ', len) &&
	       tr2_secret_name(value, len, false) == TR2_SECRET_NONE;
}

/* `"NAME", ` after the bracket, and before the value that begins at `next`. */
static bool find_second(const struct tr2_secret_scan *scan, size_t bracket,
			size_t comma, size_t next,
			struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t start =
		tr2_secret_skip_on(scan, bracket + 1, "\\'\"` \t\n");
	const size_t end = skip_name(scan, start);
	const enum tr2_secret_value value =
		tr2_secret_name(text + start, end - start, false);
	struct tr2_secret_scan list = *scan;

	if (!tr2_secret_quote(text[start - 1]) ||
	    tr2_secret_skip_on(scan, end, "\\'\"` \t") != comma)
		return false;
	list.quote = '\0';
	if (value == TR2_SECRET_LINE)
		return tr2_secret_find_header(&list, next, '\0', false, found);
	return value == TR2_SECRET_VALUE &&
	       tr2_secret_find_value(&list, next, found) &&
	       is_value_of(scan, bracket, found);
}

bool tr2_secret_find_in_list(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t next = tr2_secret_skip_blanks(scan, at + 1);
	const size_t open = tr2_secret_skip_escapes(scan, next);
	unsigned number = 1;
	size_t bracket;

	if (open >= scan->len || !tr2_secret_quote(text[open]))
		return false;
	bracket = find_bracket(text, at + 1, &number);
	if (bracket-- == 0)
		return false;
	return (number == 2 && find_second(scan, bracket, at, next, found)) ||
	       (text[bracket] == '(' && is_argument(text, bracket, number) &&
		tr2_secret_find_value(scan, next, found));
}

/* ---- Objects of JSON and YAML */

/* Is it `stringData` that ends here, or `data` of what is a Secret? */
static bool ends_in_object(const char *text, size_t end)
{
#define OBJECT(table, name, ...) name " "
	const size_t least = end > OBJECT_MOST ? end - OBJECT_MOST : 0;
	size_t start;

	end = tr2_secret_skip_back(text, end, " \t\r\n:\\\"'");
	start = tr2_secret_begin_word(text, end, "_-", NAME_MOST);
	return tr2_secret_is_one(text + start, end - start,
				 PARTS_OBJECTS(OBJECT)) ||
	       (tr2_text_is(text + start, end - start, "data") &&
		start > least &&
		tr2_text_find(text + least, start - least, "Secret"));
}

/* `stringData:` in a line above, after which all lines are indented like this. */
static bool in_block(const char *text, size_t at)
{
	const size_t least = at > OBJECT_MOST ? at - OBJECT_MOST : 0;
	const size_t indent = at - tr2_secret_skip_back(text, at, " ");
	size_t end = at - indent, line = end;

	if (!indent || !end || text[end - 1] != '\n')
		return false;
	do {
		end = line - 1;
		for (line = end; line > least && text[line - 1] != '\n';)
			line--;
	} while (line > least && strspn(text + line, " ") >= indent);
	return end && text[end - 1] == ':' && ends_in_object(text, end);
}

bool tr2_secret_in_object(const char *text, size_t at)
{
	const size_t least = at > OBJECT_MOST ? at - OBJECT_MOST : 0;
	size_t open = at;

	while (open > least && !memchr("{}", text[open - 1], 2))
		open--;
	return open > least && text[open - 1] == '{'
		       ? ends_in_object(text, open - 1)
		       : in_block(text, at);
}

/* ---- Cells of a table */

/* `(name|token|key)` is a pattern, of which no `|` is at the end. */
static bool is_cell(const struct tr2_secret_scan *scan, size_t at, size_t start,
		    size_t end)
{
	const char *text = scan->text;

	return end > start &&
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
