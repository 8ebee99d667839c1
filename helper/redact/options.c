#include "redact/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "redactor/line.h"
#include "text/foreign.h"
#include "text/near.h"
#include "validate/options.h"

#define RANDOM_KEY 32

const char tr2_redact_help[] =
	"usage: trace2 redact [--hide KINDS] [--key FILE] [-o OUTPUT] FILE|DIR|-...\n"
	"\n"
	"Copy logs without what should not be shared. Passwords, tokens and headers\n"
	"with them are always replaced. FILE is an EVENT, NORMAL or PERF log, and may be compressed by\n"
	"gzip or zstd. DIR means all files below it, and - standard input.\n"
	"\n"
	"Options:\n"
	"      --hide KINDS       also hide these, in EVENT logs, separated by commas:\n"
	"                         paths, hosts, users, repositories, arguments; all\n"
	"      --key FILE         make placeholders with this secret key, so that\n"
	"                         several runs agree; default: a random key\n"
	"  -o, --output OUTPUT    write to this file; for a directory or several\n"
	"                         inputs, to this new directory; default: standard\n"
	"                         output\n"
	"  -h, --help             print this help\n"
	"\n"
	"Exit status: 0 every line was written, 1 lines or files were left out, 2 the\n"
	"command line was wrong, 3 something could not be read or written, or there\n"
	"was no log.\n";

static const char *const kinds[] = {
	"paths", "hosts", "users", "repositories", "arguments", "all", NULL
};

static int refuse_usage(const char *what, const char *value)
{
	tr2_foreign_complain("redact", what, value);
	fputs("Try 'trace2 redact --help'.\n", stderr);
	return EXIT_USAGE;
}

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

static int take_kinds(struct tr2_redact_options *options, const char *list)
{
	char wrong[32];
	unsigned hide = tr2_redactor_parse(list, wrong);

	options->hide |= hide;
	if (hide)
		return 0;
	tr2_near_complain("redact", "unknown kind of values", wrong, kinds);
	return EXIT_USAGE;
}

/* An empty name would make a directory `.partial`. */
static int take_output(struct tr2_redact_options *options, const char *name)
{
	if (!*name)
		return refuse_usage("--output is empty; expected the name of "
				    "a file or of a new directory, or -",
				    NULL);
	options->output = strcmp(name, "-") ? name : NULL;
	return 0;
}

static int take_option(struct tr2_redact_options *options, int option,
		       const struct option *known, char **argv)
{
	switch (option) {
	case 'h':
		options->help = true;
		return 0;
	case 'H':
		return take_kinds(options, optarg);
	case 'k':
		options->key_file = optarg;
		return 0;
	case 'o':
		return take_output(options, optarg);
	case ':':
		return refuse_usage("an option needs a value",
				    argv[optind - 1]);
	default:
		tr2_near_complain_option("redact", argv[optind - 1], known);
		return EXIT_USAGE;
	}
}

static int check_options(const struct tr2_redact_options *options,
			 const char *path)
{
	if (options->key_file && !options->hide)
		return refuse_usage("--key needs --hide, because secrets "
				    "have no placeholders of their own",
				    NULL);
	if (!path)
		return refuse_usage("expected a log, a directory or -", NULL);
	return 0;
}

int tr2_redact_options_parse(struct tr2_redact_options *options, int argc,
			     char **argv)
{
	static const struct option known[] = {
		{ "hide", required_argument, NULL, 'H' },
		{ "key", required_argument, NULL, 'k' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option, code = 0;

	*options = (struct tr2_redact_options){ 0 };
	opterr = 0;
	while (!code &&
	       (option = getopt_long(argc, argv, ":ho:", known, NULL)) >= 0)
		code = take_option(options, option, known, argv);
	if (code || options->help)
		return code;
	return check_options(options, argv[optind]);
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
		*code = refuse_usage("a key has 16 to 4096 bytes, expected "
				     "another one",
				     name);
	}
	if (file)
		fclose(file);
	return *code ? 0 : len;
}
