#include "redactor/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "event/secrets.h"
#include "event/token.h"
#include "text/text.h"

#define NAME_MOST 128

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool is_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

static bool is_name_byte(char c)
{
	return is_alphanumeric(c) || c == '_' || c == '-' || c == '.';
}

/* Are the bytes the word, in any case and with `-` read as `_`? */
static bool is_word(const char *text, const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((text[i] == '-' ? '_' : tr2_ascii_fold(text[i])) != word[i])
			return false;
	return true;
}

static bool has_name(const struct tr2_secret_name *row, const char *name,
		     size_t len, bool asked)
{
	size_t tail = strlen(row->name);

	if (len < tail || !is_word(name + len - tail, row->name, tail))
		return false;
	if (row->flags & TR2_SECRET_ASKED && !asked)
		return false;
	return !(row->flags & TR2_SECRET_AT_WORD && len > tail &&
		 is_alphanumeric(name[len - tail - 1]));
}

/* `TOKEN_2` and `password2` are names, too. */
static size_t trim_number(const char *name, size_t len)
{
	size_t end = len;

	while (end && tr2_ascii_digit(name[end - 1]))
		end--;
	if (end < len && end && memchr("_-", name[end - 1], 2))
		end--;
	return end;
}

static bool has_numbered(const struct tr2_secret_name *row, const char *name,
			 size_t len, bool asked)
{
	return has_name(row, name, len, asked) ||
	       (tr2_ascii_digit(name[len - 1]) && strlen(row->name) > 4 &&
		has_name(row, name, trim_number(name, len), asked));
}

/* The present directory is no secret. */
enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked)
{
	const struct tr2_secret_name *row = tr2_secret_names;

	if (!len)
		return TR2_SECRET_NONE;
	while (row->name && !has_numbered(row, name, len, asked))
		row++;
	if (!row->name || tr2_text_is(name, len, "PWD"))
		return TR2_SECRET_NONE;
	if (row->flags & TR2_SECRET_LOGIN)
		return TR2_SECRET_PROXY;
	if (!(row->flags & TR2_SECRET_HEADER))
		return TR2_SECRET_VALUE;
	return strcmp(row->name, "extraheader") ? TR2_SECRET_LINE
						: TR2_SECRET_EXTRA;
}

/* A conversion such as `%s`, as formats of messages have. */
static bool is_conversion(const char *text, size_t len)
{
	size_t i = 1;

	if (len < 2 || *text != '%')
		return false;
	while (i < len && memchr("0123456789-.*lzh", text[i], 16))
		i++;
	return i + 1 == len && memchr("sdiuxc", text[i], 6);
}

bool tr2_secret_is_shown(const char *text, size_t len)
{
	return !len || tr2_text_starts(text, len, TR2_SECRET_GONE) ||
	       is_conversion(text, len);
}

/* ---- Where a value ends */

