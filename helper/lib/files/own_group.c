#include "lib/files/own_group.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

#define ROOM 16384 /* for the members of a group; one with more is shared */

/* With such a list, the bits of the group are those of others, too. */
static bool has_list(const char *path)
{
#ifdef __linux__
	return lgetxattr(path, "system.posix_acl_access", NULL, 0) >= 0;
#else
	(void)path;
	return false;
#endif
}

static bool find_user(char name[ROOM])
{
	struct passwd entry, *user = NULL;
	char room[ROOM];

	if (getpwuid_r(geteuid(), &entry, room, sizeof(room), &user) || !user)
		return false;
	memmove(name, user->pw_name, strlen(user->pw_name) + 1);
	return true;
}

bool tr2_own_has_group(const char *path, gid_t gid)
{
	struct group entry, *group = NULL;
	char room[ROOM], user[ROOM] = "";
	bool known = find_user(user);
	char **member;

	if (has_list(path) ||
	    getgrgid_r(gid, &entry, room, sizeof(room), &group) || !group)
		return false;
	if (gid && (!known || strcmp(group->gr_name, user) != 0))
		return false;
	for (member = group->gr_mem; *member; member++)
		if (strcmp(*member, "root") != 0 && strcmp(*member, user) != 0)
			return false;
	return true;
}
