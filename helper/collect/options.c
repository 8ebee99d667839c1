#include "collect/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/passed.h"
#include "post/post.h"
#include "redactor/line.h"
#include "text/foreign.h"
#include "cli/near.h"

#define SPOOL_LIMIT (UINT64_C(1) << 30)
#define FILE_SIZE (UINT64_C(64) << 20)
#define BROKEN_LIMIT (UINT64_C(16) << 20)
#define SETTINGS "aBCdfgHKlmoRrsWwz" /* of `known`, what a file may have */

int tr2_collect_refuse(const struct tr2_collect_options *options,
		       const char *what, const char *value)
{
	struct tr2_buf name = TR2_BUF_INIT;

	tr2_buf_str(&name, "collect");
	if (options->file) {
		tr2_buf_str(&name, ": ");
		tr2_foreign_line(&name, options->file, strlen(options->file));
		tr2_buf_byte(&name, ':');
		tr2_buf_uint(&name, options->line);
	}
	tr2_buf_byte(&name, '\0');
	tr2_foreign_complain(name.failed ? "collect" : name.bytes, what, value);
	tr2_buf_release(&name);
	if (!options->file)
		fputs("Try 'trace2 collect --help'.\n", stderr);
	return COLLECT_USAGE;
}

static int take_socket(struct tr2_collect_options *options, const char *text)
{
	if (options->socket_count == TR2_COLLECT_SOCKETS)
		return tr2_collect_refuse(
			options, "there can be 16 sockets at most", text);
	if (!tr2_socket_parse(&options->sockets[options->socket_count], text))
		return tr2_collect_refuse(options,
					  "expected af_unix:stream:PATH or "
					  "af_unix:dgram:PATH, not",
					  text);
	options->socket_count++;
	return 0;
}

/* 0, or COLLECT_USAGE if it can't be an output. */
static int check_url(struct tr2_collect_options *options, const char *text)
{
	const char *url = tr2_otlp_find_url(text), *why;

	why = url ? tr2_post_check_url(url) : NULL;
	if (why) /* without what may be a password */
		return tr2_collect_refuse(options, why,
					  strchr(url, '@') ? NULL : url);
	why = url ? tr2_post_load() : NULL;
	return why ? tr2_collect_refuse(options, why, text) : 0;
}

static int take_output(struct tr2_collect_options *options, const char *text)
{
	const struct tr2_output_kind *kind = tr2_kind_find(text);
	struct tr2_delivery *outputs = options->outputs;
	uint32_t i;

	if (!kind)
		return tr2_collect_refuse(
			options,
			"expected files:DIR, af_unix:stream:PATH, "
			"otlp:URL or stdout, not",
			text);
	for (i = 0; i < options->output_count; i++)
		if (!strcmp(outputs[i].target, text))
			return tr2_collect_refuse(
				options, "this output is named twice", text);
	if (i == TR2_COLLECT_OUTPUTS)
		return tr2_collect_refuse(
			options, "there can be 64 outputs at most", text);
	if (check_url(options, text))
		return COLLECT_USAGE;
	outputs[i].target = text;
	outputs[i].kind = kind;
	options->output_count++;
	return 0;
}

/* Returns how far the letter after a number shifts it, or -1. */
static int find_shift(const char *unit)
{
	static const char units[] = "kmg";
	const char *found = *unit ? strchr(units, *unit) : NULL;

	if (!*unit)
		return 0;
	return found && !unit[1] ? 10 * (int)(found - units + 1) : -1;
}

static int take_size(const struct tr2_collect_options *options,
		     const char *text, const char *what, uint64_t *size)
{
	unsigned long long number;
	char *end;
	int shift;

	errno = 0;
	number = strtoull(text, &end, 10);
	shift = find_shift(end);
	if (*text < '0' || *text > '9' || errno || shift < 0 || !number ||
	    number > UINT64_MAX >> shift)
		return tr2_collect_refuse(options, what, text);
	*size = (uint64_t)number << shift;
	return 0;
}

static int take_directory(struct tr2_collect_options *options, const char *path)
{
	uint32_t i;

	for (i = 0; i < options->watch_count; i++)
		if (!strcmp(options->watches[i].path, path))
			return tr2_collect_refuse(
				options, "this directory is named twice", path);
	if (i == TR2_COLLECT_WATCHES)
		return tr2_collect_refuse(
			options, "there can be 16 directories at most", path);
	options->watches[options->watch_count++].path = path;
	return 0;
}

