/* `trace2 doctor`: what it reads, prints and repairs. */
#define _GNU_SOURCE /* mkdtemp(), setenv() */

#include "doctor/doctor.h"
#include "doctor/doctor_kit.h"

extern char **environ;

/* Returns the exit status. */
static int call_doctor(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "doctor %s", words);
	return kit_call(tr2_doctor_main, text);
}

/* What it prints without options; the six targets, then the notes. */
static const char *run_plainly(void)
{
	call_doctor("");
	return kit_said[1];
}

static int has_said(const char *text)
{
	const char *said = run_plainly();

	if (strstr(said, text))
		return 1;
	printf("# wanted: %s# said: %s", text, said);
	return 0;
}

/* Only these settings: those of git's global file. */
static void begin_settings(const char *config)
{
	clearenv();
	setenv("PATH", "/usr/bin:/bin", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", path_of("", "config"), 1);
	write_file("config", config);
}

#define OFF                                                                 \
	"NORMAL   off\nPERF     off\nEVENT    off\nFXT      off\nCHROME   " \
	"off\nMANAGER  off\n"

static void test_nothing_is_on(void)
{
	begin_settings("");
	tap_int(call_doctor(""), 0, "it works if no target is on");
	tap_str(kit_said[1], OFF, "each target is off at first");
	tap_str(kit_said[2], "", "a result has no message");
	setenv("GIT_TRACE2", "0", 1);
	tap_ok(has_said("NORMAL   off  0, set by GIT_TRACE2\nPERF     off\n"),
	       "a target that is switched off has a value and no more");
}

static int is_under_valgrind; /* no test clears this */

static void test_sources(void)
{
	if (is_under_valgrind) {
		tap_skip("the last line of a file counts, and is named",
			 "valgrind has a descriptor 9 of its own");
		return;
	}
	begin_settings("[trace2]\n\tperfTarget = /dev/null\n"
		       "\tperfTarget = 9\n");
	setenv("GIT_TRACE2", "/dev/null", 1);
	setenv("TRACE_MANAGER", "m", 1);
	tap_int(call_doctor(""), 1, "a target that is broken is a failure");
	tap_ok(strstr(kit_said[1], "NORMAL   works  /dev/null, set by "
				   "GIT_TRACE2\n         file\n") != NULL,
	       "a variable is named beside what the target is");
	tap_ok(strstr(kit_said[1], "/config:3\n         descriptor 9 is "
				   "not open here\n") != NULL,
	       "the last line of a file counts, and is named");
	tap_ok(strstr(kit_said[1],
		      "MANAGER  BROKEN  m, set by TRACE_MANAGER\n") != NULL,
	       "the variable of the manager is read, too");
	setenv("GIT_TRACE2_PERF", "0", 1);
	tap_ok(has_said("PERF     off  0, set by GIT_TRACE2_PERF\n"),
	       "a variable overrides a file");
	setenv("GIT_TRACE2_PERF", "", 1);
	tap_ok(has_said("PERF     BROKEN  9, set by /"),
	       "an empty variable does not override a file");
	setenv("TRACE_MANAGER", "", 1);
	tap_ok(has_said("MANAGER  off\n"),
	       "an empty variable names no manager");
}

static void test_json(void)
{
	char want[2048], config[512];

	snprintf(config, sizeof(config), "[trace2]\n\tnormalTarget = %s\n",
		 path_of("", "none/x"));
	begin_settings(config);
	setenv("GIT_TRACE2_PERF", "/dev/null", 1);
	setenv("GIT_TRACE2_EVNT", "1", 1);
	setenv("GIT_TRACE2_QQQQQQQQQQ", "1", 1);
	snprintf(want, sizeof(want),
		 "{\"version\":1,\"broken\":1,\"targets\":["
		 "{\"name\":\"NORMAL\",\"state\":\"broken\",\"value\":"
		 "\"%s/none/x\",\"file\":\"%s/config\",\"line\":2,\"what\":"
		 "\"its directory is missing\",\"repair\":"
		 "\"mkdir -p %s/none\"},"
		 "{\"name\":\"PERF\",\"state\":\"works\",\"value\":"
		 "\"/dev/null\",\"variable\":\"GIT_TRACE2_PERF\",\"what\":"
		 "\"file\"},{\"name\":\"EVENT\",\"state\":\"off\"},"
		 "{\"name\":\"FXT\",\"state\":\"off\"},"
		 "{\"name\":\"CHROME\",\"state\":\"off\"},"
		 "{\"name\":\"MANAGER\",\"state\":\"off\"}],\"notes\":["
		 "{\"text\":\"no setting is named GIT_TRACE2_EVNT\","
		 "\"repair\":\"did you mean GIT_TRACE2_EVENT?\"},"
		 "{\"text\":\"no setting is named GIT_TRACE2_QQQQQQQQQQ\"}]}\n",
		 directory_path, directory_path, directory_path);
	tap_int(call_doctor("--format json"), 1, "JSON has the same status");
	tap_str(kit_said[1], want, "JSON has all that was found");
	tap_int(call_doctor("--format=text"), 1, "text can be asked for");
	tap_ok(!strncmp(kit_said[1], "NORMAL   BROKEN  ", 17),
	       "text is no JSON");
}

static void test_mistyped(void)
{
	begin_settings("[trace2]\n\teventTarge = 0\n\tzzz = 1\n"
		       "\teventBrief\n[trace2 \"x\"]\n\teventTarget = 0\n"
		       "[trace3]\n\ty = 1\n");
	setenv("GIT_TRACE2_PARENT_SID", "x", 1);
	setenv("GIT_TRACE2_PARENT_NAME", "x", 1);
	setenv("GIT_TRACE", "1", 1);
	tap_ok(has_said("/config:2: no setting is named trace2.eventtarge\n"
			"         -> did you mean trace2.eventtarget?\n"),
	       "a key that was mistyped has its line and a guess");
	tap_ok(has_said("/config:3: no setting is named trace2.zzz\nnote "),
	       "a key like no other has no guess");
	tap_ok(has_said("/config:4: trace2.eventbrief has no value, with which "
			"git does not start\n"),
	       "a key without a value is told");
	tap_ok(has_said("no setting is named trace2.x.eventtarget\n"),
	       "a key has no subsection");
	tap_ok(!strstr(run_plainly(), "PARENT"),
	       "what a parent sets is no mistake");
	tap_ok(!strstr(run_plainly(), "GIT_TRACE\n") &&
		       !strstr(run_plainly(), "trace3"),
	       "other variables and keys are not looked at");
}

static void test_ignored(void)
{
	begin_settings("[trace2]\n\teventTarget = 0\n");
	setenv("GIT_CONFIG_COUNT", "3", 1);
	setenv("GIT_CONFIG_KEY_0", "trace2.eventTarget", 1);
	setenv("GIT_CONFIG_VALUE_0", "/x y", 1);
	setenv("GIT_CONFIG_KEY_1", "trace2.a';b.c", 1);
	setenv("GIT_CONFIG_VALUE_1", "it's", 1);
	setenv("GIT_CONFIG_KEY_2", "core.bare", 1);
	setenv("GIT_CONFIG_VALUE_2", "1", 1);
	tap_ok(has_said("note     git -c, or GIT_CONFIG_COUNT: git ignores "
			"trace2.eventtarget here; only system and global files "
			"count\n         -> git config --global "
			"trace2.eventtarget '/x y'\n"),
	       "what a command line says is ignored, and where it belongs");
	tap_ok(has_said("         -> git config --global 'trace2.a'\\'';b.c' "
			"'it'\\''s'\n"),
	       "no value can add words to the command");
	tap_ok(!strstr(run_plainly(), "core.bare"),
	       "other keys are not ignored");
	tap_ok(!strstr(run_plainly(), "/config:2: git"),
	       "what counts is not ignored as well");
	begin_settings("[trace2]\n\teventTarget = 0\n\teventTarget\n");
	tap_ok(has_said("EVENT    off  0, set by "),
	       "a key without a value takes none away");
}

/* Both files have a setting at their fourth line. */
static void test_repository(void)
{
	begin_settings("[trace2]\n\n\n\teventBrief = 0\n");
	mkdir(".git", 0700);
	mkdir(".git/objects", 0700);
	mkdir(".git/refs", 0700);
	write_file(".git/HEAD", "ref: refs/heads/main\n");
	write_file(".git/config", "[core]\n\tbare = false\n[trace2]\n"
				  "\teventTarget = /x\n\teventBrief\n");
	tap_ok(has_said(".git/config:4: git ignores trace2.eventtarget here"),
	       "what a repository says is ignored, with its line");
	tap_ok(has_said("git config --global trace2.eventbrief ''\n"),
	       "a key without a value is ignored, too");
	tap_ok(!strncmp(run_plainly(), OFF, strlen(OFF)),
	       "what is ignored switches nothing on");
	remove_all(".git");
}

static void test_event(void)
{
	begin_settings("");
	setenv("GIT_TRACE2_EVENT", "/dev/null", 1);
	tap_ok(has_said("note     EVENT leaves out regions deeper than 2\n"
			"         -> git config --global trace2.eventNesting "
			"10\n"),
	       "EVENT leaves out deep regions unless it is told not to");
	setenv("GIT_TRACE2_EVENT_NESTING", "4", 1);
	tap_ok(has_said("deeper than 4\n"), "a nesting of 4 leaves some out");
	setenv("GIT_TRACE2_EVENT_NESTING", "0", 1);
	tap_ok(has_said("deeper than 2\n"), "a nesting of 0 is not valid");
	setenv("GIT_TRACE2_EVENT_NESTING", "1", 1);
	tap_ok(has_said("deeper than 1\n"), "a nesting of 1 is valid");
	setenv("GIT_TRACE2_EVENT_NESTING", "5", 1);
	tap_ok(!strstr(run_plainly(), "note"), "a nesting of 5 is enough");
	setenv("GIT_TRACE2_EVENT_BRIEF", "1", 1);
	tap_ok(has_said("note     EVENT is brief: its events have no time, "
			"which readers need\n         -> "
			"GIT_TRACE2_EVENT_BRIEF=0\n"),
	       "brief events are told");
	setenv("GIT_TRACE2_EVENT_BRIEF", "0", 1);
	tap_ok(!strstr(run_plainly(), "note"),
	       "events that are not brief are fine");
	setenv("GIT_TRACE2_EVENT_BRIEF", "1", 1);
	setenv("GIT_TRACE2_EVENT", "0", 1);
	tap_ok(!strstr(run_plainly(), "note"),
	       "while EVENT is off nothing is told");
}

static void test_root(void)
{
	const int is_root = !geteuid();

	begin_settings("");
	setenv("SUDO_USER", "me", 1);
	tap_int(strstr(run_plainly(),
		       "note     this is root by sudo, which drops "
		       "variables; the settings of me do not "
		       "count\n") != NULL,
		is_root, "root by sudo has other settings");
	unsetenv("SUDO_USER");
	tap_ok(!strstr(run_plainly(), "note"),
	       "another user is not told about sudo");
}

static const char *expect_made(const char *first, const char *second)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s%s/%s\n", first, directory_path,
		 second);
	return text;
}

