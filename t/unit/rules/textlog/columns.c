/*
 * The parts of a line of text: the columns of PERF, and the forms of
 * payloads. Each text ends where memory ends.
 */
#include "kit/memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "kit/tap.h"
#include "read/text/clock.h"
#include "read/text/columns.h"
#include "rules/textlog/columns_kit.h"
#include "rules/schema.h"

static char *page_end;

static const char *at_end(const char *text, size_t len)
{
	return memcpy(page_end - len, text, len);
}

/*
 * ---- Payloads
 */

static const char *match_patterns(const char *const *patterns, const char *text,
				  size_t len)
{
	static char told[256];
	struct tr2_mismatch mismatch;

	memset(&mismatch, 0xa5, sizeof(mismatch));
	if (tr2_pattern_match(patterns, at_end(text, len), len, &mismatch))
		return "fits";
	snprintf(told, sizeof(told), "%zu+%zu %s: %s", mismatch.at,
		 mismatch.len, mismatch.id ? mismatch.id : "-",
		 mismatch.expected);
	return told;
}

static void test_payloads(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		snprintf(name, sizeof(name), "payload %zu is told", i);
		tap_str(match_patterns(payloads[i].patterns, payloads[i].text,
				       strlen(payloads[i].text)),
			payloads[i].told, name);
	}
}

static void test_nul(void)
{
	static const char *const quoted[TR2_PATTERNS] = { "%w" };
	static const char *const words[TR2_PATTERNS] = { "%q" };
	static const char closes[] = "2+1 quote.argument: the closing quote";

	tap_str(match_patterns(quoted, "'a\0 b'", 6), closes,
		"no quotes hold a NUL");
	tap_str(match_patterns(quoted, "a\0", 2), "1+1 " BYTE_IN_QUOTES,
		"a NUL ends no word");
	tap_str(match_patterns(words, "\0", 1),
		"0+1 quote.argument: an argument", "a NUL is no word");
	tap_str(match_patterns(words, "a \0", 3),
		"2+1 quote.argument: an argument", "nor is it behind another");
}

/* What is tried next could be read beyond the three. */
static void test_three(void)
{
	static const char *const four[] = { "a", "b", "c", "d" };

	tap_str(match_patterns(four, "d", 1), "0+1 -: `a`",
		"there are at most three forms");
}

static void test_tries(void)
{
	static const char *const patterns[TR2_PATTERNS] = { "%*:%i;" };
	char text[2 * 65 + 1];
	int i;

	for (i = 0; i < 65; i++)
		memcpy(text + 2 * i, ":1", 2);
	text[128] = ';';
	tap_str(match_patterns(patterns, text, 129), "fits",
		"the rest may fit at the 64th place");
	memcpy(text + 128, ":1;", 3);
	tap_str(match_patterns(patterns, text, 131), "128+1 -: `;`",
		"no more than 64 places are tried");
}

static void test_seconds(void)
{
	static const struct {
		const char *text;
		size_t len;
	} rows[] = {
		{ "0.123456", 8 },   { "12.123456", 9 }, { "0.123456789", 0 },
		{ "0.1234567", 0 },  { "0.12345", 0 },	 { "0.", 0 },
		{ "0", 0 },	     { "", 0 },		 { ".123456", 0 },
		{ "x1.123456", 0 },  { "1:123456", 0 },	 { "0.123456s", 8 },
		{ "0.123456 1", 8 }, { "-1.123456", 0 }, { "0.12345x", 0 },
	};
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t len = strlen(rows[i].text);

		wrong += tr2_clock_seconds(at_end(rows[i].text, len), len) !=
			 rows[i].len;
	}
	tap_int((intmax_t)wrong, 0, "seconds have a point and six decimals");
}

/*
 * ---- Columns
 */

static const char *const whole[][CELLS] = {
	[NEW] = {
	"09:30:43.000000 git.c:1                     ",
	"d0",
	"main                    ",
	"region_leave",
	"r1 ",
	" 1.500000",
	" 0.250000",
	"index       ",
	"label:x",
	},
	[OLD] = {
	"09:30:43.000000 git.c:1                          ",
	"d0",
	"main                    ",
	"region_leave",
	"r1 ",
	" 1.500000",
	" 0.250000",
	"index     ",
	"label:x",
	},
};

