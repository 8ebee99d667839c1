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

int main(void)
{
	memory_page(&page_end);
	tap_run(test_payloads, test_nul, test_cells);
	return tap_done();
}
