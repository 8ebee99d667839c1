#define _GNU_SOURCE /* kit/short.h needs it */
/* The command convert when there is no memory: no result is incomplete. */
#include "kit/validate.h"
#include "kit/short.h"

#include "views/convert/convert.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "cli/options.h"

#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P0000000" pid
#define ONE SID("1")
#define TWO SID("2")

/* An event, so many microseconds of three digits after ten o'clock. */
#define EVENT(sid, event, us, rest)                                    \
	"{\"event\":\"" event "\",\"sid\":\"" sid                      \
	"\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000" us \
	"Z\"," rest "}\n"

#define BEGIN(sid, us, name)                                        \
	EVENT(sid, "version", us, "\"evt\":\"3\",\"exe\":\"2.55\"") \
	EVENT(sid, "start", us, "\"t_abs\":0.0,\"argv\":[\"git\"]") \
	EVENT(sid, "cmd_name", us,                                  \
	      "\"name\":\"" name "\",\"hierarchy\":\"" name "\"")
/* `length` are the microseconds since the beginning, of three digits. */
#define END(sid, us, length) \
	EVENT(sid, "atexit", us, "\"t_abs\":0.000" length ",\"code\":0")

#define PLACE(category, label) \
	"\"nesting\":1,\"category\":\"" category "\",\"label\":\"" label "\""
#define ENTER(sid, us, category, label) \
	EVENT(sid, "region_enter", us, PLACE(category, label))
#define LEAVE(sid, us, length, category, label) \
	EVENT(sid, "region_leave", us,          \
	      "\"t_rel\":0.000" length "," PLACE(category, label))

/* Returns the exit status. */
static int call_convert(const char *words)
{
	char line[256];

	snprintf(line, sizeof(line), "convert %s", words);
	return kit_call(tr2_convert_main, line);
}

#define LIFE(sid, name)                                       \
	BEGIN(sid, "000", name)                               \
	ENTER(sid, "010", "index", "read")                    \
	EVENT(sid, "data", "015",                             \
	      "\"category\":\"c\",\"key\":\"k\",\"value\":7") \
	LEAVE(sid, "030", "020", "index", "read")             \
	END(sid, "100", "100")

static const char *format, *input;
static int code;

static void convert_once(void)
{
	char words[5][16] = { "convert", "--to", "", "", "made/out" };
	char *argv[] = {
		words[0], words[1], words[2], words[3], words[4], NULL
	};

	snprintf(words[2], sizeof(words[2]), "%s", format);
	snprintf(words[3], sizeof(words[3]), "%s", input);
	code = tr2_convert_main(argv);
}

/* The process would end, and close all its files. */
static void close_others(int first)
{
	for (; first < 256; first++)
		close(first);
}

static void test_format(const char *from, const char *name)
{
	static char whole[1 << 16];
	int call, ended = 0, silent = 0, first = dup(0);
	char said[64];

	close(first);
	input = from;
	format = name;
	mkdir("made", 0700);
	convert_once();
	snprintf(whole, sizeof(whole), "%s", file_text("made/out"));
	for (call = 1;; call++) {
		remove_all("made");
		mkdir("made", 0700);
		fail_from(call);
		if (kit_runs_out(convert_once)) {
			ended++;
			close_others(first);
		} else if (!has_failed()) {
			break;
		} else {
			silent += code == EXIT_CLEAN &&
				  strcmp(file_text("made/out"), whole) != 0;
		}
	}
	fail_from(0);
	snprintf(said, sizeof(said), "who lacks memory for %s of a %s ends",
		 name, from);
	tap_ok(ended > 0, said);
	snprintf(said, sizeof(said), "%s of a %s is whole", name, from);
	tap_int(silent, 0, said);
	remove_all("made");
}

int main(void)
{
	enter_directory();
	write_file("log", LIFE(ONE, "gc") LIFE(TWO, "log"));
	call_convert("log log.fxt");
	short_install();
	test_format("log", "folded");
	test_format("log", "speedscope");
	test_format("log", "chrome");
	test_format("log", "fxt");
	test_format("log", "otlp");
	test_format("log.fxt", "chrome");
	leave_directory();
	return tap_done();
}
