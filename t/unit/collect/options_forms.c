/* Options in each form in which they may be written, and what they default to. */
#include "collect/options_kit.h"

#include "redact/redactor/line.h"

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
		       !options.status,
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
}

static void test_needed(void)
{
	char own[32];

	snprintf(own, sizeof(own), "%ld", (long)getpid());
	setenv("LISTEN_PID", own, 1);
	setenv("LISTEN_FDS", "1", 1);
	read_words("--spool p -o stdout");
	tap_int(exit_status, 0, "sockets that were passed are enough to read");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	tap_ok(is_refused(NEEDED "--redact-key k",
			  "--redact-key needs a list of kinds: --redact KINDS"),
	       "a key without kinds is refused");
	read_words("--redact-key k --redact users " NEEDED);
	tap_ok(!exit_status && options.hide == TR2_HIDE_USERS,
	       "with kinds it may come before them");
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
	test_formats();
	test_checks();
	test_needed();
	test_secrets();
	forget_options();
	leave_directory();
	return tap_done();
}
