/*
 * The command line and its file: what each option sets, and how many there
 * can be. What is refused is in t/commands/options.tsv and
 * t/commands/collect/test_collect_config.py.
 */
#include "collect/options_kit.h"

#include "redact/redactor/line.h"

#define NEEDED "--spool p -l af_unix:stream:s -o stdout "

/* What was read, in one line; the numbers of the first output. */
static const char *show_options(void)
{
	static char text[1024];
	const struct tr2_delivery *output = options.outputs;

	snprintf(text, sizeof(text),
		 "spool %s %ju, sockets %zu, watches %zu, outputs %zu: %s %ju "
		 "%ju %d, broken %ju %d, wait %ju,%s%s%s%s%s hide %u",
		 options.spool, (uintmax_t)options.spool_limit,
		 (size_t)options.socket_count, (size_t)options.watch_count,
		 (size_t)options.output_count, output->target,
		 (uintmax_t)output->file_size, (uintmax_t)output->files_limit,
		 (int)output->compress, (uintmax_t)options.broken_limit,
		 (int)options.line_check, (uintmax_t)options.otlp.wait,
		 options.redact ? " redact" : "",
		 options.others ? " others" : "",
		 options.remove ? " remove" : "",
		 options.otlp.gzip ? " gzip" : "",
		 options.status || options.check ? " other" : "", options.hide);
	return text;
}

static void test_defaults(void)
{
	tap_str(read_words(NEEDED), "read", "a few options suffice");
	tap_str(show_options(),
		"spool p 1073741824, sockets 1, watches 0, outputs 1: stdout "
		"67108864 0 0, broken 16777216 0, wait 600, hide 0",
		"each option has its default");
	tap_ok(!strcmp(options.sockets[0].address.sun_path, "s") &&
		       options.sockets[0].stream &&
		       options.outputs[0].kind == &tr2_kind_stdout &&
		       options.outputs[0].otlp == &options.otlp,
	       "a socket has its path and kind, and so has an output");
	tap_str(read_words("--spool p --status"), "read",
		"the status needs the spool only");
}

#define ALL_WORDS                                                            \
	"-o files:d -l af_unix:dgram:s --spool p --compress=zstd "           \
	"--file-size 3k --files-limit 2m --spool-limit 1g --broken-limit 7 " \
	"--check mark --redact passwords --watch w --remove --allow-others " \
	"--otlp-gzip --otlp-wait 0 --otlp-header a:b"
#define ALL_LINES                                                          \
	"# all\n\n  listen\taf_unix:dgram:s \r\noutput files:d\n"          \
	"compress zstd\nfile-size 3k\nfiles-limit 2m\nspool-limit 1g\n"    \
	"broken-limit 7\ncheck mark\nredact passwords\nwatch w\nremove \n" \
	"allow-others\notlp-gzip\notlp-wait 0\notlp-header a: b\nspool p"
#define ALL_SHOWN                                                       \
	"spool p 1073741824, sockets 1, watches 1, outputs 1: files:d " \
	"3072 2097152 2, broken 7 2, wait 0, redact others remove gzip hide 0"

static void test_all(void)
{
	tap_str(read_words(ALL_WORDS), "read", "a command line has all");
	tap_str(show_options(), ALL_SHOWN, "each option has its value");
	write_file("file", ALL_LINES);
	tap_str(read_words("--config file"), "read", "a file has all");
	tap_str(show_options(), ALL_SHOWN, "each line of it has its value");
	tap_str(options.otlp.headers[0], "a: b", "blanks stay inside of one");
	tap_ok(!options.sockets[0].stream, "a socket may be for datagrams");
	tap_int((intmax_t)options.line, 18, "each line of a file is counted");
	read_words("--config file --spool q --compress");
	tap_ok(!strcmp(options.spool, "q") &&
		       options.compress == TR2_COMPRESS_GZIP,
	       "what comes after the file counts");
	write_file("file", "");
	tap_str(read_words(NEEDED "--config file"), "read",
		"a file may be empty");
}

