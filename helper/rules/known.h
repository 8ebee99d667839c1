/*
 * known.h - what real writers are known to do against the rules: SPEC.md's
 * register of deviations, as far as a log shows it.
 */
#ifndef TR2_RULES_KNOWN_H
#define TR2_RULES_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "finding/finding.h"

enum tr2_writer tr2_writer_of(const char *sid, size_t len);

/*
 * Which of the two has a UUID: git-bundle-server has no `version` and no
 * parent. Asked of the first event of the session.
 */
enum tr2_writer tr2_writer_of_uuid(const char *sid, size_t len, bool version);

/* Who wrote a line of which nothing else can be read. */
enum tr2_writer tr2_writer_of_line(const char *text, size_t len);

/* Who wrote a line of NORMAL or PERF. */
enum tr2_writer tr2_writer_of_text(const char *text, size_t len);

/* The deviation of that writer that explains the finding, or NULL. */
const char *tr2_known_find(enum tr2_writer writer,
			   const struct tr2_finding *finding);

extern const char tr2_known_daemon_sid[];
extern const char tr2_known_region_mismatch[];

#endif
