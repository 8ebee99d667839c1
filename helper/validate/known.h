/*
 * known.h - what real writers are known to do against the rules: SPEC.md's
 * register of deviations, as far as a log shows it.
 */
#ifndef TR2_VALIDATE_KNOWN_H
#define TR2_VALIDATE_KNOWN_H

#include <stddef.h>

/* Who wrote a session, by the form of the SID's last component. */
enum tr2_writer {
	TR2_WRITER_OTHER,
	TR2_WRITER_GIT,	 /* or one that makes the same SIDs */
	TR2_WRITER_REPO, /* the tool `repo` */
	TR2_WRITER_UUID	 /* Git Credential Manager or git-bundle-server */
};

enum tr2_writer tr2_writer_of(const char *sid, size_t len);

/* The deviation that explains the finding, or NULL. */
const char *tr2_known_find(enum tr2_writer writer, const char *id);

extern const char tr2_known_daemon_sid[];
extern const char tr2_known_region_mismatch[];

#endif
