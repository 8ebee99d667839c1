/*
 * Globs; and the ends of a config file's text, and its memory. What a file means is
 * in t/library/settings/test_gitconfig.py.
 */
#include "kit/memory.h"
#include "gitconfig/reader.h"
#include <stdlib.h>
#include "kit/tap.h"
#include "host/host.h"
#include "gitconfig/glob.h"
#include <ctype.h>
#include <errno.h>
#include "config/params.h"

/*
 * ---- Gitconfig
 */

static char shown[4000];
static size_t harmed; /* blocks that were written past their end */
static int live, fails_at;

/* `key=value@line;`, or `key@line;` */
static void show_value(const struct tr2_gitconfig_assignment *found, void *data)
{
	const char *value = found->value;
	size_t used = strlen(shown);

	(void)data;
	snprintf(shown + used, sizeof(shown) - used, "%s%s%s@%d;", found->key,
		 value ? "=" : "", value ? value : "", found->line);
}

/* Shows the assignments of a text; the line of the first error, or 0. */
static int parse_text(const char *text, size_t len)
{
	struct tr2_gitconfig_assignment found;
	struct tr2_gitconfig_parser parser;
	int bad = 0;

	tr2_gitconfig_parse_begin(&parser, text, len);
	while (tr2_gitconfig_parse_next(&parser, &found, &bad))
		show_value(&found, NULL);
	tr2_gitconfig_parse_end(&parser);
	return bad;
}

static void test_length(void)
{
	static const char text[] = "[a]b=c\r\nd";
	char *end, *page = memory_page(&end);

	(void)page;
	*shown = '\0';
	tap_ok(!parse_text(text, strlen("[a]b=c\r")) &&
		       !strcmp(shown, "a.b=c@1;"),
	       "a text ends at its length");
	memcpy(end - 7, "[a]b=c\r", 7);
	tap_ok(!parse_text(end - 7, 7), "nor is anything looked at there");
	tap_int(parse_text("[a]b=\\\0c", 8), 1, "an escaped NUL is an error");
	tap_int(parse_text("\xef\xbb\xbf[a]b", 2), 1,
		"half a byte order mark is none");
}

enum { GUARD = 64 };

/* Each block begins with its size and ends with a guard. */
static void *guarded_realloc(void *old, size_t size)
{
	char *block = fails_at && !--fails_at ? NULL : malloc(size + 2 * GUARD);

	if (!block || old)
		return NULL;
	memcpy(block, &size, sizeof(size));
	memset(block + GUARD + size, '#', GUARD);
	live++;
	return block + GUARD;
}

static void guarded_free(void *memory)
{
	char *block = memory;
	size_t size, i;

	if (!block)
		return;
	memcpy(&size, block - GUARD, sizeof(size));
	for (i = 0; i < GUARD; i++)
		harmed += block[size + i] != '#';
	live--;
	free(block - GUARD);
}

static void test_room(void)
{
	static char text[2048];

	memset(text, 'n', sizeof(text));
	*shown = '\0';
	parse_text(text, 1024);
	tap_ok(strlen(shown) == 1024 + strlen("@1;") && !harmed && !live,
	       "a name may be the whole text");
	for (fails_at = 1; fails_at <= 2; fails_at++) {
		int at = fails_at;

		*shown = '\0';
		tap_ok(!parse_text("[a]b", 4) && !*shown && !live,
		       "without memory nothing is read, and nothing is wrong");
		fails_at = at;
	}
	fails_at = 0;
}

static void run_gitconfig(void)
{
	struct tr2_host host = tr2_host_system;

	host.realloc = guarded_realloc;
	host.free = guarded_free;
	tr2_host = &host;
	tap_run(test_length, test_room);
	tr2_host = &tr2_host_system;
}

/*
 * ---- Glob
 */

enum { PATH = TR2_GLOB_PATH, FOLD = TR2_GLOB_FOLD };

