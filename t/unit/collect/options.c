/* The command line: what each option sets, its limits, and its mistakes. */
#include "collect/options_kit.h"

#include "redact/redactor/line.h"

#define NEEDED "--spool p -l af_unix:stream:s -o stdout "
#define TRY "Try 'trace2 collect --help'.\n"

/* The message about a command line, without what each has. */
static const char *refuse_words(const char *words)
{
	static const char begin[] = "trace2 collect: ";
	const char *told = read_words(words);
	static char text[1024];
	char *end;

	if (strncmp(told, begin, strlen(begin)) != 0)
		return told;
	snprintf(text, sizeof(text), "%s", told + strlen(begin));
	end = strstr(text, "\n" TRY);
	if (!end)
		return "no advice";
	*end = '\0';
	return text;
}

static void test_defaults(void)
{
	tap_str(read_words(NEEDED), "read", "a few options suffice");
	tap_str(options.spool, "p", "a spool,");
	tap_int((intmax_t)options.socket_count, 1, "a socket to listen on,");
	tap_str(options.sockets[0].address.sun_path, "s", "with its path,");
	tap_int((intmax_t)options.output_count, 1, "and an output,");
	tap_str(options.outputs[0].target, "stdout",
		"with the name that was given");
	tap_ok(options.outputs[0].kind == &tr2_kind_stdout, "and its kind");
	tap_int((intmax_t)options.spool_limit, 1 << 30, "the spool has 1g,");
	tap_int((intmax_t)options.file_size, 64 << 20, "a file 64m,");
	tap_int((intmax_t)options.broken_limit, 16 << 20, "broken lines 16m");
	tap_int((intmax_t)options.files_limit, 0, "and files no limit");
	tap_int((intmax_t)options.otlp.wait, 600, "a process has 600 s");
	tap_int(options.line_check, TR2_FILTER_OFF, "no line is checked");
	tap_int(options.compress, TR2_COMPRESS_OFF, "no file is compressed");
	tap_ok(!options.redact && !options.hide, "nothing is hidden");
	tap_ok(!options.others && !options.remove && !options.otlp.gzip &&
		       !options.status && !options.check,
	       "and no option is on");
}

static void test_outputs(void)
{
	tap_str(read_words(NEEDED "-o files:d --file-size 1k --files-limit 3 "
				  "--compress=zstd"),
		"read", "options may follow outputs");
	tap_int((intmax_t)options.outputs[1].file_size, 1024,
		"and hold for all: the size of files,");
	tap_int((intmax_t)options.outputs[0].file_size, 1024, "of each,");
	tap_int((intmax_t)options.outputs[1].files_limit, 3, "their limit,");
	tap_int(options.outputs[1].compress, TR2_COMPRESS_ZSTD, "their format");
	tap_ok(options.outputs[1].otlp == &options.otlp, "and what is posted");
	tap_str(read_words(NEEDED "--compress"), "read", "a format");
	tap_int(options.compress, TR2_COMPRESS_GZIP,
		"is gzip if none is named");
	tap_str(refuse_words(NEEDED "-o files:"),
		"-o needs files:DIR, af_unix:stream:PATH, otlp:URL or stdout, "
		"not 'files:'",
		"an output that is none is refused");
	tap_str(refuse_words(NEEDED "-o stdout"),
		"this output is named twice: stdout", "so is one of two names");
}

static void test_urls(void)
{
	tap_str(read_words(NEEDED "-o otlp:http://localhost:4318"), "read",
		"a receiver has a URL");
	tap_str(options.outputs[1].target, "otlp:http://localhost:4318",
		"which is kept");
	tap_ok(options.outputs[1].kind == &tr2_kind_otlp, "with its kind");
	tap_ok(strstr(refuse_words(NEEDED "-o otlp:ftp://host"),
		      ": ftp://host") != NULL,
	       "another URL is refused, and named");
	tap_ok(strstr(refuse_words(NEEDED "-o otlp:http://me:secret@host"),
		      "secret") == NULL,
	       "a password is not told");
	tap_str(read_words(NEEDED "-o otlp:http://me:secret@host"),
		kit_text("errors"), "it is refused");
	tap_int((intmax_t)options.output_count, 1, "and is no output");
}

static void test_sockets(void)
{
	static char words[1024] = "--spool p -o stdout";
	int i;

	tap_str(refuse_words("--spool p -o stdout --listen tcp:1"),
		"--listen needs af_unix:stream:PATH or af_unix:dgram:PATH, not "
		"'tcp:1'",
		"a socket that is none is refused");
	for (i = 0; i < 16; i++)
		snprintf(words + strlen(words), 32, " -l af_unix:dgram:%d", i);
	tap_str(read_words(words), "read", "there can be 16 sockets");
	tap_str(options.sockets[15].address.sun_path, "15", "sixteen of them");
	tap_ok(!options.sockets[15].stream, "are of their kind");
	strcat(words, " -l af_unix:stream:x");
	tap_str(refuse_words(words),
		"there can be 16 sockets at most: af_unix:stream:x",
		"but no seventeenth");
}

