#define _GNU_SOURCE /* kit/short.h needs it */
/* `trace2 report` when there is no memory: no page is incomplete. */
#include "kit/validate.h"
#include "kit/short.h"

#include "kit/directory.h"
#include "kit/file.h"
#include "views/page/page.h"

#define EVENT(event, us, rest)                                        \
	"{\"event\":\"" event "\",\"sid\":\"A\",\"thread\":\"main\"," \
	"\"time\":\"2026-01-14T10:00:00.000" us "Z\"" rest "}\n"
#define PLACE ",\"category\":\"c\",\"label\":\"l\""

static int code;

static void write_page(void)
{
	code = tr2_page_write("log", "made/page");
}

/* The process would end, and close all its files. */
static void close_others(int first)
{
	for (; first < 256; first++)
		close(first);
}

static void test_no_memory(void)
{
	char *whole = strdup(file_text("made/page"));
	int call, ended = 0, silent = 0, first = dup(0);

	close(first);
	for (call = 1;; call++) {
		remove_all("made");
		mkdir("made", 0700);
		fail_from(call);
		if (kit_runs_out(write_page)) {
			ended++;
			close_others(first);
		} else if (!has_failed()) {
			break;
		} else {
			silent += code <= 1 &&
				  strcmp(file_text("made/page"), whole) != 0;
		}
	}
	fail_from(0);
	free(whole);
	tap_ok(ended > 9, "a report without memory ends");
	tap_int(silent, 0, "a page is whole, or there is none");
}

int main(void)
{
	enter_directory();
	write_file(
		"log",
		EVENT("version", "100", ",\"evt\":\"3\",\"exe\":\"2.55\"") EVENT(
			"start", "100", ",\"t_abs\":0.0,\"argv\":[\"x<y\"]")
			EVENT("region_enter", "110", PLACE) EVENT(
				"data", "120",
				",\"category\":\"c\",\"key\":\"k\","
				"\"value\":\"v\"") EVENT("region_leave", "130",
							 PLACE)
				EVENT("atexit", "300",
				      ",\"t_abs\":0.0002,\"code\":0") "{odd\n");
	mkdir("made", 0700);
	write_page();
	tap_int(code, 1, "a page may have a finding");
	short_install();
	test_no_memory();
	leave_directory();
	return tap_done();
}
