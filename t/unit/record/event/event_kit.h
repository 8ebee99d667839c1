/*
 * event_kit.h - the EVENT log of a recorded command: how it is opened,
 * committed and stopped. Messages are in kit_said.
 */
#ifndef UNIT_RECORD_EVENT_KIT_H
#define UNIT_RECORD_EVENT_KIT_H

#include "kit/command.h"
#include "record/record_part.h"

static struct tr2_event_log event_log;

static inline int open_log(const char *output)
{
	int code;

	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	kit_divert(2);
	code = tr2_event_log_open(&event_log, output);
	kit_restore(2);
	return code;
}

static inline int commit_log(void)
{
	int code;

	kit_divert(2);
	code = tr2_event_log_commit(&event_log);
	kit_restore(2);
	return code;
}

static inline int stop_log(void)
{
	int code;

	kit_divert(2);
	code = tr2_event_log_stop(&event_log);
	kit_restore(2);
	return code;
}

#endif
