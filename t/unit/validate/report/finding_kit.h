/*
 * finding_kit.h - a finding with what formats have to escape, and what they
 * made of it.
 */
#ifndef UNIT_REPORT_FINDING_KIT_H
#define UNIT_REPORT_FINDING_KIT_H

#include <string.h>

#include "validate/report/report.h"

static struct tr2_buf out;

/* What was written to `out`, which is empty then; valid until the next. */
static inline const char *take_output(void)
{
	static char text[65536];

	memcpy(text, out.bytes ? out.bytes : "", out.len);
	text[out.len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static const struct tr2_finding plain = {
	.level = TR2_WARNING,
	.id = "stream.unfinished",
	.file = "a%b:c,d",
	.line = 12,
	.column = 3,
	.width = 2,
	.message = "50%: a,b\x01",
};

#endif
