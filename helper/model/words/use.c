/* What git runs a child for, where it gives no class: its words tell. */
#include "model/words/words.h"

#include <string.h>

#include "lib/text/text.h"

#define NEXT_WORD "\",\""

/* git gives these programs no class, or one of their own; NORMAL tells none. */
static bool may_ask(const struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_raw(record, TR2_KEY_CHILD_CLASS, &len);

	return text ? tr2_text_is(text, len, "\"?\"") ||
			       tr2_text_is(text, len, "\"cred\"")
		    : record->is == TR2_IS_CHILD_START;
}

/* Credentials that a program is asked for come from it, or from a person. */
static bool asks_credentials(const struct tr2_record *record)
{
	static const char *const ends[] = { " get\"]", " store\"]",
					    " erase\"]" };
	size_t width, len;
	const char *text = tr2_record_raw(record, TR2_KEY_ARGV, &len);

	if (tr2_text_find(text, len, NEXT_WORD))
		return tr2_text_find(text, len, "\",\"Username for '") ||
		       tr2_text_find(text, len, "\",\"Password for '");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		width = strlen(ends[i]);
		if (len > width &&
		    tr2_text_starts(text + len - width, width, ends[i]))
			return true;
	}
	return false;
}

/* A word such as git-upload-pack '/x.git' is no part of a message. */
static bool names_server(const char *text, size_t len)
{
	const char *begin = tr2_text_find(text, len, "-pack '");

	while (begin && *begin != ' ' && *begin != '"')
		begin--;
	return begin && *begin == '"';
}

enum tr2_phase tr2_words_use(const struct tr2_record *record)
{
	size_t len;
	const char *text = tr2_record_raw(record, TR2_KEY_ARGV, &len);
	const char *second;

	if (!tr2_words_begin(record, TR2_KEY_ARGV) || !may_ask(record))
		return TR2_PHASE_NONE;
	if (asks_credentials(record))
		return TR2_PHASE_CREDENTIALS;
	if (names_server(text, len))
		return TR2_PHASE_REMOTE;
	second = tr2_text_find(text, len, NEXT_WORD);
	if (!second)
		return TR2_PHASE_NONE;
	len -= (size_t)(second + 1 - text);
	if (tr2_text_starts(second, len, NEXT_WORD "-G\""))
		return TR2_PHASE_REMOTE;
	return tr2_text_find(second + 1, len, NEXT_WORD) ? TR2_PHASE_NONE
							 : TR2_PHASE_PROGRAMS;
}
