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

static struct tr2_host host;
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

/* Bytes after which nothing can be read. */
static char *put_at_edge(const char *bytes, size_t len)
{
	static char *end;

	if (!end)
		(void)memory_page(&end);
	return memcpy(end - len, bytes, len);
}

/* The assignments of a text, `key=value@line;`, and the line of an error. */
static const char *parse_text(const char *text, size_t len)
{
	struct tr2_gitconfig_assignment found;
	struct tr2_gitconfig_parser parser;
	static char shown[2048];
	size_t used = 0;
	int bad = 0;

	*shown = '\0';
	tr2_gitconfig_parse_begin(&parser, put_at_edge(text, len), len);
	while (tr2_gitconfig_parse_next(&parser, &found, &bad))
		used += (size_t)snprintf(shown + used, sizeof(shown) - used,
					 "%s%s%s@%d;", found.key,
					 found.value ? "=" : "",
					 found.value ? found.value : "",
					 found.line);
	tr2_gitconfig_parse_end(&parser);
	return bad ? script_say("bad %d", bad) : shown;
}

/* `parse TEXT`; `parse TEXT 2`: of so many bytes. */
static const char *parse_word(char **word)
{
	const size_t len = script.len[1];

	return parse_text(word[0], *word[1] ? (size_t)atoi(word[1]) : len);
}

static const char *parse_long_name(char **word)
{
	static char text[2048];
	const size_t len = (size_t)atoi(word[0]);

	memset(text, 'n', len);
	return script_say_number((intmax_t)strlen(parse_text(text, len)));
}

static const char *fail_memory(char **word)
{
	memory_fail(atoi(word[0]));
	return NULL;
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
	const char *list = put_at_edge(word[0], script.len[1] + 1);

	return script_say_yes(tr2_params_match(list, word[1]));
}

/* Is config read for this list? */
static const char *reads_config(char **word)
{
	opens = 0;
	tr2_params_config(word[0], NULL, NULL);
	return script_say_yes(opens > 0);
}

static const struct script_verb verbs[] = {
	{ "glob", match_glob },
	{ "list", match_list },
	{ "reads", reads_config },
	{ "parse", parse_word },
	{ "parse-long", parse_long_name },
	{ "memory", fail_memory },
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

static void end_case(void)
{
	memory_fail(0);
	if (memory_live)
		script_fail("no memory left", "some");
}

int main(void)
{
	char *text = script_read(__FILE__);

	host = tr2_host_system;
	host.open = open_none;
	memory_install(&host);
	tap_run(test_classes);
	tap_ok(!tr2_params_match(NULL, ""), "no list has no glob");
	tap_ok(!tr2_glob_match("abc", 2, "abc", 0) &&
		       tr2_glob_match("abc", 2, "ab", 0),
	       "a glob ends at its length");
	tap_ok(tr2_glob_same("aB/x", "aB/y", 3, 0) == 1 &&
		       !tr2_glob_same("bB", "aB", 2, 0) &&
		       !tr2_glob_same("ab", "aB", 2, 0) &&
		       tr2_glob_same("ab", "aB", 2, TR2_GLOB_FOLD),
	       "first bytes are compared by the flags");
	script_run(text, verbs, NULL, end_case);
	return tap_done();
}
