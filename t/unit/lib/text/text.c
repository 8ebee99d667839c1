/*
 * Text that comes from outside, as people see it: what a terminal or a CI
 * service obeys is replaced in plain text and escaped in JSON. Texts that are
 * cut, and cells of tables. text.txt has the cases.
 */
#include "kit/memory.h"
#include "kit/script.h"

#include "base/buf.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

static struct tr2_host failing;
static char *page_end;
static struct tr2_buf out;

/* A read beyond the text crashes. */
static const char *at_end(const char *text, size_t len)
{
	return memcpy(page_end - len, text, len);
}

/* What the buffer has, or that it failed. */
static const char *take_output(void)
{
	const bool failed = out.failed;
	const char *text =
		script_say("%.*s", (int)out.len, out.len ? out.bytes : "");

	tr2_buf_release(&out);
	out = (struct tr2_buf)TR2_BUF_INIT;
	memory_fail(0);
	return failed ? "failed" : text;
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

static const char *show_line(char **word)
{
	return line_of(word[0]);
}

static const char *show_json(char **word)
{
	return json_of(word[0]);
}

/* `json-from BEFORE TEXT`: what is before stays as it is. */
static const char *show_json_from(char **word)
{
	tr2_buf_str(&out, word[0]);
	tr2_buf_str(&out, word[1]);
	tr2_foreign_json_from(&out, strlen(word[0]));
	return take_output();
}

/* Each character of three bytes from U+2000 to U+2070, and near U+061C. */
static const char *count_directions(SCRIPT_NONE)
{
	char text[8], name[64];
	int replaced, want, wrong = 0;

	for (int code = 0x600; code < 0x2100; code++) {
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
	return script_say_number(wrong);
}

/* The call for memory fails, or none; what comes to a stream. */
static const char *print_text(char **word)
{
	static char text[256];
	FILE *file = tmpfile();
	size_t len;

	memory_fail((int)script_number(word[0], 0));
	tr2_foreign_print(file, "a\x1b");
	memory_fail(0);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static const char *make_json(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	tr2_foreign_json(&out, "a\x7f");
	return strcmp(take_output(), "failed") ? "made" : "failed";
}

static const char *make_csv(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	tr2_cell_csv(&out, "=a");
	return take_output();
}

static const char *cut_text(char **word)
{
	return script_say_number((intmax_t)tr2_text_cut(
		word[0], script.len[1], (size_t)script_number(word[1], 0)));
}

static const char *show_time(char **word)
{
	tr2_cell_time(&out, strtoll(word[0], NULL, 10));
	return take_output();
}

/* `column TEXT WIDTH LATER`: without memory nothing is moved. */
static const char *align_text(char **word)
{
	const char *answer;

	tr2_buf_str(&out, word[0]);
	memory_fail(1);
	tr2_cell_align(&out, 0, (size_t)script_number(word[1], 0));
	tr2_cell_align(&out, 0, (size_t)script_number(word[2], 0));
	answer = script_say("%.*s, %s", (int)out.len, out.bytes,
			    out.failed ? "failed" : "made");
	memory_fail(0);
	tr2_buf_release(&out);
	out = (struct tr2_buf)TR2_BUF_INIT;
	return answer;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "line", show_line }, { "json", show_json },
	{ "json-from", show_json_from }, { "directions", count_directions },
	{ "print", print_text }, { "json-without", make_json },
	{ "csv", make_csv }, { "cut", cut_text }, { "time", show_time },
	{ "column", align_text }, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	if (memory_live)
		script_fail("all memory given back", "not all");
}

int main(void)
{
	failing = *tr2_host;
	memory_install(&failing);
	memory_page(&page_end);
	return script_main(__FILE__, verbs, NULL, end_case);
}
