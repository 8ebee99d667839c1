#include "trace/agent/metadata.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/host.h"
#include "trace/agent/agent.h"
#include "trace/agent/names.h"
#include "trace/engine.h"

/* The words of the record, and then its texts. */
struct kept_event {
	struct kept_event *next;
	struct trace_reader_record record;
	uint64_t words[];
};

static struct {
	struct kept_event *first; /* in the order in which their names came */
	int count;
} all;

/*
 * Copies
 */

static size_t count_bytes(const struct trace_reader_record *record)
{
	size_t bytes = record->category.len + record->name.len;

	for (unsigned i = 0; i < record->args_count; i++)
		bytes += record->args[i].name.len + record->args[i].text.len;
	return bytes;
}

static void move_text(struct trace_reader_text *text, char **to)
{
	if (text->len)
		memcpy(*to, text->bytes, text->len);
	text->bytes = *to;
	*to += text->len;
}

static void move_texts(struct trace_reader_record *record, char *to)
{
	move_text(&record->category, &to);
	move_text(&record->name, &to);
	for (unsigned i = 0; i < record->args_count; i++) {
		move_text(&record->args[i].name, &to);
		move_text(&record->args[i].text, &to);
	}
}

static struct kept_event *copy_record(const struct trace_reader_record *record)
{
	const size_t raw = record->words * sizeof(uint64_t);
	struct kept_event *kept = tr2_host->realloc(
		NULL, sizeof(*kept) + raw + count_bytes(record));

	if (!kept)
		return NULL;
	kept->record = *record;
	memcpy(kept->words, record->bytes, raw);
	kept->record.bytes = (const uint8_t *)kept->words;
	move_texts(&kept->record, (char *)kept->words + raw);
	return kept;
}

/*
 * The list
 */

static int is_name_of(const struct kept_event *kept,
		      struct trace_reader_text name)
{
	return kept->record.name.len == name.len &&
	       !memcmp(kept->record.name.bytes, name.bytes, name.len);
}

static struct kept_event **find_kept(struct trace_reader_text name)
{
	struct kept_event **at = &all.first;

	while (*at && !is_name_of(*at, name))
		at = &(*at)->next;
	return at;
}

/* Without memory, the one before is wrong, and goes as well. */
void tr2_metadata_keep(const struct trace_reader_record *record)
{
	struct kept_event **at = find_kept(record->name), *old = *at, *kept;

	if (!old && all.count == TR2_METADATA_MAX)
		return;
	kept = copy_record(record);
	if (kept) {
		kept->next = old ? old->next : NULL;
		*at = kept;
		all.count += !old;
	} else if (old) {
		*at = old->next;
		all.count--;
	}
	tr2_host->free(old);
}

void tr2_metadata_tell(struct tr2_agent_client *client)
{
	for (const struct kept_event *kept = all.first; kept; kept = kept->next)
		client->name(client, &kept->record, 0);
}

void tr2_metadata_clear(void)
{
	struct kept_event *kept;

	while ((kept = all.first)) {
		all.first = kept->next;
		tr2_host->free(kept);
	}
	all.count = 0;
}

void tr2_metadata_forget(void)
{
	all.first = NULL;
	all.count = 0;
}

/*
 * The agent's own event
 */

/* The names of systems are written small, as Node writes them. */
static void put_small(char *to, const char *from)
{
	size_t i;

	for (i = 0; from[i]; i++)
		to[i] = (char)tolower((unsigned char)from[i]);
	to[i] = '\0';
}

static void write_names(const struct utsname *names, const char *platform)
{
	char version[96];
	const struct trace_arg args[] = {
		{ "process.arch", TA_STRING(names->machine) },
		{ "process.platform", TA_STRING(platform) },
		{ "process.release.name", TA_STRING("libtrace2") },
		{ "process.versions.libtrace2", TA_STRING(TRACE2_VERSION) },
		{ version, TA_STRING(names->release) },
	};
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.id = FXT_SCOPE_PROCESS,
		.category = TRACE_METADATA_CATEGORY,
		.name = "libtrace2",
		.args = args,
		.arg_count = sizeof(args) / sizeof(*args),
	};

	snprintf(version, sizeof(version), "process.versions.%s", platform);
	trace_event_write(&event);
}

/* SPEC: tracing.metadata.process */
void tr2_metadata_write(void)
{
	struct utsname names;
	char platform[sizeof(names.sysname)];

	if (tr2_host->uname(&names) < 0)
		return;
	put_small(platform, names.sysname);
	write_names(&names, platform);
}

void tr2_agent_tell_names(struct tr2_agent_client *client)
{
	tr2_agent_names_tell(client);
	tr2_metadata_tell(client);
}
