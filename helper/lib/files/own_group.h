/* own_group.h - groups that have nobody but this user and root. */
#ifndef TR2_FILES_OWN_GROUP_H
#define TR2_FILES_OWN_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Does what the group may do to the file help no other user? So it is with the
 * group that many systems make for each user, which has his name, and with
 * root's, if the file has no list of more permissions.
 */
bool tr2_own_has_group(const char *path, gid_t gid);

#endif
