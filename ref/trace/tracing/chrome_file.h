/*
 * chrome_file.h - a client of the agent that writes trace events to files
 * that Chrome, Perfetto and DevTools can read.
 *
 *	agent's thread --> struct tr2_chrome_file --> a.json, a.2.json, ...
 *
 * This room has what a program gets from <trace/tracing.h> without writing a
 * client of its own: tracing objects, which say what is traced (tracing.c),
 * the one file that they share, and the names of its parts (chrome_name.c).
 * The Chrome target and the variable TRACE_EVENT_CATEGORIES have files of
 * their own. The room uses the agent, which does not know this room.
 *
 * A file looks so:
 *
 *	[
 *	{"ph":"M",...}
 *	,{"ph":"B",...}
 *	]
 *
 * Each line has one event, with the comma at its start: a file that was cut
 * by a crash loads up to its last whole line.
 * SPEC: chapter chrome.*
 *
 * If a file has another size than we gave it, or no name any more, another
 * program has changed it. We then leave it as it is, and its events are lost.
 */
#ifndef TR2_TRACE_TRACING_CHROME_FILE_H
#define TR2_TRACE_TRACING_CHROME_FILE_H

#include <sys/types.h>

#include "trace/agent/agent.h"
#include "trace/chrome/chrome.h"
#include "descriptor/descriptor.h"

/* The number of events after which a file is closed. */
#define TR2_CHROME_EVENTS 524288

/* So many names are tried for a file that is to be new. */
#define TR2_CHROME_MANY 1000

struct tr2_chrome_file {
	struct tr2_agent_client client; /* the first member */

	/* The owner sets these; the texts outlive the file. */
	const char *pattern;  /* with ${pid} and ${rotation}, or none */
	const char *variable; /* named in warnings; NULL: no warnings */
	uint64_t events;      /* of a file; 0: TR2_CHROME_EVENTS */
	bool nested;	      /* put a pid in the name, whatever the pattern */
	bool late;	      /* open a new file with its first event */
	bool apart;	      /* leave files alone that this process wrote */

	/* The functions here keep these. */
	struct tr2_chrome chrome;
	struct tr2_buf text;
	uint32_t home; /* tr2_generation() of who began it */
	int fd;	       /* -1: not open, or given up */
	struct tr2_descriptor known;
	off_t size;	    /* of a regular file, as we left it; else -1 */
	bool is_named;	    /* it had a name, as a memfd never has */
	uint64_t waited_ns; /* for the reader of a pipe; see host/wait.h */
	unsigned rotation;
	uint64_t written; /* events in this file */
	uint64_t dropped; /* drops that the file reports */
	uint64_t lost;	  /* atomic: events that could not be written */
};

/*
 * Open the first file and become a client of the agent, with the categories
 * in `client`. If `fd` is not -1, it is the first file. 0, or an error after
 * a warning; then there is no file.
 */
int tr2_chrome_file_begin(struct tr2_chrome_file *file, int fd);

/* Write all events so far, complete the file and close it. */
void tr2_chrome_file_end(struct tr2_chrome_file *file);

/*
 * In a forked child: give up the parent's file, and the text that the parent's
 * thread was writing. Frees nothing.
 */
void tr2_chrome_file_forget(struct tr2_chrome_file *file);

#endif