#define MADE "trace2 doctor: made the directory: "

static void test_repairs(void)
{
	begin_settings("");
	setenv("GIT_TRACE2", path_of("", "a/b/normal"), 1);
	tap_int(call_doctor(""), 1, "without --fix nothing is made");
	tap_ok(!has_file("a"), "and nothing is there");
	tap_int(call_doctor("--fix"), 0, "what was repaired works");
	tap_str(kit_said[2], expect_made(MADE, "a/b"),
		"each directory that is made is printed");
	tap_ok(strstr(kit_said[1], "works") &&
		       strstr(kit_said[1], "  file\n") &&
		       !strstr(kit_said[1], "->"),
	       "the result is that after the repair");
	tap_ok(is_directory("a/b") && !has_file("a/b/normal"),
	       "only directories are made");
	setenv("GIT_TRACE2", path_of("", "c/normal"), 1);
	setenv("GIT_TRACE2_PERF", path_of("", "c/perf"), 1);
	tap_int(call_doctor("--fix"), 0, "two targets may share a directory");
	tap_str(kit_said[2], expect_made(MADE, "c"),
		"a directory of two targets is made once");
}

static void test_failed_repairs(void)
{
	begin_settings("");
	setenv("GIT_TRACE2", "/proc/none/a/normal", 1);
	setenv("GIT_TRACE2_PERF", path_of("", "d/perf"), 1);
	tap_int(call_doctor("--fix"), 1, "a repair that fails is a failure");
	tap_ok(strstr(kit_said[2], "trace2 doctor: /proc/none: No such file "
				   "or directory\n") == kit_said[2],
	       "the directory that can't be made is named");
	tap_ok(strstr(kit_said[1],
		      "its directory is missing\n         -> mkdir -p "
		      "/proc/none/a\n") != NULL,
	       "what could not be repaired stays broken");
	tap_ok(is_directory("d"), "the other target is repaired");
	unsetenv("GIT_TRACE2");
	tap_need(!symlink("nowhere", "link"));
	setenv("GIT_TRACE2_PERF", path_of("", "link/perf"), 1);
	tap_int(call_doctor("--fix"), 1, "a link to nowhere is not repaired");
	tap_str(kit_said[2],
		expect_made("trace2 doctor: ", "link: File exists"),
		"a link to nowhere is not called a directory that was made");
}

int main(void)
{
	is_under_valgrind = !!getenv("TEST_UNDER_VALGRIND");
	enter_directory();
	umask(022);
	tap_run(test_nothing_is_on, test_sources, test_json, test_mistyped,
		test_ignored, test_repository, test_event, test_root,
		test_repairs, test_failed_repairs);
	leave_directory();
	return tap_done();
}
