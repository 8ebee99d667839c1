/* The command, but who follows, listens and shows progress is here. */
#define _GNU_SOURCE /* pseudo-terminals, mkdtemp(), RTLD_NEXT */

#include "validate/rooms_kit.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "validate/validate.h"

static int run_validate(int argc, char **argv)
{
	asked[0] = '\0';
	return tr2_validate_main(argc, argv);
}

static int call_command(const char *words)
{
	char text[256];

	snprintf(text, sizeof(text), "validate %s", words);
	return kit_call(run_validate, text);
}

/*
 * ---- Logs
 */

#define COMMON(event) \
	"{\"event\":\"" event "\",\"sid\":\"s\",\"thread\":\"main\","
#define BEGIN                                                                             \
	COMMON("version")                                                                 \
	"\"time\":\"2026-01-01T00:00:00.000000Z\",\"evt\":\"3\",\"exe\":\"1\"}\n" COMMON( \
		"start") "\"t_abs\":0.1,\"argv\":[\"a\"]}\n"
#define END                                   \
	COMMON("exit")                        \
	"\"t_abs\":0.2,\"code\":0}\n" COMMON( \
		"atexit") "\"t_abs\":0.3,\"code\":0}\n"

/* An event that the EVENT version of git's log does not have. */
#define COUNTER \
	"{\"event\":\"counter\",\"sid\":\"20260101T000000.000000Z-H12345678-P00000001\",\"thread\":\"main\",\"category\":\"a\",\"name\":\"b\",\"count\":-1}\n"

static char dir[] = "/tmp/validate-command-XXXXXX";

static void put_file(const char *name, const char *text, int times)
{
	FILE *file = fopen(name, "w");

	while (times--)
		fputs(text, file);
	fclose(file);
}

static void begin_dir(void)
{
	tap_need(mkdtemp(dir) && !chdir(dir) && !mkdir("dir", 0700) &&
		 !mkdir("empty", 0700));
	put_file("counter", COUNTER, 1);
	put_file("long", COUNTER, 900); /* blocks end within its lines */
	put_file("good", BEGIN END, 1);
	put_file("dir/good", BEGIN END, 1);
	put_file("open", BEGIN, 1);
	put_file("bad", BEGIN END "{\"event\"}\n", 1);
	put_file("other", "hello\n", 1);
}

static void end_dir(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	tap_need(!chdir("/") && !system(command));
}

#define SAID(text) "trace2 validate: " text "\n"
#define REFUSED(text) SAID(text) "Try 'trace2 validate --help'.\n"
#define TORN "bad:5:9: error[input.json]: not JSON: expected `:`\n"
#define UNENDED \
	"open:2:1: info[stream.unfinished]: the log of the process ends here, without atexit\n"
#define OTHER "other:1:1: info[input.other-format]: not a Trace2 log\n"
#define NO_LOG SAID("there is no Trace2 log")
#define MISSING \
	"missing:1:1: error[input.unreadable]: No such file or directory\n"

#define NEGATIVE(level)                                     \
	"counter:1:122: " level "[event.counter.count]: "   \
	"count: expected an integer, at least 1, found -1 " \
	"(known: deviation.git.counter-sign)\n"
#define TOO_NEW                                               \
	"counter:1:10: info[version.unknown-event]: counter " \
	"is not an event of EVENT version 2\n"

static const struct run {
	const char *words;
	int code;
	const char *out, *err, *asked;
} runs[] = {
	{ "good", 0, "OK: 4 events of 1 process in 1 file\n", "",
	  "size:good end" },
	{ "good other", 0,
	  OTHER
	  "Found 1 info in 4 events of 1 process in 2 files; 1 file is no Trace2 log\n",
	  "", "size:good size:other end" },
	{ "dir", 0, "OK: 4 events of 1 process in 1 file\n", "",
	  "size:dir end" },
	{ "open", 0,
	  UNENDED "Found 1 info in 2 events of 1 process in 1 file\n", "",
	  "size:open end" },
	{ "--fail-on info open", 1,
	  UNENDED "Found 1 info in 2 events of 1 process in 1 file\n", "",
	  "size:open end" },
	{ "bad", 1, TORN "Found 1 error in 4 events of 1 process in 1 file\n",
	  "", "size:bad end" },
	{ "--ignore input.json bad", 0, "OK: 4 events of 1 process in 1 file\n",
	  "", "size:bad end" },
	{ "--select event counter", 0,
	  NEGATIVE("info") "Found 1 info in 1 event of 1 process in 1 file\n",
	  "", "size:counter end" },
	{ "--select event --strict counter", 1,
	  NEGATIVE("error") "Found 1 error in 1 event of 1 process in 1 file\n",
	  "", "size:counter end" },
	{ "--select version --evt 2 counter", 0,
	  TOO_NEW "Found 1 info in 1 event of 1 process in 1 file\n", "",
	  "size:counter end" },
	{ "other", 3, OTHER "Found 1 info in 1 file; 1 file is no Trace2 log\n",
	  NO_LOG, "size:other end" },
	{ "empty", 3, "Checked nothing: 0 files\n", NO_LOG, "size:empty end" },
	{ "good missing", 3,
	  MISSING
	  "Found 1 error in 4 events of 1 process in 2 files; 1 file cannot be read\n",
	  "", "size:good size:missing end" },
	{ "--follow good", 0, "OK: 4 events of 1 process in 1 file\n", "",
	  "follow:good wait:good end" },
	{ "--follow missing", 3,
	  MISSING "Found 1 error in 1 file; 1 file cannot be read\n", "",
	  "follow:missing end" },
	{ "--format jsonl good", 0,
	  "{\"summary\":{\"files\":1,\"other_files\":0,\"unreadable_files\":0,"
	  "\"processes\":1,\"events\":4,\"event_types\":{\"version\":1,"
	  "\"start\":1,\"exit\":1,\"atexit\":1},\"records\":0,"
	  "\"findings\":{\"error\":0,\"warning\":0,\"info\":0},"
	  "\"not_shown\":0,\"bytes\":302,\"seconds\":1.000000}}\n",
	  "", "size:good end" },
	{ "--follow", 2, "",
	  REFUSED("nothing to check; name a file or a directory"), "" },
	{ "--follow good open", 2, "", REFUSED("--follow expects one file"),
	  "" },
	{ "--follow -", 2, "", REFUSED("--follow expects one file"), "" },
	{ "--follow dir", 2, "", REFUSED("--follow expects one file"), "" },
	{ "--evt 9 good", 2, "",
	  REFUSED("--evt needs a number from 1 to 4, not '9'"), "" },
	{ "--listen af_unix:stream:s good", 2, "",
	  REFUSED("--listen accepts neither a file nor --for"), "" },
	{ "--listen af_unix:stream:s --follow", 2, "",
	  REFUSED("--listen accepts neither a file nor --for"), "" },
	{ "--listen af_unix:stream:s --for all", 2, "",
	  REFUSED("--listen accepts neither a file nor --for"), "" },
	{ "--listen af_unix:stream:s", 1,
	  "s:1:1: error[input.json]: heard\n"
	  "Found 1 error in 1 file\n",
	  SAID("listening on s"), "socket:s" },
};

