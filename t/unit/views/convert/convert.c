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

static void test_help(void)
{
	tap_int(call_convert("--help"), EXIT_CLEAN,
		"convert prints its help without an error");
	tap_ok(!strncmp(kit_said[1], "usage: trace2 convert ", 22),
	       "the help of convert begins with its usage");
	tap_int(call_convert("--to wrong a b"), EXIT_USAGE,
		"a wrong command line has a status of its own");
	tap_str(kit_said[1], "",
		"a wrong command line of convert prints no help");
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

/* Are these the first words of the archive? */
static bool has_magic(const char *bytes)
{
	return !memcmp(bytes, "\x10\0\x04\x46\x78\x54\x16\0", 8);
}

static void test_archives(void)
{
	tap_int(call_convert("gc a.fxt"), EXIT_CLEAN,
		"a log becomes an archive");
	tap_ok(has_magic(kit_text("a.fxt")),
	       "a converted log has the magic number of archives");
	tap_int(call_convert("a.fxt a.json"), EXIT_CLEAN,
		"an archive becomes Chrome's JSON");
	write_file("direct.json", "");
	tap_int(tr2_convert_to_chrome("gc", "direct.json"), EXIT_CLEAN,
		"a log becomes Chrome's JSON");
	call_convert("--to chrome a.fxt -");
	tap_str(kit_text("direct.json"), kit_said[1],
		"a log and its archive become the same JSON");
	tap_int(tr2_convert_to_fxt("gc", "b.fxt"), EXIT_CLEAN,
		"a program can make an archive without a command line");
	tap_ok(has_magic(kit_text("b.fxt")),
	       "the archive that a program makes is one");
}

static void test_foreign_archives(void)
{
	write_file("out", OLD);
	tap_int(call_convert("--to fxt a.fxt out"), EXIT_INPUT,
		"an archive is not converted into an archive");
	tap_str(kit_said[2],
		"trace2 convert: a.fxt: this is an archive of the FXT "
		"format; expected an EVENT, PERF or NORMAL log, or "
		"Chrome's JSON\n",
		"one message tells that the input is an archive already");
	tap_int(call_convert("--to folded a.fxt out"), EXIT_INPUT,
		"an archive has no stacks");
	tap_str(kit_said[2],
		"trace2 convert: a.fxt: this is an archive of the FXT format; "
		"expected an EVENT, PERF or NORMAL log\n",
		"a message tells that an archive has no stacks");
	tap_str(kit_text("out"), OLD, "an older result stays");
}

static void test_chrome(void)
{
	const char *json;

	call_convert("--to chrome logs -");
	json = kit_said[1];
	tap_ok(json[0] == '{' || json[0] == '[', "Chrome's JSON begins");
	tap_ok(strstr(json, "gc") != NULL,
	       "the JSON of a directory has the first process");
	tap_ok(strstr(json, "log") != NULL,
	       "the JSON of a directory has the second process");
}

static void test_spans(void)
{
	static const char head[] = "{\"resourceSpans\":[{";
	const char *second;

	tap_int(call_convert("--to otlp logs -"), EXIT_CLEAN,
		"logs become spans");
	tap_ok(!strncmp(kit_said[1], head, strlen(head)),
	       "a line has a TracesData");
	second = strchr(kit_said[1], '\n');
	tap_ok(second && !strncmp(second + 1, head, strlen(head)) &&
		       strchr(second + 1, '\n')[1] == '\0',
	       "each process has a line of spans");
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
	if (symlink("nowhere", "mixed/words"))
		abort();
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
	if (link("gc", "same"))
		abort();
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
	if (link("logs/b", "logs/c"))
		abort();
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

static void test_unwritable(void)
{
	tap_int(call_convert("--to fxt gc none/out"), EXIT_INPUT,
		"an output that cannot be made is an error");
	tap_str(kit_said[2],
		"trace2 convert: none/out: No such file or directory\n",
		"a message names the output that cannot be made");
	call_convert("--to fxt empty none/out");
	tap_ok(!said_text("none/out"), "an output is made for the first event");
	tap_int(call_convert("--to chrome gc /dev/full"), EXIT_INPUT,
		"an output without room is an error of convert");
	tap_ok(said_text("/dev/full") && said_text(strerror(ENOSPC)),
	       "a message tells that the output has no room");
}

int main(void)
{
	enter_directory();
	test_help();
	test_files();
	test_archives();
	test_foreign_archives();
	test_chrome();
	test_spans();
	test_nothing();
	test_partly();
	test_overwriting();
	test_unwritable();
	leave_directory();
	return tap_done();
}
