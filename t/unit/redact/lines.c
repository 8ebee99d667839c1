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
	tap_str(redact_bytes(nul, sizeof(nul) - 1, 1),
		LEFT_OUT("1 line was", "2"),
		"a line with a NUL byte is left out");
	tap_str(kit_said[1], NORMAL "start a\n", "and not one byte is written");
}

static void test_foreign_files(void)
{
	redact_text(NORMAL "start git\n", 0);
	tap_ok(strstr(tell_words("--hide paths log", 1),
		      "of which only passwords can be hidden; expected an "
		      "EVENT log, or no --hide\n") != NULL,
	       "no more than passwords can be hidden in a NORMAL log");
	tap_str(kit_said[1], "", "so it is not written");
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
	test_foreign_files();
	test_long_log();
	leave_directory();
	return tap_done();
}
