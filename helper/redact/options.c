#include "redact/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "redact/redactor/line.h"
#include "lib/text/foreign.h"
#include "cli/near.h"

#define RANDOM_KEY 32
#define OWN struct tr2_redact_options

static const char *const kinds[] = {
	"paths", "hosts", "users", "repositories", "arguments", "all", NULL
};

/* A longer word is no kind, so it may be cut. */
unsigned tr2_redactor_parse(const char *list, char wrong[32])
{
	unsigned hide = 0;
	size_t len;
	int kind;

	do {
		len = strcspn(list, ",");
		snprintf(wrong, 32, "%.*s", (int)len, list);
		kind = tr2_near_index(kinds, wrong);
		if (kind < 0)
			return 0;
		hide |= kinds[kind + 1] ? 1u << kind : TR2_HIDE_ALL;
		list += len;
	} while (*list++);
	return hide;
}

static const char *add_kind(void *into, char *word)
{
	OWN *options = into;
	char wrong[32];

	if (word)
		options->hide |= tr2_redactor_parse(word, wrong);
	return NULL;
}

static const struct tr2_cli_option table[] = {
	{ "hide", "KINDS", TR2_CLI_LIST(add_kind), .words = kinds,
	  .help = "also hide these, separated by commas: paths, "
		  "hosts, users, repositories, arguments; all" },
	{ "key", "FILE", TR2_CLI_PATH(OWN, key_file),
	  .help = "make placeholders with this secret key, so that several "
		  "runs agree (default: a random key)" },
	{ "output", "OUTPUT", TR2_CLI_PATH(OWN, output), .letter = 'o',
	  .help = "write to this file; for a directory or several inputs, to "
		  "this new directory (default: standard output)" },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "redact",
	.about =
		"usage: trace2 redact [--hide KINDS] [--key FILE] [-o OUTPUT] FILE|DIR|-...\n"
		"\n"
		"Copy logs without what should not be shared. Passwords, tokens and headers\n"
		"with them are always replaced. FILE is an EVENT, NORMAL or PERF log, and\n"
		"may be compressed by gzip or zstd. DIR means all files below it, and -\n"
		"standard input.\n",
	.options = table,
	.notes =
		"Exit status: 0 every line was written, 1 lines or files were left out, 2 the\n"
		"command line was wrong, 3 something could not be read or written, or there\n"
		"was no log.\n",
	.least = 1,
	.wants = "a log, a directory or -",
};

int tr2_redact_options_read(struct tr2_redact_options *options, char **argv)
{
	int code;

	*options = (struct tr2_redact_options){ 0 };
	code = tr2_cli_read(&cli, options, argv);
	if (code != TR2_CLI_GO_ON)
		return code;
	if (options->key_file && !options->hide)
		return tr2_cli_refuse(&cli,
				      "--key needs --hide, because secrets "
				      "have no placeholders of their own",
				      NULL);
	if (options->output && !strcmp(options->output, "-"))
		options->output = NULL;
	return code;
}

size_t tr2_redact_options_key(const struct tr2_redact_options *options,
			      char *key, int *code)
{
	const char *name = options->key_file ? options->key_file
					     : "/dev/urandom";
	size_t most = options->key_file ? TR2_REDACT_KEY_MOST + 1 : RANDOM_KEY;
	FILE *file = fopen(name, "rb");
	size_t len = 0;
	bool failed = !file;

	if (file) {
		setvbuf(file, NULL, _IONBF, 0);
		len = fread(key, 1, most, file);
		failed = ferror(file);
	}
	if (failed) {
		tr2_foreign_complain("redact", strerror(errno), name);
		*code = EXIT_INPUT;
	} else if (len < TR2_REDACT_KEY_LEAST || len > TR2_REDACT_KEY_MOST) {
		*code = tr2_cli_refuse(&cli,
				       "a key has 16 to 4096 bytes, expected "
				       "another one",
				       name);
	}
	if (file)
		fclose(file);
	return *code ? 0 : len;
}
