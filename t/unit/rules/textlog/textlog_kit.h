/*
 * textlog_kit.h - a log of text, line by line, and its findings. Nothing can
 * be read before or after the texts.
 */
#ifndef UNIT_TEXTLOG_KIT_H
#define UNIT_TEXTLOG_KIT_H

#include "kit/memory.h"

#include "kit/checker.h"
#include "rules/textlog/textlog.h"

static char *page, *page_end;

/* `line:column id "the line" `. */
static void note_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	(void)out;
	tell_line("%lu:%zu %s \"%.*s\" ", finding->line, finding->column,
		  finding->id, (int)finding->text_len, finding->text);
}

static const struct tr2_formatter format = { .separator = "",
					     .finding = note_finding };
static struct tr2_textlog text_log;

static inline void begin_textlog(enum tr2_text_form text_form)
{
	begin_checker(&format);
	text_log = (struct tr2_textlog)TR2_TEXTLOG_INIT(
		&checker.sink, totals.events, text_form);
}

static inline const char *end_textlog(void)
{
	tr2_textlog_end(&text_log);
	return end_checker();
}

static inline void take_line(const char *text, size_t len, unsigned long number,
			     bool cut)
{
	struct tr2_line line = { .text = text,
				 .len = len,
				 .number = number,
				 .ended = true,
				 .cut = cut };

	tr2_textlog_line(&text_log, &line);
}

/*
 * Each line begins where memory begins, and as many bytes follow it as it
 * needs.
 */
static inline void take_lines(const char *text)
{
	unsigned long number = 0;
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		memset(page, ' ', len + 64);
		memcpy(page, text, len);
		take_line(page, len, ++number, false);
	}
}

/* The findings of a log: `line:column id `, without the lines themselves. */
static inline const char *find_in_textlog(enum tr2_text_form text_form,
					  const char *text)
{
	static char found[256];
	const char *rest;
	size_t len = 0;

	begin_textlog(text_form);
	take_lines(text);
	for (rest = end_textlog(); *rest; rest = strstr(rest, "\" ") + 2) {
		size_t part = strcspn(rest, "\"");

		len += (size_t)snprintf(found + len, sizeof(found) - len,
					"%.*s", (int)part, rest);
		rest += part + 1;
	}
	found[len] = '\0';
	return found;
}

#define PERF(depth, thread, event, rest)                       \
	"d" depth " | " thread "                     | " event \
	" |     |  1.000000 |           |              | " rest "\n"
#define BEGUN(depth)                                                   \
	"d" depth " | main                     | version      |     |" \
	"           |           |              | 2.55.0\n"

#endif
