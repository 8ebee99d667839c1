#include "lib/files/own.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "lib/common/memory.h"

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

/* Returns the name of the present user in the room, or "". */
static const char *find_user(char room[ROOM])
{
	struct passwd entry, *user = NULL;

	if (getpwuid_r(geteuid(), &entry, room, ROOM, &user) || !user)
		return "";
	return user->pw_name;
}

static bool has_others(const struct group *group, const char *user)
{
	for (char **member = group->gr_mem; *member; member++)
		if (strcmp(*member, "root") != 0 && strcmp(*member, user) != 0)
			return true;
	return false;
}

static bool is_own_group(gid_t gid, char room[ROOM], char user_room[ROOM])
{
	const char *user = find_user(user_room);
	struct group entry, *group = NULL;

	if (getgrgid_r(gid, &entry, room, ROOM, &group) || !group)
		return false;
	if (gid && (!*user || strcmp(group->gr_name, user) != 0))
		return false;
	return !has_others(group, user);
}

bool tr2_own_has_group(const char *path, gid_t gid)
{
	char *rooms;
	bool own;

	if (has_list(path))
		return false;
	rooms = tr2_try_grow(NULL, (size_t)2 * ROOM);
	own = rooms && is_own_group(gid, rooms, rooms + ROOM);
	free(rooms);
	return own;
}
