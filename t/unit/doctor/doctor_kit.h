/*
 * doctor_kit.h - a target with a value, and what the doctor finds of it, in
 * one line: "broken: WHAT -> REPAIR". _GNU_SOURCE has to be defined.
 */
#ifndef UNIT_DOCTOR_DOCTOR_KIT_H
#define UNIT_DOCTOR_DOCTOR_KIT_H

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/validate.h"

#include "doctor/doctor_part.h"

static struct tr2_doctor doctor;

static inline void release_target(struct tr2_doctor_target *target)
{
	free(target->what);
	free(target->repair);
	free(target->missing);
	*target = (struct tr2_doctor_target){ .state = TR2_DOCTOR_OFF };
}

/* Look at the target anew. */
static inline struct tr2_doctor_target *check_value(unsigned number,
						    const char *value)
{
	static const char *const names[] = { "NORMAL", "PERF",	 "EVENT",
					     "FXT",    "CHROME", "MANAGER" };
	struct tr2_doctor_target *target = &doctor.targets[number];

	release_target(target);
	target->name = names[number];
	target->value = value;
	tr2_doctor_check(&doctor, target);
	return target;
}

static inline const char *describe_found(const struct tr2_doctor_target *target)
{
	static const char *const states[] = { "off", "works", "broken" };
	static char text[1024];

	snprintf(text, sizeof(text), "%s%s%s%s%s", states[target->state],
		 target->what ? ": " : "", target->what ? target->what : "",
		 target->repair ? " -> " : "",
		 target->repair ? target->repair : "");
	return text;
}

/* Valid until the next call. */
static inline const char *look_at(unsigned number, const char *value)
{
	return describe_found(check_value(number, value));
}

/* A path in the scratch directory, valid until the fourth call after it. */
static inline const char *path_of(const char *before, const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s%s/%s", before, directory_path,
		 name);
	return path;
}

#endif
