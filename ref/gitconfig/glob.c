#include "gitconfig/glob.h"

#include <string.h>

#include "base/ascii.h"

struct glob_matcher {
	const char *start, *glob, *end; /* the glob and the place in it */
	const char *text;		/* the place in the text */
	unsigned flags;

	/*
	 * Where to go on when the present attempt fails: at the last star, one
	 * byte further, or at the last double star, one directory further.
	 * Going back to earlier stars can't help: the part between them already
	 * matched as early as possible.
	 */
	const char *star, *star_text;
	const char *deep, *deep_text;
};

static int fold_byte(char c, unsigned flags)
{
	int byte = (unsigned char)c;

	return flags & TR2_GLOB_FOLD ? tr2_ascii_fold(byte) : byte;
}

static int fold_char(const struct glob_matcher *m, char c)
{
	return fold_byte(c, m->flags);
}

static int is_graph(int c)
{
	return c > ' ' && c < 0x7f;
}

static int is_alnum(int c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

static int is_punct(int c)
{
	return is_graph(c) && !is_alnum(c);
}

static int is_xdigit(int c)
{
	int low = tr2_ascii_fold(c);

	return tr2_ascii_digit(c) || (low >= 'a' && low <= 'f');
}

static int is_cntrl(int c)
{
	return c < ' ' || c == 0x7f;
}

static int is_print(int c)
{
	return c >= ' ' && c < 0x7f;
}

static int is_blank(int c)
{
	return c == ' ' || c == '\t';
}

static int is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const struct {
	const char *name;
	int (*holds)(int c);
} classes[] = {
	{ "alnum:]", is_alnum },
	{ "alpha:]", tr2_ascii_alpha },
	{ "blank:]", is_blank },
	{ "cntrl:]", is_cntrl },
	{ "digit:]", tr2_ascii_digit },
	{ "graph:]", is_graph },
	{ "lower:]", tr2_ascii_lower },
	{ "print:]", is_print },
	{ "punct:]", is_punct },
	{ "space:]", is_space },
	{ "upper:]", tr2_ascii_upper },
	{ "xdigit:]", is_xdigit },
	{ NULL, NULL },
};

/*
 * If a set has no end, this looks beyond the glob's end; match_set() notices
 * that and then nothing matches.
 */
static int starts_with(const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word));
}

/* Is this `[:…:]`? If not, the `[` is an ordinary byte. */
static int at_class(const char *at)
{
	size_t len;

	if (!starts_with(at, "[:"))
		return 0;
	at += strlen("[:");
	len = strcspn(at, "]");
	return len && at[len - 1] == ':';
}

/*
 * Step over `name:]`. Does the class contain the byte? After an unknown class
 * the set has no end, so that nothing matches. If case is ignored,
 * `[:upper:]` and `[:lower:]` are the same class.
 */
static int class_holds(const struct glob_matcher *m, const char **at, int c)
{
	int up = c;

	if (m->flags & TR2_GLOB_FOLD && tr2_ascii_lower(c))
		up = c - ('a' - 'A');
	for (size_t i = 0; classes[i].name; i++) {
		if (!starts_with(*at, classes[i].name))
			continue;
		*at += strlen(classes[i].name);
		return classes[i].holds(c) || classes[i].holds(up);
	}
	*at = m->end;
	return 0;
}

/* Returns one byte of a set, which may be escaped; 0 at the glob's end. */
static int set_byte(const struct glob_matcher *m, const char **at)
{
	*at += **at == '\\';
	return *at < m->end ? fold_char(m, *(*at)++) : 0;
}

/* `a` or `a-z`: does it contain the byte? */
static int range_holds(const struct glob_matcher *m, const char **at, int c)
{
	int low = set_byte(m, at), high = low;

	if (starts_with(*at, "-") && !starts_with(*at, "-]")) {
		++*at;
		high = set_byte(m, at);
	}
	return low <= c && c <= high;
}

/* Returns the glob after a set that contains the byte; NULL if it does not. */
static const char *match_set(const struct glob_matcher *m, int c)
{
	const char *at = m->glob + 1, *first;
	int negated = 0, found = 0;

	if (*at == '!' || *at == '^') {
		negated = 1;
		at++;
	}
	for (first = at; at < m->end && (*at != ']' || at == first);) {
		if (at_class(at)) {
			at += strlen("[:");
			found |= class_holds(m, &at, c);
		} else {
			found |= range_holds(m, &at, c);
		}
	}
	return at < m->end && found != negated ? at + 1 : NULL;
}

/*
 * Returns the glob after an element that matches this byte; NULL: it does not
 * match.
 */
static const char *match_byte(const struct glob_matcher *m)
{
	const char *glob = m->glob;
	int c = fold_char(m, *m->text);
	int path = m->flags & TR2_GLOB_PATH;

	if (glob == m->end || !c)
		return NULL;
	if (*glob == '?')
		return path && c == '/' ? NULL : glob + 1;
	if (*glob == '[')
		return path && c == '/' ? NULL : match_set(m, c);
	if (*glob == '\\' && ++glob == m->end)
		return NULL;
	return fold_char(m, *glob) == c ? glob + 1 : NULL;
}

/* Step over stars and note where to go on if the rest fails. */
static void take_stars(struct glob_matcher *m)
{
	const char *from = m->glob;
	int deep;

	while (m->glob < m->end && *m->glob == '*')
		m->glob++;
	deep = m->flags & TR2_GLOB_PATH && m->glob - from > 1 &&
	       (from == m->start || from[-1] == '/') &&
	       (m->glob == m->end || *m->glob == '/');
	if (!deep) {
		m->star = m->glob;
		m->star_text = m->text;
		return;
	}
	if (m->glob == m->end) /* the rest, however deep */
		m->text += strlen(m->text);
	else
		m->glob++;
	m->deep = m->glob;
	m->deep_text = m->text;
	m->star = NULL;
}

/*
 * Is there another way to match the rest? The single star can't cross a
 * slash, so it has no attempts left after the step to the next directory.
 */
static int try_next(struct glob_matcher *m)
{
	const char *slash = m->deep ? strchr(m->deep_text, '/') : NULL;

	if (m->star && *m->star_text &&
	    (*m->star_text != '/' || !(m->flags & TR2_GLOB_PATH))) {
		m->glob = m->star;
		m->text = ++m->star_text;
	} else if (slash) {
		m->glob = m->deep;
		m->text = m->deep_text = slash + 1;
	} else {
		return 0;
	}
	return 1;
}

int tr2_glob_match(const char *glob, size_t len, const char *text,
		   unsigned flags)
{
	struct glob_matcher m = { .start = glob,
				  .glob = glob,
				  .end = glob + len };
	const char *next;

	m.text = text;
	m.flags = flags;
	while (m.glob < m.end || *m.text) {
		if (m.glob < m.end && *m.glob == '*') {
			take_stars(&m);
		} else if ((next = match_byte(&m))) {
			m.glob = next;
			m.text++;
		} else if (!try_next(&m)) {
			return 0;
		}
	}
	return 1;
}

int tr2_glob_same(const char *a, const char *b, size_t len, unsigned flags)
{
	size_t i = 0;

	while (i < len && fold_byte(a[i], flags) == fold_byte(b[i], flags))
		i++;
	return i == len;
}
