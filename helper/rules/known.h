/*
 * known.h - the deviations of real writers: the register of deviations in
 * SPEC.md, as far as a log shows them.
 */
#ifndef TR2_RULES_KNOWN_H
#define TR2_RULES_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/finding/finding.h"

enum tr2_writer tr2_writer_of(const char *sid, size_t len);

/*
 * Which of the two writers with UUIDs is it? git-bundle-server writes no
 * `version` and has no parent. Call it with the first event of the session.
 */
enum tr2_writer tr2_writer_of_uuid(const char *sid, size_t len, bool version);

/* Find the writer of a line of which nothing else can be read. */
enum tr2_writer tr2_writer_of_line(const char *text, size_t len);

/* Find the writer of a line of NORMAL or PERF. */
enum tr2_writer tr2_writer_of_text(const char *text, size_t len);

/* Returns the writer's deviation that explains the finding, or NULL. */
const char *tr2_known_find(enum tr2_writer writer,
			   const struct tr2_finding *finding);

/*
 * Returns the erratum in SPEC.md that explains the finding if the log is one
 * that the source documents show, or NULL.
 */
const char *tr2_known_erratum(const struct tr2_finding *finding);

extern const char tr2_known_second_start[];
extern const char tr2_known_daemon_sid[];
extern const char tr2_known_region_mismatch[];

#endif
