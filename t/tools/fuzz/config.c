/*
 * Any bytes as a config file, as a key, and as a glob and what it may match:
 * keys that are told are canonical, and nothing is read or written out of
 * bounds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gitconfig/text.h"
#include "gitconfig/glob.h"
#include "config/params.h"

#define GLOB_MAX ((size_t)32)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_assignments(const char *text, size_t size)
{
	struct tr2_gitconfig_assignment found;
	struct tr2_gitconfig_parser parser;
	int last = 1, bad = 0;

	tr2_gitconfig_parse_begin(&parser, text, size);
	while (tr2_gitconfig_parse_next(&parser, &found, &bad)) {
		if (strlen(found.key) == 0 || found.line < last || bad ||
		    (found.value && strlen(found.value) > 65536))
			abort();
		last = found.line;
		tr2_params_match("core.*,*.url,a?b*", found.key);
	}
	tr2_gitconfig_parse_end(&parser);
}

static void check_key(const char *text)
{
	struct tr2_buf key = TR2_BUF_INIT, again = TR2_BUF_INIT;

	if (tr2_gitconfig_key(&key, text) &&
	    (!tr2_gitconfig_key(&again, key.bytes) ||
	     strcmp(key.bytes, again.bytes)))
		abort();
	tr2_buf_release(&key);
	tr2_buf_release(&again);
}

/* The beginning as a glob, and the end as what it may match. */
static void check_glob(const char *text, size_t size)
{
	size_t len = size < 2 * GLOB_MAX ? size / 2 : GLOB_MAX;

	tr2_glob_match(text, len, text + size - len, TR2_GLOB_FOLD);
	tr2_glob_match(text, len, text + size - len, TR2_GLOB_PATH);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	check_assignments(text, size);
	check_key(text);
	check_glob(text, size);
	free(text);
	return 0;
}
