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

static void test_find(void)
{
	const char *text = at_end("aabab", 5);

	tap_ok(tr2_text_find(text, 5, "ab") == text + 1, "the first is found");
	tap_ok(tr2_text_find(text, 5, "b") == text + 2 &&
		       tr2_text_find(text, 5, "aabab") == text &&
		       tr2_text_find(text, 5, "bab") == text + 2,
	       "a text is found at both ends");
	tap_ok(!tr2_text_find(text, 5, "aababb") &&
		       !tr2_text_find(text, 5, "abb") &&
		       !tr2_text_find(text, 5, "c") &&
		       !tr2_text_find(text, 5, "ba\n"),
	       "what is not there is not found");
	tap_ok(!tr2_text_find(page_end, 0, "a"), "nothing is found in nothing");
	tap_ok(tr2_text_find(at_end("a\0b", 3), 3, "b") == page_end - 1,
	       "text is found behind a NUL");
}

static void test_is(void)
{
	at_end("b", 1);
	tap_ok(tr2_text_is(page_end - 1, 1, "b") &&
		       !tr2_text_is(page_end - 1, 1, "bc") &&
		       !tr2_text_is(page_end - 1, 1, "") &&
		       tr2_text_is(page_end, 0, "") &&
		       !tr2_text_is(page_end - 1, 1, "c"),
	       "bytes are a text or not");
	tap_ok(tr2_text_starts(at_end("abc", 3), 3, "ab") &&
		       tr2_text_starts(page_end - 3, 3, "abc") &&
		       !tr2_text_starts(page_end - 3, 3, "abcd") &&
		       !tr2_text_starts(page_end - 3, 3, "b") &&
		       tr2_text_starts(page_end, 0, ""),
	       "bytes start with a text or not");
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

static const char *print_clean(const char *text)
{
	size_t len = strlen(text);

	tr2_excerpt_clean(&out, at_end(text, len), len);
	return take_output();
}

static void test_clean(void)
{
	tap_str(print_clean("a \x1f\x20\x7e\x7f\x01z"), "a ? ~??z",
		"control characters are hidden");
	tap_str(print_clean("\xc2\x80\xc2\x9f\xc2\xa0\xc3\x80"),
		"??\xc2\xa0\xc3\x80", "and those of two bytes");
	tap_str(print_clean("\xe2\x82\xac\xf0\x9f\x98\x80"),
		"\xe2\x82\xac\xf0\x9f\x98\x80", "other characters are shown");
	tap_str(print_clean("a\x80\xff\xc3"), "a???", "what is none is hidden");
	tap_str(print_clean(""), "", "no text is shown as such");
}

static const char *print_hex(uint64_t value, int digits)
{
	tr2_excerpt_hex(&out, value, digits);
	return take_output();
}

static void test_places(void)
{
	struct tr2_finding finding = { .line = 12, .column = 0x1b };

	tap_str(print_hex(0, 1), "0x0", "an offset may be 0");
	tap_str(print_hex(0, 8), "0x00000000", "a value has all of its digits");
	tap_str(print_hex(0xabc, 2), "0xabc", "a value may have more");
	tap_str(print_hex(0x10, 1), "0x10", "a digit may be 0");
	tap_str(print_hex(0xf000000000000000, 1), "0xf000000000000000",
		"a value may have all digits");
	tap_str(print_hex(0x0123456789abcdef, 16), "0x0123456789abcdef",
		"there are sixteen digits");
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "12:27", "a place is a line and a column");
	finding.binary = true;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x1a", "or an offset");
	finding.column = 1;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x0", "the first offset is 0");
}