static void test_run(const struct run *run)
{
	int code = call_command(run->words);
	char name[80];

	snprintf(name, sizeof(name), "the code of: %s", run->words);
	tap_int(code, run->code, name);
	snprintf(name, sizeof(name), "what is printed of: %s", run->words);
	tap_str(kit_said[1], run->out, name);
	snprintf(name, sizeof(name), "what is said of: %s", run->words);
	tap_str(kit_said[2], run->err, name);
	snprintf(name, sizeof(name), "what is done of: %s", run->words);
	tap_str(asked, run->asked, name);
}

static void test_runs(void)
{
	size_t i;

	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		test_run(&runs[i]);
}

/*
 * ---- Live
 */

static void test_levels(void)
{
	static const char *const names[] = { "error", "warning", "info" };
	char words[128], name[80];
	int level, wanted;

	for (level = 0; level < TR2_LEVELS; level++)
		for (wanted = 0; wanted < TR2_LEVELS; wanted++) {
			heard = (enum tr2_level)level;
			snprintf(words, sizeof(words),
				 "--listen af_unix:dgram:s --fail-on %s",
				 names[wanted]);
			snprintf(name, sizeof(name),
				 "one of level %s where %s fails", names[level],
				 names[wanted]);
			tap_int(call_command(words), level <= wanted, name);
		}
	heard = TR2_ERROR;
}

static void test_live(void)
{
	call_command("--listen af_unix:stream:s --format json");
	tap_ok(!strncmp(kit_said[1], "{\"findings\":[\n{", 15) &&
		       strstr(kit_said[1], "\"seconds\":1.000000}}\n"),
	       "what is heard has a beginning and an end");
	dropped = 7;
	tap_int(call_command("--listen af_unix:stream:s"), 3,
		"what is lost is an error");
	tap_str(kit_said[2],
		SAID("listening on s")
			SAID("7 lines were dropped: they came faster than they "
			     "could be checked, were too long, or came when "
			     "no descriptor was left"),
		"what is lost is counted");
	dropped = 0;
	not_listening = "why not";
	tap_int(call_command("--listen af_unix:stream:s"), 3,
		"where nothing can be heard is an error");
	tap_str(kit_said[2], SAID("s: why not"), "and the reason is said");
	not_listening = NULL;
}

/*
 * ---- The validator itself
 */

static void test_told(void)
{
	struct tr2_buf list = TR2_BUF_INIT;

	tap_int(call_command("--list-rules --strict"), 0,
		"rules are no failure");
	tr2_rules_list(&list, NULL, 0);
	tr2_buf_byte(&list, '\0');
	tap_str(kit_said[1], list.bytes, "the rules are printed");
	tr2_buf_reset(&list);
	tr2_rules_explain(&list, tr2_rules_find("input.json"));
	tr2_buf_byte(&list, '\0');
	call_command("--explain input.json");
	tap_str(kit_said[1], list.bytes, "the command explains a rule");
	call_command("--explain input.json --list-rules");
	tap_str(kit_said[1], list.bytes,
		"the command explains a rule and lists none");
	tr2_buf_release(&list);
}

static int call_without_room(int argc, char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
		_exit(run_validate(argc, argv));
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void test_no_room(void)
{
	tap_int(kit_call(call_without_room, "validate good"), 3,
		"a report for which there is no room is an error");
	tap_str(kit_said[2], SAID("standard output: No space left on device"),
		"why a report is not whole is said");
	tap_int(kit_call(call_without_room, "validate --list-rules"), 3,
		"a list for which there is no room is one");
	tap_str(kit_said[2], SAID("standard output: No space left on device"),
		"why a list is not whole is said");
}

int main(void)
{
	begin_dir();
	tap_run(test_runs, test_levels, test_live, test_told, test_no_room);
	end_dir();
	return tap_done();
}
