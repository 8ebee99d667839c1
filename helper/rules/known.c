#include "rules/known.h"

#include <string.h>

#include "lib/text/text.h"

/* These need more than a row: see stream/life.c and stream/region.c. */
const char tr2_known_second_start[] = "deviation.git.second-start";
const char tr2_known_daemon_sid[] = "deviation.git.daemon-sid";
const char tr2_known_region_mismatch[] = "deviation.git.region-mismatch";

/* What the line must also show to be this deviation. */
enum shows {
	NOTHING,
	IS,	/* the wrong bytes are the text */
	BEGINS, /* the text is at the beginning of the wrong bytes */
	ENDS,	/* the wrong bytes end with the text */
	HOLDS,	/* the event contains the text; without an event, the line */
	CLOSES	/* the line ends with the text */
};

/* clang-format off */
#define GIT(id, name, ...) \
	{ TR2_WRITER_GIT, id, "deviation.git." name, __VA_ARGS__ }
#define REPO(id, name, ...) \
	{ TR2_WRITER_REPO, id, "deviation.repo." name, __VA_ARGS__ }
#define HOOKS(id, name, ...) \
	{ TR2_WRITER_REPOHOOKS, id, "deviation.repohooks." name, __VA_ARGS__ }
#define GCM(id, name, ...) \
	{ TR2_WRITER_GCM, id, "deviation.gcm." name, __VA_ARGS__ }
#define GRIT(id, name, ...) \
	{ TR2_WRITER_GRIT, id, "deviation.grit." name, __VA_ARGS__ }
#define ERRATUM(id, name, ...) \
	{ TR2_WRITER_OTHER, id, "erratum." name, __VA_ARGS__ }
#define BUNDLE(id, name, ...) \
	{ TR2_WRITER_BUNDLE, id, "deviation.bundle-server." name, __VA_ARGS__ }

struct row {
	enum tr2_writer writer;
	const char *id;
	const char *deviation;
	enum shows shows;
	const char *text;
};

