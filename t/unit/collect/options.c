/*
 * What the command line of a service and its file say. options.txt has the
 * cases. What is refused is in t/commands/options.tsv and
 * t/commands/collect/test_collect_config.py.
 */
#define _GNU_SOURCE /* kit/limits.h needs it */
#include "collect/options.h"
#include "kit/script_system.h"

static struct tr2_collect_options options;

/* What is told on standard error between these two. */
static int saved;

static void catch_errors(void)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fflush(stderr);
	saved = fcntl(2, F_DUPFD_CLOEXEC, 50);
	dup2(fd, 2);
	close(fd);
}

static const char *show_errors(void)
{
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	return file_text("errors");
}

/*
 * ---- The command line and its file
 */

static void forget_options(void)
{
	tr2_buf_release(&options.text);
	options = (struct tr2_collect_options){ 0 };
}

/* Read a command line of these words, or what is told about it. */
static const char *read_words(char **word)
{
	char *argv[256] = { (char[]){ "collect" } }, *rest;
	static char words[4096]; /* the options point into it */
	int argc = 1, code;

	forget_options();
	snprintf(words, sizeof(words), "%s", word[0]);
	for (rest = strtok(words, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	catch_errors();
	argv[argc] = NULL;
	code = tr2_collect_read_options(&options, argv);
	show_errors();
	return code == TR2_CLI_GO_ON ? "read" : file_text("errors");
}

/* `most BEGIN OPTION N`: N of them, and one more. */
static const char *read_many(char **word)
{
	static char words[4096];
	const long most = script_number(word[2], 0);

	snprintf(words, sizeof(words), "--spool p %s", word[0]);
	for (long i = 0; i < most; i++)
		snprintf(words + strlen(words), 32, " %s%ld", word[1], i);
	if (strcmp(read_words((char *[]){ words }), "read"))
		return "not so many";
	snprintf(words + strlen(words), 32, " %s%ld", word[1], most);
	return read_words((char *[]){ words });
}

/* What was read; the numbers of the first output. */
static const char *show_options(SCRIPT_NONE)
{
	const struct tr2_delivery *output = options.outputs;

	return script_say(
		"spool %s %ju, sockets %u, watches %u, outputs %u: %s %ju %ju "
		"%d, broken %ju %d, wait %ju,%s%s%s%s%s hide %u",
		options.spool, (uintmax_t)options.spool_limit,
		options.socket_count, options.watch_count, options.output_count,
		output->target, (uintmax_t)output->file_size,
		(uintmax_t)output->files_limit, (int)output->compress,
		(uintmax_t)options.broken_limit, (int)options.line_check,
		(uintmax_t)options.otlp.wait, options.redact ? " redact" : "",
		options.others ? " others" : "",
		options.remove ? " remove" : "",
		options.otlp.gzip ? " gzip" : "",
		options.status || options.check ? " other" : "", options.hide);
}

/* The first socket, the last output, the first header, and so on. */
static const char *show_more(SCRIPT_NONE)
{
	const struct tr2_delivery *output =
		options.outputs + options.output_count - 1;

	return script_say(
		"%s %s, %s %s, header '%s', key %s, line %lu",
		options.sockets[0].address.sun_path,
		options.sockets[0].stream ? "stream" : "dgram", output->target,
		output->kind == &tr2_kind_stdout ? "stdout"
		: output->kind == &tr2_kind_otlp ? "otlp"
						 : "files",
		options.otlp.header_count ? options.otlp.headers[0] : "",
		options.key_file ? options.key_file : "none", options.line);
}

/* A file of so many bytes, whose last line is that of a spool. */
static const char *write_long(char **word)
{
	static char text[1 << 20];
	const size_t size = (size_t)script_number(word[0], 0);
	FILE *out = fopen("file", "w");

	memset(text, 'x', size);
	text[0] = '#';
	memcpy(text + size - 15, "\nspool far-away", 15);
	tap_need(fwrite(text, 1, size, out) == size);
	fclose(out);
	return NULL;
}

static const char *write_nul(SCRIPT_NONE)
{
	FILE *out = fopen("file", "w");

	fwrite("spool p\n\0\nspol q\n", 1, 17, out);
	fclose(out);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "words", read_words }, { "most", read_many },
	{ "options", show_options }, { "more", show_more },
	{ "long-file", write_long }, { "nul-file", write_nul },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	forget_options();
	remove_all("file");
	remove_all("errors");
}

int main(void)
{
	return script_main(__FILE__, verbs, NULL, end_case);
}
