/*
 * metrics_kit.h - a service whose counts a test sets, and the file that has
 * them.
 */
#ifndef UNIT_COLLECT_METRICS_KIT_H
#define UNIT_COLLECT_METRICS_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include "kit/command.h"

#include "collect/metrics.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"

#define FILE_NAME "spool/metrics.prom"
#define NAME "trace2_collect_"

static struct tr2_journal journal;
static struct tr2_collect_intake intake;
static struct tr2_collect_options options;
static struct tr2_collect_metrics metrics = { .options = &options,
					      .journal = &journal,
					      .intake = &intake };

static inline void begin_metrics(void)
{
	intake = (struct tr2_collect_intake){ .journal = &journal };
	options.output_count = 0;
	options.spool = "spool";
	tap_need(!tr2_journal_open(&journal, "spool", 1 << 30));
}

static inline void end_metrics(void)
{
	tr2_journal_close(&journal);
	remove_all("spool");
}

/* Returns the file that is written at the end. */
static inline const char *write_once(void)
{
	tr2_collect_begin_metrics(&metrics);
	tr2_journal_end(&journal);
	tr2_collect_end_metrics(&metrics);
	return file_text(FILE_NAME);
}

static inline void add_output(const char *target)
{
	options.outputs[options.output_count++] =
		(struct tr2_delivery){ .target = target };
}

#endif
