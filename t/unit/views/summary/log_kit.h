/*
 * log_kit.h - small logs in a scratch folder, and what is printed while they
 * are read. _GNU_SOURCE has to be defined.
 */
#ifndef UNIT_SUMMARY_LOG_KIT_H
#define UNIT_SUMMARY_LOG_KIT_H

#include <stdlib.h>
#include <unistd.h>

#include "kit/command.h"

#define EVENT(sid, event, us, rest)                                    \
	"{\"event\":\"" event "\",\"sid\":\"" sid                      \
	"\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000" us \
	"Z\"," rest "}\n"

/* A process of so many microseconds, of three digits. */
#define LIFE(sid, name, us)                                            \
	EVENT(sid, "version", "000", "\"evt\":\"3\",\"exe\":\"2.55\"") \
	EVENT(sid, "start", "000",                                     \
	      "\"t_abs\":0.0,\"argv\":[\"git\",\"" name "\"]")         \
	EVENT(sid, "cmd_name", "001",                                  \
	      "\"name\":\"" name "\",\"hierarchy\":\"" name "\"")      \
	EVENT(sid, "atexit", us, "\"t_abs\":0.000" us ",\"code\":0")

#define GC LIFE("20260114T100000.000000Z-Hc4f2e1a9-P00000001", "gc", "100")
#define LOG LIFE("20260114T100000.000000Z-Hc4f2e1a9-P00000002", "log", "020")

static char folder[] = "/tmp/summary-XXXXXX";

static inline void begin_scratch(void)
{
	tap_need(mkdtemp(folder) && !chdir(folder));
}

static inline void end_scratch(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (chdir("/") || system(command))
		printf("# %s stays\n", folder);
}

static inline void write_bytes(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	tap_need(file && fwrite(bytes, 1, len, file) == len && !fclose(file));
}

static inline void write_log(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

#endif
