/* What the environment and git's files say, and where. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "config/settings.h"
#include "gitconfig/value.h"
#include "doctor/doctor_part.h"

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

static const char *copy_text(const char *text)
{
	return text ? tr2_must_copy(text) : NULL;
}

static bool is_ours(const struct tr2_config_entry *entry)
{
	return !strncmp(entry->key, SECTION, strlen(SECTION));
}

/* Git includes a file any number of times; a line counts once. */
static void keep_entry(struct tr2_doctor *doctor,
		       const struct tr2_config_entry *entry, bool ignored)
{
	const bool is_new =
		is_ours(entry) &&
		(!entry->path ||
		 tr2_map_add(&doctor->places,
			     tr2_hash(entry->path, strlen(entry->path)).a +
				     (uint64_t)entry->line));

	if (is_new || (is_ours(entry) && !ignored))
		TR2_VEC_PUT(&doctor->entries, struct tr2_doctor_entry,
			    copy_text(entry->key), copy_text(entry->value),
			    copy_text(entry->path), entry->line, ignored);
}

/* A tr2_config_fn for the entries that count. */
static void take_entry(const struct tr2_config_entry *entry, void *doctor)
{
	keep_entry(doctor, entry, false);
}

/*
 * A tr2_config_fn for all that a git command sees later: files of the
 * repository, `git -c`, and files that depend on the repository.
 */
static void take_ignored(const struct tr2_config_entry *entry, void *doctor)
{
	keep_entry(doctor, entry, true);
}

const char *tr2_doctor_find(const struct tr2_doctor *doctor,
			    const char *variable, const char *key,
			    const struct tr2_doctor_entry **where)
{
	const struct tr2_doctor_entry *entries = doctor->entries.items;
	const char *value = getenv(variable);
	const struct tr2_doctor_entry *found = NULL;

	if (!value || !*value) {
		value = NULL;
		for (uint32_t i = 0; key && i < doctor->entries.count; i++)
			if (!entries[i].ignored && entries[i].value &&
			    !strcmp(entries[i].key, key))
				found = &entries[i];
	}
	if (where)
		*where = found;
	return found ? found->value : value;
}

int tr2_doctor_number(const struct tr2_doctor *doctor, const char *variable,
		      const char *key, int otherwise)
{
	const char *text = tr2_doctor_find(doctor, variable, key, NULL);
	const int number = text ? tr2_settings_number(text) : 0;

	return number > 0 ? number : otherwise;
}

static void read_target(struct tr2_doctor *doctor,
			enum tr2_doctor_target_id number, const char *variable,
			const char *key)
{
	static const char *const names[TR2_DOCTOR_TARGETS] = {
		"NORMAL", "PERF", "EVENT", "FXT", "CHROME", "MANAGER",
	};
	struct tr2_doctor_target *target = &doctor->targets[number];
	const struct tr2_doctor_entry *where;

	target->id = number;
	target->name = names[number];
	target->variable = variable;
	target->value = tr2_doctor_find(doctor, variable, key, &where);
	if (where) {
		target->path = where->path;
		target->line = where->line;
	}
}

void tr2_doctor_read(struct tr2_doctor *doctor)
{
	const char *variable, *key;

	tr2_gitconfig_read_early(take_entry, doctor);
	tr2_gitconfig_read_all(take_ignored, doctor);
	for (unsigned i = 0; i <= TR2_DOCTOR_CHROME; i++)
		if (tr2_settings_names(i, &variable, &key))
			read_target(doctor, i, variable, key);
	read_target(doctor, TR2_DOCTOR_MANAGER, "TRACE_MANAGER", NULL);
}
