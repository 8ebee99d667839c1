#include "collect/options.h"

#include <string.h>
#include <unistd.h>

#include "collect/post/post.h"
#include "redact/redactor/line.h"
#include "base/json.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "collect_usage.h"

#define OWN struct tr2_collect_options
#define SPOOL_LIMIT (UINT64_C(1) << 30)
#define FILE_SIZE (UINT64_C(64) << 20)
#define BROKEN_LIMIT (UINT64_C(16) << 20)

static const struct tr2_cli cli;

/* "FILE:LINE" and a NUL */
static void put_place(struct tr2_buf *out, const OWN *options)
{
	tr2_foreign_line(out, options->file, strlen(options->file));
	tr2_buf_byte(out, ':');
	tr2_buf_uint(out, options->line);
	tr2_buf_byte(out, '\0');
}

/* Tell what was expected, and where; returns COLLECT_USAGE. */
static int refuse_option(const struct tr2_collect_options *options,
			 const char *what, const char *value)
{
	struct tr2_buf name = TR2_BUF_INIT;

	if (!options->file)
		return tr2_cli_refuse(&cli, what, value);
	tr2_buf_str(&name, "collect: ");
	put_place(&name, options);
	tr2_foreign_complain(name.failed ? "collect" : name.bytes, what, value);
	tr2_buf_release(&name);
	return COLLECT_USAGE;
}

static const char *refuse_with(const OWN *options, const char *what,
			       const char *value)
{
	refuse_option(options, what, value);
	return TR2_CLI_TOLD;
}

static const char *add_socket(void *into, char *text)
{
	OWN *options = into;
	struct tr2_socket *made = options->sockets + options->socket_count;

	if (options->socket_count == TR2_COLLECT_SOCKETS)
		return refuse_with(options, "there can be 16 sockets at most",
				   text);
	if (!tr2_socket_parse(made, text))
		return "af_unix:stream:PATH or af_unix:dgram:PATH";
	for (uint32_t i = 0; i < options->socket_count; i++)
		if (tr2_collect_is_same_place(
			    options->sockets[i].address.sun_path,
			    made->address.sun_path))
			return refuse_with(options,
					   "this socket is named twice", text);
	options->socket_count++;
	return NULL;
}

/* 0, or COLLECT_USAGE if it cannot be an output. */
static int check_url(struct tr2_collect_options *options, const char *text)
{
	const char *url = tr2_otlp_find_url(text), *why;

	why = url ? tr2_post_check_url(url) : NULL;
	if (why) /* without what may be a password */
		return refuse_option(options, why,
				     strchr(url, '@') ? NULL : url);
	why = url ? tr2_post_load() : NULL;
	return why ? refuse_option(options, why, text) : 0;
}

static const char *add_output(void *into, char *text)
{
	const struct tr2_output_kind *kind = tr2_kind_find(text);
	OWN *options = into;
	struct tr2_delivery *outputs = options->outputs;
	uint32_t i;

	if (!kind)
		return "files:DIR, af_unix:stream:PATH, otlp:URL or stdout";
	for (i = 0; i < options->output_count; i++)
		if (tr2_collect_is_same_output(outputs[i].target, text))
			return refuse_with(options,
					   "this output is named twice", text);
	if (i == TR2_COLLECT_OUTPUTS)
		return refuse_with(options, "there can be 64 outputs at most",
				   text);
	if (check_url(options, text))
		return TR2_CLI_TOLD;
	outputs[i].target = text;
	outputs[i].kind = kind;
	options->output_count++;
	return NULL;
}

static const char *add_directory(void *into, char *path)
{
	OWN *options = into;
	uint32_t i;

	for (i = 0; i < options->watch_count; i++)
		if (tr2_collect_is_same_place(options->watches[i].path, path))
			return refuse_with(
				options, "this directory is named twice", path);
	if (i == TR2_COLLECT_WATCHES)
		return refuse_with(options,
				   "there can be 16 directories at most", path);
	options->watches[options->watch_count++].path = path;
	return NULL;
}

/* Without a word it is gzip. */
static const char *set_compress(void *into, char *word)
{
	OWN *options = into;
	unsigned format = TR2_COMPRESS_GZIP;

	if (*word)
		for (format = 0; strcmp(word, tr2_compress_names[format]);)
			format++;
	options->compress = (enum tr2_compress)format;
	return NULL;
}

