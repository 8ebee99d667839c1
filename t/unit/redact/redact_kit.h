/* redact_kit.h - `trace2 redact` in a directory of the test's own. */
#ifndef UNIT_REDACT_REDACT_KIT_H
#define UNIT_REDACT_REDACT_KIT_H

#include <errno.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "redact/redact.h"

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define LOG "{\"event\":\"cmd_mode\",\"sid\":\"" SID "\",\"name\":\"n\"}"
#define LINE LOG "\n"
#define NORMAL "09:30:42.112358 a.c:1                         "

/* Returns the exit status; the words begin after the command's name. */
static inline int redact_words(const char *words)
{
	char line[1024];

	snprintf(line, sizeof(line), "redact %s", words);
	return kit_call(tr2_redact_main, line);
}

/* What was told on standard error of a command line with this status. */
static inline const char *tell_words(const char *words, int status)
{
	static char wrong[64];
	int code = redact_words(words);

	snprintf(wrong, sizeof(wrong), "exit status %d", code);
	return code == status ? kit_said[2] : wrong;
}

#endif
