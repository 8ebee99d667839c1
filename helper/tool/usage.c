#include "tool/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int bug_noted;

/* Control characters would disturb a terminal; the trace keeps them. */
static void hide_control(char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if ((byte < 0x20 && byte != '\t' && byte != '\n') ||
		    byte == 0x7f)
			*text = '?';
	}
}

static void print_message(const char *prefix, const char *fmt, va_list ap)
	PRINTF_(2, 0);
static void print_message(const char *prefix, const char *fmt, va_list ap)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);

	if (memory) {
		vfprintf(memory, fmt, ap);
		fclose(memory);
	}
	if (text)
		hide_control(text);
	fprintf(stderr, "%s%s\n", prefix, text ? text : fmt);
	free(text);
}

/* An `error` event, and a message. */
static void report_error(const char *prefix, const char *file, int line,
			 const char *fmt, va_list ap) PRINTF_(4, 0);
static void report_error(const char *prefix, const char *file, int line,
			 const char *fmt, va_list ap)
{
	TRACE(cmd_error_va, file, line, fmt, ap);
	print_message(prefix, fmt, ap);
}

/* `atexit` must not have the time of `exit`, so the clock moves in between. */
static void leave_process(const char *file, int line, int code)
	__attribute__((noreturn));
static void leave_process(const char *file, int line, int code)
{
	TRACE(cmd_exit, file, line, code);
	fake_tick();
	exit(code);
}

void tool_error(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_error("error: ", file, line, fmt, ap);
	va_end(ap);
}

void tool_die(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_error("fatal: ", file, line, fmt, ap);
	va_end(ap);
	leave_process(file, line, 128);
}

/* `expected` is a format that has no arguments, and no literal here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void refuse_use(const struct verb *verb, ...)
{
	va_list ap;

	va_start(ap, verb);
	report_error("fatal: ", verb->file, verb->line, verb->expected, ap);
	va_end(ap);
	leave_process(verb->file, verb->line, 128);
}
#pragma GCC diagnostic pop

/* -1: there are fewer or more, or one is wrong. */
static int read_numbers(int *values, int count, const char **argv)
{
	int i;

	if (tool_count(argv) != count)
		return -1;
	for (i = 0; i < count; i++)
		if (tool_int(&values[i], argv[i]) < 0)
			return -1;
	return 0;
}

int tool_run_verb(const struct verb *verb, const char **argv)
{
	int numbers[3];

	if (verb->numeric ? read_numbers(numbers, verb->least, argv) < 0
			  : tool_count(argv) < verb->least)
		refuse_use(verb);
	if (verb->run)
		return verb->run(argv);
	if (verb->plain)
		verb->plain();
	else
		verb->numeric(numbers);
	return 0;
}

static void note_bug(const char *file, int line, const char *fmt, va_list ap)
	PRINTF_(3, 0);
static void note_bug(const char *file, int line, const char *fmt, va_list ap)
{
	char prefix[128];

	bug_noted = 1;
	snprintf(prefix, sizeof(prefix), "BUG: %s:%d: ", file, line);
	report_error(prefix, file, line, fmt, ap);
}

void tool_bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	note_bug(file, line, fmt, ap);
	va_end(ap);
}

void tool_BUG(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	note_bug(file, line, fmt, ap);
	va_end(ap);
	leave_process(file, line, 99);
}

int tool_has_bug(void)
{
	return bug_noted;
}

void tool_exit(const char *file, int line, int code)
{
	if (bug_noted)
		tool_BUG(file, line,
			 "on exit(): had bug() call(s) in this process without "
			 "explicit BUG_if_bug()");
	leave_process(file, line, code);
}

static void (*late_fn)(void);

static void run_late(void)
{
	if (late_fn)
		late_fn();
}

void tool_prepare_exit(void)
{
	atexit(run_late);
}

void tool_after_exit(void (*fn)(void))
{
	late_fn = fn;
}

int tool_int(int *value, const char *text)
{
	char *rest;
	long number;

	if (!text || !*text)
		return -1;
	errno = 0;
	number = strtol(text, &rest, 10);
	if (*rest || errno)
		return -1;
	*value = (int)number;
	return 0;
}
