/* What git ignores, what was mistyped, and what a target does not show. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/near.h"
#include "config/settings.h"
#include "doctor/doctor_part.h"
#include "gitconfig/value.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

extern char **environ;

#define NAMES_MOST 32
#define READER_NESTING 5 /* git's own regions are rarely deeper */

/* The names of all settings; NULL ends them. */
struct name_list {
	const char *variables[NAMES_MOST];
	const char *keys[NAMES_MOST];
};

static void list_names(struct name_list *list)
{
	const char *variable, *key;
	unsigned keys = 0;

	memset(list, 0, sizeof(*list));
	for (unsigned i = 0;
	     i < NAMES_MOST - 1 && tr2_settings_names(i, &variable, &key);
	     i++) {
		list->variables[i] = variable;
		if (key)
			list->keys[keys++] = key;
	}
}

/* Both texts live as long as the doctor. */
static void add_note(struct tr2_doctor *doctor, const char *text,
		     const char *repair)
{
	TR2_VEC_PUT(&doctor->notes, struct tr2_doctor_note, text, repair);
}

static void note_unknown(struct tr2_doctor *doctor, const char *place,
			 const char *const *names, const char *word)
{
	const char *near = tr2_near_find(names, word);

	add_note(doctor,
		 tr2_text_print("%s%sno setting is named %s", place,
				*place ? ": " : "", word),
		 near ? tr2_text_print("did you mean %s?", near) : NULL);
}

/* A file of a repository may be a stranger's: its words are quoted. */
static char *suggest_global(const struct tr2_doctor_entry *entry)
{
	char *named = tr2_doctor_command("git config --global", entry->key);
	char *whole =
		tr2_doctor_command(named, entry->value ? entry->value : "");

	free(named);
	return whole;
}

static void note_entry(struct tr2_doctor *doctor, const struct name_list *list,
		       const struct tr2_doctor_entry *entry)
{
	char *place =
		entry->path ? tr2_text_print("%s:%d", entry->path, entry->line)
			    : tr2_must_copy("git -c, or GIT_CONFIG_COUNT");

	if (entry->ignored)
		add_note(doctor,
			 tr2_text_print("%s: git ignores %s here; only system "
					"and global files count",
					place, entry->key),
			 suggest_global(entry));
	else if (tr2_near_index(list->keys, entry->key) < 0)
		note_unknown(doctor, place, list->keys, entry->key);
	else if (!entry->value)
		add_note(doctor,
			 tr2_text_print("%s: %s has no value, with which git "
					"does not start",
					place, entry->key),
			 NULL);
	free(place);
}

static void note_variables(struct tr2_doctor *doctor,
			   const struct name_list *list)
{
	static const char prefix[] = "GIT_TRACE2";
	char *name;

	for (char **one = environ; *one; one++) {
		if (strncmp(*one, prefix, strlen(prefix)))
			continue;
		name = tr2_text_print("%.*s", (int)strcspn(*one, "="), *one);
		if (tr2_near_index(list->variables, name) < 0)
			note_unknown(doctor, "", list->variables, name);
		free(name);
	}
}

static void note_brief(struct tr2_doctor *doctor)
{
	const char *text = tr2_doctor_find(doctor, "GIT_TRACE2_EVENT_BRIEF",
					   "trace2.eventbrief", NULL);

	if (text && tr2_settings_bool(text) > 0)
		add_note(doctor,
			 "EVENT is brief: its events have no time, which "
			 "readers need",
			 "GIT_TRACE2_EVENT_BRIEF=0");
	else if (text && tr2_settings_bool(text) < 0)
		add_note(doctor,
			 tr2_text_print("EVENT is not brief: '%s' is neither "
					"true nor false",
					text),
			 NULL);
}

static void note_nesting(struct tr2_doctor *doctor)
{
	const int nesting = tr2_doctor_number(
		doctor, "GIT_TRACE2_EVENT_NESTING", "trace2.eventnesting", 2);

	if (nesting < READER_NESTING)
		add_note(doctor,
			 tr2_text_print("EVENT leaves out regions deeper than "
					"%d",
					nesting),
			 "GIT_TRACE2_EVENT_NESTING=10");
}

static void note_user(struct tr2_doctor *doctor)
{
	const char *user = getenv("SUDO_USER");

	if (user && !geteuid())
		add_note(doctor,
			 tr2_text_print("this is root by sudo, which drops "
					"variables; the settings of %s do "
					"not count",
					user),
			 NULL);
}

void tr2_doctor_note(struct tr2_doctor *doctor)
{
	const struct tr2_doctor_entry *entry = doctor->entries.items;
	struct name_list list;

	list_names(&list);
	for (uint32_t i = 0; i < doctor->entries.count; i++)
		note_entry(doctor, &list, &entry[i]);
	note_variables(doctor, &list);
	note_user(doctor);
	if (doctor->targets[TR2_DOCTOR_EVENT].state == TR2_DOCTOR_OFF)
		return;
	note_brief(doctor);
	note_nesting(doctor);
}
