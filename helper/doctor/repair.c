/*
 * What --fix does: it makes directories that are missing. All other repairs
 * would remove logs or change somebody's settings; they are only printed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor/doctor_part.h"
#include "lib/text/foreign.h"

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Make the directory and those above it. 0, or an errno value. */
static int make_directories(char *path)
{
	char *at = path;
	int error;

	while ((at = strchr(at + 1, '/'))) {
		*at = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return errno;
		*at = '/';
	}
	if (!mkdir(path, 0777))
		return 0;
	error = errno;
	return is_directory(path) ? 0 : error;
}

static int repair_target(const struct tr2_doctor *doctor,
			 struct tr2_doctor_target *target)
{
	char *path = target->missing;
	/* It may have been made for another target. */
	const bool is_made = is_directory(path);
	const int error = is_made ? 0 : make_directories(path);

	target->missing = NULL;
	if (error) {
		tr2_foreign_blame("doctor", path, strerror(error));
	} else {
		if (!is_made)
			tr2_foreign_complain("doctor", "made the directory",
					     path);
		free(target->what);
		free(target->repair);
		target->what = target->repair = NULL;
		tr2_doctor_check(doctor, target);
	}
	free(path);
	return error != 0;
}

int tr2_doctor_repair(struct tr2_doctor *doctor)
{
	int failed = 0, i;

	for (i = 0; i < TR2_DOCTOR_TARGETS; i++)
		if (doctor->targets[i].missing)
			failed += repair_target(doctor, &doctor->targets[i]);
	return failed;
}
