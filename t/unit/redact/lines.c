/* What becomes of the lines of a log, and what is told about those left out. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "redact/redact_kit.h"

#define LEFT_OUT(what, first)                                        \
	"trace2 redact: log: " what " left out, first line " first   \
	": expected one JSON object, or text without NUL, in UTF-8 " \
	"and at most 16 MiB\n"

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

int main(void)
{
	enter_directory();
	test_text_lines();
	leave_directory();
	return tap_done();
}
