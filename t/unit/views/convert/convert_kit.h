/*
 * convert_kit.h - small logs in a scratch folder, and what `trace2 convert`
 * makes of them. _GNU_SOURCE has to be defined.
 */
#ifndef UNIT_CONVERT_CONVERT_KIT_H
#define UNIT_CONVERT_CONVERT_KIT_H

#include "views/convert/convert.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "cli/options.h"

#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P0000000" pid
#define ONE SID("1")
#define TWO SID("2")

/* An event, so many microseconds of three digits after ten o'clock. */
#define EVENT(sid, event, us, rest)                                    \
	"{\"event\":\"" event "\",\"sid\":\"" sid                      \
	"\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000" us \
	"Z\"," rest "}\n"

#define BEGIN(sid, us, name)                                        \
	EVENT(sid, "version", us, "\"evt\":\"3\",\"exe\":\"2.55\"") \
	EVENT(sid, "start", us, "\"t_abs\":0.0,\"argv\":[\"git\"]") \
	EVENT(sid, "cmd_name", us,                                  \
	      "\"name\":\"" name "\",\"hierarchy\":\"" name "\"")
/* `length` are the microseconds since the beginning, of three digits. */
#define END(sid, us, length) \
	EVENT(sid, "atexit", us, "\"t_abs\":0.000" length ",\"code\":0")

#define PLACE(category, label) \
	"\"nesting\":1,\"category\":\"" category "\",\"label\":\"" label "\""
#define ENTER(sid, us, category, label) \
	EVENT(sid, "region_enter", us, PLACE(category, label))
#define LEAVE(sid, us, length, category, label) \
	EVENT(sid, "region_leave", us,          \
	      "\"t_rel\":0.000" length "," PLACE(category, label))

/* Returns the exit status. */
static inline int call_convert(const char *words)
{
	char line[256];

	snprintf(line, sizeof(line), "convert %s", words);
	return kit_call(tr2_convert_main, line);
}

#endif