/* Numbers of bytes around those that are read at once, and the limit. */
static void test_sizes_of_files(void)
{
	static const size_t sizes[] = { 4095, 4096, 4097, 1 << 20 };
	static char text[1 << 20];
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		FILE *out = fopen("file", "w");

		memset(text, 'x', sizes[i]);
		text[0] = '#';
		memcpy(text + sizes[i] - 15, "\nspool far-away", 15);
		tap_need(fwrite(text, 1, sizes[i], out) == sizes[i]);
		fclose(out);
		wrong += strcmp(read_words(NEEDED "--config file"), "read") ||
			 strcmp(options.spool, "far-away") != 0;
	}
	tap_int((intmax_t)wrong, 0, "the last line of each file counts");
}

static void test_nul(void)
{
	FILE *out = fopen("file", "w");

	fwrite("spool p\n\0\nspol q\n", 1, 17, out);
	fclose(out);
	tap_str(read_words("--config file"),
		"trace2 collect: expected text, without a NUL byte: file\n",
		"a file with a NUL byte is refused");
}

static void test_redact(void)
{
	static const struct {
		const char *words;
		bool redact;
		unsigned hide;
	} rows[] = {
		{ "--redact passwords", true, 0 },
		{ "--redact paths,users", false,
		  TR2_HIDE_PATHS | TR2_HIDE_USERS },
		{ "--redact all --redact off", false, 0 },
		{ "--redact passwords --redact hosts", false, TR2_HIDE_HOSTS },
	};
	char words[256];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(words, sizeof(words), NEEDED "%s", rows[i].words);
		tap_ok(!strcmp(read_words(words), "read") &&
			       options.redact == rows[i].redact &&
			       options.hide == rows[i].hide,
		       rows[i].words);
	}
	read_words(NEEDED "--redact all --redact-key k");
	tap_str(options.key_file, "k", "a key may be named");
}

/* So many fit, and one more is refused with its value. */
static void test_most(const char *begin, const char *option, int most,
		      const char *told)
{
	static char words[4096];
	char name[64];
	int i;

	snprintf(words, sizeof(words), "--spool p %s", begin);
	for (i = 0; i < most; i++)
		snprintf(words + strlen(words), 32, " %s%d", option, i);
	snprintf(name, sizeof(name), "there can be %d of %s", most, option);
	tap_str(read_words(words), "read", name);
	snprintf(words + strlen(words), 32, " %s%d", option, most);
	snprintf(name, sizeof(name), "one more of %s is refused", option);
	tap_ok(strstr(read_words(words), told) != NULL, name);
}

static void test_secrets(void)
{
	tap_str(read_words(NEEDED "-o otlp:http://me:secret@host"),
		kit_text("errors"), "a URL with a password is refused");
	tap_ok(!strstr(kit_text("errors"), "secret"), "a password is not told");
	read_words(NEEDED "-o otlp:http://localhost:4318");
	tap_ok(options.outputs[1].kind == &tr2_kind_otlp &&
		       !strcmp(options.outputs[1].target,
			       "otlp:http://localhost:4318"),
	       "a receiver keeps its URL");
	tap_ok(strcmp(read_words(NEEDED "--otlp-header secret"), "read") &&
		       !strstr(kit_text("errors"), "secret"),
	       "a header that is none is refused, and not told");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_defaults, test_all, test_sizes_of_files, test_nul,
		test_redact, test_secrets);
	test_most("-o stdout", "-l af_unix:dgram:", 16,
		  "there can be 16 sockets at most: af_unix:dgram:16");
	test_most("-o stdout", "--watch d", 16,
		  "there can be 16 directories at most: d16");
	test_most("-l af_unix:stream:s", "-o files:d", 64,
		  "there can be 64 outputs at most: files:d64");
	test_most("-l af_unix:stream:s -o stdout", "--otlp-header a:", 16,
		  "there can be 16 headers at most\n");
	forget_options();
	tap_int(count_descriptors(), before, "no configuration stays open");
	leave_directory();
	return tap_done();
}