static size_t skip_blanks(const struct tr2_secret_scan *scan, size_t at)
{
	while (at < scan->len && is_blank(scan->text[at]))
		at++;
	return at;
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/* Returns the place of the quote, or the end of the line or text. */
static size_t find_quote(const struct tr2_secret_scan *scan, size_t at,
			 char quote, bool in_line)
{
	for (; at < scan->len; at++) {
		if (scan->text[at] == quote &&
		    !(in_line && at && scan->text[at - 1] == '\\'))
			break;
		if (in_line && ends_line(scan->text[at]))
			break;
	}
	return at;
}

/* A quote may be escaped, where a text is quoted twice. */
static size_t skip_escapes(const struct tr2_secret_scan *scan, size_t at)
{
	while (at < scan->len && scan->text[at] == '\\')
		at++;
	return at;
}

/*
 * Does a quote begin here, before which are the escapes from `start` on? One
 * that is open and has no escape ends, and nothing is in it.
 */
static bool begins_quote(const struct tr2_secret_scan *scan, size_t start,
			 size_t at)
{
	return at < scan->len && is_quote(scan->text[at]) &&
	       (at > start || scan->text[at] != scan->quote);
}

/* The value of a name in quotes: the `\` before the last quote is not of it. */
static size_t end_quoted(const struct tr2_secret_scan *scan, size_t start,
			 bool escaped)
{
	const char quote = scan->text[start - 1];
	size_t at = find_quote(scan, start, quote, false);

	while (!escaped && at < scan->len && scan->text[at - 1] == '\\')
		at = find_quote(scan, at + 1, quote, false);
	while (escaped && at > start && scan->text[at - 1] == '\\')
		at--;
	return at;
}

/* A `,` or `;` ends a value only if no more of it can follow. */
static bool ends_value(const struct tr2_secret_scan *scan, size_t at)
{
	const char c = scan->text[at];

	if ((unsigned char)c <= ' ' || c == 0x7f || c == '&' || is_quote(c))
		return true;
	return (c == ',' || c == ';') &&
	       (at + 1 == scan->len ||
		(unsigned char)scan->text[at + 1] <= ' ');
}

bool tr2_secret_find_value(const struct tr2_secret_scan *scan, size_t start,
			   struct tr2_secret_span *found)
{
	size_t open = skip_escapes(scan, start), end = start;

	if (begins_quote(scan, start, open)) {
		found->start = open + 1;
		found->end = end_quoted(scan, open + 1, open > start);
	} else {
		while (end < scan->len && !ends_value(scan, end))
			end++;
		found->start = start;
		found->end = end;
	}
	return !tr2_secret_is_shown(scan->text + found->start,
				    found->end - found->start);
}

/* ---- Headers */

/* Skip `Name: `. */
static size_t skip_name(const struct tr2_secret_scan *scan, size_t start)
{
	const char *text = scan->text;
	size_t at = start;

	while (at < scan->len && (is_alphanumeric(text[at]) || text[at] == '-'))
		at++;
	if (at == start || at == scan->len || text[at] != ':')
		return start;
	return skip_blanks(scan, at + 1);
}

size_t tr2_secret_skip_scheme(const struct tr2_secret_scan *scan, size_t at)
{
#define SCHEME(word, ...) word,
	static const char *const schemes[] = { TR2_SECRET_SCHEMES(SCHEME) };
	size_t i, len;

	for (i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		len = strlen(schemes[i]);
		if (scan->len - at > len && is_blank(scan->text[at + len]) &&
		    is_word(scan->text + at, schemes[i], len)) {
			at = skip_blanks(scan, at + len);
			break;
		}
	}
	return at;
}

/* What is hidden already is seen at once: a line may have it many times. */
bool tr2_secret_find_header(const struct tr2_secret_scan *scan, size_t start,
			    char end, bool named, struct tr2_secret_span *found)
{
	const size_t open = skip_escapes(scan, start);
	const bool quoted = begins_quote(scan, start, open);

	if (quoted)
		start = open + 1;
	found->start = named ? skip_name(scan, start) : start;
	found->start = tr2_secret_skip_scheme(scan, found->start);
	if (tr2_text_starts(scan->text + found->start, scan->len - found->start,
			    TR2_SECRET_GONE))
		return false;
	found->end =
		quoted ? end_quoted(scan, start,
				    scan->text[open ? open - 1 : 0] == '\\')
		       : find_quote(scan, start, end ? end : '\n', true);
	return found->start < found->end &&
	       !tr2_secret_is_shown(scan->text + found->start,
				    found->end - found->start);
}

/* Which byte ends a header whose name begins here? NUL: the line does. */
static char find_closing(const struct tr2_secret_scan *scan, size_t start)
{
	const char before = start ? scan->text[start - 1] : '\0';

	if (is_quote(before))
		return before;
	return before == '[' ? ']' : scan->quote;
}

/* ---- Names */

/* Is it the name of a header, which needs no blank after its `:`? */
static bool is_header(const char *name, size_t len)
{
	return (len > 2 && is_word(name, "x_", 2)) ||
	       (len == 13 && is_word(name, "private_token", 13)) ||
	       (len == 9 && is_word(name, "job_token", 9)) ||
	       (len == 12 && is_word(name, "deploy_token", 12));
}

/* The name before a `=` or `:`, perhaps in quotes. */
struct name {
	size_t start, end;
	bool quoted, apart; /* a blank follows it */
	enum tr2_secret_value value;
};

/* Returns where the name ends that a quote, and escapes of it, may follow. */
static size_t end_name(const char *text, struct name *name, size_t at)
{
	while (at && is_blank(text[at - 1]))
		at--, name->apart = true;
	if (!at || !is_quote(text[at - 1]))
		return at;
	name->quoted = true;
	for (at--; at && text[at - 1] == '\\';)
		at--;
	return at;
}

static size_t begin_name(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < NAME_MOST && is_name_byte(text[at - 1]))
		at--;
	while (at < end && text[at] == '.')
		at++;
	return at;
}

