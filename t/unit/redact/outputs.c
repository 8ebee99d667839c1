/* Where redacted logs go, and that nothing appears elsewhere. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <zlib.h>

#include "redact/redact_kit.h"

static void make_logs(void)
{
	mkdir("in", 0777);
	mkdir("in/sub", 0777);
	mkdir("two", 0777);
	mkdir("two/deep", 0777);
	write_file("in/a.log", LINE);
	write_file("in/sub/b.log", LINE LINE);
	write_file("two/c.log", LINE);
	write_file("open.log", LOG);
	write_file("next.log", LINE);
}

static void test_lines_of_files(void)
{
	tap_int(redact_words("-o out open.log next.log"), 0,
		"several logs go to a directory");
	tap_str(kit_text("out/next.log"), LINE,
		"a file does not begin with the line end of another one");
	tap_str(kit_text("out/open.log"), LOG, "whose last line stays open");
	remove_all("out");
	tap_int(redact_words("open.log open.log next.log"), 0,
		"several logs go to standard output");
	tap_str(kit_said[1], LINE LINE LINE,
		"where each log begins with a line of its own");
}

/* Read and written at once, a log would grow without end. */
static void test_dash(void)
{
	int out, kept = dup(STDOUT_FILENO), code;

	tap_int(redact_words("-o - open.log next.log"), 0,
		"several logs may go to standard output by its name");
	tap_str(kit_said[1], LINE LINE, "where they are as without it");
	tap_int(has_file("-"), 0, "no file or directory gets that name");
	fflush(stdout);
	out = open("next.log", O_WRONLY | O_APPEND);
	dup2(out, STDOUT_FILENO);
	kit_divert(2);
	code = tr2_redact_main(4, (char *[]){ "redact", "-o", "-", "next.log",
					      NULL });
	kit_restore(2);
	dup2(kept, STDOUT_FILENO);
	close(out);
	close(kept);
	tap_int(code, 3, "a log is not appended to itself");
	tap_str(kit_text("next.log"), LINE, "and does not grow");
}

static void test_names(void)
{
	redact_words("-o out in/");
	tap_str(list_names("out"), "a.log sub ",
		"one directory gives its own names");
	remove_all("out");
	tap_int(redact_words("-o x/ in"), 0,
		"the name of a directory may be one letter and a slash");
	tap_str(list_names("x"), "a.log sub ",
		"a directory is made without its final slash");
	remove_all("x");
	redact_words("-o out// in two//");
	tap_str(list_names("out"), "in two ",
		"each of several directories has its own");
	tap_str(kit_text("out/in/sub/b.log"), LINE LINE,
		"below which its logs are");
	remove_all("out");
	redact_words("-o out in/sub/b.log two");
	tap_str(list_names("out"), "b.log two ",
		"a file has but the last part of its name");
	remove_all("out");
	redact_words("-o out ./in ./");
	tap_int(has_file("out"), 0,
		"a directory that has the output is not read");
}

/* `..` is read, and its logs go into the output like all others. */
static void test_above(void)
{
	tap_need(!chdir("two/deep"));
	mkdir("../../place", 0777);
	tap_int(redact_words("-o ../../place/out .. ../../in"), 0,
		"the directory above is read");
	tap_str(list_names("../../place"), "out ",
		"no log is written outside of the output");
	tap_str(list_names("../../place/out"), "c.log in ",
		"what is above has no name of its own there");
	remove_all("../../place/out");
	redact_words("-o ../../place/out ./. ../../in/ ../");
	tap_str(list_names("../../place"), "out ",
		"slashes after it change nothing");
	tap_need(!chdir(directory_path));
	remove_all("place");
	write_file("two/..x", LINE);
	mkdir("..y", 0777);
	write_file("..y/d.log", LINE);
	redact_words("-o out ..y in");
	tap_str(list_names("out"), "..y in ",
		"a name that begins with two dots is a name");
	remove_all("out");
	remove_all("..y");
	remove_all("two/..x");
}