static const struct row rows[] = {
	GIT("event.counter.count", "counter-sign", BEGINS, "-"),
	GIT("event.th_counter.count", "counter-sign", BEGINS, "-"),
	GIT("event.common.time", "placeholder-time", BEGINS, "\"1900-00-00T"),
	GIT("stream.child.unfinished", "open-at-end", NOTHING, ""),
	GIT("stream.exit.before-atexit", "killed-child", HOLDS,
	    ":unknown\""),
	GIT("stream.region.unfinished", "open-at-end", NOTHING, ""),
	GIT("stream.thread.unfinished", "open-at-end", NOTHING, ""),
	GIT("stream.thread.unknown", "unknown-thread", NOTHING, ""),
	GIT("stream.unfinished", "open-at-end", NOTHING, ""),
	REPO("event.common.time", "time-offset", ENDS, "+00:00\""),
	REPO("event.data.category", "data-fields", NOTHING, ""),
	REPO("event.data.nesting", "data-fields", NOTHING, ""),
	REPO("event.data.t_abs", "data-fields", NOTHING, ""),
	REPO("event.data.t_rel", "data-fields", NOTHING, ""),
	REPO("event.def_param.value", "null-value", IS, "null"),
	REPO("event.exit.code", "exit-code-text", BEGINS, "\""),
	REPO("event.start.t_abs", "no-start-time", HOLDS, "\"argv\":"),
	REPO("event.version.evt", "evt-integer", IS, "2"),
	REPO("input.lone-surrogate", "lone-surrogate", BEGINS, "\\udc"),
	REPO("stream.thread.main", "thread-names", IS, "\"MainThread\""),
	REPO("stream.thread.start-first", "thread-names", NOTHING, ""),
	REPO("stream.unfinished", "no-atexit", NOTHING, ""),
	REPO("stream.version.first", "error-only", IS, "\"error\""),
	REPO("stream.version.once", "sid-collision", NOTHING, ""),
	REPO("version.unknown-event", "command", IS, "\"command\""),
	REPO("version.unknown-event", "data-json", IS, "\"data-json\""),
	HOOKS("event.region_enter.nesting", "nesting_level", HOLDS,
	      "\"nesting_level\":"),
	HOOKS("event.region_leave.nesting", "nesting_level", HOLDS,
	      "\"nesting_level\":"),
	HOOKS("event.region_leave.t_rel", "relative_time_us", HOLDS,
	      "\"relative_time_us\":"),
	HOOKS("stream.unfinished", "no-atexit", NOTHING, ""),
	HOOKS("stream.version.once", "sid", NOTHING, ""),
	HOOKS("version.unknown-key", "nesting_level", IS, "\"nesting_level\""),
	HOOKS("version.unknown-key", "relative_time_us", IS,
	      "\"relative_time_us\""),
	GCM("event.common.thread", "thread-names", IS, "\"\""),
	GCM("event.common.time", "time-offset", ENDS, "+00:00\""),
	GCM("event.region_leave.t_rel", "relative-time", HOLDS,
	    "\"RelativeTime\":"),
	GCM("normal.events", "text", BEGINS, "region_"),
	GCM("normal.seconds", "text", NOTHING, ""),
	GCM("perf.column.depth", "depth", NOTHING, ""),
	GCM("perf.payload", "text", NOTHING, ""),
	GCM("quote.argument", "text", NOTHING, ""),
	GCM("quote.join", "text", NOTHING, ""),
	GCM("stream.child.exit-once", "child-id", NOTHING, ""),
	GCM("stream.error.fmt", "format", HOLDS, "\"format\":"),
	GCM("stream.region.nesting", "nesting", IS, "1"),
	GCM("stream.repo.undefined", "nesting", IS, "1"),
	GCM("stream.thread.main", "thread-names", IS, "\"\""),
	GCM("stream.thread.start-first", "thread-names", NOTHING, ""),
	GCM("stream.unfinished", "no-name", NOTHING, ""),
	GCM("version.unknown-key", "depth", IS, "\"depth\""),
	GCM("version.unknown-key", "depth", IS, "\"t_abs\""),
	GCM("version.unknown-key", "format", IS, "\"format\""),
	GCM("version.unknown-key", "relative-time", IS, "\"RelativeTime\""),
	BUNDLE("event.child_ready.t_rel", "child_ready", HOLDS, "\"argv\":"),
	BUNDLE("stream.child.exit-unmatched", "sampling", NOTHING, ""),
	BUNDLE("stream.region.leave-unmatched", "sampling", NOTHING, ""),
	BUNDLE("stream.region.nesting", "nesting", NOTHING, ""),
	BUNDLE("stream.version.first", "no-version", NOTHING, ""),
	BUNDLE("version.unknown-key", "child_ready", IS, "\"argv\""),
	BUNDLE("version.unknown-key", "stacktrace", IS, "\"stacktrace\""),
	GRIT("event.common.thread", "fragments", NOTHING, ""),
	GRIT("event.common.time", "fragments", NOTHING, ""),
	GRIT("stream.version.first", "fragments", NOTHING, ""),
};

/* What the logs in the documents have, and the erratum that says so. */
static const struct row errata[] = {
	ERRATUM("event.data.value", "data-value-type", NOTHING, ""),
	ERRATUM("event.signal.signo", "signal-field", HOLDS, "\"signal\":"),
	ERRATUM("input.json", "samples-sid", HOLDS, "\"sid\":\"sid\":"),
	ERRATUM("normal.payload", "samples-stripped", CLOSES, ";"),
	ERRATUM("perf.column.category", "samples-stripped", CLOSES, "|"),
	ERRATUM("perf.column.category-width", "samples-stripped", CLOSES, "|"),
	ERRATUM("perf.payload", "samples-stripped", CLOSES, "|"),
	ERRATUM("perf.region-dots", "samples-cut", NOTHING, ""),
	ERRATUM("stream.brief.mixed", "brief-time", NOTHING, ""),
	ERRATUM("stream.cmd_ancestry.place", "cmd_path-place", NOTHING, ""),
	ERRATUM("stream.exit.before-atexit", "signal-atexit", NOTHING, ""),
	ERRATUM("stream.signal.last", "signal-atexit", HOLDS,
		"\"event\":\"atexit\""),
	ERRATUM("stream.start.second", "start-second", NOTHING, ""),
	ERRATUM("stream.time.sid", "samples-invented", NOTHING, ""),
	ERRATUM("stream.version.first", "version-first", NOTHING, ""),
	ERRATUM("time.t_abs", "samples-invented", NOTHING, ""),
	ERRATUM("version.unknown-key", "signal-field", IS, "\"signal\""),
};
/* clang-format on */

