/*
 * archive_kit.h - EVENT lines, and the records of the archive that they
 * become, as lines:
 *
 *	1 process /git status                  named so
 *	2 thread /th01:x process=koid:1        named so
 *	250 1.2 instant index/key value=int32:7
 *
 * The last one is 250 us after ten o'clock, on thread 2 of process 1. A
 * strict reader reads the archive; if it has a finding, the text is "broken".
 */
#ifndef UNIT_ARCHIVE_ARCHIVE_KIT_H
#define UNIT_ARCHIVE_ARCHIVE_KIT_H

#include "kit/trace/trace.h"
#include "archive/logs.h"

#define SID(pid) "20260114T100000.000000Z-Hc4f2e1a9-P000000" pid
#define GIT SID("01")
#define CHILD GIT "/" SID("02")

/* 2026-01-14T10:00:00Z in ns. */
#define TEN UINT64_C(1768384800000000000)

static struct tr2_buf archive; /* what was written */
static char shown[1 << 17];

/* Times are those since `shown_from`; 0: they have none. */
static uint64_t shown_from = TEN;

static inline void show_time(struct kit_text *lines, uint64_t ns)
{
	const uint64_t since = ns < shown_from ? shown_from - ns
					       : ns - shown_from;
	char time[64];

	snprintf(time, sizeof(time), "%s%" PRIu64, ns < shown_from ? "-" : "",
		 since / 1000);
	kit_put_string(lines, time);
	if (since % 1000) {
		snprintf(time, sizeof(time), ".%03" PRIu64, since % 1000);
		kit_put_string(lines, time);
	}
	kit_put_string(lines, " ");
}

static inline void show_record(void *context,
			       const struct trace_reader_record *one)
{
	struct kit_text *lines = (struct kit_text *)context;

	if (one->type == FXT_EVENT) {
		show_time(lines, one->time);
		kit_put_number(lines, one->thread.process);
		kit_put_string(lines, ".");
		kit_put_number(lines, one->thread.thread);
		kit_put_string(lines, " ");
	} else if (one->type == FXT_KERNEL_OBJECT) {
		kit_put_number(lines, one->id);
		kit_put_string(lines, " ");
	}
	kit_shows_names = 1;
	kit_put_record(lines, one);
}

/* All records of the archive as lines; valid until the next call. */
static inline const char *show_archive(void)
{
	struct kit_archive words = { (uint64_t *)(void *)archive.bytes,
				     archive.len / FXT_WORD, 0 };
	struct kit_text lines = { shown, sizeof(shown), 0 };

	*shown = '\0';
	if (archive.len % FXT_WORD || kit_read(&words, show_record, &lines))
		return "broken";
	return shown;
}

/*
 * Logs
 */

static struct tr2_logs logs;
static struct tr2_sink sink;
static struct tr2_record event;
static const char *thread_name; /* of the next events */
static char reported[1024];	/* a line for each finding */

static inline void note_finding(struct tr2_sink *from,
				struct tr2_finding *finding)
{
	const size_t used = strlen(reported);

	(void)from;
	snprintf(reported + used, sizeof(reported) - used, "%s: %s\n",
		 finding->id, finding->message);
}

static inline void begin_logs(void)
{
	sink = (struct tr2_sink){ .take = note_finding, .mine = true };
	*reported = '\0';
	thread_name = "main";
	tr2_buf_reset(&archive);
	tr2_logs_begin(&logs, &sink, &archive);
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

	snprintf(rest, sizeof(rest), "\"t_abs\":0.000001,\"argv\":[%s]", argv);
	tell_event(sid, us, "start", rest);
}

static inline const char *end_logs(void)
{
	tr2_logs_end(&logs);
	tr2_record_release(&event);
	memset(&event, 0, sizeof(event));
	return show_archive();
}

/* Only the lines that have this part. */
static inline const char *keep_lines(const char *lines, const char *part)
{
	static char kept[1 << 14];
	size_t used = 0;

	for (const char *end; *lines; lines = end) {
		const char *at = strstr(lines, part);

		end = lines + strcspn(lines, "\n");
		end += *end != '\0';
		if (!at || at >= end)
			continue;
		memcpy(kept + used, lines, (size_t)(end - lines));
		used += (size_t)(end - lines);
	}
	kept[used] = '\0';
	return kept;
}

#endif