static const struct {
	const char *glob;
	const char *text;
	unsigned flags;
	int matches;
} cases[] = {
	{ "", "", 0, 1 },
	{ "", "a", 0, 0 },
	{ "a", "", 0, 0 },
	{ "abc", "abc", 0, 1 },
	{ "abc", "abcd", 0, 0 },
	{ "abcd", "abc", 0, 0 },
	{ "abc", "aBc", 0, 0 },
	{ "ABc", "aBC", FOLD, 1 },
	{ "?", "a", 0, 1 },
	{ "?", "", 0, 0 },
	{ "?", "/", 0, 1 },
	{ "?", "/", PATH, 0 },
	{ "a?c", "abc", PATH, 1 },
	{ "*", "", 0, 1 },
	{ "*", "a/b", 0, 1 },
	{ "*", "a/b", PATH, 0 },
	{ "*", "ab", PATH, 1 },
	{ "a*c", "abbc", 0, 1 },
	{ "a*c", "abb", 0, 0 },
	{ "a*b*c", "axbxbxc", 0, 1 },
	{ "*a*b*c*", "xxaxbxcx", 0, 1 },
	{ "*a*b*c*", "xxaxcxbx", 0, 0 },
	{ "*ab", "aab", 0, 1 },
	{ "***ab", "aab", 0, 1 },
	{ "core.*", "core.a.b", 0, 1 },
	{ "*.path", "core.path", 0, 1 },
	{ "a*/b", "ax/b", PATH, 1 },
	{ "a*/b", "ax/y/b", PATH, 0 },
	{ "a*/b", "ax/y/b", 0, 1 },
	{ "*/b", "a/b", PATH, 1 },
	{ "**", "a/b/c", PATH, 1 },
	{ "**", "", PATH, 1 },
	{ "**/c", "a/b/c", PATH, 1 },
	{ "**/c", "c", PATH, 1 },
	{ "**/c", "xc", PATH, 0 },
	{ "**/b/c", "a/b/b/c", PATH, 1 },
	{ "a/**", "a/b/c", PATH, 1 },
	{ "a/**", "a/", PATH, 1 },
	{ "a/**", "a", PATH, 0 },
	{ "a/**/c", "a/c", PATH, 1 },
	{ "a/**/c", "a/b/b/c", PATH, 1 },
	{ "a/**/c", "ab/c", PATH, 0 },
	{ "a/**/b/**/c", "a/x/b/y/z/c", PATH, 1 },
	{ "a/**/b/**/c", "a/x/y/z/c", PATH, 0 },
	{ "a**c", "abc", PATH, 1 },
	{ "a**c", "a/c", PATH, 0 },
	{ "a/**c", "a/bc", PATH, 1 },
	{ "a/**c", "a/b/c", PATH, 0 },
	{ "**/a*b/**", "x/ab/y/axb/z", PATH, 1 },
	{ "[abc]", "b", 0, 1 },
	{ "[abc]", "d", 0, 0 },
	{ "[abc]", "", 0, 0 },
	{ "[!abc]", "d", 0, 1 },
	{ "[^abc]", "a", 0, 0 },
	{ "[a-c]x", "bx", 0, 1 },
	{ "[a-c]", "d", 0, 0 },
	{ "[c-a]", "b", 0, 0 },
	{ "[-a]", "-", 0, 1 },
	{ "[a-]", "-", 0, 1 },
	{ "[a-]", "b", 0, 0 },
	{ "[]a]", "]", 0, 1 },
	{ "[]]", "]", 0, 1 },
	{ "[!]]", "]", 0, 0 },
	{ "[!]]", "a", 0, 1 },
	{ "[\\]]", "]", 0, 1 },
	{ "[\\a-\\c]", "b", 0, 1 },
	{ "[a-", "a", 0, 0 },
	{ "[a", "a", 0, 0 },
	{ "[", "[", 0, 0 },
	{ "[!", "a", 0, 0 },
	{ "[\\", "\\", 0, 0 },
	{ "[A-C]", "b", FOLD, 1 },
	{ "[a-c]", "B", FOLD, 1 },
	{ "[!a-c]", "B", FOLD, 0 },
	{ "a[/]b", "a/b", 0, 1 },
	{ "a[/]b", "a/b", PATH, 0 },
	{ "a[!x]b", "a/b", PATH, 0 },
	{ "[[:alpha:]]", "x", 0, 1 },
	{ "[[:alpha:]]", "1", 0, 0 },
	{ "[![:alpha:]]", "1", 0, 1 },
	{ "[[:digit:][:upper:]]", "A", 0, 1 },
	{ "[[:upper:]]", "a", 0, 0 },
	{ "[[:upper:]]", "a", FOLD, 1 },
	{ "[[:lower:]]", "A", FOLD, 1 },
	{ "[[:xdigit:]-]", "-", 0, 1 },
	{ "[[:xdigit:]]", "F", 0, 1 },
	{ "[[:xdigit:]]", "g", 0, 0 },
	{ "[[:alnum:]]", "_", 0, 0 },
	{ "[[:punct:]]", "_", 0, 1 },
	{ "[[:blank:]]", "\t", 0, 1 },
	{ "[[:space:]]", "\n", 0, 1 },
	{ "[[:cntrl:]]", "\x7f", 0, 1 },
	{ "[[:graph:]]", " ", 0, 0 },
	{ "[[:print:]]", " ", 0, 1 },
	{ "[[:graph:]]", "\xe4", 0, 0 },
	{ "[[:none:]]", "n", 0, 0 },
	{ "[[:none:]a]", "a", 0, 0 },
	{ "[[:]", ":", 0, 1 },
	{ "[[:a]", "a", 0, 1 },
	{ "\\*", "*", 0, 1 },
	{ "\\*", "a", 0, 0 },
	{ "\\a", "a", 0, 1 },
	{ "a\\", "a", 0, 0 },
	{ "a\\", "a\\", 0, 0 },
	{ "\\\\", "\\", 0, 1 },
	{ "\xc3?", "\xc3\xa4", 0, 1 },
	{ "a", "A", PATH, 0 },
	{ "[[:upper:]]", "a", PATH, 0 },
	{ "[xx:]", ":", 0, 1 },
	{ "[xx:]", "x", 0, 1 },
	{ "a/**/c", "a/c", 0, 0 },
	{ "*/b", "a/c/b", PATH, 0 },
	{ "*/b", "b", PATH, 0 },
	{ "a**/b", "ax/y/b", PATH, 0 },
	{ "*b/**/c", "b/x", PATH, 0 },
	{ "*b/**/c", "ab/bc/x/c", PATH, 1 },
	{ "**/*a", "b/c/da", PATH, 1 },
	{ "**/*a", "b/c/dab", PATH, 0 },
	{ "\\?", "a", 0, 0 },
	{ "[a-\\c]", "b", 0, 1 },
	{ "[", "", 0, 0 },
	{ "[[:none:]]", "n]", 0, 0 },
	{ "[c-e]", "b", 0, 0 },
	{ "[ab]", "a", PATH, 1 },
	{ "[[:x]", "x", 0, 1 },
};