static const char *set_redact(void *into, char *text)
{
	OWN *options = into;
	char wrong[32];

	options->hide = 0;
	options->redact = !strcmp(text, "passwords");
	if (options->redact || !strcmp(text, "off"))
		return NULL;
	options->hide = tr2_redactor_parse(text, wrong);
	return options->hide ? NULL
			     : "off, passwords, or a list of paths, hosts, "
			       "users, repositories, arguments and all";
}

/* The process itself has these in OTLP. */
static bool is_reserved(const char *text)
{
	return !strncmp(text, "process.", strlen("process.")) ||
	       !strncmp(text,
			"service.namespace=", strlen("service.namespace=")) ||
	       !strncmp(text, "service.version=", strlen("service.version="));
}

static const char *put_attribute(struct tr2_buf *out, const char *name,
				 size_t len, const char *value)
{
	const size_t start = out->len;

	tr2_buf_byte(out, start ? ',' : '{');
	tr2_buf_byte(out, '"');
	tr2_json_escape(out, name, len);
	tr2_buf_add(out, "\":", 3);
	if (out->failed ||
	    tr2_text_find(out->bytes, start, out->bytes + start + 1)) {
		out->len = start;
		return "a name that was not given before";
	}
	out->len--; /* the NUL */
	tr2_json_string(out, value);
	return NULL;
}

/* `host.name` alone is what this machine is called. */
static const char *add_attribute(void *into, char *text)
{
	OWN *options = into;
	char host[256] = "";
	const char *value = strchr(text, '=');
	size_t len = value ? (size_t)(value - text) : strlen(text);

	if (!value && !strcmp(text, "host.name") &&
	    !gethostname(host, sizeof(host) - 1))
		value = host;
	else if (value)
		value++;
	if (!len || !value || !*value || is_reserved(text))
		return "NAME=VALUE, such as team=core or service.name=ci, or "
		       "host.name alone";
	return put_attribute(&options->attributes, text, len, value);
}

static const char *add_header(void *into, char *text)
{
	OWN *options = into;
	struct tr2_otlp_settings *otlp = &options->otlp;
	const char *why = tr2_post_check_header(text);

	if (!why && otlp->header_count == TR2_OTLP_HEADERS)
		why = "there can be 16 headers at most";
	if (why) /* it may be a secret */
		return refuse_with(options, why, NULL);
	otlp->headers[otlp->header_count++] = text;
	return NULL;
}

static const char *read_config(void *into, char *file)
{
	return tr2_collect_read_config(into, file) ? TR2_CLI_TOLD : NULL;
}

static const char *const checks[] = {
	[TR2_FILTER_OFF] = "off",      [TR2_FILTER_PASS] = "pass",
	[TR2_FILTER_MARK] = "mark",    [TR2_FILTER_ASIDE] = "set-aside",
	[TR2_FILTER_ASIDE + 1] = NULL,
};

#define LIMIT(member) TR2_CLI_SIZE(OWN, member, 1, UINT64_MAX), .in_file = true

