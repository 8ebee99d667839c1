#include "model/words/facts.h"

#include <string.h>
#include <strings.h>

#include "lib/text/text.h"
#include "read/record.h"

#define MONITOR_SINCE 237
#define MONITOR_EVERYWHERE 255

_Static_assert(TR2_CHOICE_COUNT <= 32, "each choice has a bit");

/* Returns 239 for "2.39.5", or 0. */
static uint32_t read_version(const char *text, size_t len)
{
	uint32_t part[2] = { 0, 0 };
	size_t at = 0, i;

	for (i = 0; i < 2; i++, at++) {
		for (; at < len && tr2_text_is_digit(text[at]); at++)
			if (part[i] < 100)
				part[i] = 10 * part[i] +
					  (uint32_t)(text[at] - '0');
		if (!i && (!at || at == len || text[at] != '.'))
			return 0;
	}
	return part[0] < 100 && part[1] < 100 ? 100 * part[0] + part[1] : 0;
}

/* "2.45.1.windows.1", "2.39.5 (Apple Git-154)" */
static bool names_system(const char *text, size_t len)
{
	return tr2_text_find(text, len, ".windows.") ||
	       tr2_text_find(text, len, "(Apple Git");
}

void tr2_facts_add_version(struct tr2_facts *facts, struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_EXE, &len);

	facts->version = text ? read_version(text, len) : 0;
	facts->other_system = !text || !names_system(text, len);
}

#define CHOICE_TEXT(choice, text) text,

static bool is_number(size_t setting)
{
	return setting >= TR2_SET_WORKERS && setting <= TR2_SET_FETCH_PARALLEL;
}

/* A setting that is off, or as it is by default, decides nothing. */
static bool is_off(size_t setting, const char *value)
{
	static const char *const off[] = { "false", "no", "off", "0", "" };
	size_t i;

	if (is_number(setting))
		return !strcmp(value, "1");
	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(value, off[i]))
			return true;
	return false;
}

/* One of the command line counts whatever it is (NULL): it wins. */
static void add_setting(struct tr2_facts *facts, const char *name,
			const char *value)
{
	static const char *const names[] = { TR2_SETTINGS(CHOICE_TEXT) };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((*name | 0x20) == *names[i] &&
		    !strcasecmp(name, names[i]) &&
		    !(value && is_off(TR2_SET_MONITOR + i, value)))
			facts->choices |= UINT32_C(1) << (TR2_SET_MONITOR + i);
}

void tr2_facts_add_word(struct tr2_facts *facts, const char *word,
			bool is_setting)
{
	static const char *const texts[] = { TR2_CHOICES(CHOICE_TEXT) };
	const char *value = strchr(word, '=');
	char name[64];
	size_t i, len = value ? (size_t)(value - word) : strlen(word);

	if (is_setting && len < sizeof(name)) {
		memcpy(name, word, len);
		name[len] = '\0';
		add_setting(facts, name, NULL);
		return;
	}
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (word[1] == texts[i][1] &&
		    (word[2] == texts[i][2] || !texts[i][2]) &&
		    !strncmp(word, texts[i], strlen(texts[i])) &&
		    (i != TR2_CHOSE_PATHS || !word[2]))
			facts->choices |= UINT32_C(1) << i;
}

void tr2_facts_add_param(struct tr2_facts *facts, struct tr2_record *record)
{
	char name[64], value[64];
	size_t len;
	const char *text = tr2_record_text(record, TR2_KEY_PARAM, &len);

	if (!text || len >= sizeof(name))
		return;
	memcpy(name, text, len);
	name[len] = '\0';
	text = tr2_record_text(record, TR2_KEY_VALUE, &len);
	if (!text || len >= sizeof(value))
		return;
	memcpy(value, text, len);
	value[len] = '\0';
	add_setting(facts, name, value);
}

bool tr2_facts_have_monitor(const struct tr2_facts *facts)
{
	return facts->version >=
	       (facts->other_system ? MONITOR_EVERYWHERE : MONITOR_SINCE);
}