static int take_check(struct tr2_collect_options *options, const char *text)
{
	static const char *const names[] = {
		[TR2_FILTER_OFF] = "off",
		[TR2_FILTER_PASS] = "pass",
		[TR2_FILTER_MARK] = "mark",
		[TR2_FILTER_ASIDE] = "set-aside",
	};
	unsigned i;

	for (i = 0; i <= TR2_FILTER_ASIDE; i++)
		if (!strcmp(text, names[i])) {
			options->line_check = (enum tr2_filter_check)i;
			return 0;
		}
	return tr2_collect_refuse(
		options, "check needs off, pass, mark or set-aside, not", text);
}

/* Without a word it is gzip. */
static int take_compress(struct tr2_collect_options *options, const char *text)
{
	int format = TR2_COMPRESS_GZIP;

	if (text && *text)
		for (format = 0; format < TR2_COMPRESS_COUNT; format++)
			if (!strcmp(text, tr2_compress_names[format]))
				break;
	if (format == TR2_COMPRESS_COUNT)
		return tr2_collect_refuse(
			options, "compress needs off, gzip or zstd, not", text);
	options->compress = (enum tr2_compress)format;
	return 0;
}

static int take_redact(struct tr2_collect_options *options, const char *text)
{
	char wrong[32];

	options->hide = 0;
	options->redact = !strcmp(text, "passwords");
	if (options->redact || !strcmp(text, "off"))
		return 0;
	options->hide = tr2_redactor_parse(text, wrong);
	if (options->hide)
		return 0;
	return tr2_collect_refuse(options,
				  "redact needs off, passwords, or a list of "
				  "paths, hosts, users, repositories, "
				  "arguments and all, not",
				  text);
}

static int take_header(struct tr2_collect_options *options, const char *text)
{
	struct tr2_otlp_settings *otlp = &options->otlp;
	const char *why = tr2_post_check_header(text);

	if (why) /* it may be a secret */
		return tr2_collect_refuse(options, why, NULL);
	if (otlp->header_count == TR2_OTLP_HEADERS)
		return tr2_collect_refuse(
			options, "there can be 16 headers at most", NULL);
	otlp->headers[otlp->header_count++] = text;
	return 0;
}

static int take_wait(struct tr2_collect_options *options, const char *text)
{
	char *end;

	errno = 0;
	options->otlp.wait = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno &&
	    options->otlp.wait <= TR2_OTLP_WAIT_MOST)
		return 0;
	return tr2_collect_refuse(
		options, "otlp-wait needs seconds up to 1000000, not", text);
}

