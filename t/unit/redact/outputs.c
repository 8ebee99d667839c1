/* Where redacted logs go, and that nothing appears elsewhere. */
#define _GNU_SOURCE
#include "kit/tap.h"

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

static void test_names(void)
{
	redact_words("-o out in/");
	tap_str(list_names("out"), "a.log sub ",
		"one directory gives its own names");
	remove_all("out");
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
	if (chdir("two/deep"))
		abort();
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
	if (chdir(directory_path))
		abort();
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

static void test_full_disk(void)
{
	tap_str(tell_words("-o /dev/full in/a.log", 3),
		"trace2 redact: in/a.log: the redacted log can't be written: "
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
	test_lines_of_files();
	test_names();
	test_above();
	test_refused_places();
	test_same_names();
	test_broken_log();
	test_full_disk();
	test_no_log();
	leave_directory();
	return tap_done();
}
