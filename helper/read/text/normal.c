#include "read/text/plain.h"

#include <string.h>

#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/form.h"

#define PREFIX ((size_t)50) /* bytes before the payload */

#define TOTALS " intervals:%n total:%s min:%s max:%s"

struct normal_form {
	enum tr2_is is;
	struct tr2_form form;
};

/* clang-format off */
#define KEYS(...) { __VA_ARGS__ }
#define K(name) TR2_KEY_##name
#define TOTAL_KEYS K(CATEGORY), K(NAME), K(INTERVALS), K(T_TOTAL), K(T_MIN), \
	K(T_MAX)

/* The first one that fits counts. */
static const struct normal_form forms[] = {
	{ TR2_IS_VERSION, { "version %t", KEYS(K(EXE)) } },
	{ TR2_IS_START, { "start %q", KEYS(K(ARGV)) } },
	{ TR2_IS_EXIT, { "exit elapsed:%s code:%n", KEYS(K(T_ABS), K(CODE)) } },
	{ TR2_IS_ATEXIT, { "atexit elapsed:%s code:%n",
			   KEYS(K(T_ABS), K(CODE)) } },
	{ TR2_IS_SIGNAL, { "signal elapsed:%s code:%n",
			   KEYS(K(T_ABS), K(SIGNO)) } },
	{ TR2_IS_ERROR, { "error %t", KEYS(K(MSG)) } },
	{ TR2_IS_ERROR, { "error", KEYS(0) } },
	{ TR2_IS_CMD_PATH, { "cmd_path %t", KEYS(K(PATH)) } },
	{ TR2_IS_CMD_ANCESTRY, { "cmd_ancestry %a", KEYS(K(ANCESTRY)) } },
	{ TR2_IS_CMD_NAME, { "cmd_name %t (%t)", KEYS(K(NAME), K(HIERARCHY)) } },
	{ TR2_IS_CMD_NAME, { "cmd_name %t", KEYS(K(NAME)) } },
	{ TR2_IS_CMD_MODE, { "cmd_mode %t", KEYS(K(NAME)) } },
	{ TR2_IS_ALIAS, { "alias %t -> %q", KEYS(K(ALIAS), K(ARGV)) } },
	{ TR2_IS_CHILD_START, { "child_start[%n] cd %w; %q",
				KEYS(K(CHILD_ID), K(CD), K(ARGV)) } },
	{ TR2_IS_CHILD_START, { "child_start[%n]  cd'%*'; %q",
				KEYS(K(CHILD_ID), K(ARGV)) } },
	{ TR2_IS_CHILD_START, { "child_start[%n] %q",
				KEYS(K(CHILD_ID), K(ARGV)) } },
	{ TR2_IS_CHILD_EXIT, { "child_exit[%n] pid:%n code:%n elapsed:%s",
			       KEYS(K(CHILD_ID), K(PID), K(CODE), K(T_REL)) } },
	{ TR2_IS_CHILD_READY, { "child_ready[%n] pid:%n ready:%c elapsed:%s",
				KEYS(K(CHILD_ID), K(PID), K(READY),
				     K(T_REL)) } },
	{ TR2_IS_EXEC, { "exec[%n] %q", KEYS(K(EXEC_ID), K(ARGV)) } },
	{ TR2_IS_EXEC_RESULT, { "exec_result[%n] code:%n err:%*",
				KEYS(K(EXEC_ID), K(CODE)) } },
	{ TR2_IS_EXEC_RESULT, { "exec_result[%n] code:%n",
				KEYS(K(EXEC_ID), K(CODE)) } },
	{ TR2_IS_DEF_PARAM, { "def_param scope:%c %t=%t",
			      KEYS(K(SCOPE), K(PARAM), K(VALUE)) } },
	{ TR2_IS_DEF_PARAM, { "def_param scope:%c %t",
			      KEYS(K(SCOPE), K(PARAM)) } },
	{ TR2_IS_DEF_PARAM, { "def_param %t=%t", KEYS(K(PARAM), K(VALUE)) } },
	{ TR2_IS_DEF_PARAM, { "def_param %t", KEYS(K(PARAM)) } },
	{ TR2_IS_DEF_REPO, { "worktree %w", KEYS(K(WORKTREE)) } },
	{ TR2_IS_TH_TIMER, { "th_timer %t/%t" TOTALS, KEYS(TOTAL_KEYS) } },
	{ TR2_IS_TIMER, { "timer %t/%t" TOTALS, KEYS(TOTAL_KEYS) } },
	{ TR2_IS_TH_COUNTER, { "th_counter %t/%t value:%n",
			       KEYS(K(CATEGORY), K(NAME), K(COUNT)) } },
	{ TR2_IS_COUNTER, { "counter %t/%t value:%n",
			    KEYS(K(CATEGORY), K(NAME), K(COUNT)) } },
	{ TR2_IS_PRINTF, { "%t", KEYS(K(MSG)) } },
};
/* clang-format on */

#define FORMS (sizeof(forms) / sizeof(*forms))

/* Does the payload begin as the form does, up to its first blank or `[`? */
static bool has_word(const struct normal_form *form, const char *text,
		     size_t len)
{
	const char *word = form->form.text;
	size_t word_len = strcspn(word, " [%");

	return len >= word_len && !memcmp(text, word, word_len) &&
	       (len == word_len || !word_len || text[word_len] == ' ' ||
		text[word_len] == '[');
}

static enum tr2_is find_event(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < FORMS; i++)
		if (has_word(&forms[i], text, len))
			return forms[i].is;
	return TR2_IS_OTHER;
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

void tr2_normal_parts(struct tr2_plain_event *event, struct tr2_parts *parts)
{
	const char *text = event->text + event->payload;
	const size_t len = event->len - event->payload;
	size_t i;

	parts->count = 0;
	for (i = 0; i < FORMS; i++)
		if (has_word(&forms[i], text, len) &&
		    tr2_form_find(&forms[i].form, event->text, event->payload,
				  event->len, parts)) {
			event->is = forms[i].is;
			return;
		}
}
