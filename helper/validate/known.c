#include "validate/known.h"

#include "validate/text.h"

#include <string.h>

/* These two need more than the id: see stream_life.c, stream_region.c. */
const char tr2_known_daemon_sid[] = "deviation.git.daemon-sid";
const char tr2_known_region_mismatch[] = "deviation.git.region-mismatch";

static const struct {
	enum tr2_writer writer;
	const char *id;
	const char *deviation;
} rows[] = {
/* clang-format off */
#define GIT(id, name) { TR2_WRITER_GIT, id, "deviation.git." name }
#define REPO(id, name) { TR2_WRITER_REPO, id, "deviation.repo." name }
#define GCM(id, name) { TR2_WRITER_UUID, id, "deviation.gcm." name }
#define BUNDLE(id, name) \
	{ TR2_WRITER_UUID, id, "deviation.bundle-server." name }
	GIT("stream.child.unfinished", "open-at-end"),
	GIT("stream.region.unfinished", "open-at-end"),
	GIT("stream.thread.unfinished", "open-at-end"),
	GIT("stream.thread.unknown", "unknown-thread"),
	GIT("stream.unfinished", "open-at-end"),
	REPO("event.common.time", "time-offset"),
	REPO("event.data.category", "data-fields"),
	REPO("event.data.nesting", "data-fields"),
	REPO("event.data.t_abs", "data-fields"),
	REPO("event.data.t_rel", "data-fields"),
	REPO("event.def_param.value", "null-value"),
	REPO("event.exit.code", "exit-code-text"),
	REPO("event.start.t_abs", "no-start-time"),
	REPO("event.version.evt", "evt-integer"),
	REPO("stream.hierarchy.parent", "hierarchy"),
	REPO("stream.thread.main", "thread-names"),
	REPO("stream.thread.start-first", "thread-names"),
	REPO("stream.unfinished", "no-atexit"),
	REPO("stream.version.first", "error-only"),
	REPO("stream.version.once", "sid-collision"),
	GCM("event.common.thread", "thread-names"),
	GCM("event.common.time", "time-offset"),
	GCM("event.region_leave.t_rel", "relative-time"),
	GCM("stream.child.exit-once", "child-id"),
	GCM("stream.data.nesting", "nesting"),
	GCM("stream.region.nesting", "nesting"),
	GCM("stream.repo.undefined", "nesting"),
	GCM("stream.thread.main", "thread-names"),
	GCM("stream.thread.start-first", "thread-names"),
	GCM("stream.unfinished", "no-name"),
	BUNDLE("event.child_ready.t_rel", "child_ready"),
	BUNDLE("stream.version.first", "no-version"),
	/* clang-format on */
};

const char *tr2_known_find(enum tr2_writer writer, const char *id)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].writer == writer && !strcmp(rows[i].id, id))
			return rows[i].deviation;
	return NULL;
}

/* Like 20261121T054203.433943Z-H0a7c9cdf-P00006258 */
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
	return tr2_text_starts(sid, len, "repo-") ? TR2_WRITER_REPO
						  : TR2_WRITER_OTHER;
}
