/*
 * The ends of a config file's text, and its memory. What it means is in
 * t/library/settings/test_gitconfig.py.
 */
#include "kit/memory.h"

#include "gitconfig/reader.h"

#include <stdlib.h>

#include "kit/tap.h"
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

int main(void)
{
	struct tr2_host host = tr2_host_system;

	host.realloc = guarded_realloc;
	host.free = guarded_free;
	tr2_host = &host;
	tap_run(test_length, test_room);
	return tap_done();
}
