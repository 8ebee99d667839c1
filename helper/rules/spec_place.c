#include "rules/spec_place.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char found[PATH_MAX];

/* Returns the directory above bin/ of the program, with a slash; or "". */
static void find_prefix(char *prefix, size_t size, const char *link)
{
	ssize_t len = readlink(link, prefix, size - 1);
	char *slash;

	prefix[len > 0 ? len : 0] = '\0';
	slash = strrchr(prefix, '/');
	if (slash)
		*slash = '\0';
	slash = slash ? strrchr(prefix, '/') : NULL;
	if (slash)
		slash[1] = '\0';
	else
		*prefix = '\0';
}

void tr2_spec_find(char *folder, size_t size, const char *link)
{
	static const char installed[] = "share/doc/trace2/SPEC.md";
	size_t len;

	find_prefix(folder, size, link);
	len = strlen(folder);
	if (len && size - len >= sizeof(installed)) {
		memcpy(folder + len, installed, sizeof(installed));
		if (!access(folder, R_OK)) {
			*strrchr(folder, 'S') = '\0';
			return;
		}
	}
	*folder = '\0';
}

static void find_own(void)
{
	tr2_spec_find(found, sizeof(found), "/proc/self/exe");
}

const char *tr2_spec_folder(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_own);
	return found;
}
