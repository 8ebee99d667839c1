/*
 * archive_kit.h - the records of the archive that EVENT lines become, as
 * lines:
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
#include "views/archive/logs_kit.h"

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