static void put_line(char *line, size_t room, int form, int cell,
		     const char *text)
{
	size_t len = 0;
	int i;

	*line = '\0';
	for (i = 0; i < CELLS; i++) {
		const char *part = i == cell ? text : whole[form][i];

		if (part)
			len += (size_t)snprintf(line + len, room - len, "%s%s",
						len ? " | " : "", part);
	}
}

static void put_span(char **out, struct tr2_span span)
{
	*out += sprintf(*out, "%zu+%zu ", span.at, span.len);
}

/* All that was read of the line, or what is bad about it. */
static const char *read_line(const char *line, size_t len, bool old)
{
	static char told[512];
	struct tr2_columns c;
	struct tr2_bad_column bad;
	char *out = told;

	memset(&c, 0xa5, sizeof(c));
	if (!tr2_columns_read(&c, at_end(line, len), len, old, &bad)) {
		snprintf(told, sizeof(told), "%s %zu+%zu: %s%s", bad.id, bad.at,
			 bad.len, bad.expected, c.old ? ", old" : "");
		return told;
	}
	put_span(&out, c.depth);
	put_span(&out, c.thread);
	put_span(&out, c.event);
	put_span(&out, c.repo);
	put_span(&out, c.t_abs);
	put_span(&out, c.t_rel);
	put_span(&out, c.category);
	sprintf(out, "%zu %s%s %" PRId64 " %" PRId64, c.payload,
		c.is == TR2_IS_OTHER ? "-" : tr2_schema_rules[c.is].name,
		c.old ? " old" : "", c.us_abs, c.us_rel);
	return told;
}

static const char *read_cell(int form, int cell, const char *text, bool old)
{
	char line[512];

	put_line(line, sizeof(line), form, cell, text);
	return read_line(line, strlen(line), old);
}

static void test_cells(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		snprintf(name, sizeof(name), "columns %zu are told", i);
		tap_str(read_cell(cells[i].form, cells[i].cell, cells[i].text,
				  cells[i].old),
			cells[i].told, name);
	}
}

/* The line cut to each of its lengths: from which on it is bad for what. */
static const char *read_cut(int form, int cell)
{
	static char told[1024];
	char line[512], now[64], last[64] = "", *out = told;
	size_t len, whole_len;

	put_line(line, sizeof(line), form, cell, NULL);
	whole_len = strlen(line);
	for (len = 0; len <= whole_len; len++) {
		if (sscanf(read_line(line, len, true), "perf.column.%63[^:]",
			   now) != 1)
			strcpy(now, "whole");
		if (!strcmp(now, last))
			continue;
		out += sprintf(out, "%zu:%s ", len, now);
		strcpy(last, now);
	}
	return told;
}

static void test_cut(void)
{
	tap_str(read_cut(NEW, -1),
		"0:depth 0+1 16:file 44+1 47:depth 47+1 52:thread 52+1 "
		"79:event 79+1 94:repo 94+3 97:repo 97+1 "
		"100:time-width 100+9 112:time-width 112+9 "
		"124:category-width 124+1 139:whole ",
		"a line that is cut is bad where it ends");
	tap_str(read_cut(NEW, SOURCE),
		"0:depth 0+1 5:thread 5+1 32:event 32+1 47:repo 47+3 "
		"50:repo 50+1 53:time-width 53+9 65:time-width 65+9 "
		"77:category-width 77+1 92:whole ",
		"a brief line that is cut is bad where it ends");
	tap_str(read_cut(OLD, -1),
		"0:depth 0+1 16:file 44+1 54:depth 52+1 57:thread 57+1 "
		"84:event 84+1 99:repo 99+3 102:repo 102+1 "
		"105:time-width 105+9 117:time-width 117+9 "
		"129:category-width 129+1 142:whole ",
		"an older line that is cut is bad where it ends");
	tap_str(read_cut(OLD, SOURCE),
		"0:depth 0+1 5:thread 5+1 32:event 32+1 47:repo 47+3 "
		"50:repo 50+1 53:time-width 53+9 65:time-width 65+9 "
		"77:category-width 77+1 90:whole ",
		"an older brief line that is cut is bad where it ends");
}

int main(void)
{
	memory_page(&page_end);
	test_payloads();
	test_nul();
	test_three();
	test_tries();
	test_seconds();
	test_cells();
	test_cut();
	return tap_done();
}
