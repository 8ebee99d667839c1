#include "tool/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Control characters would disturb a terminal; the trace keeps them. */
static char show_byte(char byte)
{
	return ((unsigned char)byte < ' ' && byte != '\t' && byte != '\n') ||
			       byte == 0x7f
		       ? '?'
		       : byte;
}

void tool_say(const char *prefix, const char *message)
{
	char *text = strdup(message);

	for (char *at = text; at && *at; at++)
		*at = show_byte(*at);
	fprintf(stderr, "%s%s\n", prefix, text ? text : "(no memory)");
	free(text);
}

/* An `error` event, and a message. */
static void report_error(const char *prefix, const char *file, int line,
			 const char *fmt, va_list ap) PRINTF_(4, 0);
static void report_error(const char *prefix, const char *file, int line,
			 const char *fmt, va_list ap)
{
	char *text = NULL;
	size_t len;
	FILE *memory;

	TRACE(cmd_error_va, file, line, fmt, ap);
	memory = open_memstream(&text, &len);
	if (memory) {
		vfprintf(memory, fmt, ap);
		fclose(memory);
	}
	tool_say(prefix, text ? text : fmt);
	free(text);
}

/* `atexit` must not have the time of `exit`, so the clock moves in between. */
void tool_exit(const char *file, int line, int code)
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
	tool_exit(file, line, 128);
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
