#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* The command convert: files in, one output, messages and exit status. */
#include "views/convert/convert_kit.h"

#include <errno.h>

#define GC BEGIN(ONE, "000", "gc") END(ONE, "100", "100")
#define LOG BEGIN(TWO, "200", "log") END(TWO, "205", "005")
#define OLD "an older result\n"

static bool said_text(const char *text)
{
	return strstr(kit_said[2], text) != NULL;
}

static void test_files(void)
{
	write_file("gc", GC);
	mkdir("logs", 0700);
	write_file("logs/a", GC);
	write_file("logs/b", LOG);
	tap_int(call_convert("gc out.folded"), EXIT_CLEAN,
		"a log is converted into a file");
	tap_str(kit_text("out.folded"), "gc 100\n",
		"the file has the converted log");
	tap_str(kit_said[1], "", "a conversion into a file prints nothing");
	tap_str(kit_said[2], "", "a conversion without losses reports nothing");
	tap_int(call_convert("logs out.folded"), EXIT_CLEAN,
		"a directory means all files in it");
	tap_str(kit_text("out.folded"), "gc 100\nlog 5\n",
		"the older result is replaced");
	call_convert("logs logs/out.folded");
	tap_int(call_convert("logs logs/out.folded"), EXIT_CLEAN,
		"a result of an earlier run is no input");
	tap_str(kit_said[2], "",
		"an older result in the input is skipped silently");
	unlink("logs/out.folded");
	tap_str(list_names("."), "gc logs out.folded ",
		"no other file is left over");
}

static void test_nothing(void)
{
	write_file("out", OLD);
	write_file("empty", "");
	mkdir("bare", 0700);
	tap_int(call_convert("--to fxt bare out"), EXIT_INPUT,
		"convert fails for a directory without files");
	tap_str(kit_said[2],
		"trace2 convert: there is nothing to convert: bare\n",
		"a message names the directory without files");
	tap_int(call_convert("--to fxt none out"), EXIT_INPUT,
		"convert fails for a file that does not exist");
	tap_ok(said_text("none") && said_text(strerror(ENOENT)) &&
		       !said_text("nothing to convert"),
	       "the reason is the only message about a missing file");
	tap_int(call_convert("--to fxt empty out"), EXIT_INPUT,
		"convert fails for an empty file");
	write_file("words", "hello\n");
	tap_int(call_convert("--to fxt words out"), EXIT_INPUT,
		"convert fails for a file of another format");
	tap_ok(said_text("trace2 convert: words: this is ") &&
		       said_text("; expected an EVENT, PERF or NORMAL log, "
				 "or Chrome's JSON\n"),
	       "a message tells which formats convert reads");
	tap_str(kit_text("out"), OLD,
		"an output stays if nothing can be converted");
}

static void test_partly(void)
{
	mkdir("mixed", 0700);
	write_file("mixed/gc", GC);
	write_file("mixed/words", "hello\n");
	tap_int(call_convert("--to folded mixed out"), EXIT_FINDINGS,
		"a file of another format among others is left out");
	tap_str(kit_text("out"), "gc 100\n",
		"files beside one of another format are converted");
	write_file("broken", GC "{\n");
	tap_int(call_convert("--to folded broken out"), EXIT_FINDINGS,
		"convert leaves out a broken line");
	tap_ok(said_text("broken:5:"),
	       "the place of a broken line is reported");
	tap_str(kit_text("out"), "gc 100\n",
		"lines beside a broken one are converted");
	write_file("mixed/zlog", LOG);
	call_convert("--to folded mixed -");
	tap_str(kit_said[1], "gc 100\nlog 5\n",
		"logs after one of another format are converted");
	unlink("mixed/words");
	tap_need(!symlink("nowhere", "mixed/words"));
	tap_int(call_convert("--to folded mixed/words out"), EXIT_INPUT,
		"convert fails for a file that cannot be read");
}

static void test_overwriting(void)
{
	tap_int(call_convert("--to fxt gc gc"), EXIT_USAGE,
		"an input is not overwritten");
	tap_str(kit_said[2],
		"trace2 convert: would overwrite what it reads: gc\n"
		"Try 'trace2 convert --help'.\n",
		"a message names the output that is the input");
	tap_str(kit_text("gc"), GC,
		"an input that is the output is not changed");
	tap_need(!link("gc", "same"));
	tap_int(call_convert("--to fxt gc same"), EXIT_USAGE,
		"another name of the input is not overwritten");
	tap_int(call_convert("--to fxt logs logs/b"), EXIT_USAGE,
		"a log in the input directory is not overwritten");
	tap_str(kit_said[2],
		"trace2 convert: would overwrite what it reads: logs/b\n"
		"Try 'trace2 convert --help'.\n",
		"a refused output is reported once");
	tap_str(kit_text("logs/b"), LOG,
		"a log that would be overwritten is not changed");
	write_file("logs/d", GC "{\n");
	tap_need(!link("logs/b", "logs/c"));
	call_convert("--to fxt logs logs/b");
	tap_str(kit_said[2],
		"trace2 convert: would overwrite what it reads: logs/b\n"
		"Try 'trace2 convert --help'.\n",
		"after a refusal no other log is looked at");
	unlink("logs/c");
	unlink("logs/d");
	tap_str(list_names("logs"), "a b ",
		"a refused conversion leaves no file behind");
}

int main(void)
{
	enter_directory();
	tap_run(test_files, test_nothing, test_partly, test_overwriting);
	leave_directory();
	return tap_done();
}
