/* What git ignores, what was mistyped, and what a target does not show. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "cli/near.h"
#include "config/settings.h"
#include "doctor/doctor_part.h"
#include "gitconfig/value.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* What the environment and git's files say, and where. */

#define SECTION "trace2."

char *tr2_doctor_command(const char *verb, const char *word)
{
	struct tr2_buf text = TR2_BUF_INIT;

	tr2_buf_str(&text, verb);
	tr2_buf_byte(&text, ' ');
	tr2_quote_word(&text, word);
	tr2_must_end(&text);
	return text.bytes;
}

static char *copy_text(const char *text)
{
	return text ? tr2_must_copy(text) : NULL;
}

static void keep_entry(struct tr2_vec *list,
		       const struct tr2_config_entry *entry)
{
	struct tr2_doctor_entry *kept = tr2_vec_add(list, sizeof(*kept));

	kept->key = tr2_must_copy(entry->key);
	kept->value = copy_text(entry->value);
	kept->path = copy_text(entry->path);
	kept->line = entry->line;
}

static bool is_ours(const struct tr2_config_entry *entry)
{
	return !strncmp(entry->key, SECTION, strlen(SECTION));
}

/* A tr2_config_fn for the entries that count. */
static void take_entry(const struct tr2_config_entry *entry, void *data)
{
	struct tr2_doctor *doctor = data;

	if (is_ours(entry))
		keep_entry(&doctor->entries, entry);
}

static bool is_known(const struct tr2_vec *list,
		     const struct tr2_config_entry *entry)
{
	const struct tr2_doctor_entry *one = list->items;
	uint32_t left = list->count;

	for (; left; left--, one++)
		if (one->path && entry->path &&
		    !strcmp(one->path, entry->path) && one->line == entry->line)
			return true;
	return false;
}

/*
 * A tr2_config_fn for all that a git command sees later: files of the
 * repository, `git -c`, and files that depend on the repository.
 */
static void take_ignored(const struct tr2_config_entry *entry, void *data)
{
	struct tr2_doctor *doctor = data;

	if (is_ours(entry) && !is_known(&doctor->entries, entry))
		keep_entry(&doctor->ignored, entry);
}

/*
 * The value that counts for a setting, or NULL; and where it is, if `where`
 * is not NULL: the entry, or NULL for the environment.
 */
static const char *find_setting(const struct tr2_doctor *doctor,
				const char *variable, const char *key,
				const struct tr2_doctor_entry **where)
{
	const struct tr2_doctor_entry *entries = doctor->entries.items;
	const char *value = getenv(variable);
	const struct tr2_doctor_entry *found = NULL;
	uint32_t i;

	if (!value || !*value) {
		value = NULL;
		for (i = 0; key && i < doctor->entries.count; i++)
			if (entries[i].value && !strcmp(entries[i].key, key))
				found = &entries[i];
	}
	if (where)
		*where = found;
	return found ? found->value : value;
}

int tr2_doctor_number(const struct tr2_doctor *doctor, const char *variable,
		      const char *key, int otherwise)
{
	const char *text = find_setting(doctor, variable, key, NULL);
	const int number = text ? tr2_settings_number(text) : 0;

	return number > 0 ? number : otherwise;
}

static void read_target(struct tr2_doctor *doctor, unsigned number,
			const char *variable, const char *key)
{
	static const char *const names[TR2_DOCTOR_TARGETS] = {
		"NORMAL", "PERF", "EVENT", "FXT", "CHROME", "MANAGER",
	};
	struct tr2_doctor_target *target = &doctor->targets[number];
	const struct tr2_doctor_entry *where;

	target->name = names[number];
	target->variable = variable;
	target->value = find_setting(doctor, variable, key, &where);
	if (where) {
		target->path = where->path;
		target->line = where->line;
	}
}

void tr2_doctor_read(struct tr2_doctor *doctor)
{
	const char *variable, *key;
	unsigned i;

	tr2_gitconfig_read_early(take_entry, doctor);
	tr2_gitconfig_read_all(take_ignored, doctor);
	for (i = 0; i <= TR2_DOCTOR_CHROME; i++)
		if (tr2_settings_names(i, &variable, &key))
			read_target(doctor, i, variable, key);
	read_target(doctor, TR2_DOCTOR_MANAGER, "TRACE_MANAGER", NULL);
}

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
	unsigned i, keys = 0;

	memset(list, 0, sizeof(*list));
	for (i = 0;
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
	char **one;
	char *name;

	for (one = environ; *one; one++) {
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
	const char *text = find_setting(doctor, "GIT_TRACE2_EVENT_BRIEF",
					"trace2.eventbrief", NULL);

	if (text && tr2_settings_bool(text) > 0)
		add_note(doctor,
			 tr2_text_print("EVENT is brief: its events have no "
					"time, which readers need"),
			 tr2_text_print("GIT_TRACE2_EVENT_BRIEF=0"));
}

static void note_nesting(struct tr2_doctor *doctor)
{
	const int nesting = tr2_doctor_number(
		doctor, "GIT_TRACE2_EVENT_NESTING", "trace2.eventnesting", 2);

	if (nesting < READER_NESTING)
		add_note(doctor,
			 tr2_text_print("EVENT leaves out regions deeper "
					"than %d",
					nesting),
			 tr2_text_print("git config --global "
					"trace2.eventNesting 10"));
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
