#define _GNU_SOURCE /* kit/short.h needs it */
/* `trace2 convert` and `report` without memory: no result is incomplete. */
#include "kit/validate.h"
#include "kit/short.h"

#include "views/convert/convert.h"
#include "views/page/page.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"

#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P0000000" pid
#define ONE SID("1")
#define TWO SID("2")

/* An event, so many microseconds of three digits after ten o'clock. */
#define EVENT(sid, event, us, rest)                                    \
	"{\"event\":\"" event "\",\"sid\":\"" sid                      \
	"\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000" us \
	"Z\"," rest "}\n"

#define BEGIN(sid, us, name)                                         \
	EVENT(sid, "version", us, "\"evt\":\"3\",\"exe\":\"2.55\"")  \
	EVENT(sid, "start", us, "\"t_abs\":0.0,\"argv\":[\"git<\"]") \
	EVENT(sid, "cmd_name", us,                                   \
	      "\"name\":\"" name "\",\"hierarchy\":\"" name "\"")
#define PLACE "\"nesting\":1,\"category\":\"index\",\"label\":\"read\""

#define LIFE(sid, name)                                                \
	BEGIN(sid, "000", name)                                        \
	EVENT(sid, "region_enter", "010", PLACE)                       \
	EVENT(sid, "data", "015",                                      \
	      "\"category\":\"c\",\"key\":\"k\",\"value\":7")          \
	EVENT(sid, "region_leave", "030", "\"t_rel\":0.000020," PLACE) \
	EVENT(sid, "atexit", "100", "\"t_abs\":0.000100,\"code\":0")

static const char *format, *input; /* NULL: a page is written */
static int code;

static void make_once(void)
{
	char words[5][16] = { "convert", "--to", "", "", "made/out" };
	char *argv[] = {
		words[0], words[1], words[2], words[3], words[4], NULL
	};

	if (!format) {
		code = tr2_page_write("log", "made/out");
		return;
	}
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

static void make_anew(void)
{
	remove_all("made");
	mkdir("made", 0700);
}

static void test_result(const char *from, const char *to)
{
	char *whole, said[64];
	int ended = 0, silent = 0, right, first = dup(0);

	close(first);
	input = from;
	format = to;
	make_anew();
	make_once();
	whole = strdup(file_text("made/out"));
	right = code;
	for (int call = 1;; call++) {
		make_anew();
		fail_from(call);
		if (kit_runs_out(make_once)) {
			ended++;
			close_others(first);
		} else if (!has_failed()) {
			break;
		} else {
			silent += code <= right &&
				  strcmp(file_text("made/out"), whole) != 0;
		}
	}
	fail_from(0);
	free(whole);
	to = to ? to : "a page";
	snprintf(said, sizeof(said), "who lacks memory for %s of a %s ends", to,
		 from);
	tap_ok(ended > 0, said);
	snprintf(said, sizeof(said), "%s of a %s is whole", to, from);
	tap_int(silent, 0, said);
}

int main(void)
{
	enter_directory();
	write_file("log", LIFE(ONE, "gc") LIFE(TWO, "log"));
	kit_call(tr2_convert_main, "convert log log.fxt");
	short_install();
	test_result("log", "folded");
	test_result("log", "speedscope");
	test_result("log", "chrome");
	test_result("log", "fxt");
	test_result("log", "otlp");
	test_result("log.fxt", "chrome");
	append_file("log", "{odd\n");
	test_result("log", NULL);
	tap_int(code, 1, "a page may have a finding");
	leave_directory();
	return tap_done();
}
