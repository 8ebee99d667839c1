#include "model/account/facts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text/text.h"
#include "read/record.h"

#define MONITOR_SINCE 237
#define MONITOR_EVERYWHERE 255

/* Returns 239 for "2.39.5", or 0. */
static uint32_t read_version(const char *text, size_t len)
{
	char copy[16] = "", *end;
	unsigned long major, minor;

	memcpy(copy, text, len < sizeof(copy) ? len : sizeof(copy) - 1);
	major = strtoul(copy, &end, 10);
	if (end == copy || *end != '.' || major > 99)
		return 0;
	minor = strtoul(end + 1, NULL, 10);
	return minor < 100 ? (uint32_t)(100 * major + minor) : 0;
}

/* "2.45.1.windows.1", "2.39.5 (Apple Git-154)" */
static bool names_system(const char *text, size_t len)
{
	return tr2_text_find(text, len, ".windows.") ||
	       tr2_text_find(text, len, "(Apple Git");
}

void tr2_facts_merge(struct tr2_facts *facts, const struct tr2_facts *more)
{
	if (more->has_git && (!facts->has_git || more->oldest < facts->oldest))
		facts->oldest = more->oldest;
	facts->has_git |= more->has_git;
	facts->other_system |= more->other_system;
	facts->choices |= more->choices;
}

void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record)
{
	struct tr2_facts one = { .has_git = true };
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_EXE, &len);

	one.oldest = text ? read_version(text, len) : 0;
	one.other_system = !text || !names_system(text, len);
	tr2_facts_merge(facts, &one);
}

#define CHOICE_TEXT(choice, text) text,

void tr2_facts_add_word(struct tr2_facts *facts, const char *word)
{
	static const char *const texts[] = { TR2_CHOICES(CHOICE_TEXT) };
	size_t i;

	for (i = 0; i < TR2_CHOICE_COUNT; i++)
		if (!strncmp(word, texts[i], strlen(texts[i])))
			facts->choices |= UINT32_C(1) << i;
}

bool tr2_facts_have_monitor(const struct tr2_facts *facts)
{
	if (!facts->has_git)
		return false;
	return facts->oldest >=
	       (facts->other_system ? MONITOR_EVERYWHERE : MONITOR_SINCE);
}