/* What stands behind a glob or a text makes no difference. */
static void test_case(size_t i)
{
	static const char *const behind[] = { "",   "*",  "]",	"-]", "-z]",
					      "\\", "a]", ":]", "!]", "[:" };
	char glob[100], text[100] = "", name[100];
	size_t len = strlen(cases[i].glob), j;
	int matches = 0;

	memcpy(text, cases[i].text, strlen(cases[i].text));
	memcpy(glob, cases[i].glob, len);
	for (j = 0; j < sizeof(behind) / sizeof(*behind); j++) {
		strcpy(glob + len, behind[j]);
		matches += tr2_glob_match(glob, len, text, cases[i].flags);
	}
	snprintf(name, sizeof(name), "glob '%s' %s (case %zu)", cases[i].glob,
		 cases[i].matches ? "matches" : "does not match", i);
	tap_int(matches, cases[i].matches * (int)j, name);
}

static void test_cases(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(i);
}

/* Every byte, as in the C locale, which is the one this program has. */
static void test_classes(void)
{
	static const struct {
		const char *glob;
		int (*holds)(int c);
	} classes[] = {
		{ "[[:alnum:]]", isalnum }, { "[[:alpha:]]", isalpha },
		{ "[[:blank:]]", isblank }, { "[[:cntrl:]]", iscntrl },
		{ "[[:digit:]]", isdigit }, { "[[:graph:]]", isgraph },
		{ "[[:lower:]]", islower }, { "[[:print:]]", isprint },
		{ "[[:punct:]]", ispunct }, { "[[:space:]]", isspace },
		{ "[[:upper:]]", isupper }, { "[[:xdigit:]]", isxdigit },
	};
	size_t i;
	int c;

	for (i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		int (*holds)(int) = classes[i].holds;
		const char *glob = classes[i].glob;
		char name[40];
		int right = 0;

		for (c = 1; c < 256; c++) {
			char text[] = { (char)c, '\0' };
			int any = holds(tolower(c)) || holds(toupper(c));

			right += tr2_glob_match(glob, strlen(glob), text, 0) ==
				 !!holds(c);
			right += tr2_glob_match(glob, strlen(glob), text,
						FOLD) == any;
		}
		snprintf(name, sizeof(name), "%s holds what it says", glob);
		tap_int(right, 2 * 255, name);
	}
}

