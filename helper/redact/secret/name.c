/* Names of secrets in a text, and the values that follow them. */
#include "redact/secret/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "lib/text/text.h"

#define NAME_MOST 128
#define DATA_MOST 256 /* bytes before `data` */
#define MIXED_MOST 64 /* bytes that tell whether a text is a word */

/* ---- Names in a text */

/* Which byte ends a header whose name begins here? NUL: the line does. */
static char find_closing(const struct tr2_secret_scan *scan, size_t start)
{
	const char before = start ? scan->text[start - 1] : '\0';

	if (tr2_secret_quote(before))
		return before;
	return before == '[' ? ']' : scan->quote;
}

/* Is it the name of a header, which needs no blank after its `:`? */
static bool is_header(const char *name, size_t len)
{
	return (len > 2 && tr2_secret_word(name, "x_", 2)) ||
	       tr2_secret_is_one(name, len,
				 "private_token job_token deploy_token "
				 "add_mask");
}

/* The name before a `=` or `:`, perhaps in quotes. */
struct name {
	size_t start, end;
	bool quoted, apart; /* a blank follows it */
	enum tr2_secret_value value;
};

/* `NAME[]`, `NAME[0]` and `user[NAME]` of a form. */
static size_t skip_bracket(const char *text, size_t at)
{
	size_t digits = at - 1;

	while (digits && tr2_ascii_digit(text[digits - 1]))
		digits--;
	return digits && text[digits - 1] == '[' ? digits - 1 : at - 1;
}

/* `NAME[]`, `["NAME"]` and `${NAME}`; before a blank, `[NAME]` is a part of a text. */
static bool ends_in_bracket(const char *text, size_t at, bool apart)
{
	if (at < 2 || text[at - 1] != ']')
		return at > 1 && text[at - 1] == '}';
	return !apart || text[at - 2] == '[' || tr2_secret_quote(text[at - 2]);
}

/* Returns where the name ends that a quote, and escapes of it, may follow. */
static size_t end_name(const char *text, struct name *name, size_t mark,
		       size_t at)
{
	while (at && tr2_secret_blank(text[at - 1]))
		at--, name->apart = true;
	if (ends_in_bracket(text, at, name->apart && text[mark + 1] != '>'))
		at = skip_bracket(text, at);
	if (!at || !tr2_secret_quote(text[at - 1]))
		return at;
	name->quoted = true;
	return tr2_secret_skip_back(text, at - 1, "\\'\"");
}

/* Is there a blank, a quote, or the line's end? */
static bool begins_value(const struct tr2_secret_scan *scan, size_t at)
{
	return at < scan->len &&
	       (tr2_secret_space(scan->text[at]) ||
		tr2_secret_begins_quote(scan, at,
					tr2_secret_skip_escapes(scan, at)));
}

/* `PWD=VALUE` of a database: the present directory is a path. */
static bool is_no_directory(const struct tr2_secret_scan *scan, size_t at)
{
	const char *value = scan->text + at + 1;

	return scan->text[at] == '=' && at + 2 < scan->len &&
	       !memchr("/~$.%\"'\\", *value, 8) && value[1] != ':';
}

/* `data` of an object of Kubernetes that is a Secret */
static bool is_data(const struct tr2_secret_scan *scan, const struct name *name)
{
	const size_t before = name->start < DATA_MOST ? name->start : DATA_MOST;
	const char *text = scan->text + name->start;

	return tr2_text_is(text, name->end - name->start, "data") &&
	       tr2_text_find(text - before, before, "Secret");
}

/* Does what is around the name make its value a secret? */
static bool is_secret_place(const struct tr2_secret_scan *scan,
			    const struct name *name, size_t at)
{
	const char *text = scan->text + name->start;

	if (tr2_text_is(text, name->end - name->start, "PWD"))
		return is_no_directory(scan, at);
	return scan->text[at] == ':' && is_data(scan, name);
}

