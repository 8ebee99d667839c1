/* Descriptors, files and directories: which of them can be written to? */
#define _GNU_SOURCE /* mkdtemp(), setenv() */

#include "doctor/doctor_kit.h"

#define UNKNOWN                                                      \
	"broken: unknown value; expected 0, 1, 2 to 9, an absolute " \
	"path or af_unix:/PATH"
#define NEEDS_FILE "broken: this target needs a file: expected an absolute path"

static const char *join_path(const char *before, const char *name,
			     const char *after)
{
	static char text[1024];

	snprintf(text, sizeof(text), "%s%s/%s%s", before, directory_path, name,
		 after);
	return text;
}

static void test_descriptors(void)
{
	int fd;

	tap_str(look_at(0, "1"), "works: standard error",
		"the value 1 is standard error");
	tap_str(look_at(0, "2"), "works: standard error",
		"descriptor 2 is standard error, too");
	fd = open("/dev/null", O_RDONLY);
	dup2(fd, 8);
	tap_str(look_at(1, "8"), "broken: descriptor 8 is open for reading",
		"a descriptor that is only read can't be written");
	close(8);
	tap_str(look_at(1, "8"), "broken: descriptor 8 is not open here",
		"a descriptor that was closed can't be written");
	close(fd);
	fd = open("/dev/null", O_RDWR);
	dup2(fd, 9);
	tap_str(look_at(TR2_DOCTOR_EVENT, "9"), "works: open descriptor",
		"a descriptor that is read and written works");
	close(9);
	close(fd);
}

static void test_records(void)
{
	tap_str(look_at(TR2_DOCTOR_FXT, "1"), NEEDS_FILE,
		"FXT can't be written to a descriptor");
	tap_str(look_at(TR2_DOCTOR_CHROME, "2"), NEEDS_FILE,
		"Chrome's events can't be written to a descriptor");
	tap_str(look_at(TR2_DOCTOR_CHROME, "af_unix:/x"), NEEDS_FILE,
		"Chrome's events can't be written to a socket");
	tap_str(look_at(TR2_DOCTOR_CHROME, path_of("", "x")), "works: file",
		"Chrome's events can be written to a file");
	tap_str(look_at(TR2_DOCTOR_FXT, path_of("", "x")), "works: file",
		"FXT can be written to a file");
}

static void test_unknown_values(void)
{
	char here[512];

	setenv("HOME", "/home/me", 1);
	tap_str(look_at(0, "~/log"), UNKNOWN " -> set it to /home/me/log",
		"a path below the home directory is spelled out");
	tap_need(getcwd(here, sizeof(here)));
	tap_str(look_at(0, "a/log"),
		join_path(UNKNOWN " -> set it to ", "a/log", ""),
		"a relative path is made absolute");
	tap_str(look_at(0, "~me/log"),
		join_path(UNKNOWN " -> set it to ", "~me/log", ""),
		"the home directory of another user is not guessed");
	tap_str(look_at(0, "yes"), UNKNOWN, "a word has no repair");
	tap_str(look_at(0, "10"), UNKNOWN, "10 is no descriptor");
	unsetenv("HOME");
	tap_str(look_at(0, "~/log"),
		join_path(UNKNOWN " -> set it to ", "~/log", ""),
		"without HOME a tilde is a name");
}

static void test_files(void)
{
	write_file("file", "");
	tap_str(look_at(0, path_of("", "file")), "works: file",
		"a file that is there works");
	tap_str(look_at(0, path_of("", "new")), "works: file",
		"a file that can be made works");
	tap_ok(!has_file("new"), "the doctor does not make it");
	tap_str(look_at(0, "/new-file-of-nobody"),
		access("/", W_OK) ? "broken: Permission denied" : "works: file",
		"the root directory has files, too");
	tap_str(look_at(0, path_of("", "file/x")), "broken: Not a directory",
		"there is no file below a file");
	tap_str(look_at(0, "/dev/null"), "works: file", "a device is a file");
	mkfifo("fifo", 0600);
	tap_str(look_at(0, path_of("", "fifo")),
		"works: FIFO; each git command waits until a program reads it",
		"who writes to a FIFO waits");
}

static void test_directories(void)
{
	mkdir("logs", 0700);
	write_file("logs/a", "");
	write_file("logs/b", "");
	unsetenv("GIT_TRACE2_MAX_FILES");
	tap_str(look_at(0, path_of("", "logs")), "works: directory",
		"a directory without a limit works");
	setenv("GIT_TRACE2_MAX_FILES", "5", 1);
	tap_str(look_at(0, path_of("", "logs")), "works: directory",
		"4 names are below a limit of 5");
	setenv("GIT_TRACE2_MAX_FILES", "4", 1);
	tap_str(look_at(0, path_of("", "logs")),
		"broken: it is full: 4 names, of which two are . and .., and "
		"maxFiles is 4 -> move old logs away, or: git config --global "
		"trace2.maxFiles 8",
		"4 names reach a limit of 4, and twice as many is offered");
	setenv("GIT_TRACE2_MAX_FILES", "3", 1);
	tap_ok(strstr(look_at(0, path_of("", "logs")), "maxFiles is 3 ->") !=
		       NULL,
	       "4 names are above a limit of 3");
	setenv("GIT_TRACE2_MAX_FILES", "-3", 1);
	tap_str(look_at(0, path_of("", "logs")), "works: directory",
		"a limit below 0 is none");
}

static void test_sentinel(void)
{
	mkdir("it's", 0700);
	write_file("it's/git-trace2-discard", "");
	setenv("GIT_TRACE2_MAX_FILES", "100", 1);
	tap_str(look_at(0, path_of("", "it's")),
		join_path(
			"broken: it was full: maxFiles is 100, and nothing is "
			"written while git-trace2-discard is there -> move old "
			"logs away, then: rm '",
			"it'\\''s/git-trace2-discard", "'"),
		"a directory with the sentinel stays full below the limit");
	unsetenv("GIT_TRACE2_MAX_FILES");
	tap_str(look_at(0, path_of("", "it's")), "works: directory",
		"without a limit nobody looks for the sentinel");
}

static void test_links_to_no_file(void)
{
	tap_need(!symlink("new", "link") && !symlink("link", "second") &&
		 !symlink("none/new", "astray") &&
		 !symlink(path_of("", "none/far"), "far"));
	tap_str(look_at(2, path_of("", "second")), "works: file",
		"a link to a file that can be made");
	tap_str(look_at(2, path_of("", "astray")),
		join_path("broken: its directory is missing -> mkdir -p ",
			  "none", ""),
		"a link into a directory that is missing");
	tap_str(look_at(2, path_of("", "far")),
		join_path("broken: its directory is missing -> mkdir -p ",
			  "none", ""),
		"a link may be an absolute path");
}

int main(void)
{
	const int next = count_descriptors();

	enter_directory();
	tap_run(test_descriptors, test_records, test_unknown_values, test_files,
		test_directories, test_sentinel, test_links_to_no_file);
	tap_int(count_descriptors(), next, "no directory stays open");
	leave_directory();
	return tap_done();
}
