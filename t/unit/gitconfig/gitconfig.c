/*
 * The grammar of config files: assignments with their lines, and errors.
 * And the command scope, from an environment of its own.
 */
#include "kit/memory.h"

#include "gitconfig/reader.h"

#include <stdlib.h>

#include "kit/tap.h"
#include "base/buf.h"
#include "host/host.h"

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

static const struct {
	const char *text;
	const char *shown;
	int bad; /* the line of the first error */
} cases[] = {
	{ "", "", 0 },
	{ "[a]\nb = c\n", "a.b=c@2;", 0 },
	{ "[a]\nb = c", "a.b=c@2;", 0 },
	{ "[A.b]C=d\n[E]F", "a.b.c=d@1;e.f@2;", 0 },
	{ "[a \"B.c\"]d=e", "a.B.c.d=e@1;", 0 },
	{ "[a \t \"B\\\"\\\\\\c]\"]d=e", "a.B\"\\c].d=e@1;", 0 },
	{ "[ \"a\"]b", ".a.b@1;", 0 },
	{ "k=v", "k=v@1;", 0 },
	{ "[a]\n# x\n; y = 1\n\tb = c # d\ne = f;g\nh #", "a.b=c@4;a.e=f@5;",
	  6 },
	{ "#[a]\n[b];c\nd", "b.d@3;", 0 },
	{ "[a] #;\nb", "a.b@2;", 0 },
	{ ";#\n[a]b", "a.b@2;", 0 },
	{ "[a]b= c  d \te\t ", "a.b=c  d \te@1;", 0 },
	{ "[a]b=\" c # d;\" ; e", "a.b= c # d;@1;", 0 },
	{ "[a]b=c\" \"\nd", "a.b=c @1;a.d@2;", 0 },
	{ "[a]b=\"\"  c", "a.b=c@1;", 0 },
	{ "[a]b=\" \"  c", "a.b=   c@1;", 0 },
	{ "[a]b=\\n\\t\\b\\\\\\\"", "a.b=\n\t\b\\\"@1;", 0 },
	{ "[a]b=c\\\n d \\\n\ne", "a.b=c d @1;a.e@4;", 0 },
	{ "[a]b=c\\\r\nd\r\ne\r\n", "a.b=cd@1;a.e@3;", 0 },
	{ "[a]b \t = \t\n", "a.b=@1;", 0 },
	{ "[a]b=", "a.b=@1;", 0 },
	{ "[a]b \t \nc-1\t", "a.b@1;a.c-1@2;", 0 },
	{ "[a]b=c#", "a.b=c@1;", 0 },
	{ "[a]b=c;d\ne", "a.b=c@1;a.e@2;", 0 },
	{ "\xef\xbb\xbf[a]b", "a.b@1;", 0 },
	{ "\xef\xbb\xbf", "", 0 },
	{ "\xef\xbb\n[a]b", "", 1 },
	{ "\xef\xbb", "", 1 },
	{ "\xef\xbbx[a]b", "", 1 },
	{ "[a]b\n[]c", "a.b@1;", 2 },
	{ "[a]b\n[\\]c", "a.b@1;", 2 },
	{ "[a]b\n\n[^]c", "a.b@1;", 3 },
	{ "[a_b]c", "", 1 },
	{ "[a ]b", "", 1 },
	{ "[a b]c", "", 1 },
	{ "[a\"b\"]c", "", 1 },
	{ "[a]b=c\rd", "a.b=c\rd@1;", 0 },
	{ "[a b\"]c", "", 1 },
	{ "[a \"b\" ]c", "", 1 },
	{ "[a \"b\"", "", 1 },
	{ "[a \"b", "", 1 },
	{ "[a \"b\\\nc\"]d", "", 1 },
	{ "[a \"b\nc\"]d", "", 1 },
	{ "[a\n\"b\"]c", "", 1 },
	{ "[a", "", 1 },
	{ "[a]1", "", 1 },
	{ "[a]\n=b", "", 2 },
	{ "[a]b c", "", 1 },
	{ "[a]b.c=d", "", 1 },
	{ "[a]b=\"c\nd=e", "", 1 },
	{ "[a]b=\"c", "", 1 },
	{ "[a]b=\\x\nc", "", 1 },
	{ "[a]b=\\", "a.b=@1;", 0 },
	{ "[a]b\n[c\nd", "a.b@1;", 2 },
	{ "[a]b\n1\nc\n2", "a.b@1;", 2 },
};

