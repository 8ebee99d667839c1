#include "validate/log.h"

#include <errno.h>
#include <string.h>

#include "validate/consumer.h"
#include "validate/fxt.h"
#include "validate/text.h"
#include "validate/textlog.h"

#define HEAD_MAX ((size_t)64 << 10) /* where an event must be found */
#define STEP 16384		    /* lines between two looks at the clock */

static bool is_object_line(const char *text, size_t len)
{
	if (tr2_text_starts(text, len, "\xef\xbb\xbf"))
		text += 3, len -= 3;
	return tr2_text_starts(text, len, "{");
}

/* A line that begins as an object, and the word `event`: an EVENT log. */
static enum tr2_log_format format_of(const char *head, size_t len)
{
	const char *line = head, *end = head + len;
	enum tr2_text_form form = tr2_textlog_form(head, len);

	if (tr2_fxt_is_archive(head, len))
		return TR2_LOG_FXT;
	if (form)
		return form == TR2_TEXT_PERF ? TR2_LOG_PERF : TR2_LOG_NORMAL;
	while (line && !is_object_line(line, (size_t)(end - line))) {
		line = memchr(line, '\n', (size_t)(end - line));
		if (line)
			line++;
	}
	if (line && tr2_text_find(line, (size_t)(end - line), "\"event\""))
		return TR2_LOG_EVENT;
	return TR2_LOG_UNKNOWN;
}

static void report_unreadable(struct tr2_checker *checker, const char *why)
{
	checker->totals->unreadable_files++;
	tr2_checker_report_file(checker, TR2_INPUT_UNREADABLE, why);
	tr2_stream_lose(checker, NULL, 0);
}

int tr2_log_detect(struct tr2_lines *lines, enum tr2_log_format *format,
		   const char **error)
{
	size_t len = 0, wanted = 1;
	const char *head;

	for (;;) {
		if (tr2_lines_peek(lines, wanted, &head, &len, error))
			return -1;
		*format = format_of(head, len);
		if (*format != TR2_LOG_UNKNOWN || len < wanted ||
		    len >= HEAD_MAX)
			return 0;
		wanted = 2 * len;
	}
}

static void check_lines(struct tr2_log_reader *reader)
{
	struct tr2_line line;
	const char *error;
	int got;

	while ((got = tr2_lines_next(&reader->lines, &line, &error)) > 0) {
		tr2_checker_line(&reader->checker, &line);
		if (line.number % STEP == 0)
			tr2_progress_step(&reader->progress,
					  reader->checker.totals,
					  reader->lines.bytes);
	}
	if (got < 0)
		report_unreadable(&reader->checker, error);
}

static void check_text(struct tr2_log_reader *reader, enum tr2_text_form form)
{
	struct tr2_textlog log = TR2_TEXTLOG_INIT(&reader->checker, form);
	struct tr2_line line;
	const char *error;
	int got;

	while ((got = tr2_lines_next(&reader->lines, &line, &error)) > 0) {
		tr2_textlog_line(&log, &line);
		/* To programs it is an EVENT log that begins wrong. */
		if (reader->checker.consumers && line.number == 1)
			tr2_consumers_text(&reader->checker, &line);
	}
	tr2_textlog_end(&log);
	if (got < 0)
		report_unreadable(&reader->checker, error);
}

static void check_log(struct tr2_log_reader *reader, enum tr2_log_format format)
{
	struct tr2_checker *checker = &reader->checker;

	if (checker->consumers)
		tr2_consumers_begin(checker);
	if (format == TR2_LOG_NORMAL)
		check_text(reader, TR2_TEXT_NORMAL);
	else if (format == TR2_LOG_PERF)
		check_text(reader, TR2_TEXT_PERF);
	else
		check_lines(reader);
	if (checker->consumers)
		tr2_consumers_end(checker);
}

static void check_archive(struct tr2_log_reader *reader)
{
	const char *error =
		tr2_fxt_check(&reader->checker, &reader->lines, NULL, NULL);

	if (error)
		report_unreadable(&reader->checker, error);
}

static void check_source(struct tr2_log_reader *reader)
{
	struct tr2_checker *checker = &reader->checker;
	enum tr2_log_format format;
	const char *error;

	if (tr2_log_detect(&reader->lines, &format, &error)) {
		report_unreadable(checker, error);
	} else if (!reader->lines.bytes) {
		tr2_checker_report_file(checker, TR2_INPUT_EMPTY,
					"the log is empty");
	} else if (format == TR2_LOG_FXT || (format == TR2_LOG_UNKNOWN &&
					     tr2_fxt_is_name(checker->file))) {
		check_archive(reader);
	} else if (format == TR2_LOG_UNKNOWN) {
		checker->totals->other_files++;
		tr2_checker_report_file(checker, TR2_INPUT_OTHER_FORMAT,
					"not a Trace2 log");
	} else {
		check_log(reader, format);
	}
}

void tr2_log_check(struct tr2_log_reader *reader, const char *name, int fd)
{
	struct tr2_source *source;

	reader->checker.totals->files++;
	tr2_checker_begin_file(&reader->checker, name);
	if (fd < 0) {
		report_unreadable(&reader->checker, strerror(errno));
		return;
	}
	source = tr2_source_open(fd);
	if (reader->follow)
		tr2_source_follow(source, name);
	tr2_lines_begin(&reader->lines, source);
	check_source(reader);
	reader->checker.totals->bytes += reader->lines.bytes;
	tr2_source_close(source);
}
