/* Options in each form in which they may be written, and what they default to. */
#include "collect/options_kit.h"

#include "redactor/line.h"

#define NEEDED "--spool p -l af_unix:stream:s -o stdout "
#define ADVICE "\nTry 'trace2 collect --help'.\n"

/* Are these words refused with this message? */
static bool is_refused(const char *words, const char *message)
{
	char want[512];

	snprintf(want, sizeof(want), "trace2 collect: %s" ADVICE, message);
	if (!strcmp(read_words(words), want) && exit_status == COLLECT_USAGE)
		return true;
	printf("# %s: %s", words, kit_text("errors"));
	return false;
}

static void test_defaults(void)
{
	read_words(NEEDED "-o files:d");
	tap_ok(options.spool_limit == (uint64_t)1 << 30 &&
		       options.file_size == 64 << 20 &&
		       options.broken_limit == 16 << 20,
	       "the spool has 1g, a file 64m and broken.log 16m");
	tap_ok(options.otlp.wait == 600 && !options.otlp.header_count &&
		       !options.otlp.gzip,
	       "a process may take 600 s until it is posted");
	tap_ok(!options.files_limit && !options.outputs[1].files_limit,
	       "files have no limit in all");
	tap_ok(!options.compress && !options.outputs[1].compress,
	       "and are not compressed");
	tap_ok(options.outputs[1].file_size == 64 << 20 &&
		       options.outputs[1].otlp == &options.otlp &&
		       options.outputs[0].otlp == &options.otlp,
	       "each output knows about files and posts");
}

static void test_nothing(void)
{
	read_words(NEEDED);
	tap_ok(!options.redact && !options.hide && !options.key_file,
	       "nothing is hidden from outputs");
	tap_int(options.line_check, TR2_FILTER_OFF,
		"no line is checked for mistakes");
	tap_ok(!options.others && !options.remove && !options.check &&
		       !options.status && !options.help,
	       "nothing is allowed, removed, checked or shown");
}

static void test_short_forms(void)
{
	read_words("--spool=p -laf_unix:dgram:s -ofiles:d");
	tap_ok(!exit_status && options.socket_count == 1 &&
		       !options.sockets[0].stream,
	       "a short option may stand before its value");
	tap_str(options.outputs[0].target, "files:d",
		"an output may follow its letter");
	tap_str(options.spool, "p", "a long option may have a sign between");
	read_words("-h");
	tap_ok(!exit_status && options.help, "help has a letter, too");
	read_words("--help --spol");
	tap_int(exit_status, COLLECT_USAGE,
		"what comes after a call for help is read");
	read_words(NEEDED "--allow-others");
	tap_ok(options.others && !options.remove && !options.otlp.gzip,
	       "other users may be allowed");
	read_words(NEEDED "--remove");
	tap_ok(options.remove && !options.others && !options.otlp.gzip,
	       "files may be removed");
	read_words(NEEDED "--otlp-gzip");
	tap_ok(options.otlp.gzip && !options.others && !options.remove,
	       "posts may be compressed");
}

/* What is in a file on one line is on the command line, too. */
static void test_sizes(void)
{
	static const struct {
		const char *text;
		uint64_t size;
	} rows[] = {
		{ "1", 1 },
		{ "9", 9 },
		{ "0010", 10 },
		{ "1k", UINT64_C(1) << 10 },
		{ "3m", UINT64_C(3) << 20 },
		{ "2g", UINT64_C(2) << 30 },
		{ "18446744073709551615", UINT64_MAX },
		{ "18014398509481983k", UINT64_C(18014398509481983) << 10 },
	};
	static const char *const wrong[] = {
		"0",  "0k", "",	    "k",
		"1K", "1t", "1kb",  "18446744073709551616",
		"-1", "+1", "0x10", "18014398509481984k",
		"1.", "/1", ":1",   "17592186044416m",
	};
	char words[128], message[128];
	size_t i, bad = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(words, sizeof(words), NEEDED "--file-size %s",
			 rows[i].text);
		read_words(words);
		bad += exit_status || options.file_size != rows[i].size;
	}
	tap_int((intmax_t)bad, 0,
		"a size has digits, and k, m or g after them");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(words, sizeof(words), NEEDED "--files-limit=%s",
			 wrong[i]);
		snprintf(message, sizeof(message),
			 "files-limit needs a size, such as 10g, not: %s",
			 wrong[i]);
		bad += !is_refused(words, message);
	}
	tap_int((intmax_t)bad, 0, "anything else is no size");
}

