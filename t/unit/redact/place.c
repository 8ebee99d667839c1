/* Places of redacted logs, as the command uses them, and when they fail. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <limits.h>
#include <stdint.h>

#include "redact/place.h"
#include "redact/redact_kit.h"

static struct tr2_place place;

static void choose_place(const char *output, bool dir)
{
	place = (struct tr2_place){ .output = output, .dir = dir, .fd = -1 };
}

/* Open the place for a log of this name; messages are in kit_said[2]. */
static int open_place(const char *name, int in)
{
	int code;

	kit_divert(2);
	code = tr2_place_open(&place, name, in);
	kit_restore(2);
	return code;
}

static int end_place(bool whole)
{
	int code;

	kit_divert(2);
	code = tr2_place_end(&place, whole);
	kit_restore(2);
	return code;
}

static void write_place(const char *text)
{
	tap_need(write(place.fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static int open_null(void)
{
	return open("/dev/null", O_RDONLY);
}

/* All may read and write what the umask lets them. */
static void test_modes(void)
{
	int in = open_null(), before;

	umask(0);
	choose_place("out/", true);
	end_place(false); /* so that the kit has its descriptors */
	before = count_descriptors();
	tap_int(open_place("sub/deep/a.log", in), 0, "a place is opened");
	tap_str(list_names("."), "out.partial ", "at first it is partial");
	tap_ok(fcntl(place.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets its descriptor");
	write_place("a");
	tap_int(tr2_place_close(&place, true), 0, "a log is put");
	tap_int(place.fd, -1, "then no log is open");
	open_place("sub/b.log", in);
	tap_int(tr2_place_close(&place, false), 0, "another one is dropped");
	tap_int(end_place(true), 0, "and the directory appears");
	tap_str(list_names("."), "out ", "with its own name");
	tap_str(list_names("out/sub"), "deep ", "without what was dropped");
	tap_str(kit_text("out/sub/deep/a.log"), "a", "with what was put");
	tap_int(find_mode("out"), 0777, "a directory is for all");
	tap_int(find_mode("out/sub/deep"), 0777, "so is one in it");
	tap_int(find_mode("out/sub/deep/a.log"), 0666, "and a log");
	tap_int(count_descriptors(), before, "no place keeps a descriptor");
	tap_ok(!place.partial && !place.made.count, "and no name is kept");
	umask(022);
	remove_all("out");
	close(in);
}

/* Some programs are started without standard input. */
static void test_first_descriptor(void)
{
	int in = open_null(), input = dup(0);

	choose_place("out", true);
	tap_int(open_place("a.log", in), 0, "a first log is put");
	tr2_place_close(&place, true);
	close(0);
	tap_int(tr2_place_open(&place, "b.log", in), 0,
		"a log may have the first descriptor");
	tap_int(place.fd, 0, "which is its own then");
	tap_int(tr2_place_close(&place, true), 0, "and is closed as others");
	dup2(input, 0);
	tap_int(end_place(true), 0,
		"a place with the first descriptor appears, too");
	tap_str(list_names("out"), "a.log b.log ", "and has both logs");
	remove_all("out");
	close(input);
	close(in);
}

static void test_dropped(void)
{
	int in = open_null();

	choose_place("out", true);
	tap_int(end_place(false), 0, "without a log nothing is dropped");
	open_place("sub/deep/a.log", in);
	tr2_place_close(&place, true);
	open_place("sub/b.log", in);
	tr2_place_close(&place, false);
	tap_int(end_place(false), 0, "a directory is dropped with its logs");
	tap_str(list_names("."), "", "and nothing is left of it");
	close(in);
}

static void test_failures(void)
{
	char name[NAME_MAX + 2];
	int in = open_null();

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	choose_place("out", true);
	tap_int(open_place(name, in), -1, "the name of a log may be too long");
	tap_ok(strstr(kit_said[2], ": File name too long\n") &&
		       !strncmp(kit_said[2], "trace2 redact: out.partial/aa",
				29),
	       "the message has the long name");
	tap_int(open_place("a", in), 0, "another log is put");
	tr2_place_close(&place, true);
	mkdir("out", 0777);
	write_file("out/x", "");
	tap_int(end_place(true), -1, "an output may appear meanwhile");
	tap_str(kit_said[2], "trace2 redact: out: Directory not empty\n",
		"the message names the directory");
	tap_str(list_names("."), "out ", "and it is not touched");
	tap_str(list_names("out"), "x ", "nor what is in it");
	remove_all("out");
	close(in);
}

/* Some failures are only reported when a file is closed. */
static void test_bad_descriptor(void)
{
	int in = open_null();

	choose_place("out", true);
	open_place("a", in);
	close(place.fd);
	tap_int(tr2_place_close(&place, true), EBADF,
		"a log that can't be closed is not put");
	tap_str(list_names("out.partial"), "", "and leaves nothing");
	end_place(false);
	close(in);
}

static void test_files(void)
{
	int in = open_null();

	choose_place("out", false);
	tap_int(open_place("any", in), 0, "one log has one file");
	write_place("new");
	tap_int(has_file("out"), 0, "the new file does not appear");
	tap_int(tr2_place_close(&place, true), 0, "until it is whole");
	tap_str(kit_text("out"), "new", "as it was written");
	open_place("any", in);
	write_place("other");
	tap_int(tr2_place_close(&place, false), 0, "one that is not whole");
	tap_str(kit_text("out"), "new", "replaces nothing");
	tap_str(list_names("."), "out ", "and leaves no other file");
	tap_int(end_place(true), 0, "there is no directory to put");
	remove_all("out");
	choose_place("none/out", false);
	tap_int(open_place("any", in), -1, "a file needs its directory");
	tap_str(kit_said[2],
		"trace2 redact: none/out: No such file or directory\n",
		"the message has the path and the reason");
	close(in);
}

/* A log that is read and written at once would never end. */
static void test_inputs(void)
{
	int in, out = dup(STDOUT_FILENO), pipes[2], opened;

	write_file("log", "x");
	in = open("log", O_RDWR);
	choose_place(NULL, false);
	fflush(stdout);
	dup2(in, STDOUT_FILENO);
	open_place("log", in);
	dup2(out, STDOUT_FILENO);
	tap_str(kit_said[2],
		"trace2 redact: standard output: is the log that is read; "
		"expected another place\n",
		"a log is not written to itself");
	choose_place("log", false);
	tap_int(open_place("log", in), -1, "nor to a file of its name");
	choose_place("other", false);
	write_file("other", "y");
	tap_int(open_place("log", in), 0, "another file is no input");
	tr2_place_close(&place, false);
	tap_need(!pipe(pipes));
	choose_place(NULL, false);
	fflush(stdout);
	dup2(pipes[1], STDOUT_FILENO);
	opened = open_place("-", pipes[1]);
	tr2_place_close(&place, true);
	dup2(out, STDOUT_FILENO);
	tap_int(opened, 0, "a pipe is no file");
	close(pipes[0]);
	close(pipes[1]);
	close(out);
	close(in);
	remove_all("log");
	remove_all("other");
}

static int check_place(const char *output, char **inputs)
{
	int code;

	choose_place(output, true);
	kit_divert(2);
	code = tr2_place_check(&place, inputs);
	kit_restore(2);
	return code;
}

static void test_checks(void)
{
	char dir[] = "in", sub[] = "in/sub", file[] = "in/file";
	char *inputs[] = { file, sub, NULL };

	mkdir("in", 0777);
	mkdir("in/sub", 0777);
	mkdir("in/other", 0777);
	write_file("in/file", "");
	tap_int(check_place("in/out", inputs), 0,
		"a place may be beside what is read");
	tap_int(check_place("in/other/out", inputs), 0,
		"also in another directory");
	tap_int(check_place("in/sub/out/", inputs), -1, "but not inside");
	inputs[1] = dir;
	tap_int(check_place("in/other/out//", inputs), -1, "at no depth");
	tap_int(check_place("out", inputs), 0, "or beside all");
	tap_int(check_place("./in/../out", inputs), 0, "however it is named");
	tap_int(check_place("none/out", inputs), 0,
		"one that can't be made is found later");
	tap_int(check_place("/", inputs), -1, "all is not a new directory");
	tap_str(kit_said[2],
		"trace2 redact: /: exists already; expected a new directory\n",
		"but exists");
	tap_need(!chdir("in/sub"));
	inputs[0] = file;
	strcpy(dir, "..");
	tap_int(check_place("out", inputs), -1,
		"a name without a directory is in this one");
	tap_need(!chdir("../.."));
	choose_place("in", false);
	tap_int(tr2_place_check(&place, inputs), 0,
		"a file may exist: it is replaced");
	remove_all("in");
}

int main(void)
{
	enter_directory();
	tap_run(test_modes, test_first_descriptor, test_dropped, test_failures,
		test_bad_descriptor, test_files, test_inputs, test_checks);
	leave_directory();
	return tap_done();
}