static void test_colors(void)
{
	static const struct {
		enum tr2_level level;
		enum tr2_color color;
		const char *text;
	} colors[] = {
		{ TR2_ERROR, TR2_COLOR_LEVEL, "\033[1;31m" },
		{ TR2_WARNING, TR2_COLOR_LEVEL, "\033[1;33m" },
		{ TR2_INFO, TR2_COLOR_LEVEL, "\033[1;36m" },
		{ TR2_ERROR, TR2_COLOR_BOLD, "\033[1m" },
		{ TR2_INFO, TR2_COLOR_OFF, "\033[0m" },
	};
	struct tr2_finding finding = { 0 };
	struct tr2_shown shown = { .finding = &finding, .color = true };
	size_t i;
	char name[64];

	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "colour %zu is put", i);
		finding.level = colors[i].level;
		tr2_excerpt_color(&out, &shown, colors[i].color);
		tap_str(take_output(), colors[i].text, name);
	}
	shown.color = false;
	tr2_excerpt_color(&out, &shown, TR2_COLOR_LEVEL);
	tr2_buf_byte(&out, '.');
	tap_str(take_output(), ".", "colours are put where they are wanted");
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

#define TEN_WIDE "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"

static void test_excerpts_of_characters(void)
{
	tap_str(print_excerpt("a" TEN_WIDE TEN_WIDE TEN_WIDE TEN_WIDE "b", 1,
			      42),
		"    a" TEN_WIDE TEN_WIDE TEN_WIDE TEN_WIDE
		"b\n    ^^^^^^^^^^^^^^^^^^^^^\n",
		"the last character with a caret is whole");
	tap_str(print_excerpt(TEN TEN TEN "12345\xe2\x82\xac", 1, 0),
		"    " TEN TEN TEN "12345\xe2\x82\xac\n    ^\n",
		"no dots follow the last character of a line");
	tap_str(print_excerpt(TEN TEN TEN "12345\xe2\x82\xac.", 1, 0),
		"    " TEN TEN TEN "12345\xe2\x82\xac...\n    ^\n",
		"they follow an earlier one");
}

/* Sanitizers end a program that asks for too much by themselves. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static void test_no_memory(void)
{
	tap_skip("no memory ends the command", "the sanitizer ends it");
}
#else
/* How a child without memory ends; `said` gets its message. */
static int want_memory(void (*ask)(void), char *said, size_t room)
{
	int pipes[2], status;
	ssize_t got;
	pid_t child;

	if (pipe(pipes) || (child = fork()) < 0)
		return -1;
	if (!child) {
		dup2(pipes[1], STDERR_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		fputs("before. ", stdout);
		ask();
		_exit(0);
	}
	close(pipes[1]);
	got = read(pipes[0], said, room - 1);
	said[got > 0 ? got : 0] = '\0';
	got = read(pipes[0], said + strlen(said), room - 1 - strlen(said));
	close(pipes[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void grow_much(void)
{
	tr2_must_grow(NULL, PTRDIFF_MAX - 64);
}

static void zero_much(void)
{
	tr2_must_zeros(PTRDIFF_MAX - 64);
}

static void test_no_memory(void)
{
	static const char words[] = "before. trace2: out of memory\n";
	void (*const asks[])(void) = { grow_much, zero_much };
	char said[128];
	int i;

	for (i = 0; i < 2; i++) {
		memset(said, 0, sizeof(said));
		tap_int(want_memory(asks[i], said, sizeof(said)), 3,
			i ? "no zeroed memory ends the command"
			  : "no memory ends the command");
		tap_str(said, words, i ? "and says so" : "and says so, too");
	}
}
#endif

static void test_memory(void)
{
	char *copy;
	int i, wrong = 0;

	copy = tr2_must_zeros(1000);
	for (i = 0; i < 1000; i++)
		wrong += copy[i] != 0;
	tap_int(wrong, 0, "zeroed memory has zeros");
	copy = strcpy(tr2_must_grow(copy, 2000), "text");
	free(copy);
	copy = tr2_must_copy("text");
	tap_str(copy, "text", "a text is copied with its end");
	free(copy);
}

int main(void)
{
	page = memory_page(&page_end);
	test_find();
	test_is();
	test_clean();
	test_places();
	test_colors();
	test_excerpts();
	test_excerpts_of_characters();
	test_no_memory();
	test_memory();
	tr2_buf_release(&out);
	return tap_done();
}
