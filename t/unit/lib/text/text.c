/*
 * Text that comes from outside, as people see it: what a terminal or a CI
 * service obeys is replaced in plain text and escaped in JSON. Texts that are
 * cut: no character is split.
 */
#include "kit/memory.h"
#include "kit/tap.h"
#include "lib/text/foreign.h"
#include "base/buf.h"
#include "lib/text/text.h"

/*
 * ---- Foreign
 */

static char *page_end;

/* A read beyond the text crashes. */
static const char *at_end(const char *text, size_t len)
{
	return memcpy(page_end - len, text, len);
}

static struct tr2_buf out;

static const char *take_output(void)
{
	static char text[1024];

	if (out.len)
		memcpy(text, out.bytes, out.len);
	text[out.len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static const char *line_of(const char *text)
{
	tr2_foreign_line(&out, at_end(text, strlen(text)), strlen(text));
	return take_output();
}

static const char *json_of(const char *text)
{
	tr2_foreign_json(&out, at_end(text, strlen(text) + 1));
	return take_output();
}

static void test_controls(void)
{
	tap_str(line_of("a\x01\n\r\t\x1b[31m\x1f ~\x7f"), "a?????[31m? ~?",
		"C0 controls and DEL are replaced");
	tap_bytes(line_of("\xc2\x80\xc2\x85\xc2\x9b\xc2\x9f\xc2\xa0"), 6,
		  "????\xc2\xa0", 6, "C1 controls of two bytes are replaced");
	tap_str(line_of("\x80\x9b\xff\xc3"), "????",
		"bytes that are not UTF-8 are replaced one by one");
	tap_str(line_of(""), "", "an empty text stays empty");
	tap_str(line_of("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
		"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		"other characters are printed as they are");
}

/* Each character of three bytes from U+2000 to U+2070, and near U+061C. */
static void test_directions(void)
{
	char text[8], name[64];
	int code, replaced, want, wrong = 0;

	for (code = 0x600; code < 0x2100; code++) {
		if (code < 0x800)
			snprintf(text, sizeof(text), "%c%c", 0xc0 | code >> 6,
				 0x80 | (code & 0x3f));
		else
			snprintf(text, sizeof(text), "%c%c%c",
				 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f),
				 0x80 | (code & 0x3f));
		want = code == 0x61c || code == 0x200e || code == 0x200f ||
		       (code >= 0x2028 && code <= 0x202e) ||
		       (code >= 0x2066 && code <= 0x2069);
		replaced = !strcmp(line_of(text), "?");
		wrong += replaced != want;
		snprintf(name, sizeof(name), "\"\\u%04x\"", code);
		wrong += (strcmp(json_of(text), name) == 0) != want;
	}
	tap_int(wrong, 0, "what turns or ends a line is replaced, and no more");
}

static void test_commands(void)
{
	tap_str(line_of("::error::x"), "?:error::x",
		"a command of a CI service is broken up");
	tap_str(line_of("  ::error::x"), "  ?:error::x",
		"and one after blanks");
	tap_str(line_of("\xc2\xa0::error::x"), "\xc2\xa0?:error::x",
		"and one after white space that is not ASCII");
	tap_str(line_of("Foo::Bar:: x"), "Foo::Bar:: x",
		"colons elsewhere stay");
	tap_str(line_of("a ##[error]##[x"), "a ?#[error]?#[x",
		"a command of the old form is broken up anywhere");
	tap_str(line_of("##"), "##", "half a command is none");
	tap_str(line_of("a##"), "a##", "and neither is one without its end");
	tap_str(line_of("::"), "?:", "a command may have no name");
	tap_str(line_of("a##["), "a?#[", "nor one of the old form");
	tap_str(line_of("a::b"), "a::b", "two colons after a letter stay");
	tap_str(line_of(":"), ":", "a colon stays");
	tap_str(line_of(":a"), ":a", "and one before something else");
}

static void test_json(void)
{
	tap_str(json_of("a\"\\\n\x1b\x7f"), "\"a\\\"\\\\\\n\\u001b\\u007f\"",
		"JSON escapes DEL as it does C0");
	tap_str(json_of("\xc2\x9bx\xe2\x80\xaey"), "\"\\u009bx\\u202ey\"",
		"and C1 and what turns the direction");
	tap_str(json_of("\xff"), "\"\xef\xbf\xbd\"",
		"JSON has U+FFFD for what is not UTF-8");
	tap_str(json_of("# ##[x ##"), "\"# \\u0023#[x ##\"",
		"and a command of the old form is broken up in JSON too");
	tap_str(json_of("caf\xc3\xa9"), "\"caf\xc3\xa9\"",
		"other characters stay in JSON");
	tr2_buf_str(&out, "\x7f");
	tr2_buf_str(&out, "{\"\x7f\"");
	tr2_foreign_json_from(&out, 1);
	tap_str(take_output(), "\x7f{\"\\u007f\"",
		"what is before stays as it is");
	tr2_buf_str(&out, "\xff");
	tr2_foreign_json_from(&out, 0);
	tap_str(take_output(), "\\ufffd", "a broken byte in JSON is U+FFFD");
}

/* Each failing call for memory is reported. */
static void test_memory(void)
{
	static struct tr2_host host;
	int call, wrong = 0;

	host = *tr2_host;
	memory_install(&host);
	for (call = 1; call < 4; call++) {
		struct tr2_buf buf = TR2_BUF_INIT;

		memory_fail(call);
		tr2_foreign_json(&buf, "a\x7f");
		wrong += buf.failed != (call < 3);
		tr2_buf_release(&buf);
	}
	memory_fail(0);
	tap_int(wrong, 0, "a text that has no memory is a failed one");
	tap_int(memory_live, 0, "and nothing is kept");
}

static const char *print_failing(int fail)
{
	static char text[256];
	FILE *file = tmpfile();
	size_t len;

	memory_fail(fail);
	tr2_foreign_print(file, "a\x1b");
	memory_fail(0);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static void test_print(void)
{
	tap_str(print_failing(0), "a?", "text is printed to a stream");
	tap_str(print_failing(1), "(out of memory)",
		"text without memory is named as such");
}

static void run_foreign(void)
{
	memory_page(&page_end);
	tap_run(test_controls, test_directions, test_commands, test_json);
	tr2_buf_release(&out);
	test_memory();
	test_print();
}

/*
 * ---- Text
 */

static void test_cuts(void)
{
	static const char text[] = "a\xc3\xa9\xe2\x82\xac";

	tap_int((intmax_t)tr2_text_cut(text, 6, 7), 6, "a text that is short");
	tap_int((intmax_t)tr2_text_cut(text, 6, 6), 6, "or fits is not cut");
	tap_int((intmax_t)tr2_text_cut(text, 6, 5), 3,
		"of three bytes none is kept alone");
	tap_int((intmax_t)tr2_text_cut(text, 6, 4), 3, "nor are two");
	tap_int((intmax_t)tr2_text_cut(text, 6, 3), 3,
		"a cut between characters stays there");
	tap_int((intmax_t)tr2_text_cut(text, 6, 2), 1,
		"of two bytes none is kept alone");
	tap_int((intmax_t)tr2_text_cut(text, 6, 0), 0, "nothing may be kept");
	tap_int((intmax_t)tr2_text_cut("\x80\x80", 2, 1), 0,
		"bytes that are no characters end the search");
}

int main(void)
{
	tap_run(run_foreign, test_cuts);
	return tap_done();
}