static const struct option known[] = {
	{ "allow-others", no_argument, NULL, 'a' },
	{ "broken-limit", required_argument, NULL, 'B' },
	{ "check", required_argument, NULL, 'C' },
	{ "check-config", no_argument, NULL, 'k' },
	{ "compress", optional_argument, NULL, 'z' },
	{ "config", required_argument, NULL, 'c' },
	{ "file-size", required_argument, NULL, 'f' },
	{ "files-limit", required_argument, NULL, 'd' },
	{ "listen", required_argument, NULL, 'l' },
	{ "otlp-gzip", no_argument, NULL, 'g' },
	{ "otlp-header", required_argument, NULL, 'H' },
	{ "otlp-wait", required_argument, NULL, 'W' },
	{ "output", required_argument, NULL, 'o' },
	{ "redact", required_argument, NULL, 'r' },
	{ "redact-key", required_argument, NULL, 'K' },
	{ "remove", no_argument, NULL, 'R' },
	{ "spool", required_argument, NULL, 's' },
	{ "spool-limit", required_argument, NULL, 'm' },
	{ "status", no_argument, NULL, 't' },
	{ "watch", required_argument, NULL, 'w' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* Is it an option that says yes? */
static bool take_flag(struct tr2_collect_options *options, int option)
{
	bool *flag = option == 'a'   ? &options->others
		     : option == 'g' ? &options->otlp.gzip
		     : option == 'R' ? &options->remove
				     : NULL;

	if (flag)
		*flag = true;
	return flag;
}

static int take_limit(struct tr2_collect_options *options, int option,
		      const char *value)
{
	switch (option) {
	case 'B':
		return take_size(options, value,
				 "broken-limit needs a size, such as 16m, not",
				 &options->broken_limit);
	case 'd':
		return take_size(options, value,
				 "files-limit needs a size, such as 10g, not",
				 &options->files_limit);
	case 'f':
		return take_size(options, value,
				 "file-size needs a size, such as 64m, not",
				 &options->file_size);
	default:
		return take_size(options, value,
				 "spool-limit needs a size, such as 1g, not",
				 &options->spool_limit);
	}
}

/* What a configuration file may have, too. */
static int take_setting(struct tr2_collect_options *options, int option,
			const char *value)
{
	if (take_flag(options, option))
		return 0;
	switch (option) {
	case 'C':
		return take_check(options, value);
	case 'H':
		return take_header(options, value);
	case 'K':
		options->key_file = value;
		return 0;
	case 'l':
		return take_socket(options, value);
	case 'o':
		return take_output(options, value);
	case 'r':
		return take_redact(options, value);
	case 'W':
		return take_wait(options, value);
	case 's':
		options->spool = value;
		return 0;
	case 'w':
		return take_directory(options, value);
	case 'z':
		return take_compress(options, value);
	default:
		return take_limit(options, option, value);
	}
}

int tr2_collect_set(struct tr2_collect_options *options, const char *name,
		    const char *value)
{
	const struct option *row = known;

	while (row->name &&
	       (!strchr(SETTINGS, row->val) || strcmp(row->name, name)))
		row++;
	if (!row->name)
		return tr2_collect_refuse(
			options,
			"expected listen, watch, remove, "
			"output, spool, spool-limit, "
			"file-size, files-limit, compress, "
			"check, broken-limit, redact, redact-key, "
			"otlp-gzip, otlp-header, otlp-wait or "
			"allow-others, not",
			name);
	if (row->has_arg == required_argument && !*value)
		return tr2_collect_refuse(options, "expected a value after",
					  name);
	if (!row->has_arg && *value)
		return tr2_collect_refuse(options, "expected no value, not",
					  value);
	return take_setting(options, row->val, value);
}

static int take_option(struct tr2_collect_options *options, int option,
		       char **argv)
{
	switch (option) {
	case 'c':
		return tr2_collect_read_config(options, optarg);
	case 'h':
		options->help = true;
		return 0;
	case 'k':
		options->check = true;
		return 0;
	case 't':
		options->status = true;
		return 0;
	case ':':
		return tr2_collect_refuse(options, "an option needs a value",
					  argv[optind - 1]);
	case '?':
		tr2_near_complain_option("collect", argv[optind - 1], known);
		return COLLECT_USAGE;
	default:
		return take_setting(options, option, optarg);
	}
}

static int check_options(struct tr2_collect_options *options, const char *word)
{
	uint32_t i;

	if (word)
		return tr2_collect_refuse(options, "expected options only, not",
					  word);
	if (!options->spool)
		return tr2_collect_refuse(
			options, "expected a directory: --spool DIR", NULL);
	if (options->status)
		return 0;
	if (!options->socket_count && !options->watch_count &&
	    !tr2_passed_count())
		return tr2_collect_refuse(options,
					  "expected a socket or a directory: "
					  "--listen SOCKET, --watch DIR",
					  NULL);
	if (!options->output_count)
		return tr2_collect_refuse(
			options, "expected an output: --output OUTPUT", NULL);
	if (options->key_file && !options->hide)
		return tr2_collect_refuse(options,
					  "redact-key needs a list of kinds: "
					  "--redact KINDS",
					  NULL);
	for (i = 0; i < options->output_count; i++) {
		options->outputs[i].file_size = options->file_size;
		options->outputs[i].compress = options->compress;
		options->outputs[i].files_limit = options->files_limit;
		options->outputs[i].otlp = &options->otlp;
	}
	return 0;
}

int tr2_collect_read_options(struct tr2_collect_options *options, int argc,
			     char **argv)
{
	int option, code = 0;

	options->spool_limit = SPOOL_LIMIT;
	options->file_size = FILE_SIZE;
	options->broken_limit = BROKEN_LIMIT;
	options->otlp.wait = TR2_OTLP_WAIT;
	opterr = 0;
	while (!code &&
	       (option = getopt_long(argc, argv, ":hl:o:", known, NULL)) >= 0)
		code = take_option(options, option, argv);
	if (code || options->help)
		return code;
	return check_options(options, argv[optind]);
}
