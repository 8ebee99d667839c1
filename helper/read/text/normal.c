#include "read/text/pieces.h"

#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/form.h"

#define PREFIX ((size_t)50) /* bytes before the payload */

#define TOTALS " intervals:%n total:%s min:%s max:%s"

struct normal_form {
	enum tr2_is is;
	size_t word; /* bytes of its first word */
	struct tr2_form form;
};

/* clang-format off */
#define KEYS(...) { __VA_ARGS__ }
#define K(name) TR2_KEY_##name
#define TOTAL_KEYS K(CATEGORY), K(NAME), K(INTERVALS), K(T_TOTAL), K(T_MIN), \
	K(T_MAX)

/*
 * A form has its first word apart. The forms of a word follow each other; the
 * first one that fits counts.
 */
#define ROW(is, word, rest, ...) \
	{ TR2_IS_##is, sizeof(word) - 1, { word rest, KEYS(__VA_ARGS__) } }

static const struct normal_form forms[] = {
	ROW(VERSION, "version", " %t", K(EXE)),
	ROW(START, "start", " %q", K(ARGV)),
	ROW(EXIT, "exit", " elapsed:%s code:%n", K(T_ABS), K(CODE)),
	ROW(ATEXIT, "atexit", " elapsed:%s code:%n", K(T_ABS), K(CODE)),
	ROW(SIGNAL, "signal", " elapsed:%s code:%n", K(T_ABS), K(SIGNO)),
	ROW(ERROR, "error", " %t", K(MSG)),
	ROW(ERROR, "error", "", 0),
	ROW(CMD_PATH, "cmd_path", " %t", K(PATH)),
	ROW(CMD_ANCESTRY, "cmd_ancestry", " %a", K(ANCESTRY)),
	ROW(CMD_NAME, "cmd_name", " %t (%t)", K(NAME), K(HIERARCHY)),
	ROW(CMD_NAME, "cmd_name", " %t", K(NAME)),
	ROW(CMD_MODE, "cmd_mode", " %t", K(NAME)),
	ROW(ALIAS, "alias", " %t -> %q", K(ALIAS), K(ARGV)),
	ROW(CHILD_START, "child_start", "[%n] cd %w; %q",
	    K(CHILD_ID), K(CD), K(ARGV)),
	ROW(CHILD_START, "child_start", "[%n]  cd'%*'; %q",
	    K(CHILD_ID), K(ARGV)),
	ROW(CHILD_START, "child_start", "[%n] %q", K(CHILD_ID), K(ARGV)),
	ROW(CHILD_EXIT, "child_exit", "[%n] pid:%n code:%n elapsed:%s",
	    K(CHILD_ID), K(PID), K(CODE), K(T_REL)),
	ROW(CHILD_READY, "child_ready", "[%n] pid:%n ready:%c elapsed:%s",
	    K(CHILD_ID), K(PID), K(READY), K(T_REL)),
	ROW(EXEC, "exec", "[%n] %q", K(EXEC_ID), K(ARGV)),
	ROW(EXEC_RESULT, "exec_result", "[%n] code:%n err:%*",
	    K(EXEC_ID), K(CODE)),
	ROW(EXEC_RESULT, "exec_result", "[%n] code:%n", K(EXEC_ID), K(CODE)),
	ROW(DEF_PARAM, "def_param", " scope:%c %t=%t",
	    K(SCOPE), K(PARAM), K(VALUE)),
	ROW(DEF_PARAM, "def_param", " scope:%c %t", K(SCOPE), K(PARAM)),
	ROW(DEF_PARAM, "def_param", " %t=%t", K(PARAM), K(VALUE)),
	ROW(DEF_PARAM, "def_param", " %t", K(PARAM)),
	ROW(DEF_REPO, "worktree", " %w", K(WORKTREE)),
	ROW(TH_TIMER, "th_timer", " %t/%t" TOTALS, TOTAL_KEYS),
	ROW(TIMER, "timer", " %t/%t" TOTALS, TOTAL_KEYS),
	ROW(TH_COUNTER, "th_counter", " %t/%t value:%n",
	    K(CATEGORY), K(NAME), K(COUNT)),
	ROW(COUNTER, "counter", " %t/%t value:%n",
	    K(CATEGORY), K(NAME), K(COUNT)),
	ROW(PRINTF, "", "%t", K(MSG)),
};
/* clang-format on */

/* It fits any payload. */
#define any forms[sizeof(forms) / sizeof(*forms) - 1]

/*
 * Returns the forms of the payload's first word, which ends at a blank or a
 * `[`: the name of an event, or nearly.
 */
static const struct normal_form *find_forms(const char *text, size_t len)
{
	const struct normal_form *form = forms;
	size_t word = 0;

	while (word < len && text[word] != ' ' && text[word] != '[')
		word++;
	while (form->is != TR2_IS_PRINTF &&
	       !(form->word == word && !memcmp(text, form->form.text, word)))
		form++;
	return form;
}

static bool has_same_word(const struct normal_form *form,
			  const struct normal_form *other)
{
	return form->word == other->word &&
	       !memcmp(form->form.text, other->form.text, form->word);
}

static enum tr2_is find_event(const char *text, size_t len)
{
	return find_forms(text, len)->is;
}

static bool is_event(const char *text, size_t len)
{
	const enum tr2_is is = find_event(text, len);

	return is != TR2_IS_PRINTF && is != TR2_IS_OTHER;
}

static bool ends_line_number(const char *text, size_t at)
{
	size_t end = at;

	while (at && tr2_text_is_digit(text[at - 1]))
		at--;
	return at < end && at && text[at - 1] == ':';
}

/* Returns the end of `file:line` at `at`, which may be missing. */
static size_t skip_source(const char *text, size_t len, size_t at)
{
	if (at < len && text[at] == ' ')
		return at;
	while (at < len && !(text[at] == ' ' && ends_line_number(text, at)))
		at++;
	return at;
}

/* What lines of other traces have after their source. */
static bool begins_other_trace(const char *text, size_t len)
{
	static const char *const begins[] = {
		"trace: ",    "performance: ", "setup: ",    "packet: ",
		"pkt-line",   "shallow: ",     "pack: ",     "refs: ",
		"== Info: ",  "=> Send ",      "<= Recv ",   "run_command: ",
		"exec: ",     "built-in: ",    "exec_cmd: ", "curl: ",
		"trace git-",
	};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (tr2_text_starts(text, len, begins[i]))
			return true;
	return false;
}

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] == ' ')
		at++;
	return at;
}

