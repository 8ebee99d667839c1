#include "rules/known.h"

#include <string.h>

#include "known_rows.h"
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

/* The writer of the logs in the documents: the erratum says what they have. */
#define TR2_WRITER_DOCUMENT TR2_WRITERS_KNOWN

#define PUT_ROW(writer, id, known, text, shows) \
	{ TR2_WRITER_##writer, id, known, shows, text },

static const struct row {
	enum tr2_writer writer;
	const char *id;
	const char *known;
	enum shows shows;
	const char *text;
} rows[] = { KNOWN_ROWS(PUT_ROW) };

/* Search only the event: a line may have many of them. */
static bool event_holds(const struct tr2_finding *finding, const char *text)
{
	size_t len = finding->event_len ? finding->event_len
					: finding->text_len;

	return tr2_text_find(finding->text + finding->event_at, len, text);
}

static bool text_ends(const char *text, size_t len, const char *wanted)
{
	size_t wanted_len = strlen(wanted);

	return len >= wanted_len &&
	       !memcmp(text + len - wanted_len, wanted, wanted_len);
}

/* A finding about the file as a whole can't show anything. */
static bool is_shown(const struct row *row, const struct tr2_finding *finding)
{
	size_t at = finding->column - 1;
	const char *place;

	if (row->shows == NOTHING)
		return true;
	if (!finding->text || at > finding->text_len)
		return false;
	place = finding->text + at;
	switch (row->shows) {
	case IS:
		return tr2_text_is(place, finding->width, row->text);
	case BEGINS:
		return tr2_text_starts(place, finding->text_len - at,
				       row->text);
	case ENDS:
		return text_ends(place, finding->width, row->text);
	case CLOSES:
		return text_ends(finding->text, finding->text_len, row->text);
	case HOLDS:
	case NOTHING:; /* see above */
	}
	return event_holds(finding, row->text);
}

const char *tr2_known_find(enum tr2_writer writer,
			   const struct tr2_finding *finding)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].writer == writer &&
		    !strcmp(rows[i].id, finding->id) &&
		    is_shown(&rows[i], finding))
			return rows[i].known;
	return NULL;
}

const char *tr2_known_erratum(const struct tr2_finding *finding)
{
	return tr2_known_find(TR2_WRITER_DOCUMENT, finding);
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
