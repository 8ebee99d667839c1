/* Options and their file: each error names place and expectation. */
#include "collect/options_kit.h"

/* Returns what is told about a file with this text. */
static const char *read_config(const char *text, int want)
{
	int code;

	forget_options();
	write_file("file", text);
	catch_errors();
	code = tr2_collect_read_config(&options, "file");
	show_errors();
	return code == want ? kit_text("errors") : "another exit status";
}

static void test_settings(void)
{
	tap_str(read_config("# all\n\n  listen\taf_unix:dgram:s \r\n"
			    "output files:d e\nspool p\ncompress\n"
			    "file-size 3k\nfiles-limit 2m\nspool-limit 1g\n"
			    "broken-limit 7\ncheck mark\nredact passwords\n"
			    "watch w\nremove\nallow-others",
			    0),
		"", "a file may have all settings");
	tap_str(options.sockets[0].address.sun_path, "s", "a socket,");
	tap_str(options.outputs[0].target, "files:d e", "a name with a blank,");
	tap_str(options.spool, "p", "a directory,");
	tap_int((intmax_t)options.file_size, 3 << 10, "kilobytes,");
	tap_int((intmax_t)options.files_limit, 2 << 20, "megabytes,");
	tap_int((intmax_t)options.spool_limit, 1 << 30, "gigabytes,");
	tap_int((intmax_t)options.broken_limit, 7, "bytes,");
	tap_int(options.line_check, TR2_FILTER_MARK, "a word,");
	tap_ok(options.redact, "another word,");
	tap_str(options.watches[0].path, "w", "a watched directory,");
	tap_ok(options.remove && options.others &&
		       options.compress == TR2_COMPRESS_GZIP,
	       "and settings without a value");
}

static void test_files(void)
{
	forget_options();
	catch_errors();
	tr2_collect_read_config(&options, "none");
	tap_str(show_errors(),
		"trace2 collect: No such file or directory: none\n",
		"a file that is missing is named");
	catch_errors();
	tr2_collect_read_config(&options, ".");
	tap_str(show_errors(), "trace2 collect: Is a directory: .\n",
		"so is a directory");
	forget_options();
	write_file("file", "spool p\n");
	(void)!truncate("file", (1 << 20) + 1);
	catch_errors();
	tr2_collect_read_config(&options, "file");
	tap_str(show_errors(), "trace2 collect: File too large: file\n",
		"a file has a limit");
	read_config("spool p\n", 0);
	catch_errors();
	tr2_collect_read_config(&options, "file");
	tap_str(show_errors(),
		"trace2 collect: there can be one file only: file\n",
		"a second file is refused");
}

static void test_nul(void)
{
	FILE *out = fopen("file", "w");

	fwrite("spool p\n\0\nspol q\n", 1, 17, out);
	fclose(out);
	forget_options();
	catch_errors();
	tap_int(tr2_collect_read_config(&options, "file"), 2,
		"a file with a NUL byte is refused");
	tap_str(show_errors(),
		"trace2 collect: expected text, without a NUL byte: file\n",
		"because nothing after it would count");
}

/* Settings that are not words, and what surrounds them. */
static void test_spaces(void)
{
	tap_str(read_config("  # no\n\t\n  spool \t a b \t\r\n", 0), "",
		"blanks may be around names and values");
	tap_str(options.spool, "a b", "but those inside of a value stay");
	tap_int((intmax_t)options.line, 4, "each line of it is counted");
	tap_str(read_config("", 0), "", "a file may be empty");
	tap_str(read_config("compress\nremove \n", 0), "",
		"a setting may have no value");
	tap_ok(options.compress == TR2_COMPRESS_GZIP && options.remove,
	       "and counts");
	tap_str(read_config("otlp-gzip\notlp-header a: b\notlp-wait 7\n"
			    "redact all\nredact-key k\n",
			    0),
		"", "posts and keys may be set");
	tap_str(options.otlp.headers[0], "a: b", "with blanks");
	tap_ok(options.otlp.gzip && options.otlp.wait == 7 &&
		       !strcmp(options.key_file, "k") && options.hide,
	       "all of these are set");
	tap_str(read_config("otlp-gzip yes\n", 2),
		"trace2 collect: file:1: otlp-gzip takes no value\n",
		"a yes is not needed");
	tap_ok(*read_config("help\n", 2) && *read_config("status\n", 2) &&
		       *read_config("check-config\n", 2),
	       "what a command does is no setting");
}

static void test_command_line(void)
{
	tap_str(read_words("--spool p -l af_unix:stream:s -o stdout"), "read",
		"a command line is read");
	tap_int((intmax_t)options.outputs[0].file_size, 64 << 20,
		"each output has the size of files");
	tap_str(read_words("-o stdout -l af_unix:stream:s"),
		"trace2 collect: expected a directory: --spool DIR\n"
		"Try 'trace2 collect --help'.\n",
		"the spool is needed");
	tap_str(read_words("--spool p -o stdout"),
		"trace2 collect: expected a socket or a directory: --listen "
		"SOCKET, --watch DIR\nTry 'trace2 collect --help'.\n",
		"something to read is needed");
	tap_str(read_words("--spool p --watch d"),
		"trace2 collect: expected an output: --output OUTPUT\n"
		"Try 'trace2 collect --help'.\n",
		"an output is needed");
	tap_str(read_words("--spool p --watch d -o stdout -o stdout"),
		"trace2 collect: this output is named twice: stdout\n"
		"Try 'trace2 collect --help'.\n",
		"an output is named once");
	tap_str(read_words("--spool p --status"), "read",
		"the status needs the spool only");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_settings, test_files, test_nul, test_spaces,
		test_command_line);
	forget_options();
	tap_int(count_descriptors(), before, "no configuration stays open");
	leave_directory();
	return tap_done();
}
