/*
 * What --fix does: it makes directories that are missing. All other repairs
 * would remove logs or change somebody's settings; they are only printed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor/doctor_part.h"
#include "text/foreign.h"

/* Make the directory and those above it. 0, or an errno value. */
static int make_directories(char *path)
{
	char *at = path;

	while ((at = strchr(at + 1, '/'))) {
		*at = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			return errno;
		*at = '/';
	}
	return mkdir(path, 0777) && errno != EEXIST ? errno : 0;
}

static int repair_target(const struct tr2_doctor *doctor,
			 struct tr2_doctor_target *target)
{
	char *path = target->missing;
	int error;

	target->missing = NULL;
	error = make_directories(path);
	if (error) {
		fprintf(stderr, "trace2 doctor: ");
		tr2_foreign_print(stderr, path);
		fprintf(stderr, ": %s\n", strerror(error));
	} else {
		tr2_foreign_complain("doctor", "made the directory", path);
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
