#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* The command dump: its files, messages and exit status. */
#include "views/dump/dump_kit.h"

#include <errno.h>

static bool said_text(const char *text)
{
	return strstr(kit_said[2], text) != NULL;
}

static void test_usage(void)
{
	static const char usage[] = "usage: trace2 dump ";

	tap_int(call_dump("--help"), EXIT_CLEAN,
		"dump prints its help without an error");
	tap_ok(!strncmp(kit_said[1], usage, strlen(usage)),
	       "the help of dump begins with its usage");
	tap_int(call_dump("-h"), EXIT_CLEAN, "-h of dump is no error");
	tap_ok(!strncmp(kit_said[1], usage, strlen(usage)),
	       "-h of dump prints the help");
	tap_int(call_dump("-x in.fxt"), EXIT_USAGE,
		"dump refuses an unknown option");
	tap_str(kit_said[1], "", "dump shows nothing after an unknown option");
}

static void test_paths(void)
{
	mkdir("d", 0700);
	begin_words();
	write_words("in.fxt");
	write_words("-h");
	write_words("d/a\nb.fxt");
	tap_int(call_dump("in.fxt"), EXIT_CLEAN, "an archive is shown");
	tap_str(kit_said[1], HEAD,
		"the only archive is shown without its name");
	tap_int(call_dump("-- -h"), EXIT_CLEAN,
		"an archive's name may begin with a minus after --");
	tap_str(kit_said[1], HEAD, "the only archive after -- has no heading");
	call_dump("in.fxt in.fxt");
	tap_str(kit_said[1], "in.fxt:\n" HEAD "in.fxt:\n" HEAD,
		"each of several archives has its name before it");
	call_dump("d");
	tap_str(kit_said[1], "d/a?b.fxt:\n" HEAD,
		"an archive in a directory has its name in one line");
	tap_str(kit_said[2], "", "archives without errors need no message");
}

/* Call with the archive as standard input. */
static void test_stream(void)
{
	const int before = kit_replace(0, "in.fxt", O_RDONLY);

	tap_int(call_dump("-"), EXIT_CLEAN, "standard input can be shown");
	tap_str(kit_said[1], HEAD, "standard input is shown without a name");
	kit_put_back(0, before);
}

static void test_missing(void)
{
	tap_int(call_dump("none in.fxt"), EXIT_INPUT,
		"dump fails for a file that cannot be read");
	tap_ok(said_text("none") && said_text(strerror(ENOENT)),
	       "the message names the missing archive and the reason");
	tap_str(kit_said[1], "in.fxt:\n" HEAD,
		"archives beside a missing one are shown");
	write_file("cut.gz", "\x1f\x8b\x08");
	tap_int(call_dump("in.fxt cut.gz"), EXIT_INPUT,
		"dump fails for a file that cannot be decompressed");
	tap_ok(said_text("cut.gz:1:1: error[input.unreadable]"),
	       "a message tells where decompression failed");
	mkdir("bare", 0700);
	tap_int(call_dump("bare"), EXIT_INPUT,
		"dump fails for a directory without files");
	tap_str(kit_said[2], "trace2 dump: there is no archive in: bare\n",
		"a message names the directory without an archive");
	tap_int(call_dump("bare in.fxt"), EXIT_FINDINGS,
		"an empty directory weighs less before an archive");
	tap_int(call_dump("in.fxt bare"), EXIT_FINDINGS,
		"an empty directory weighs less after an archive");
	tap_str(kit_said[2], "trace2 dump: there is no archive in: bare\n",
		"an empty directory after an archive is reported");
}

static void test_foreign(void)
{
	write_file("event", "{\"event\":\"version\",\"sid\":\"a\"}\n");
	write_file("words", "hello\n");
	tap_int(call_dump("event"), EXIT_INPUT,
		"dump does not show an EVENT log");
	tap_ok(said_text("trace2 dump: event: this is ") &&
		       said_text("; expected an archive of the FXT format, "
				 "which 'trace2 convert' makes of an "
				 "EVENT log\n"),
	       "the message tells which command makes an archive of it");
	tap_int(call_dump("words in.fxt"), EXIT_FINDINGS,
		"dump leaves out a file of another format");
	tap_ok(said_text("trace2 dump: words: this is a text file, no log; "),
	       "the message about another format names it");
	tap_str(kit_said[1], "in.fxt:\n" HEAD,
		"a file that is left out has no heading");
}

int main(void)
{
	int before;

	enter_directory();
	test_usage();
	before = count_descriptors();
	tap_run(test_paths, test_stream, test_missing, test_foreign);
	tap_int(count_descriptors(), before, "all files are closed");
	leave_directory();
	return tap_done();
}