/* `:=`, `+=`, `||=` and `==` of some languages, and `:: ` in LDIF. */
static size_t skip_operator(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	const bool equal = text[at] == '=';

	if (equal || (text[at] == ':' && begins_value(scan, at + 1)))
		while (at && memchr(":\\+?|^!=", text[at - 1], equal ? 8 : 2))
			at--;
	return at;
}

static void read_name(const struct tr2_secret_scan *scan, size_t at,
		      struct name *name)
{
	const char *text = scan->text;
	size_t start;
	bool asked;

	*name = (struct name){ 0 };
	name->end = end_name(text, name, at, skip_operator(scan, at));
	name->start = tr2_secret_begin_word(text, name->end, "_-.", NAME_MOST);
	if (memchr(", \t", text[at], 3) && !scan->programs.config &&
	    text[name->start] != '-')
		return; /* no option and no setting, as most words are */
	asked = name->start && memchr("?&~", text[name->start - 1], 3);
	start = tr2_secret_begin_name(text, name->start, name->end);
	name->value = tr2_secret_name(text + start, name->end - start, asked);
	if (tr2_secret_is_value(text + name->start, name->end - name->start)) {
		name->value = tr2_secret_names_near(scan, at);
	} else if ((name->value == TR2_SECRET_NONE ||
		    name->value == TR2_SECRET_STRONG) &&
		   is_secret_place(scan, name, at)) {
		name->value = TR2_SECRET_VALUE;
	}
}

/* Is it `--NAME`, or `-NAME` as Java and Windows have it? */
static bool has_dashes(const struct tr2_secret_scan *scan,
		       const struct name *name)
{
	const char *text = scan->text + name->start;
	const size_t len = name->end - name->start;

	if (name->start && !tr2_secret_space(text[-1]) &&
	    !tr2_secret_quote(text[-1]))
		return tr2_text_starts(text, len, "--") &&
		       !tr2_secret_alphanumeric(text[-1]);
	return tr2_text_starts(text, len, "--") || (len > 2 && *text == '-');
}

/* Does a word in quotes begin here, of JSON perhaps within JSON? */
static bool begins_quoted(const struct tr2_secret_scan *scan, size_t at)
{
	at = tr2_secret_skip_escapes(scan, at);
	return at < scan->len && tr2_secret_quote(scan->text[at]);
}

/*
 * `[run, --NAME, VALUE]` of Java, or several blanks; in a sentence and in a
 * list of options no such word follows.
 */
static bool is_no_word(const struct tr2_secret_scan *scan, size_t next)
{
	size_t end = next;

	while (end < scan->len && !memchr(" \t,]\n", scan->text[end], 5))
		end++;
	return tr2_secret_mixed(scan->text + next, end - next);
}

/* `-pw VALUE`, but a word of a sentence follows, as in `the -pw option`. */
static bool is_short(const struct tr2_secret_scan *scan,
		     const struct name *name, size_t next)
{
	return name->end - name->start <= 4 &&
	       tr2_secret_in_sentence(scan->text + next,
				      tr2_secret_skip_word(scan, next) - next);
}

/* Does a value begin here, after one blank? */
static bool begins_word(const struct tr2_secret_scan *scan,
			const struct name *name, size_t next)
{
	if (scan->words && !scan->quote)
		return !tr2_secret_is_option(scan, next) &&
		       !memchr("=:", scan->text[next], 2);
	if (scan->text[name->start + 1] != '-' && is_short(scan, name, next))
		return false;
	return !memchr("-(", scan->text[next], 2) &&
	       !tr2_text_starts(scan->text + next, scan->len - next, "<<");
}

/*
 * Is it `--NAME VALUE`, `"--NAME" "VALUE"` or, in a list, `"--NAME","VALUE"`?
 */
static bool is_option(const struct tr2_secret_scan *scan,
		      const struct name *name, size_t at)
{
	const size_t next = tr2_secret_skip_blanks(scan, at + 1);

	if (!has_dashes(scan, name) || next == scan->len || name->apart)
		return false;
	if (name->quoted)
		return begins_quoted(scan, next);
	if (scan->text[at] == ',' && next == at + 1)
		return false;
	if (scan->text[at] == ',' || next > at + 1)
		return is_no_word(scan, next);
	return begins_word(scan, name, next);
}

