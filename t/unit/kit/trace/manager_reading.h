/*
 * manager_reading.h - what is in the archive that manager.h received.
 */
#ifndef UNIT_KIT_TRACE_MANAGER_READING_H
#define UNIT_KIT_TRACE_MANAGER_READING_H

#include "kit/trace/manager.h"

/* The contents of an archive that was read. */
struct kit_reading {
	int errors;
	int events;
	int dropped; /* provider events */
	int infos, sections;
	uint32_t order[64]; /* the provider of each event */
	char names[64][32]; /* and its name */
	const char *first;  /* error */
};

static inline void kit_find(void *context,
			    const struct trace_reader_finding *finding)
{
	struct kit_reading *reading = context;

	if (trace_reader_level(finding->problem) != TRACE_READER_ERROR)
		return;
	if (!reading->errors++)
		reading->first = trace_reader_id(finding->problem);
}

static inline void kit_note(struct kit_reading *reading,
			    const struct trace_reader_record *record)
{
	int at = reading->events & 63;

	if (record->type == FXT_METADATA) {
		reading->infos += record->subtype == FXT_PROVIDER_INFO;
		reading->sections += record->subtype == FXT_PROVIDER_SECTION;
		reading->dropped += record->subtype == FXT_PROVIDER_EVENT;
	}
	if (record->type != FXT_EVENT)
		return;
	reading->order[at] = record->provider;
	snprintf(reading->names[at], sizeof(reading->names[at]), "%.*s",
		 (int)record->name.len, record->name.bytes);
	reading->events++;
}

static inline void kit_read(const struct kit *kit, struct kit_reading *reading)
{
	const struct trace_reader_options options = {
		.finding = kit_find,
		.context = reading,
	};
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	memset(reading, 0, sizeof(*reading));
	trace_reader_feed(reader, kit->bytes, kit->len);
	while (trace_reader_next(reader, &record) > 0)
		kit_note(reading, &record);
	trace_reader_end(reader);
	trace_reader_free(reader);
}

/* Returns the names of all events, separated by blanks. */
static inline const char *kit_events(const struct kit *kit)
{
	static char text[1024];
	struct kit_reading reading;

	kit_read(kit, &reading);
	text[0] = '\0';
	for (int i = 0; i < reading.events && i < 64; i++) {
		strcat(text, i ? " " : "");
		strcat(text, reading.names[i]);
	}
	if (reading.errors)
		snprintf(text, sizeof(text), "error %s", reading.first);
	return text;
}

#endif
