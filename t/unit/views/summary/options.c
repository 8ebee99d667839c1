#define _XOPEN_SOURCE 700 /* pseudo-terminals */
/*
 * The command line of `trace2 summary`. What it refuses is in
 * t/commands/options.tsv.
 */
#include <time.h>

#include "kit/command.h"
#include "read/value.h"
#include "views/summary/options.h"

#define SECOND INT64_C(1000000)

static struct tr2_summary_options options;

/* 2026-11-23T08:30:00 UTC, for ever. */
time_t time(time_t *place)
{
	if (place)
		*place = 1795422600;
	return 1795422600;
}

static int read_argv(char **argv)
{
	return tr2_summary_options_read(&options, argv);
}

static bool is_read(const char *words)
{
	char line[256];

	snprintf(line, sizeof(line), "summary %s a.log", words);
	memset(&options, 0xa5, sizeof(options));
	return kit_call(read_argv, line) == TR2_CLI_GO_ON;
}

/* Microseconds since 2026-11-23, or -1: it is refused. */
static int64_t parse_since(const char *text)
{
	int64_t day = tr2_time_read("2026-11-23T00:00:00.000000Z");
	char line[64];

	snprintf(line, sizeof(line), "--since %s", text);
	return is_read(line) ? options.filter.since - day : -1;
}

static void test_since(void)
{
	static const struct {
		const char *text;
		int64_t us;
	} rows[] = {
		{ "2026-11-23", 0 },
		{ "2026-11-23Z", 0 },
		{ "2026-11-24", 86400 * SECOND },
		{ "2026-11-23T08", 28800 * SECOND },
		{ "2026-11-23T08:30", 30600 * SECOND },
		{ "2026-11-23T08:30:07", 30607 * SECOND },
		{ "2026-11-23T08:30:07Z", 30607 * SECOND },
		{ "2026-11-23T00:00:00.000009", 9 },
		{ "2026-11-23T00:00:00.123456Z", 123456 },
		{ "30min", 28800 * SECOND },
		{ "0s", 30600 * SECOND },
		{ "8.5h", 0 },
		{ "2026-11-2", -1 },
		{ "2026-11", -1 },
		{ "2026-11-23T00:00:00.1234567", -1 },
		{ "2026-11-23T00:00:00.1234567Z", -1 },
		{ "2026-11-23T00:00:00.000000+0000", -1 },
		{ "2026-11-23_08:30", -1 },
		{ "2026/11/23", -1 },
		{ "2026-11-23ZZ", -1 },
		{ "2026-11-23T00:00:00.123456Z-or-later", -1 },
		{ "yesterday", -1 },
		{ "Z", -1 },
		{ "yesterday-at-noon-if-it-did-not-rain-Z", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_int(parse_since(rows[i].text), rows[i].us, rows[i].text);
	tap_ok(!is_read("--since="), "an empty text is no time");
}

int main(void)
{
	test_since();
	return tap_done();
}
