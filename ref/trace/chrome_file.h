/*
 * chrome_file.h - a client of the agent that writes trace events into
 * files, as Chrome, Perfetto and DevTools read them.
 *
 *	[
 *	{"ph":"M",...}
 *	,{"ph":"B",...}
 *	]
 *
 * One event a line and the comma in front: what was written before a crash
 * loads up to its last line. SPEC: chapter chrome.*
 *
 * A file whose size is not what we left it at, or that has no name any more,
 * is somebody else's by now: it is let go as it is, and its events are lost.
 */
#ifndef TRACE_CHROME_FILE_H
#define TRACE_CHROME_FILE_H

#include <sys/types.h>

#include "trace/agent.h"
#include "trace/chrome.h"
#include "tr2_descriptor.h"

/* A file is closed behind so many events. */
#define TR2_CHROME_EVENTS 524288

struct tr2_chrome_file {
	struct tr2_agent_client client; /* the first member */

	/* Set by the owner; the texts outlive the file. */
	const char *pattern;  /* with ${pid} and ${rotation}, or none */
	const char *variable; /* named in warnings, or NULL: none */
	uint64_t events;      /* of a file; 0: TR2_CHROME_EVENTS */
	bool nested;	      /* has a pid in its name, whatever the pattern */

	/* Kept here. */
	struct tr2_chrome chrome;
	struct tr2_buf text;
	int fd; /* -1: none, or given up */
	struct tr2_descriptor known;
	off_t size; /* of a regular file, as far as we know; else -1 */
	unsigned rotation;
	uint64_t written; /* events in this file */
	uint64_t dropped; /* what it says of drops */
	uint64_t lost;	  /* atomic: events that could not be written */
};

/*
 * Open the first file and become a client of the agent, with the categories
 * in `client`. `fd`, if it is not -1, is that file. 0, or an error after a
 * warning, and then there is no file.
 */
int tr2_chrome_file_begin(struct tr2_chrome_file *file, int fd);

/* All that was traced until now is in the file, and that is complete. */
void tr2_chrome_file_end(struct tr2_chrome_file *file);

/* In a forked child: let go of the parent's file. */
void tr2_chrome_file_forget(struct tr2_chrome_file *file);

#endif