/* Search only the event: a line may have many of them. */
static bool event_holds(const struct tr2_finding *finding, const char *text)
{
	size_t len = finding->event_len ? finding->event_len
					: finding->text_len;

	return tr2_text_find(finding->text + finding->event_at, len, text);
}

static bool line_closes(const struct tr2_finding *finding, const char *text)
{
	size_t len = strlen(text);

	return finding->text_len >= len &&
	       !memcmp(finding->text + finding->text_len - len, text, len);
}

/* A finding about the file as a whole can't show anything. */
static bool is_shown(const struct row *row, const struct tr2_finding *finding)
{
	size_t at = finding->column - 1, len = strlen(row->text);
	size_t width = finding->width;
	const char *place;

	if (row->shows == NOTHING)
		return true;
	if (!finding->text || at > finding->text_len)
		return false;
	place = finding->text + at;
	switch (row->shows) {
	case IS:
		return width == len && !memcmp(place, row->text, len);
	case BEGINS:
		return tr2_text_starts(place, finding->text_len - at,
				       row->text);
	case ENDS:
		return width >= len &&
		       !memcmp(place + width - len, row->text, len);
	case CLOSES:
		return line_closes(finding, row->text);
	case HOLDS:
	case NOTHING:; /* see above */
	}
	return event_holds(finding, row->text);
}

static const char *find_row(const struct row *row, size_t count,
			    enum tr2_writer writer,
			    const struct tr2_finding *finding)
{
	for (; count; row++, count--)
		if (row->writer == writer && !strcmp(row->id, finding->id) &&
		    is_shown(row, finding))
			return row->deviation;
	return NULL;
}

const char *tr2_known_find(enum tr2_writer writer,
			   const struct tr2_finding *finding)
{
	return find_row(rows, sizeof(rows) / sizeof(rows[0]), writer, finding);
}

const char *tr2_known_erratum(const struct tr2_finding *finding)
{
	return find_row(errata, sizeof(errata) / sizeof(errata[0]),
			TR2_WRITER_OTHER, finding);
}

/* A git SID has the form 20261121T054203.433943Z-H0a7c9cdf-P00006258. */
static int is_git(const char *part, size_t len)
{
	return len > 24 && part[8] == 'T' && part[15] == '.' &&
	       part[22] == 'Z' && part[23] == '-' && part[len - 9] == 'P';
}

static int is_uuid(const char *part, size_t len)
{
	return len == 36 && part[8] == '-' && part[13] == '-' &&
	       part[18] == '-' && part[23] == '-';
}

enum tr2_writer tr2_writer_of(const char *sid, size_t len)
{
	size_t start = len;

	while (start && sid[start - 1] != '/')
		start--;
	sid += start;
	len -= start;
	if (is_git(sid, len))
		return TR2_WRITER_GIT;
	if (is_uuid(sid, len))
		return TR2_WRITER_UUID;
	if (tr2_text_starts(sid, len, "grit-"))
		return TR2_WRITER_GRIT;
	if (tr2_text_starts(sid, len, "repohooks-P"))
		return TR2_WRITER_REPOHOOKS;
	return tr2_text_starts(sid, len, "repo-") ? TR2_WRITER_REPO
						  : TR2_WRITER_OTHER;
}

enum tr2_writer tr2_writer_of_uuid(const char *sid, size_t len, bool version)
{
	return version || memchr(sid, '/', len) ? TR2_WRITER_GCM
						: TR2_WRITER_BUNDLE;
}

enum tr2_writer tr2_writer_of_line(const char *text, size_t len)
{
	static const char key[] = "\"sid\":\"";
	const char *end = text + len;
	const char *sid = tr2_text_find(text, len, key);

	if (!sid)
		return TR2_WRITER_OTHER;
	sid += sizeof(key) - 1;
	end = memchr(sid, '"', (size_t)(end - sid));
	return end ? tr2_writer_of(sid, (size_t)(end - sid)) : TR2_WRITER_OTHER;
}

/* Only one of the known writers of text is written in C#. */
enum tr2_writer tr2_writer_of_text(const char *text, size_t len)
{
	const size_t source_end = 50;

	return tr2_text_find(text, len < source_end ? len : source_end, ".cs:")
		       ? TR2_WRITER_GCM
		       : TR2_WRITER_OTHER;
}
