#include "redact/secret/scan.h"

#include <string.h>

#include "event/token.h"
#include "lib/text/text.h"

#define NAME_MOST 64
#define WORD_MOST 16 /* bytes of a token, which no word of a title has */

/* ---- Words of a sentence */

struct word {
	const char *text;
	size_t len;
};

/* Returns the word that ends at or before `*end`, which is then its begin. */
static struct word read_word_before(const char *text, size_t *end)
{
	const size_t at = tr2_secret_skip_back(text, *end, " \t");

	*end = tr2_secret_begin_word(text, at, "_-.", NAME_MOST);
	return (struct word){ text + *end, at - *end };
}

static bool is_one_of(struct word word, const char *list)
{
	return tr2_secret_is_one(word.text, word.len, list);
}

static bool is_name(const char *name, size_t len)
{
	return tr2_secret_name(name, len, false) == TR2_SECRET_VALUE;
}

size_t tr2_secret_begin_name(const char *text, size_t start, size_t end)
{
	const struct word last = { text + start, end - start };

	if (start && tr2_secret_blank(text[start - 1]) &&
	    is_one_of(last, "key phrase code"))
		read_word_before(text, &start);
	return start;
}

static bool is_password(struct word name)
{
	for (size_t i = 0; i + 2 < name.len; i++)
		if (tr2_secret_word(name.text + i, "pas", 3) ||
		    tr2_secret_word(name.text + i, "pwd", 3) ||
		    tr2_secret_word(name.text + i, "phr", 3))
			return true;
	return false;
}

/* ---- Values */

/* Words that say how a password is, such as "none", are no secret. */
static const char states[] =
	"a absent an at bad blank broken can case correct different due"
	" easy empty equal false forgotten from given gone good hard here"
	" hidden identical in incorrect insecure invalid known long lost"
	" mandatory may missing must necessary new nil no none not null of"
	" off ok old on optional out plain present private public right safe"
	" same secret secure sensitive set short should shown similar simple"
	" stale stolen strong text the there to true unknown unsafe unset up"
	" valid weak written wrong yes";

bool tr2_secret_is_state(const char *text, size_t len)
{
	static const char *const ends[] = { "ed", "able", "ible", "ing" };
	size_t size;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size = strlen(ends[i]);
		if (len > size + 2 &&
		    tr2_secret_word(text + len - size, ends[i], size))
			return true;
	}
	return tr2_secret_is_one(text, len, states);
}

/* Returns where the word of a sentence ends that begins here, or `at`. */
static size_t skip_prose(const struct tr2_secret_scan *scan, size_t at)
{
	size_t end = at;

	while (end < scan->len &&
	       tr2_token_byte(scan->text[end]) == TR2_TOKEN_LOWER)
		end++;
	return end - at < WORD_MOST ? end : at;
}

bool tr2_secret_begins_title(const struct tr2_secret_scan *scan, size_t name,
			     size_t name_end, size_t start)
{
	const struct word before = { scan->text + name, name_end - name };
	const size_t end = skip_prose(scan, start);
	const size_t next = skip_prose(scan, end + 1);

	return end > start && end < scan->len && scan->text[end] == ' ' &&
	       next > end + 1 && tr2_secret_skip_scheme(scan, start) == start &&
	       (next == scan->len ||
		(!memchr(":=_", scan->text[next], 3) &&
		 !tr2_secret_alphanumeric(scan->text[next]))) &&
	       (!is_password(before) ||
		tr2_secret_is_state(scan->text + start, end - start));
}

/* Does a sentence or line end here, perhaps after its point? */
static bool ends_sentence(const struct tr2_secret_scan *scan, size_t at)
{
	return at == scan->len || memchr(".,;!?)\n\r", scan->text[at], 8);
}

/* Is it one word, and none that stands for a value? */
static bool may_be_told(struct word value, bool bracket)
{
	char c;

	return !memchr(bracket ? "-<|$%*." : "$*[{(<%", *value.text, 7) &&
	       !memchr(value.text, ' ', value.len) &&
	       !tr2_view_measure(value.text, value.len, 0, &c);
}

/*
 * A password may be a word; what else is told has letters and digits. A word in
 * brackets tells what may be typed.
 */
static bool is_told(const struct tr2_secret_scan *scan,
		    const struct tr2_secret_span *found, bool password,
		    bool bracket)
{
	const struct word value = { scan->text + found->start,
				    found->end - found->start };
	const bool quoted = found->start && tr2_secret_quote(value.text[-1]);

	if (tr2_secret_begins_dollar(value.text, value.len))
		return true;
	if (!may_be_told(value, bracket))
		return false;
	if (!password && !(bracket && quoted))
		return tr2_secret_mixed(value.text, value.len);
	if (tr2_secret_is_state(value.text, value.len))
		return false;
	return (quoted && !bracket) ||
	       !tr2_secret_in_sentence(value.text, value.len) ||
	       (!bracket && ends_sentence(scan, found->end));
}

/* ---- The sentence */

/* Skip `is` or `is:` back. False: there is none. */
static bool skip_verb(const char *text, size_t *end)
{
	if (*end && text[*end - 1] == ':')
		--*end;
	return *end > 2 && text[*end - 1] == 's' &&
	       is_one_of(read_word_before(text, end), "is was");
}

/* `with password`: what follows may be the password. */
static bool is_used(const char *text, size_t end)
{
	return is_one_of(read_word_before(text, &end),
			 "with using use default initial temporary generated "
			 "new admin root access auth");
}

/* Is the word before this blank, and perhaps a verb, the name of a secret? */
static bool is_named(const char *text, size_t at, bool bracket, bool *password)
{
	size_t end = at;
	const bool verb = skip_verb(text, &end);
	struct word name;

	if (!verb)
		end = at;
	name = read_word_before(text, &end);
	*password = (verb || bracket) && is_password(name);
	if (!name.len)
		return false;
	if (!verb)
		return (bracket || is_used(text, end)) &&
		       is_name(name.text, name.len);
	at = end + name.len;
	end = tr2_secret_begin_name(text, end, at);
	return is_name(text + end, at - end);
}

bool tr2_secret_find_told(struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t next = tr2_secret_skip_blanks(scan, at);
	const bool bracket = next < scan->len && memchr("[(", text[next], 2);
	bool password;

	if (!is_named(text, at, bracket, &password) ||
	    !tr2_secret_find_value(scan, next + bracket, found))
		return false;
	if (bracket && found->start == next + 1 && text[next + 1] != '$') {
		found->end = next + 1;
		while (found->end < scan->len &&
		       !memchr(" \t\r\n\"'`])", text[found->end], 9))
			found->end++;
	}
	if (found->start && !tr2_secret_quote(text[found->start - 1]))
		found->end = tr2_secret_skip_back(text, found->end, ".,;:!?)");
	return found->end > found->start &&
	       is_told(scan, found, password, bracket);
}
