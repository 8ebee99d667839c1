/*
 * What stands for other bytes becomes those, whatever pieces are read at once;
 * and a log whose bytes stand for themselves stays as it is.
 */
#include <stdio.h>
#include <string.h>

#include "kit/tap.h"
#include "read/bytes/copied.h"

#define ROOM 4096
#define CLOCK "10:00:00.000000 "

static struct tr2_copied copied;

/* Read it in pieces, of which each follows the rest of the one before. */
static const char *read_pieces(const char *text, size_t len, size_t piece)
{
	static char out[ROOM];
	char next[ROOM];
	size_t at = 0, done = 0, some, rest;
	bool at_end = false;

	tr2_copied_begin(&copied, text, len);
	while (!at_end) {
		some = len - at < piece ? len - at : piece;
		at_end = !some;
		rest = copied.rest_len;
		memcpy(next, copied.rest, rest);
		memcpy(next + rest, text + at, some);
		at += some;
		some = tr2_copied_read(&copied, next, rest + some, at_end);
		memcpy(out + done, next, some);
		done += some;
	}
	out[done] = '\0';
	return out;
}

/* Is it the wanted text in pieces of all sizes, and of this kind alone? */
static bool reads_as(const char *text, const char *wanted, unsigned kinds)
{
	const size_t len = strlen(text);
	size_t piece;

	for (piece = 1; piece <= len; piece++)
		if (strcmp(read_pieces(text, len, piece), wanted) != 0) {
			printf("# in pieces of %zu: %s\n", piece,
			       read_pieces(text, len, piece));
			return false;
		}
	return copied.kinds == kinds;
}

static bool keeps_text(const char *text)
{
	return reads_as(text, text, 0);
}

static void test_ends(void)
{
	tap_ok(reads_as("a^M\nb^M\n^\n^Mc\nd^M", "a\nb\n^\n^Mc\nd",
			1U << TR2_COPIED_CARET),
	       "^M at the end of a line is nothing");
	tap_ok(keeps_text("a^\nb^M\n"), "the first line tells");
	tap_ok(reads_as("a\r" CLOCK "b\rc\r", "a\n" CLOCK "b\nc\n",
			1U << TR2_COPIED_CR),
	       "a CR is the end of a line where there is no LF");
	tap_ok(keeps_text("1%\r2%\r100%, nothing more") &&
		       keeps_text("1%\r" CLOCK "a\n2%\r" CLOCK "b\n"),
	       "the CR of a terminal is not");
}

static void test_entities(void)
{
	const unsigned entity = 1U << TR2_COPIED_ENTITY;

	tap_ok(reads_as(CLOCK "&lt;a&gt; &quot;b&quot; &#39;&#x27;&#X2F;\n"
			      "&apos;&nbsp;&#160; &amp;lt; &amp;",
			CLOCK "<a> \"b\" ''/\n'   &lt; &", entity),
	       "entities become characters, once");
	tap_ok(keeps_text(CLOCK
			  "&lt; &eacute; &#7; &#200; &#; &verylong; &lt\n"),
	       "a line with a bare & is no line of a page");
	tap_ok(reads_as(CLOCK "&lt;\n& &q &eacute; &#7; &#200; &#; &a",
			CLOCK "<\n& &q &eacute; &#7; &#200; &#; &a", entity),
	       "what is no entity stays, outside of the log's lines");
	tap_ok(reads_as("{&quot;event&quot;:1, &quot;b&quot;:2}\n",
			"{\"event\":1, \"b\":2}\n", entity),
	       "so does EVENT");
	tap_ok(keeps_text(CLOCK "git commit -m '&lt; b'\n") &&
		       keeps_text(CLOCK "a &lt; < b, and more\n") &&
		       keeps_text(CLOCK "a &amp; b, and much more\n") &&
		       keeps_text("{\"event\":\"&lt;\",\"b\":\"&quot;\"}\n"),
	       "entities of an argument stay");
}

/* Break the lines at this width. */
static const char *break_lines(const char *text, size_t width)
{
	static char out[ROOM];
	size_t done = 0, column = 0;

	for (; *text; text++) {
		if (column == width && *text != '\n') {
			out[done++] = '\n';
			column = 0;
		}
		column = *text == '\n' ? 0 : column + ((*text & 0xc0) != 0x80);
		out[done++] = *text;
	}
	out[done] = '\0';
	return out;
}

static void test_breaks(void)
{
	static const char log[] = CLOCK
		"d0 region_enter label:first of these words\n" CLOCK
		"d0 region_leave label:second of the w\xc3\xb6rds\n"
		"\n" CLOCK "d0 version 2.55\n" CLOCK
		"d0 region_enter label:third, and it is longer than "
		"others\n"
		"d0 | main of a line in brief form, with many words\n";

	tap_ok(reads_as(break_lines(log, 40), log, 1U << TR2_COPIED_BREAK),
	       "lines that a terminal broke are whole again");
	tap_ok(keeps_text(log), "lines that it did not break stay");
	tap_ok(keeps_text(break_lines(log, 39)), "so do narrow ones");
	tap_ok(keeps_text(CLOCK "d0 start git fetch of words\nprogram\n" CLOCK
				"d0 start git fetch of words\nprogram\n" CLOCK
				"d0 start git fetch of words\nprogram\n"),
	       "what follows lines that are the same is a program's");
	tap_ok(keeps_text(CLOCK
			  "d0 region_enter label:first of\nthese words\n" CLOCK
			  "d0 region_enter label:second\nof these words\n" CLOCK
			  "d0 region_enter label:one more\nof these words\n"),
	       "lines that a mail broke stay");
}

int main(void)
{
	test_ends();
	test_entities();
	test_breaks();
	tap_ok(reads_as("", "", 0), "an empty log is empty");
	return tap_done();
}