/* What stands between commas, without the blanks around it, is a glob. */
static void test_lists(void)
{
	static const struct {
		const char *list, *key;
		int matches;
	} lists[] = {
		{ NULL, "", 0 },	   { "", "", 0 },
		{ "a,,b", "", 0 },	   { "a.b", "a.b", 1 },
		{ "a,b", "a,b", 0 },	   { " a.b\t,c", "a.b", 1 },
		{ "a, c.d ", "c.d", 1 },   { "a b", "a b", 1 },
		{ "a,B.*", "b.c/d.E", 1 }, { "a,b", "c", 0 },
	};
	char *end, *page = memory_page(&end);
	intmax_t right = 0;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		right += tr2_params_match(lists[i].list, lists[i].key) ==
			 lists[i].matches;
	tap_int(right, (intmax_t)i, "lists of globs hold what they say");
	strcpy(page, "  ");
	tap_ok(!tr2_params_match(page, ""), "blanks at the beginning are none");
	strcpy(end - 3, "  ");
	tap_ok(!tr2_params_match(end - 3, ""), "blanks at the end are none");
}

static int opens;

static int open_none(const char *path, int flags, mode_t mode)
{
	(void)path;
	(void)flags;
	(void)mode;
	opens++;
	errno = ENOENT;
	return -1;
}

static void test_no_list(void)
{
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *before;

	host.open = open_none;
	tr2_host = &host;
	tr2_params_config(NULL, NULL, NULL);
	tr2_params_config("", NULL, NULL);
	tap_int(opens, 0, "without globs no config is read");
	tr2_params_config("a.b", NULL, NULL);
	tap_ok(opens > 0, "with a glob it is");
	tr2_host = before;
}

static void run_glob(void)
{
	tap_run(test_cases, test_classes, test_lists, test_no_list);
	tap_ok(!tr2_glob_match("abc", 2, "abc", 0) &&
		       tr2_glob_match("abc", 2, "ab", 0),
	       "a glob ends at its length");
	tap_ok(tr2_glob_same("aB/x", "aB/y", 3, 0) == 1 &&
		       !tr2_glob_same("bB", "aB", 2, 0) &&
		       !tr2_glob_same("ab", "aB", 2, 0) &&
		       tr2_glob_same("ab", "aB", 2, TR2_GLOB_FOLD),
	       "first bytes are compared by the flags");
}

int main(void)
{
	tap_run(run_gitconfig, run_glob);
	return tap_done();
}