static void test_directories(void)
{
	static char words[1024] = "--spool p -o stdout";
	int i;

	for (i = 0; i < 16; i++)
		snprintf(words + strlen(words), 32, " --watch d%d", i);
	tap_str(read_words(words), "read", "there can be 16 directories");
	tap_int((intmax_t)options.watch_count, 16, "all sixteen");
	tap_str(options.watches[15].path, "d15", "by their names");
	strcat(words, " --watch x");
	tap_str(refuse_words(words), "there can be 16 directories at most: x",
		"and no seventeenth directory");
	tap_str(refuse_words("--spool p --watch d --watch d"),
		"this directory is named twice: d", "each is named once");
}

static void test_many_outputs(void)
{
	static char words[2048] = "--spool p -l af_unix:stream:s";
	int i;

	for (i = 0; i < 64; i++)
		snprintf(words + strlen(words), 32, " -o files:d%d", i);
	tap_str(read_words(words), "read", "there can be 64 outputs");
	tap_str(options.outputs[63].target, "files:d63", "all sixty-four");
	tap_str(refuse_words(strcat(words, " -o files:d63")),
		"this output is named twice: files:d63", "each once");
	strcpy(strrchr(words, '-'), "-o files:d64");
	tap_str(refuse_words(words),
		"there can be 64 outputs at most: files:d64",
		"but no sixty-fifth");
}

static void test_redact(void)
{
	tap_str(read_words(NEEDED "--redact passwords"), "read", "passwords");
	tap_ok(options.redact && !options.hide, "may be hidden");
	tap_str(read_words(NEEDED "--redact paths,users"), "read", "more");
	tap_int((intmax_t)options.hide, TR2_HIDE_PATHS | TR2_HIDE_USERS,
		"may be hidden, too");
	tap_str(read_words(NEEDED "--redact all --redact off"), "read",
		"the last word counts");
	tap_ok(!options.redact && !options.hide, "also if it is off");
	tap_str(read_words(NEEDED "--redact passwords --redact hosts"), "read",
		"one replaces the other");
	tap_ok(!options.redact && options.hide == TR2_HIDE_HOSTS,
	       "as it hides passwords, too");
	tap_str(refuse_words(NEEDED "--redact paths,names"),
		"--redact needs off, passwords, or a list of paths, hosts, "
		"users, repositories, arguments and all, not 'paths,names'",
		"another kind is refused");
	tap_str(read_words(NEEDED "--redact all --redact-key k"), "read",
		"a key may be named");
	tap_str(options.key_file, "k", "as a file");
	tap_str(refuse_words(NEEDED "--redact passwords --redact-key k"),
		"--redact-key needs a list of kinds: --redact KINDS",
		"passwords need no key");
}

static void test_posts(void)
{
	static char words[2048] = NEEDED;
	int i;

	tap_str(read_words(NEEDED "--otlp-wait 0"), "read", "nothing may wait");
	tap_int((intmax_t)options.otlp.wait, 0, "for 0 s,");
	tap_str(read_words(NEEDED "--otlp-wait 1000000"), "read", "or");
	tap_int((intmax_t)options.otlp.wait, 1000000, "for a million");
	for (i = 0; i < 16; i++)
		snprintf(words + strlen(words), 32, " --otlp-header a:%d", i);
	tap_str(read_words(words), "read", "there can be 16 headers");
	tap_str(options.otlp.headers[15], "a:15", "the last one, too");
	strcat(words, " --otlp-header secret:1");
	tap_str(refuse_words(words), "there can be 16 headers at most",
		"but no more, of which nothing is told");
	tap_ok(!strstr(refuse_words(NEEDED "--otlp-header secret"), "secret"),
	       "nor of one that is none");
	tap_ok(strcmp(read_words(NEEDED "--otlp-header secret"), "read") != 0,
	       "which is refused");
}

static void test_words(void)
{
	write_file("file", "spool q\noutput stdout\nlisten af_unix:stream:s\n");
	tap_str(read_words("--config file"), "read", "all may be in a file");
	tap_str(options.spool, "q", "as on the command line");
	tap_str(read_words("--config file --spool r"), "read", "and what");
	tap_str(options.spool, "r", "comes after it counts");
}

int main(void)
{
	enter_directory();
	tap_run(test_defaults, test_outputs, test_urls, test_sockets,
		test_directories, test_many_outputs, test_redact, test_posts,
		test_words);
	forget_options();
	leave_directory();
	return tap_done();
}
