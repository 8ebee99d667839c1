/* What git ignores, what was mistyped, and what a target does not show. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/near.h"
#include "config/settings.h"
#include "doctor/doctor_part.h"
#include "gitconfig/value.h"
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

/* Both texts are taken over. */
static void add_note(struct tr2_doctor *doctor, char *text, char *repair)
{
	struct tr2_doctor_note *note =
		tr2_vec_add(&doctor->notes, sizeof(*note));

	note->text = text;
	note->repair = repair;
}

static char *suggest_name(const char *const *names, const char *word)
{
	const char *near = tr2_near_find(names, word);

	return near ? tr2_text_print("did you mean %s?", near) : NULL;
}

static void note_keys(struct tr2_doctor *doctor, const struct name_list *list)
{
	const struct tr2_doctor_entry *one = doctor->entries.items;
	uint32_t left = doctor->entries.count;

	for (; left; left--, one++)
		if (tr2_near_index(list->keys, one->key) < 0)
			add_note(doctor,
				 tr2_text_print("%s:%d: no setting is named "
						"%s",
						one->path, one->line, one->key),
				 suggest_name(list->keys, one->key));
		else if (!one->value)
			add_note(doctor,
				 tr2_text_print("%s:%d: %s has no value, "
						"with which git does not "
						"start",
						one->path, one->line, one->key),
				 NULL);
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
			add_note(doctor,
				 tr2_text_print("no setting is named %s", name),
				 suggest_name(list->variables, name));
		free(name);
	}
}

static char *describe_place(const struct tr2_doctor_entry *entry)
{
	if (!entry->path)
		return tr2_text_print("git -c, or GIT_CONFIG_COUNT");
	return tr2_text_print("%s:%d", entry->path, entry->line);
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

static void note_ignored(struct tr2_doctor *doctor)
{
	const struct tr2_doctor_entry *one = doctor->ignored.items;
	uint32_t left = doctor->ignored.count;
	char *place;

	for (; left; left--, one++) {
		place = describe_place(one);
		add_note(doctor,
			 tr2_text_print("%s: git ignores %s here; only "
					"system and global files count",
					place, one->key),
			 suggest_global(one));
		free(place);
	}
}

static void note_brief(struct tr2_doctor *doctor)
{
	const char *text = tr2_doctor_find(doctor, "GIT_TRACE2_EVENT_BRIEF",
					   "trace2.eventbrief", NULL);

	if (text && tr2_settings_bool(text) > 0)
		add_note(doctor,
			 tr2_text_print("EVENT is brief: its events have no "
					"time, which readers need"),
			 tr2_text_print("GIT_TRACE2_EVENT_BRIEF=0"));
	else if (text && tr2_settings_bool(text) < 0)
		add_note(doctor,
			 tr2_text_print("EVENT is not brief: '%s' is neither "
					"true nor false",
					text),
			 NULL);
}

static void note_nesting(struct tr2_doctor *doctor)
{
	static const char variable[] = "GIT_TRACE2_EVENT_NESTING",
			  key[] = "trace2.eventnesting";
	const char *text = tr2_doctor_find(doctor, variable, key, NULL);
	const int nesting = tr2_doctor_number(doctor, variable, key, 2);
	char *wrong;

	if (nesting >= READER_NESTING)
		return;
	wrong = text && tr2_settings_number(text) <= 0
			? tr2_text_print("; '%s' is no number above 0", text)
			: tr2_text_print("%s", "");
	add_note(doctor,
		 tr2_text_print("EVENT leaves out regions deeper than %d%s",
				nesting, wrong),
		 tr2_doctor_suggest(variable, "trace2.eventNesting", 10));
	free(wrong);
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
	struct name_list list;

	list_names(&list);
	note_keys(doctor, &list);
	note_variables(doctor, &list);
	note_ignored(doctor);
	note_user(doctor);
	if (doctor->targets[TR2_DOCTOR_EVENT].state == TR2_DOCTOR_OFF)
		return;
	note_brief(doctor);
	note_nesting(doctor);
}