/*
 * `git config imap.pass VALUE`. The key of a setting is more than a word, so
 * that of a sentence is none.
 */
static bool is_setting(const struct tr2_secret_scan *scan,
		       const struct name *name, size_t at)
{
	const size_t next = tr2_secret_skip_blanks(scan, at + 1);

	if (!scan->programs.config || name->apart || next >= scan->len ||
	    memchr("-=", scan->text[next], 2))
		return false;
	if (scan->text[at] == ',' &&
	    !(name->quoted && begins_quoted(scan, next)))
		return false;
	for (size_t i = name->start; i < at; i++)
		if (scan->text[i] < 'a' || scan->text[i] > 'z')
			return true;
	return name->start && memchr(":/", scan->text[name->start - 1], 2);
}

/* `/password:VALUE`, a word of its own, perhaps in quotes. */
static bool is_windows_option(const struct tr2_secret_scan *scan,
			      const struct name *name)
{
	const char *text = scan->text + name->start;

	if (!name->start || text[-1] != '/')
		return false;
	if (name->start == 1)
		return scan->word;
	return tr2_secret_blank(text[-2]) || tr2_secret_quote(text[-2]);
}

/* PERF has dots before a text, and `label:` before some. */
static bool begins_close(const char *text, size_t start)
{
	while (start && text[start - 1] == '.')
		start--;
	return !start || memchr(" \t\n\"'`([{,;&|=:", text[start - 1], 15);
}

/*
 * `password:VALUE`, of which the name is the whole word. `token:main` may be
 * two branches.
 */
static bool is_close(const struct tr2_secret_scan *scan,
		     const struct name *name, size_t at)
{
	const char *text = scan->text + name->start,
		   *value = scan->text + at + 1;
	size_t len = 0;

	if (name->apart || name->value != TR2_SECRET_VALUE ||
	    !begins_close(scan->text, name->start))
		return false;
	while (len < MIXED_MOST && at + 1 + len < scan->len &&
	       !memchr(" \t\n\"'`,;&", value[len], 9))
		len++;
	if (tr2_text_starts(value, len, "refs/"))
		return false;
	return (tr2_ascii_fold(*text) == 'p' && text[1] == 'a') ||
	       tr2_secret_mixed(value, len);
}

/* `'Pass Word'`, the value of a setting: a quote opens, and closes later. */
static bool begins_quote(const struct tr2_secret_scan *scan,
			 const struct name *name)
{
	return name->start && !name->quoted &&
	       tr2_secret_quote(scan->text[name->start - 1]);
}

/* Is the next word its value? */
static bool is_before_word(const struct tr2_secret_scan *scan,
			   const struct name *name, size_t at)
{
	return is_option(scan, name, at) ||
	       (!begins_quote(scan, name) && is_setting(scan, name, at));
}

/* `HEAD:token` and `a:token:b` are no pairs, but `token: b` is one. */
static bool is_pair(const struct tr2_secret_scan *scan, const struct name *name,
		    size_t at)
{
	if (memchr(", \t", scan->text[at], 3))
		return is_before_word(scan, name, at);
	if (scan->text[at] == '=' || name->quoted || begins_value(scan, at + 1))
		return true;
	if (is_windows_option(scan, name) || is_close(scan, name, at))
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
	for (size_t i = 0; i < name->start; i++)
		if (scan->text[i] != '-')
			return false;
	return scan->word && scan->text[at] == '=';
}

/* The command that is a value may have blanks, as a word or in its quotes. */
static bool find_command(const struct tr2_secret_scan *scan,
			 const struct name *name, size_t start,
			 struct tr2_secret_span *found)
{
	const char before = name->start ? scan->text[name->start - 1] : '\0';