static void read_name(const struct tr2_secret_scan *scan, size_t at,
		      struct name *name)
{
	const char *text = scan->text;
	bool asked;

	*name = (struct name){ 0 };
	/* `:=` gives a value in some languages. */
	name->end = end_name(
		text, name,
		at && text[at] == '=' && text[at - 1] == ':' ? at - 1 : at);
	name->start = begin_name(text, name->end);
	asked = name->start && memchr("?&", text[name->start - 1], 2);
	name->value = tr2_secret_name(text + name->start,
				      name->end - name->start, asked);
}

/* Is it `--NAME VALUE`, or `"--NAME","VALUE"` of JSON that was cut? */
static bool is_option(const struct tr2_secret_scan *scan,
		      const struct name *name, size_t at)
{
	const char *text = scan->text + name->start;
	const size_t next = skip_blanks(scan, at + 1);

	if (!tr2_text_starts(text, name->end - name->start, "--") ||
	    next == scan->len)
		return false;
	if (scan->text[at] == ',')
		return name->quoted && is_quote(scan->text[next]);
	return name->end == at && scan->text[at + 1] != '-' &&
	       (!name->start || !is_alphanumeric(text[-1]));
}

/* Is the name the first one of a pair, or the last part of its key? */
static bool is_first(const struct tr2_secret_scan *scan,
		     const struct name *name)
{
	size_t i;

	if (name->start && scan->text[name->start - 1] == '.')
		return true;
	for (i = 0; i < name->start; i++)
		if (memchr(":= ", scan->text[i], 3))
			return false;
	return true;
}

/* `/password:VALUE` */
static bool is_windows_option(const struct tr2_secret_scan *scan,
			      const struct name *name)
{
	return scan->word && name->start == 1 && *scan->text == '/';
}

/* Is there a blank or a quote? */
static bool begins_value(const struct tr2_secret_scan *scan, size_t at)
{
	return at < scan->len &&
	       (is_blank(scan->text[at]) ||
		begins_quote(scan, at, skip_escapes(scan, at)));
}

/* `HEAD:token` and `a:token:b` are no pairs, but `token: b` is one. */
static bool is_pair(const struct tr2_secret_scan *scan, const struct name *name,
		    size_t at)
{
	if (memchr(", ", scan->text[at], 2))
		return is_option(scan, name, at);
	if (scan->text[at] == '=' || name->quoted || begins_value(scan, at + 1))
		return true;
	if (scan->pairs && is_first(scan, name))
		return true;
	if (is_windows_option(scan, name))
		return true;
	if (name->start && scan->text[name->start - 1] == '/')
		return false;
	return name->value != TR2_SECRET_VALUE ||
	       is_header(scan->text + name->start, name->end - name->start);
}

/* Is the rest of the word the value, whatever is in it? */
static bool takes_rest(const struct tr2_secret_scan *scan,
		       const struct name *name, size_t at)
{
	size_t i;

	if (scan->pairs)
		return is_first(scan, name);
	for (i = 0; i < name->start; i++)
		if (scan->text[i] != '-')
			return false;
	return scan->word && scan->text[at] == '=';
}

bool tr2_secret_find_named(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	struct name name;
	size_t start = at + 1;

	read_name(scan, at, &name);
	if (name.value == TR2_SECRET_NONE || !is_pair(scan, &name, at))
		return false;
	if (tr2_text_starts(scan->text + at, scan->len - at, "=>"))
		start = skip_blanks(scan, start + 1);
	if (name.apart || memchr(":,", scan->text[at], 2))
		start = skip_blanks(scan, start);
	if (name.value == TR2_SECRET_PROXY)
		return tr2_secret_find_value(scan, start, found) &&
		       tr2_secret_narrow(scan->text, name.value, found);
	if (name.value != TR2_SECRET_VALUE)
		return tr2_secret_find_header(scan, start,
					      find_closing(scan, name.start),
					      name.value == TR2_SECRET_EXTRA,
					      found);
	if (!takes_rest(scan, &name, at))
		return tr2_secret_find_value(scan, start, found);
	*found = (struct tr2_secret_span){ start, scan->len };
	return !tr2_secret_is_shown(scan->text + start, scan->len - start);
}
