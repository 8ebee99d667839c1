/*
 * Text of the validator: finding it, the line around a finding as it is
 * shown, and memory that is not there.
 */
#include "kit/memory.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kit/tap.h"
#include "lib/common/memory.h"
#include "validate/report/report.h"
#include "lib/text/text.h"

static char *page, *page_end;

static const char *at_end(const char *text, size_t len)
{
	(void)page;
	return memcpy(page_end - len, text, len);
}

static struct tr2_buf out;

static const char *take_output(void)
{
	static char text[1024];

	memcpy(text, out.bytes, out.len);
	text[out.len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static void test_places(void)
{
	struct tr2_finding finding = { .line = 12, .column = 0x1b };

	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "12:27", "a place is a line and a column");
	finding.binary = true;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x1a", "or an offset");
	finding.column = 1;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x0", "the first offset is 0");
}

/* The excerpt of the text, with an LF for a `|`. */
static const char *print_excerpt(const char *text, size_t column, size_t width)
{
	struct tr2_finding finding = {
		.text = at_end(text, strlen(text)),
		.text_len = strlen(text),
		.column = column,
		.width = width,
		.expected = width == 3 ? "more" : NULL,
	};
	const struct tr2_shown shown = { .finding = &finding,
					 .color = width == 2 };

	tr2_excerpt_write(&out, &shown);
	return take_output();
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static void test_excerpts(void)
{
	tap_str(print_excerpt("abc", 1, 1), "    abc\n    ^\n",
		"a byte is shown");
	tap_str(print_excerpt("ab\xc3", 1, 1), "    ab?\n    ^\n",
		"half of a character may be last");
	tap_str(print_excerpt("abc", 3, 1), "    abc\n      ^\n",
		"the last byte is shown");
	tap_str(print_excerpt("abc", 4, 0), "    abc\n       ^\n",
		"the end of a line is shown");
	tap_str(print_excerpt("abc", 2, 9), "    abc\n     ^^\n",
		"carets end with the line");
	tap_str(print_excerpt("abcde", 2, 3),
		"    abcde\n     ^^^ expected more\n",
		"it is told what should be there");
	tap_str(print_excerpt("abcde", 2, 2),
		"    abcde\n     \033[1;31m^^\033[0m\n", "carets have colours");
	tap_str(print_excerpt("", 1, 0), "    \n    ^\n",
		"a line may be empty");
	tap_str(print_excerpt("\xc3\xa9\xc3\xa9\xc3\xa9", 3, 2),
		"    \xc3\xa9\xc3\xa9\xc3\xa9\n     \033[1;31m^\033[0m\n",
		"characters have a column each");
	tap_str(print_excerpt("a\xc3\xa9", 3, 1), "    a\xc3\xa9\n      ^\n",
		"a byte inside a character is marked behind it");
	tap_str(print_excerpt(FIFTY FIFTY, 51, 1),
		"    ...4567890123456789" TEN TEN "0123456789" TEN TEN
		"0123456...\n"
		"                                           ^\n",
		"of a long line a part is shown");
	tap_str(print_excerpt(FIFTY, 37, 1),
		"    " FIFTY "\n                                        ^\n",
		"36 bytes before are shown");
	tap_ok(!strncmp(print_excerpt(FIFTY, 38, 1), "    ...12345", 12) &&
		       out.len == 0,
	       "what is before them is not");
	tap_ok(strstr(print_excerpt(FIFTY, 14, 1), "89\n"),
	       "36 bytes behind are shown");
	tap_ok(strstr(print_excerpt(FIFTY, 13, 1), "678...\n"),
	       "what is behind them is not");
	tap_ok(strstr(print_excerpt(FIFTY FIFTY, 1, 90),
		      "\n    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"),
	       "there are at most 40 carets");
	tap_ok(strstr(print_excerpt("\xe2\x82\xad" FIFTY, 38, 1), "   ...0123"),
	       "a part begins with a whole character");
	tap_ok(strstr(print_excerpt("\xe2\x82\xac" FIFTY, 41, 1), "   ...1234"),
	       "a part begins behind a character");
}

int main(void)
{
	page = memory_page(&page_end);
	tap_run(test_places, test_excerpts);
	tr2_buf_release(&out);
	return tap_done();
}