size_t tr2_plain_find_trace(const char *text, size_t len)
{
	const bool has_clock = tr2_clock_is(text, len, false);
	size_t at = has_clock ? TR2_CLOCK : skip_blanks(text, len, 0);

	if (!has_clock ||
	    !tr2_text_starts(text + at, len - at, "trace git-lfs: "))
		at = skip_blanks(text, len, skip_source(text, len, at));
	return at < PREFIX && begins_other_trace(text + at, len - at) ? at : 0;
}

size_t tr2_normal_find_brief(const char *text, size_t len)
{
	const size_t from = skip_blanks(text, len, 0);
	size_t at = from;

	if (!is_event(text + at, len - at))
		at = skip_blanks(text, len, skip_source(text, len, at));
	return (at == from || at - from >= PREFIX - TR2_CLOCK) &&
			       is_event(text + at, len - at)
		       ? at
		       : 0;
}

/*
 * Returns where the payload begins after a clock, or 0. Blanks fill the bytes
 * before it; GIT_TRACE, whose lines begin in the same way, fills fewer.
 */
static size_t find_payload(const char *text, size_t len, size_t *source)
{
	size_t at = skip_source(text, len, TR2_CLOCK);

	*source = at;
	while (at < len && text[at] == ' ' && (at < PREFIX || at == *source))
		at++;
	return at < PREFIX ? 0 : at;
}

/* A page may have left one blank of those before the payload. */
static size_t find_loose(const char *text, size_t len, size_t *source)
{
	size_t at = skip_source(text, len, TR2_CLOCK);

	*source = at;
	if (at == TR2_CLOCK || at + 1 >= len || text[at + 1] == ' ' ||
	    find_event(text + at + 1, len - at - 1) == TR2_IS_PRINTF)
		return 0;
	return at + 1;
}

bool tr2_normal_divide(struct tr2_plain_event *event, const char *text,
		       size_t len, bool brief)
{
	size_t source = TR2_CLOCK, at = 0;
	const bool has_clock = tr2_clock_is(text, len, false);

	if (has_clock)
		at = find_payload(text, len, &source);
	if (has_clock && !at)
		at = find_loose(text, len, &source);
	if (has_clock ? !at : !brief)
		return false;
	*event = (struct tr2_plain_event){
		.format = TR2_LOG_NORMAL,
		.is = find_event(text + at, len - at),
		.text = text,
		.len = len,
		.payload = at,
		.has_clock = has_clock,
		.source = { TR2_CLOCK, source - TR2_CLOCK },
	};
	/* In brief form, any text may be the program's own. */
	return has_clock || event->is != TR2_IS_PRINTF;
}

enum tr2_is tr2_normal_parts(const struct tr2_plain_event *event,
			     struct tr2_parts *parts)
{
	const char *text = event->text + event->payload;
	const size_t len = event->len - event->payload;
	const struct normal_form *form = find_forms(text, len);

	parts->count = 0;
	while (!tr2_form_find(&form->form, event->text, event->payload,
			      event->len, parts))
		form = has_same_word(form, form + 1) ? form + 1 : &any;
	return form->is;
}
