/* What becomes of the lines of a log, and what is told about those left out. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "redact/redact_kit.h"

#define LEFT_OUT(what, first)                                        \
	"trace2 redact: log: " what " left out, first line " first   \
	": expected one JSON object, or text without NUL, in UTF-8 " \
	"and at most 16 MiB\n"
#define AS_EVENT "; expected an EVENT, NORMAL or PERF log\n"

/* Returns what is told about a log of these bytes. */
static const char *redact_bytes(const char *bytes, size_t len, int status)
{
	FILE *file = fopen("log", "w");

	fwrite(bytes, 1, len, file);
	fclose(file);
	return tell_words("log", status);
}

static const char *redact_text(const char *text, int status)
{
	return redact_bytes(text, strlen(text), status);
}

static void test_event_lines(void)
{
	tap_str(redact_text(LINE "{\"x\n" LINE "[]\n", 1),
		LEFT_OUT("2 lines were", "2"),
		"lines that are no objects are left out, and counted");
	tap_str(kit_said[1], LINE LINE, "while the others are written");
	tap_str(redact_text(LINE LINE LINE "x\n" LINE, 1),
		LEFT_OUT("1 line was", "4"), "the first one is named");
	tap_str(redact_text(LINE, 0), "", "the next log is counted anew");
	tap_str(redact_text(LINE "{\"x\":\"https://u:secret@h/\"}", 0), "",
		"a password is no reason to leave a line out");
	tap_ok(!strstr(kit_said[1], "secret") && strstr(kit_said[1], "//u"),
	       "it is replaced");
}

static void test_text_lines(void)
{
	static const char nul[] = NORMAL "start a\n" NORMAL "b\0c\n";

	tap_str(redact_text(NORMAL "start git fetch https://u:secret@h/\n", 0),
		"", "a NORMAL log is redacted");
	tap_ok(!strstr(kit_said[1], "secret") &&
		       strstr(kit_said[1], NORMAL "start git fetch ") &&
		       strstr(kit_said[1], "//u:<REDACTED>@h/"),
	       "of its lines only the passwords are replaced");
	tap_str(redact_text(NORMAL "start git\n" NORMAL "end", 0), "",
		"its last line may be open");
	tap_str(kit_said[1], NORMAL "start git\n" NORMAL "end",
		"of which no end is made up");
	tap_str(redact_text(NORMAL "printf x://u:secret@h/ and more\n" NORMAL
				   "printf x://v:secret@h/\n",
			    0),
		"", "each line has its own words");
	tap_str(kit_said[1],
		NORMAL "printf x://u:<REDACTED>@h/ and more\n" NORMAL
		       "printf x://v:<REDACTED>@h/\n",
		"however long the one before was");
	tap_str(redact_bytes(nul, sizeof(nul) - 1, 1),
		LEFT_OUT("1 line was", "2"),
		"a line with a NUL byte is left out");
	tap_str(kit_said[1], NORMAL "start a\n", "and not one byte is written");
}

#define PERF_HEAD                                                          \
	"09:30:42.112358 a.c:1                         | d0 | main       " \
	"              | "
#define PERF_REST "        |     |  0.000100 |           |              | "

static void test_perf_lines(void)
{
	static const char before[] = PERF_HEAD
		"start" PERF_REST "argv:[git fetch https://u:secret@h/]\n";
	static const char after[] = PERF_HEAD
		"start" PERF_REST
		"argv:[git fetch 'https://u:<REDACTED>@h/']\n";

	tap_str(redact_text(before, 0), "", "a PERF log is redacted");
	tap_str(kit_said[1], after, "and its words are quoted as PERF does");
	tap_int(redact_words("--hide users log"), 0,
		"more can be hidden in it");
	tap_ok(strstr(kit_said[1], " 'https://<user-") &&
		       strstr(kit_said[1], ":<REDACTED>@h/"),
	       "and the word still has its quotes");
	write_file("event", LINE);
	tap_int(redact_words("log event log"), 0, "logs of several formats");
	snprintf(kit_said[2], sizeof(kit_said[2]), "%s" LINE "%s", after,
		 after);
	tap_str(kit_said[1], kit_said[2], "are each redacted as what they are");
}

/* What was counted of one log is not counted of the next. */
static void test_counts(void)
{
	write_file("a", LINE "x\n" LINE "y\n");
	write_file("b", LINE);
	write_file("c", LINE "z\n");
	tap_str(tell_words("a b c", 1),
		"trace2 redact: a: 2 lines were left out, first line 2: "
		"expected one JSON object, or text without NUL, in UTF-8 and "
		"at most 16 MiB\n"
		"trace2 redact: c: 1 line was left out, first line 2: "
		"expected one JSON object, or text without NUL, in UTF-8 and "
		"at most 16 MiB\n",
		"each log has its own lines");
	tap_str(kit_said[1], LINE LINE LINE LINE, "of which all others stay");
}

/* An open line may be all that a log has, or be left out itself. */
static void test_open_lines(void)
{
	write_file("open", LOG);
	write_file("wrong", LINE "{");
	write_file("empty", "");
	tap_int(redact_words("open empty open"), 0,
		"an empty log between others has no line");
	tap_str(kit_said[1], LINE LOG, "so no line is empty");
	tap_int(redact_words("wrong open"), 1,
		"an open line that is left out leaves no end");
	tap_str(kit_said[1], LINE LOG, "either");
	tap_int(redact_words("open"), 0, "an open line alone is a log");
	tap_str(kit_said[1], LOG, "that stays open");
}

static void test_foreign_files(void)
{
	redact_text(NORMAL "    start git /a\n", 0);
	tap_int(redact_words("--hide paths log"), 0,
		"paths can be hidden in a NORMAL log");
	tap_ok(strstr(kit_said[1], NORMAL "    start git '<path-"),
	       "and its line keeps its form");
	tap_ok(strstr(redact_bytes("\x10\0\x04\x46\x78\x54\x16\0", 8, 1),
		      AS_EVENT) != NULL,
	       "an archive is no log");
	tap_int(redact_words("-o out log"), 1,
		"a file that is left out has the same status with an output");
	tap_int(has_file("out"), 0, "which does not appear");
	tap_int(redact_words("log missing"), 3,
		"a file that can't be read counts for more");
	write_file("good", LINE);
	tap_int(redact_words("log good"), 1,
		"among logs it is one that is left out");
	tap_str(kit_said[1], LINE, "and the others are written");
}

/* More lines than one block has: the counts go on. */
static void test_long_log(void)
{
	const int lines = 20000;
	FILE *file = fopen("log", "w");
	int i;

	for (i = 0; i < lines; i++)
		fputs(LINE, file);
	fputs("x\n", file);
	fclose(file);
	tap_str(tell_words("-o out log", 1), LEFT_OUT("1 line was", "20001"),
		"a line is counted from the beginning of its log");
	file = fopen("out", "r");
	fseek(file, 0, SEEK_END);
	tap_int(ftell(file), lines * (long)strlen(LINE),
		"all blocks of a log are written");
	fclose(file);
}

int main(void)
{
	enter_directory();
	test_event_lines();
	test_text_lines();
	test_perf_lines();
	test_counts();
	test_open_lines();
	test_foreign_files();
	test_long_log();
	leave_directory();
	return tap_done();
}
