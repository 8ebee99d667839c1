/*
 * The writer of a log, and its known deviations. known.txt has the cases.
 */
#include "kit/memory.h"
#include "kit/script.h"
#include "kit/validate.h"
#include "rules/known.h"

static char *page_end;

static const char *at_end(const char *text)
{
	size_t len = strlen(text);

	return memcpy(page_end - len, text, len);
}

static const struct {
	const char *name;
	enum tr2_writer writer;
} writers[] = {
	{ "git", TR2_WRITER_GIT },	 { "gcm", TR2_WRITER_GCM },
	{ "repo", TR2_WRITER_REPO },	 { "repohooks", TR2_WRITER_REPOHOOKS },
	{ "bundle", TR2_WRITER_BUNDLE }, { "uuid", TR2_WRITER_UUID },
	{ "grit", TR2_WRITER_GRIT },	 { "other", TR2_WRITER_OTHER },
};

static const char *name_writer(enum tr2_writer writer)
{
	size_t i = 0;

	while (writers[i].writer != writer)
		tap_need(++i < sizeof(writers) / sizeof(*writers));
	return writers[i].name;
}

static enum tr2_writer find_writer(const char *name)
{
	size_t i = 0;

	while (strcmp(writers[i].name, name))
		tap_need(++i < sizeof(writers) / sizeof(*writers));
	return writers[i].writer;
}

static const char *find_by_line(char **word)
{
	const size_t len = strlen(word[0]);

	return name_writer(tr2_writer_of_line(at_end(word[0]), len));
}

static const char *find_by_text(char **word)
{
	const size_t len = strlen(word[0]);

	return name_writer(tr2_writer_of_text(at_end(word[0]), len));
}

/* `known WRITER ID COLUMN WIDTH TEXT`; there may be no text. */
static const char *find_known(char **word)
{
	const struct tr2_finding finding = {
		.id = word[1],
		.column = (size_t)script_number(word[2], 0),
		.width = (size_t)script_number(word[3], 0),
		.text = *word[4] ? at_end(word[4]) : NULL,
		.text_len = strlen(word[4]),
	};
	const char *known = tr2_known_find(find_writer(word[0]), &finding);
	const char *dot = known ? strrchr(known, '.') : NULL;

	return dot ? dot + 1 : "none";
}

static const char *is_cut(char **word)
{
	const struct tr2_finding finding = {
		.id = "perf.payload",
		.text = at_end(word[0]),
		.text_len = strlen(word[0]),
		.column = 1,
	};

	return script_say_yes(tr2_known_erratum(&finding) != NULL);
}

static const struct script_verb verbs[] = {
	{ "writer-of-line", find_by_line },
	{ "writer-of-text", find_by_text },
	{ "known", find_known },
	{ "cut", is_cut },
	{ NULL, NULL },
};

static void end_case(void)
{
}

int main(void)
{
	memory_page(&page_end);
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
