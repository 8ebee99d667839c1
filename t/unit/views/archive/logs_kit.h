/*
 * logs_kit.h - EVENT lines, told one by one, for an archive. What reads
 * the archive is in archive_kit.h.
 */
#ifndef UNIT_ARCHIVE_LOGS_KIT_H
#define UNIT_ARCHIVE_LOGS_KIT_H

#include "kit/tap.h"
#include "views/archive/logs.h"

#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT SID("01")
#define CHILD GIT "/" SID("02")

/* 2026-01-14T10:00:00Z in ns. */
#define TEN UINT64_C(1768384800000000000)

static struct tr2_buf archive; /* what was written */

static struct tr2_logs logs;
static struct tr2_events events;
static struct tr2_record event;
static const char *thread_name; /* of the next events */
static char reported[1024];	/* a line for each problem */

static inline void note_problem(void *context,
				const struct tr2_problem *problem)
{
	const size_t used = strlen(reported);

	(void)context;
	snprintf(reported + used, sizeof(reported) - used, "%s: %s\n",
		 problem->id, problem->message);
}

static inline void begin_logs(void)
{
	events = (struct tr2_events){ .tell = note_problem };
	*reported = '\0';
	thread_name = "main";
	tr2_buf_reset(&archive);
	tr2_logs_begin(&logs, &events, &archive);
}

/* Any line of a log. Behind it there is what must not be taken for a part. */
static inline void tell_line(const char *line)
{
	static char padded[1 << 17];
	const size_t len = strlen(line);

	memset(padded + len, '7', TR2_TOKENS_PADDING);
	padded[len] = '\n';
	memcpy(padded, line, len);
	if (tr2_record_read(&event, padded, len) != TR2_RECORD_OK) {
		tap_ok(0, "a line is an object");
		printf("# %s\n", line);
		return;
	}
	tr2_logs_event(&logs, &event);
}

/* An event without a time; `rest` is JSON. */
static inline void tell_briefly(const char *sid, const char *name,
				const char *rest)
{
	static char line[1 << 16];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"%s\"%s%s}",
		 name, sid, thread_name, *rest ? "," : "", rest);
	tell_line(line);
}

/* An event at so many microseconds after ten o'clock. */
static inline void tell_event(const char *sid, unsigned us, const char *name,
			      const char *rest)
{
	static char members[1 << 16];

	snprintf(members, sizeof(members),
		 "\"time\":\"2026-01-14T10:00:00.%06uZ\"%s%s", us,
		 *rest ? "," : "", rest);
	tell_briefly(sid, name, members);
}

static inline void tell_start(const char *sid, unsigned us, const char *argv)
{
	char rest[256];

	snprintf(rest, sizeof(rest), "\"t_abs\":0.0,\"argv\":[%s]", argv);
	tell_event(sid, us, "start", rest);
}

#endif
