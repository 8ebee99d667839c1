/*
 * deeds_kit.h - which rules a random program breaks itself, by what it
 * calls. The log shows it truthfully, so that a finding of the validator is
 * right if the process at fault knows of it here, and else an error.
 */
#ifndef UNIT_PROCESS_RANDOM_DEEDS_KIT_H
#define UNIT_PROCESS_RANDOM_DEEDS_KIT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kit/tap.h"

/*
 * - REPO: a repository that it never announced (order.def_repo);
 * - START: no start, a second one, or one that comes late
 *   (order.start-second), and an ancestry that does not follow it
 *   (order.cmd_ancestry);
 * - EXEC: events after an exec that has no result yet (exec.last);
 * - RESULT: results of no exec, or a second one (event.exec_result.exec_id);
 * - REGION: a region left that is not the innermost, or is none: as git does,
 *   the first one gives nesting 0 (region.pairs, region.leave-too-many);
 * - CHILD: the end of a child with a pid or a code that no process has
 *   (child.pid, child_exit.code-other).
 */
enum random_deed {
	DEED_REPO = 1,
	DEED_START = 2,
	DEED_EXEC = 4,
	DEED_RESULT = 8,
	DEED_REGION = 16,
	DEED_CHILD = 32
};

static const struct random_rule {
	const char *prefix; /* of the ids of rules */
	enum random_deed deed;
} random_rules[] = {
	{ "stream.repo.", DEED_REPO },
	{ "stream.start.", DEED_START },
	{ "stream.cmd_ancestry.", DEED_START },
	{ "stream.exec.last]", DEED_EXEC },
	{ "stream.exec-result.unmatched]", DEED_RESULT },
	{ "stream.child.pid]", DEED_CHILD },
	{ "event.child_exit.code-other]", DEED_CHILD },
	{ "stream.region.", DEED_REGION },
	{ "stream.data.nesting]", DEED_REGION },
};

#define RANDOM_PIDS (1 << 22) /* the most that Linux has */

/* For each pid what it did, and at 0 for all, in memory that all share. */
static unsigned char *random_deeds;

static inline void forget_deeds(void)
{
	if (random_deeds)
		munmap(random_deeds, RANDOM_PIDS);
	random_deeds = mmap(NULL, RANDOM_PIDS, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	tap_need(random_deeds != MAP_FAILED);
}

static inline void note_deed(enum random_deed deed)
{
	__atomic_fetch_or(&random_deeds[getpid()], (unsigned char)deed,
			  __ATOMIC_RELAXED);
	__atomic_fetch_or(&random_deeds[0], (unsigned char)deed,
			  __ATOMIC_RELAXED);
}

/* Called in a forked child: it repeats its parent's start, if that has one. */
static inline void inherit_deeds(void)
{
	if (random_deeds[getppid()] & DEED_START)
		note_deed(DEED_START);
}

/*
 * ---- Execs: 1 is open, 2 has its result ----
 */

#define RANDOM_EXECS 4096

static unsigned char random_execs[RANDOM_EXECS];
static __thread int random_in_exec; /* of this thread's last exec */

static inline void forget_execs(void)
{
	memset(random_execs, 0, sizeof(random_execs));
	random_in_exec = 0;
}

/* Called before anything that may write an event. */
static inline void note_event(void)
{
	if (random_in_exec)
		note_deed(DEED_EXEC);
}

static inline void note_exec(int id)
{
	random_in_exec = 1;
	if (id >= 0 && id < RANDOM_EXECS)
		__atomic_store_n(&random_execs[id], 1, __ATOMIC_SEQ_CST);
}

/* `is_own`: of the last exec of this thread. */
static inline void note_result(int id, int is_own)
{
	if (!is_own)
		note_event();
	if (id < 0 || id >= RANDOM_EXECS ||
	    __atomic_exchange_n(&random_execs[id], 2, __ATOMIC_SEQ_CST) != 1)
		note_deed(DEED_RESULT);
	if (is_own)
		random_in_exec = 0;
}

/*
 * ---- Findings ----
 */

/* The log that findings come from, and the line that was read last. */
struct random_log {
	char path[256];
	FILE *file;
	unsigned long number;
	char *line;
	size_t room;
};

static inline void leave_log(struct random_log *log)
{
	if (log->file)
		fclose(log->file);
	free(log->line);
	memset(log, 0, sizeof(*log));
}

static inline const char *read_line_of(struct random_log *log, const char *path,
				       unsigned long number)
{
	if (!log->file || strcmp(log->path, path) || log->number > number) {
		leave_log(log);
		snprintf(log->path, sizeof(log->path), "%s", path);
		log->file = fopen(path, "r");
	}
	for (; log->file && log->number < number; log->number++)
		if (getline(&log->line, &log->room, log->file) < 0)
			return NULL;
	return log->line;
}

/* What the process did that wrote the line; all processes in other formats. */
static inline unsigned deeds_of_line(const char *line)
{
	const char *end = line ? strstr(line, "\",\"thread\":\"") : NULL;
	char digits[9] = "";
	unsigned long pid;

	if (!end || end - line < 8)
		return random_deeds[0];
	memcpy(digits, end - 8, 8);
	pid = strtoul(digits, NULL, 16);
	return pid < RANDOM_PIDS ? random_deeds[pid] : 0;
}

static inline unsigned deed_of_rule(const char *id)
{
	const char *prefix;
	size_t i;

	for (i = 0; i < sizeof(random_rules) / sizeof(*random_rules); i++) {
		prefix = random_rules[i].prefix;
		if (!strncmp(id, prefix, strlen(prefix)))
			return random_rules[i].deed;
	}
	return 0;
}

/* Is a finding right, `FILE:LINE:COLUMN: LEVEL[ID]: MESSAGE`? */
static inline int is_deserved(struct random_log *log, const char *dir,
			      const char *finding)
{
	const char *id = strchr(finding, '[');
	const char *number = strchr(finding, ':');
	unsigned deed = id ? deed_of_rule(id + 1) : 0;
	char path[256];

	if (!deed || !number)
		return 0;
	snprintf(path, sizeof(path), "%s/%.*s", dir, (int)(number - finding),
		 finding);
	return (deeds_of_line(read_line_of(log, path,
					   strtoul(number + 1, NULL, 10))) &
		deed) != 0;
}

#endif