	if (start < scan->len && tr2_secret_quote(scan->text[start]))
		return tr2_secret_find_value(scan, start, found);
	if (tr2_secret_quote(before))
		return tr2_secret_find_header(scan, start, before, false,
					      found);
	if (takes_rest(scan, name, start - 1))
		return tr2_secret_take(scan, start, scan->len, found);
	return tr2_secret_find_value(scan, start, found);
}

/* Is the value from `start` on one of a name that says less than `password`? */
static bool find_lesser(const struct tr2_secret_scan *scan,
			const struct name *name, size_t start,
			struct tr2_secret_span *found)
{
	const bool extra = name->value == TR2_SECRET_EXTRA;

	if (start < scan->len && scan->text[start - 1] == '=' &&
	    tr2_secret_blank(scan->text[start]))
		return false; /* a setting that is made empty */
	if (extra || name->value == TR2_SECRET_LINE)
		return tr2_secret_find_header(scan, start,
					      find_closing(scan, name->start),
					      extra, found);
	if (!(name->value == TR2_SECRET_COMMAND
		      ? find_command(scan, name, start, found)
		      : tr2_secret_find_value(scan, start, found)) ||
	    !tr2_secret_may_be(name->value, scan->text + found->start,
			       found->end - found->start))
		return false;
	if (name->value == TR2_SECRET_COMMAND && found->start == start)
		found->end = tr2_secret_end_command(scan, start);
	return true;
}

static bool is_title(const struct tr2_secret_scan *scan,
		     const struct name *name, size_t at)
{
	return scan->text[at] == ':' && name->value == TR2_SECRET_VALUE &&
	       tr2_secret_begins_title(scan, name->start, name->end,
				       tr2_secret_skip_blanks(scan, at + 1));
}

/*
 * `NAME == VALUE` and `NAME := VALUE`, where the last `=` tells the value, and
 * `expect "password:"; send ...`, where the quote after the colon closes; a title.
 */
static bool is_no_mark(const struct tr2_secret_scan *scan,
		       const struct name *name, size_t at)
{
	const char *text = scan->text + at;
	const size_t len = scan->len - at;
	const char after = len > 2 ? text[2] : ' ';

	if (tr2_text_starts(text, len, ":="))
		return name->value == TR2_SECRET_VALUE &&
		       tr2_secret_space(after);
	return tr2_text_starts(text, len, "==") || is_title(scan, name, at) ||
	       (after == ';' && name->start && tr2_secret_quote(text[1]) &&
		text[1] == scan->text[name->start - 1]);
}

static bool find_password(const struct tr2_secret_scan *scan,
			  const struct name *name, size_t at, size_t start,
			  struct tr2_secret_span *found)
{
	if (scan->text[at] == ':' &&
	    tr2_secret_find_in_yaml(scan, start, found))
		return true;
	if (!takes_rest(scan, name, at))
		return tr2_secret_find_value(scan, start, found);
	return tr2_secret_take(scan, start, scan->len, found);
}

/* Returns where the value begins after the mark. */
static size_t begin_value(const struct tr2_secret_scan *scan,
			  const struct name *name, size_t at)
{
	const char *text = scan->text;
	size_t start = at + 1;

	if (tr2_text_starts(text + at, scan->len - at, "=>"))
		return tr2_secret_skip_blanks(scan, start + 1);
	if (name->apart || memchr(":, \t", text[at], 4) ||
	    text[at - 1] == ':' ||
	    (scan->words && !memchr(text + name->start, '.', at - name->start)))
		start = tr2_secret_skip_blanks(scan, start);
	return start;
}

bool tr2_secret_find_named(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	struct name name;
	size_t start;

	read_name(scan, at, &name);
	if (name.value == TR2_SECRET_NONE || !is_pair(scan, &name, at) ||
	    is_no_mark(scan, &name, at))
		return false;
	start = begin_value(scan, &name, at);
	if (scan->words && start > at + 1 && tr2_secret_is_mark(scan, start))
		return false;
	if (name.value != TR2_SECRET_VALUE)
		return find_lesser(scan, &name, start, found);
	return find_password(scan, &name, at, start, found);
}
