#include "tool/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int bug_noted;

int tool_run_verb(const struct verb *verb, int argc, const char **argv)
{
	if (!verb->plain)
		return verb->run(argc, argv);
	verb->plain();
	return 0;
}

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
	char usual[4096], *longer = NULL, *text = usual;
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(usual, sizeof(usual), fmt, ap);
	if (len >= (int)sizeof(usual))
		longer = malloc((size_t)len + 1);
	if (longer) {
		vsnprintf(longer, (size_t)len + 1, fmt, again);
		text = longer;
	}
	va_end(again);
	hide_control(text);
	fprintf(stderr, "%s%s\n", prefix, text);
	free(longer);
}

static void say_bug(const char *file, int line, const char *fmt, va_list ap)
	PRINTF_(3, 0);
static void say_bug(const char *file, int line, const char *fmt, va_list ap)
{
	char prefix[128];

	snprintf(prefix, sizeof(prefix), "BUG: %s:%d: ", file, line);
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
	TRACE(cmd_error_va, file, line, fmt, ap);
	print_message("error: ", fmt, ap);
	va_end(ap);
}

void tool_die(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	TRACE(cmd_error_va, file, line, fmt, ap);
	print_message("fatal: ", fmt, ap);
	va_end(ap);
	leave_process(file, line, 128);
}

static void note_bug(const char *file, int line, const char *fmt, va_list ap)
	PRINTF_(3, 0);
static void note_bug(const char *file, int line, const char *fmt, va_list ap)
{
	TRACE(cmd_error_va, file, line, fmt, ap);
	say_bug(file, line, fmt, ap);
}

void tool_bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	bug_noted = 1;
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

void tool_BUG_if_bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	if (!bug_noted)
		return;
	va_start(ap, fmt);
	note_bug(file, line, fmt, ap);
	va_end(ap);
	leave_process(file, line, 99);
}

void tool_exit(const char *file, int line, int code)
{
	tool_BUG_if_bug(file, line,
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
