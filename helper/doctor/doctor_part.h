/* doctor_part.h - what the files of the doctor share. */
#ifndef TR2_DOCTOR_DOCTOR_PART_H
#define TR2_DOCTOR_DOCTOR_PART_H

#include <stdbool.h>

#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "gitconfig/gitconfig.h"

/* All texts live until the process ends. */

/* An assignment of a trace2.* key. */
struct tr2_doctor_entry {
	const char *key, *value, *path; /* value, path: may be NULL */
	int line;
	bool ignored; /* git does not look at it */
};

enum tr2_doctor_state { TR2_DOCTOR_OFF, TR2_DOCTOR_WORKS, TR2_DOCTOR_BROKEN };

enum tr2_doctor_target_id {
	TR2_DOCTOR_NORMAL,
	TR2_DOCTOR_PERF,
	TR2_DOCTOR_EVENT,
	TR2_DOCTOR_FXT,
	TR2_DOCTOR_CHROME,
	TR2_DOCTOR_MANAGER, /* the variable TRACE_MANAGER */
	TR2_DOCTOR_TARGETS
};

struct tr2_doctor_target {
	enum tr2_doctor_target_id id;
	const char *name, *variable;
	const char *value; /* NULL: not set */
	const char *path;  /* the file that set it; NULL: the environment */
	int line;
	enum tr2_doctor_state state;
	const char *what;   /* what it is, or what is wrong */
	const char *repair; /* what to type, or NULL */
};

/* Something that does not stop a target, but surprises. */
struct tr2_doctor_note {
	const char *text, *repair; /* repair: or NULL */
};

struct tr2_doctor {
	bool fixes;		/* directories that are missing are made */
	struct tr2_vec entries; /* struct tr2_doctor_entry */
	struct tr2_map places;	/* of them */
	struct tr2_vec notes;	/* struct tr2_doctor_note */
	struct tr2_doctor_target targets[TR2_DOCTOR_TARGETS];
};

/* VERB, a blank and the word, quoted for a shell, as new memory. */
char *tr2_doctor_command(const char *verb, const char *word);

/* Read the environment and git's files. */
void tr2_doctor_read(struct tr2_doctor *doctor);

/*
 * The value that counts for a setting, or NULL; and where it is, if `where`
 * is not NULL: the entry, or NULL for the environment.
 */
const char *tr2_doctor_find(const struct tr2_doctor *doctor,
			    const char *variable, const char *key,
			    const struct tr2_doctor_entry **where);

/* The number of a setting that is above 0, or `otherwise`. */
int tr2_doctor_number(const struct tr2_doctor *doctor, const char *variable,
		      const char *key, int otherwise);

/* Look at a target whose value is set. */
void tr2_doctor_check(const struct tr2_doctor *doctor,
		      struct tr2_doctor_target *target);

void tr2_doctor_note(struct tr2_doctor *doctor);

#endif