static const struct tr2_cli_option table[] = {
	{ COLLECT_OPTION_LISTEN, TR2_CLI_SET(add_socket), .in_file = true },
	{ COLLECT_OPTION_WATCH, TR2_CLI_SET(add_directory), .in_file = true },
	{ COLLECT_OPTION_REMOVE, TR2_CLI_FLAG(OWN, remove), .in_file = true },
	{ COLLECT_OPTION_OUTPUT, TR2_CLI_SET(add_output), .in_file = true },
	{ COLLECT_OPTION_SPOOL, TR2_CLI_PATH(OWN, spool), .in_file = true },
	{ COLLECT_OPTION_CONFIG, TR2_CLI_SET(read_config) },
	{ COLLECT_OPTION_CHECK_CONFIG, TR2_CLI_FLAG(OWN, check) },
	{ COLLECT_OPTION_STATUS, TR2_CLI_FLAG(OWN, status) },
	{ COLLECT_OPTION_CHECK, TR2_CLI_WORD(OWN, line_check, checks, 0),
	  .in_file = true },
	{ COLLECT_OPTION_BROKEN_LIMIT, LIMIT(broken_limit) },
	{ COLLECT_OPTION_OTLP_GZIP, TR2_CLI_FLAG(OWN, otlp.gzip),
	  .in_file = true },
	{ COLLECT_OPTION_OTLP_HEADER, TR2_CLI_SET(add_header),
	  .is_secret = true, .in_file = true },
	{ COLLECT_OPTION_OTLP_WAIT,
	  TR2_CLI_NUMBER(OWN, otlp.wait, 0, TR2_OTLP_WAIT_MOST),
	  .in_file = true },
	{ COLLECT_OPTION_REDACT, TR2_CLI_SET(set_redact), .in_file = true,
	  .offers = "off passwords paths hosts users repositories arguments "
		    "all" },
	{ COLLECT_OPTION_REDACT_KEY, TR2_CLI_PATH(OWN, key_file),
	  .in_file = true },
	{ COLLECT_OPTION_ATTRIBUTE, TR2_CLI_SET(add_attribute),
	  .in_file = true },
	{ COLLECT_OPTION_ALLOW_OTHERS, TR2_CLI_FLAG(OWN, others),
	  .in_file = true },
	{ COLLECT_OPTION_COMPRESS, TR2_CLI_SET(set_compress),
	  .words = tr2_compress_names, .may_lack = true, .in_file = true },
	{ COLLECT_OPTION_FILE_SIZE, LIMIT(file_size) },
	{ COLLECT_OPTION_FILES_LIMIT, LIMIT(files_limit) },
	{ COLLECT_OPTION_FILES_AGE, TR2_CLI_DURATION(OWN, files_age),
	  .in_file = true },
	{ COLLECT_OPTION_SPOOL_AGE, TR2_CLI_DURATION(OWN, spool_age),
	  .in_file = true },
	{ COLLECT_OPTION_SPOOL_LIMIT, LIMIT(spool_limit) },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "collect",
	.help = COLLECT_HELP,
	.options = table,
	.has_none = true,
};

int tr2_collect_set(struct tr2_collect_options *options, const char *name,
		    char *value)
{
	struct tr2_buf place = TR2_BUF_INIT;
	int code;

	put_place(&place, options);
	code = tr2_cli_set(&cli, options,
			   place.failed ? options->file : place.bytes, name,
			   value);
	tr2_buf_release(&place);
	return code == TR2_CLI_GO_ON ? 0 : code;
}

/* What is missing, or NULL. */
static const char *find_missing(const struct tr2_collect_options *options)
{
	if (!options->spool)
		return "expected a directory: --spool DIR";
	if (options->status)
		return NULL;
	if (!options->socket_count && !options->watch_count &&
	    !tr2_passed_count())
		return "expected a socket or a directory: --listen SOCKET, "
		       "--watch DIR";
	if (!options->output_count)
		return "expected an output: --output OUTPUT";
	if (options->key_file && !options->hide)
		return "--redact-key needs a list of kinds: --redact KINDS";
	return NULL;
}

int tr2_collect_check_loops(const struct tr2_collect_options *options)
{
	const char *place = NULL, *why = tr2_collect_find_loop(options, &place);

	return why ? tr2_cli_refuse(&cli, why, place) : 0;
}

int tr2_collect_read_options(struct tr2_collect_options *options, char **argv)
{
	const char *missing;
	int code;

	options->spool_limit = SPOOL_LIMIT;
	options->file_size = FILE_SIZE;
	options->broken_limit = BROKEN_LIMIT;
	options->otlp.wait = TR2_OTLP_WAIT;
	options->otlp.rest = TR2_OTLP_REST;
	code = tr2_cli_read(&cli, options, argv);
	if (code != TR2_CLI_GO_ON)
		return code;
	if (options->attributes.len)
		tr2_buf_add(&options->attributes, "}", 2);
	missing = options->attributes.failed ? "there is too little memory"
					     : find_missing(options);
	if (missing)
		return tr2_cli_refuse(&cli, missing, NULL);
	if (tr2_collect_check_loops(options))
		return COLLECT_USAGE;
	for (uint32_t i = 0; i < options->output_count; i++) {
		options->outputs[i].file_size = options->file_size;
		options->outputs[i].compress = options->compress;
		options->outputs[i].files_limit = options->files_limit;
		options->outputs[i].files_age =
			(uint64_t)(options->files_age / 1000000);
		options->outputs[i].otlp = &options->otlp;
	}
	return code;
}