static void test_refused_places(void)
{
	tap_int(redact_words("--output= in"), 2,
		"an output without a name is refused");
	tap_int(has_file(".partial"), 0, "and none is begun");
	mkdir("there", 0777);
	tap_str(tell_words("-o there in", 3),
		"trace2 redact: there: exists already; expected a new "
		"directory\n",
		"an output that exists is not written into");
	tap_str(tell_words("-o in/sub/out in", 3),
		"trace2 redact: in/sub/out: is inside a directory that is "
		"read; expected another place\n",
		"nor is one inside of the input");
	tap_str(list_names("in/sub"), "b.log ", "where nothing is left");
	mkdir("out.partial", 0777);
	tap_str(tell_words("-o out in", 3),
		"trace2 redact: out.partial: exists: another run makes it, or "
		"one was killed and left it; move it away\n",
		"another run's directory is not written into");
	tap_int(is_directory("out.partial"), 1, "and not removed");
	remove_all("out.partial");
	tap_str(tell_words("-o none/out in", 3),
		"trace2 redact: none/out.partial: No such file or directory\n",
		"an output needs its directory");
	tap_str(tell_words("-o next.log next.log", 3),
		"trace2 redact: next.log: is the log that is read; expected "
		"another place\n",
		"a log is not replaced");
	tap_str(kit_text("next.log"), LINE, "and stays as it was");
	remove_all("there");
}

static void test_same_names(void)
{
	mkdir("in/two", 0777);
	write_file("in/two/a.log", LINE);
	tap_str(tell_words("-o out in/a.log in/two/a.log", 3),
		"trace2 redact: out.partial/a.log: exists already: two logs "
		"have this name\n",
		"two logs of one name are not mixed");
	tap_int(has_file("out") + has_file("out.partial"), 0,
		"and nothing is left of them");
	remove_all("in/two");
}

/* A log that breaks off leaves no file, and all others appear. */
static void test_broken_log(void)
{
	static const char torn[] = "\x1f\x8b\x08\x00torn";
	FILE *file = fopen("in/torn.gz", "w");

	fwrite(torn, 1, sizeof(torn) - 1, file);
	fclose(file);
	tap_int(redact_words("-o out in"), 3, "a log that can't be read tells");
	tap_str(list_names("out"), "a.log sub ", "all other logs are written");
	remove_all("out");
	tap_int(redact_words("-o out in/torn.gz"), 3, "alone it is an error");
	tap_int(has_file("out"), 0, "that leaves no file");
	remove_all("in/torn.gz");
}

/* Write a log as gzip, and all but its last bytes of it as another file. */
static void cut_packed_log(const char *whole, const char *cut)
{
	static char bytes[1 << 20];
	gzFile packed = gzopen(whole, "w");
	FILE *file;
	size_t len;
	int i;

	for (i = 0; i < 100000; i++)
		gzprintf(packed, "{\"event\":\"e%d\",\"sid\":\"a\"}\n", i);
	gzclose(packed);
	file = fopen(whole, "r");
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	file = fopen(cut, "w");
	fwrite(bytes, 1, len - 9, file);
	fclose(file);
}

/* A log that breaks off after many lines. */
static void test_late_break(void)
{
	mkdir("late", 0777);
	cut_packed_log("late/whole.gz", "late/cut.log.gz");
	tap_int(redact_words("-o out late"), 3,
		"a log that breaks off late can't be read");
	tap_ok(strstr(kit_said[2], "trace2 redact: late/cut.log.gz: ") ==
		       kit_said[2],
	       "the message names the log that breaks off");
	tap_str(list_names("out"), "whole ", "and no part of it is written");
	remove_all("out");
	tap_int(redact_words("-o out late/cut.log.gz"), 3,
		"with a file as output it is the same");
	tap_int(has_file("out"), 0, "no file appears");
	tap_int(redact_words("-o out late/cut.log.gz late/cut.log.gz"), 3,
		"and no directory appears");
	tap_int(has_file("out") + has_file("out.partial"), 0,
		"without a log that is whole");
	remove_all("late");
}