static void test_formats(void)
{
	static const char *const words[] = { "--compress=off",
					     "--compress=gzip",
					     "--compress=zstd" };
	char line[128];
	int i, bad = 0;

	for (i = 0; i < 3; i++) {
		snprintf(line, sizeof(line), NEEDED "%s", words[i]);
		read_words(line);
		bad += exit_status || (int)options.compress != i ||
		       (int)options.outputs[0].compress != i;
	}
	tap_int(bad, 0, "each format has a name");
	read_words(NEEDED "--compress=");
	tap_int(options.compress, TR2_COMPRESS_GZIP, "no name means gzip");
	tap_ok(is_refused(NEEDED "--compress=xz",
			  "compress needs off, gzip or zstd, not: xz"),
	       "a format without a name here is refused");
}

static void test_checks(void)
{
	static const char *const names[] = { "off", "pass", "mark",
					     "set-aside" };
	char line[128];
	int i, bad = 0;

	for (i = 0; i < 4; i++) {
		snprintf(line, sizeof(line), NEEDED "--check %s", names[i]);
		read_words(line);
		bad += exit_status || (int)options.line_check != i;
	}
	tap_int(bad, 0, "each kind of check has a name");
	tap_ok(is_refused(NEEDED "--check drop",
			  "check needs off, pass, mark or set-aside, not: "
			  "drop"),
	       "another kind of check is refused");
}

static void test_needed(void)
{
	char own[32];

	tap_ok(is_refused("word", "expected options only, not: word"),
	       "a word is told before what is missing");
	tap_ok(is_refused("--spool p --status word",
			  "expected options only, not: word"),
	       "also if the status is asked for");
	tap_ok(is_refused("-o stdout -l af_unix:stream:s",
			  "expected a directory: --spool DIR"),
	       "the spool has no default");
	tap_ok(is_refused("--spool p -o stdout",
			  "expected a socket or a directory: --listen SOCKET, "
			  "--watch DIR"),
	       "nor has what is read");
	tap_ok(is_refused("--spool p --watch d",
			  "expected an output: --output OUTPUT"),
	       "nor has an output");
	snprintf(own, sizeof(own), "%ld", (long)getpid());
	setenv("LISTEN_PID", own, 1);
	setenv("LISTEN_FDS", "1", 1);
	read_words("--spool p -o stdout");
	tap_int(exit_status, 0, "sockets that were passed are enough to read");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	tap_ok(is_refused(NEEDED "--redact-key k",
			  "redact-key needs a list of kinds: --redact KINDS"),
	       "a key without kinds is refused");
	read_words("--redact-key k --redact users " NEEDED);
	tap_ok(!exit_status && options.hide == TR2_HIDE_USERS,
	       "with kinds it may come before them");
}

/* An option that is wrong by itself. */
static void test_wrong(void)
{
	tap_ok(is_refused(NEEDED "-l", "an option needs a value: -l") &&
		       is_refused(NEEDED "--watch",
				  "an option needs a value: --watch"),
	       "an option at the end may lack its value");
	tap_ok(strstr(read_words(NEEDED "--remove=yes"), "'--remove'") &&
		       exit_status == COLLECT_USAGE,
	       "a flag has no value");
	tap_ok(is_refused("--file-size x " NEEDED,
			  "file-size needs a size, such as 64m, not: x"),
	       "the first mistake is told, although all after it is right");
	tap_ok(!strncmp(read_words(NEEDED "-x"),
			"trace2 collect: unknown option '-x'", 35) &&
		       exit_status == COLLECT_USAGE,
	       "an unknown letter is named in the message");
	tap_ok(strstr(read_words(NEEDED "--otlp"), "--otlp") != NULL &&
		       exit_status == COLLECT_USAGE,
	       "the begin of several options is none of them");
}

/* Nothing that may be a secret is shown again. */
static void test_secrets(void)
{
	static const char *const words[] = {
		NEEDED "--otlp-header Authorization",
		NEEDED "--otlp-header Auth\x01:Authorization",
		NEEDED "-o otlp:http://Authorization@host",
		NEEDED "-o otlp:http://me:Authorization@host:4318/x",
		NEEDED "-o otlp:ftp://Authorization@host",
	};
	size_t i, bad = 0;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		read_words(words[i]);
		bad += exit_status != COLLECT_USAGE ||
		       strstr(kit_text("errors"), "Authorization");
	}
	tap_int((intmax_t)bad, 0, "a secret in a wrong option is not shown");
	tap_ok(is_refused(NEEDED "--otlp-header x",
			  "expected NAME: VALUE after otlp-header"),
	       "what was expected is told without it");
	tap_ok(is_refused(NEEDED "-o otlp:ftp://host",
			  "expected http://HOST:PORT or https://HOST, not: "
			  "ftp://host"),
	       "a URL without one is");
}

int main(void)
{
	unsetenv("LISTEN_PID");
	enter_directory();
	test_defaults();
	test_nothing();
	test_short_forms();
	test_sizes();
	test_formats();
	test_checks();
	test_needed();
	test_wrong();
	test_secrets();
	forget_options();
	leave_directory();
	return tap_done();
}