static void test_cases(void)
{
	char name[40];
	int bad;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		*shown = '\0';
		bad = parse_text(cases[i].text, strlen(cases[i].text));
		snprintf(name, sizeof(name), "config text %zu", i);
		tap_str(shown, cases[i].shown, name);
		snprintf(name, sizeof(name), "config text %zu: its error", i);
		tap_int(bad, cases[i].bad, name);
	}
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

static const struct {
	const char *key;
	const char *canonical;
} keys[] = {
	{ "a.b", "a.b" },
	{ "A-1.B-2", "a-1.b-2" },
	{ "A.B c\t=.D", "a.B c\t=.d" },
	{ "a.b.C.d", "a.b.C.d" },
	{ "a..b", "a..b" },
	{ "", NULL },
	{ "b", NULL },
	{ "a.", NULL },
	{ ".b", NULL },
	{ "a.1", NULL },
	{ "a.b c", NULL },
	{ "a b.c", NULL },
	{ "a.\n.b", NULL },
	{ "a\n.b", NULL },
	{ "a.b\n", NULL },
	{ "a_.b", NULL },
	{ "a.\v.b", "a.\v.b" },
};

static void test_keys(void)
{
	char name[40];

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct tr2_buf out = TR2_BUF_INIT;
		int good = tr2_gitconfig_key(&out, keys[i].key);

		snprintf(name, sizeof(name), "config key %zu", i);
		tap_str(good ? out.bytes : "(none)",
			keys[i].canonical ? keys[i].canonical : "(none)", name);
		tr2_buf_release(&out);
	}
}

static const char *parameters;
static const char *counted[5]; /* the count, two keys and two values */

static const char *command_getenv(const char *name)
{
	static const char *const names[] = {
		"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0",	  "GIT_CONFIG_VALUE_0",
		"GIT_CONFIG_KEY_1", "GIT_CONFIG_VALUE_1",
	};

	for (size_t i = 0; i < 5; i++)
		if (!strcmp(name, names[i]))
			return counted[i];
	return strcmp(name, "GIT_CONFIG_PARAMETERS") ? NULL : parameters;
}

static void test_parameters(void)
{
	static const struct {
		const char *text;
		const char *shown;
	} lists[] = {
		{ NULL, "" },
		{ "", "" },
		{ "'A.b'='c d'", "a.b=c d@0;" },
		{ "'a.b'=", "a.b@0;" },
		{ "'a.b'=''", "a.b=@0;" },
		{ "'a.x=y.b'='c=d'", "a.x=y.b=c=d@0;" },
		{ "'a.b=c d'", "a.b=c d@0;" },
		{ "'a.b'", "a.b@0;" },
		{ "'a.b='", "a.b=@0;" },
		{ "' \ta.b \t= c =d '", "a.b= c =d @0;" },
		{ "' a.b '", "a.b@0;" },
		{ "'a.b'='c'  \t'd.e=f' 'g.h'\n'i.j'= 'k.l'",
		  "a.b=c@0;d.e=f@0;g.h@0;i.j@0;k.l@0;" },
		{ "'a.b'='i'\\''t'\\!'s' 'c.d=e'\\''f'",
		  "a.b=i't!s@0;c.d=e'f@0;" },
		{ "'a.b' 'c.d'e 'f.g'", "a.b@0;" },
		{ "'a.b'='c'd 'f.g'", "" },
		{ "'a.b'=c", "" },
		{ "'a.b'='c", "" },
		{ "'a.b", "" },
		{ "a.b", "" },
		{ "='c'", "" },
		{ " 'a.b'", "" },
		{ "'a.b'='", "" },
		{ "'a.b'x'c.d'", "" },
		{ "'a.b'\\x'c'", "" },
		{ "'a.b'\\'c'", "" },
		{ "'a.b'='c'\\'d'", "" },
		{ "'a.b' 'c' 'd.e'", "a.b@0;" },
		{ "'a.b' 'c'='x' 'd.e'", "a.b@0;" },
		{ "'a.b' '  '", "a.b@0;" },
		{ "'a.b' ' =c'", "a.b@0;" },
	};
	char name[40];

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		*shown = '\0';
		parameters = lists[i].text;
		tr2_gitconfig_command(show_value, NULL);
		snprintf(name, sizeof(name), "config parameters %zu", i);
		tap_str(shown, lists[i].shown, name);
	}
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	host.realloc = guarded_realloc;
	host.free = guarded_free;
	host.getenv = command_getenv;
	tr2_host = &host;
	tap_run(test_cases, test_length, test_room, test_keys, test_parameters);
	return tap_done();
}
