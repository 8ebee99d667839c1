/* redactor_kit.h - what a redactor shows of a line. */
#ifndef TRACE2_UNIT_REDACTOR_KIT_H
#define TRACE2_UNIT_REDACTOR_KIT_H

#include "kit/tap.h"

#include <stdlib.h>

#include "redact/redactor/line.h"

#define P TR2_HIDE_PATHS
#define H TR2_HIDE_HOSTS
#define U TR2_HIDE_USERS
#define R TR2_HIDE_REPOSITORIES
#define A TR2_HIDE_ARGUMENTS
#define ALL TR2_HIDE_ALL

static const char key[] = "0123456789abcdef";
static char shown[1 << 16];

/* The line with each placeholder as `<WORD>`; NULL: it is left out. */
static inline const char *redact_line(unsigned hide, const char *line)
{
	struct tr2_redactor *redactor =
		tr2_redactor_open(hide, key, sizeof(key));
	size_t len = strlen(line), i, out = 0;
	const char *got = tr2_redactor_line(redactor, line, &len);

	for (i = 0; got && i < len; i++) {
		if (got[i] == '-' && len - i > 17 && got[i + 17] == '>')
			i += 17;
		shown[out++] = got[i];
	}
	shown[out] = '\0';
	tr2_redactor_close(redactor);
	return got ? shown : NULL;
}

#endif
