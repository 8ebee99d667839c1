/*
 * Globs; and the ends of a config file's text, and its memory. What a file means is
 * in t/library/settings/test_gitconfig.py.
 */
#include "kit/memory.h"
#include "gitconfig/reader.h"
#include <stdlib.h>
#include "kit/script.h"
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
	size_t size;

	if (!block)
		return;
	memcpy(&size, block - GUARD, sizeof(size));
	for (size_t i = 0; i < GUARD; i++)
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

/* `glob GLOB TEXT path`: what stands behind it makes no difference. */
static const char *match_glob(char **word)
{
	static const char *const behind[] = { "",   "*",  "]",	"-]", "-z]",
					      "\\", "a]", ":]", "!]", "[:" };
	const size_t count = sizeof(behind) / sizeof(*behind);
	const size_t len = strlen(word[0]);
	const unsigned flags = *word[2] == 'p'	 ? TR2_GLOB_PATH
			       : *word[2] == 'f' ? TR2_GLOB_FOLD
						 : 0;
	char glob[100], text[100] = "";
	size_t matches = 0;

	strcpy(text, word[1]);
	memcpy(glob, word[0], len);
	for (size_t i = 0; i < count; i++) {
		strcpy(glob + len, behind[i]);
		matches += (size_t)tr2_glob_match(glob, len, text, flags);
	}
	return !matches ? "no" : matches == count ? "yes" : "sometimes";
}

static const char *match_list(char **word)
{
	return script_say_yes(tr2_params_match(word[0], word[1]));
}

static const struct script_verb verbs[] = {
	{ "glob", match_glob },
	{ "list", match_list },
	{ NULL, NULL },
};

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
	int c;

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
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
						TR2_GLOB_FOLD) == any;
		}
		snprintf(name, sizeof(name), "%s holds what it says", glob);
		tap_int(right, 2 * 255, name);
	}
}

/* Blanks at an edge behind which nothing can be read. */
static void test_lists(void)
{
	char *end, *page = memory_page(&end);

	tap_ok(!tr2_params_match(NULL, ""), "no list has no glob");
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
	tap_run(test_classes, test_lists, test_no_list);
	tap_ok(!tr2_glob_match("abc", 2, "abc", 0) &&
		       tr2_glob_match("abc", 2, "ab", 0),
	       "a glob ends at its length");
	tap_ok(tr2_glob_same("aB/x", "aB/y", 3, 0) == 1 &&
		       !tr2_glob_same("bB", "aB", 2, 0) &&
		       !tr2_glob_same("ab", "aB", 2, 0) &&
		       tr2_glob_same("ab", "aB", 2, TR2_GLOB_FOLD),
	       "first bytes are compared by the flags");
}

static void do_nothing(void)
{
}

int main(void)
{
	tap_run(run_gitconfig, run_glob);
	return script_main(__FILE__, verbs, NULL, do_nothing);
}