/* Call it with standard input from a file. */
static int redact_input(const char *input, const char *words)
{
	int before = dup(STDIN_FILENO), fd = open(input, O_RDONLY), code;

	dup2(fd, STDIN_FILENO);
	code = redact_words(words);
	dup2(before, STDIN_FILENO);
	close(before);
	close(fd);
	return code;
}

static void test_standard_input(void)
{
	write_file("text", "word\n");
	tap_int(redact_input("next.log", "-"), 0, "standard input is a log");
	tap_str(kit_said[1], LINE, "that is redacted");
	tap_int(redact_input("text", "-"), 1,
		"standard input may be another file");
	tap_str(kit_said[2],
		"trace2 redact: standard input: this is a text file, no log; "
		"expected an EVENT, NORMAL or PERF log\n",
		"the message calls it standard input");
	tap_int(redact_input("next.log", "-o out - in"), 0,
		"it may be one of several");
	tap_str(list_names("out"), "in stdin ", "and has a name of its own");
	remove_all("out");
	tap_int(redact_input("next.log", "-o out in ./-"), 3,
		"a file of that name is a file");
	tap_str(kit_said[2], "trace2 redact: ./-: No such file or directory\n",
		"so it may be missing");
	remove_all("out");
}

/* With a key, names and values are hidden in the same way each time. */
static void test_hidden_names(void)
{
	char first[256], file[64];

	write_file("key", "0123456789abcdef");
	tap_int(redact_words("--hide all --key key -o out in next.log"), 0,
		"names are hidden");
	snprintf(first, sizeof(first), "%s", list_names("out"));
	tap_ok(strlen(first) == 38 && !strstr(first, "in ") &&
		       !strstr(first, "next"),
	       "of files and directories");
	remove_all("out");
	redact_words("--hide all --key key -o out in next.log");
	tap_str(list_names("out"), first, "the same key gives the same names");
	remove_all("out");
	redact_words("--hide all -o out in next.log");
	tap_ok(strcmp(list_names("out"), first) != 0, "a random key others");
	remove_all("out");
	write_file("user.log",
		   "{\"event\":\"printf\",\"sid\":\"a\",\"msg\":\"bob\"}\n");
	redact_words("--hide all --key key user.log");
	snprintf(file, sizeof(file), "%.60s", strstr(kit_said[1], "msg"));
	redact_words("--hide all --key key user.log");
	tap_ok(strstr(kit_said[1], file) && strstr(file, "\"<text-"),
	       "so it does for values");
	redact_words("--hide all user.log");
	tap_ok(!strstr(kit_said[1], file) && strstr(kit_said[1], "\"<text-"),
	       "and a random key others");
	remove_all("key");
	remove_all("user.log");
}

static void test_full_disk(void)
{
	tap_str(tell_words("-o /dev/full in/a.log in/sub/b.log", 3),
		"trace2 redact: /dev/full: exists already; expected a new "
		"directory\n",
		"several logs need a directory");
	tap_str(tell_words("-o /dev/full in/a.log", 3),
		"trace2 redact: in/a.log: the redacted log cannot be written: "
		"No space left on device\n",
		"a full disk is told");
}

static void test_no_log(void)
{
	mkdir("empty", 0777);
	tap_str(tell_words("-o out empty", 3),
		"trace2 redact: there is no log\n",
		"a directory without logs is told");
	tap_int(has_file("out"), 0, "and gives no directory");
	tap_str(tell_words("missing", 3),
		"trace2 redact: missing: No such file or directory\n",
		"a log that is missing is told");
	write_file("nothing", "");
	tap_int(redact_words("nothing"), 0, "an empty log is one");
	tap_str(kit_said[1], "", "that stays empty");
}

int main(void)
{
	enter_directory();
	make_logs();
	tap_run(test_lines_of_files, test_dash, test_names, test_above,
		test_refused_places, test_same_names, test_broken_log,
		test_late_break, test_standard_input, test_hidden_names,
		test_full_disk, test_no_log);
	leave_directory();
	return tap_done();
}
