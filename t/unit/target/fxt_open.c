/*
 * What the FXT and Chrome targets are opened on, how that fails, how they end,
 * and what a process traced from outside has. The test plays the file, the
 * engine, the provider and the agent; fxt_open.txt has the cases.
 */
#include "target/fxt_open_kit.h"

#include "kit/script_system.h"
#include "target/fxt_guest_kit.h"

static int max_files, depth, is_quiet, drops, no_path_memory;

static void *realloc_or_no_path(void *old, size_t size)
{
	return no_path_memory && size == 4096 ? NULL : realloc(old, size);
}

static void free_noted(void *memory)
{
	free(memory);
	errno = EXDEV;
}

/* What was noted, after the answer if the target is off. */
static const char *tell_on(int on)
{
	if (errno != EDOM)
		return "errno";
	return on && is_on() ? NULL : script_say("off: %s", get_notes());
}

static void use_settings(void)
{
	settings.max_files = max_files;
	settings.destination_debug = !is_quiet;
	session.depth = (unsigned)depth;
	dropped = (uint64_t)drops;
	errno = EDOM;
}

/* `x` is in the test's directory, `:x` is x, and `none` is nothing. */
static const char *value_for(const char *word)
{
	return !strcmp(word, "none") ? NULL
	       : *word == ':'	     ? kit_text("%s", word + 1)
				     : kit_path(word);
}

static const char *open_fxt_on(char **word)
{
	use_settings();
	return tell_on(open_fxt(value_for(word[0])));
}

/* A path of so many bytes, which ends with `.fxtx` and a byte or two. */
static const char *open_long(char **word)
{
	static char path[4096];
	const size_t len = (size_t)script_number(word[0], 0);

	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	path[len] = '\0';
	memcpy(path + 4085, ".fxt", 4);
	use_settings();
	return tell_on(open_fxt(path));
}

static const char *open_chrome_on(char **word)
{
	use_settings();
	return tell_on(open_chrome(value_for(word[0])));
}

/* FXT's value is another one from now on; Chrome's stays. */
static const char *set_value(char **word)
{
	set_fxt(value_for(word[0]));
	return NULL;
}

static const char *reopen_all(SCRIPT_NONE)
{
	use_settings();
	return reopen_targets() ? NULL : script_say("off: %s", get_notes());
}

static const char *close_all(SCRIPT_NONE)
{
	tr2_targets_close();
	return NULL;
}

static const char *fork_child(SCRIPT_NONE)
{
	errno = EDOM;
	tr2_targets_fork_child();
	return errno == EDOM ? NULL : "errno";
}

static const char *settle_all(SCRIPT_NONE)
{
	use_settings();
	tr2_targets_settle();
	return errno == EDOM ? NULL : "errno";
}

static const char *die_now(SCRIPT_NONE)
{
	die_by_signal();
	return NULL;
}

static const char *hurry_all(SCRIPT_NONE)
{
	tr2_targets_hurry();
	return NULL;
}

static const char *fail_file(char **word)
{
	file_begun->error = script_value_of(word[0]);
	return NULL;
}

/* `component other`, or one of so many bytes. */
static const char *set_component(char **word)
{
	static char name[300];
	const size_t len = (size_t)script_number(word[0], 0);

	snprintf(name, sizeof(name), "%s", word[0]);
	if (len) {
		memset(name, 'n', len);
		name[len] = '\0';
	}
	session.component = name;
	return NULL;
}

static const char *set_categories(char **word)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s", word[0]);
	settings.categories = *text ? text : NULL;
	return NULL;
}

static const char *does_ask(char **word)
{
	return tr2_fxt_wants_all ? "all"
				 : script_say_yes(tr2_fxt_asks_for(word[0]));
}

static const char *tell_state(SCRIPT_NONE)
{
	return script_say("%s%s%s", is_on() ? "on" : "off",
			  tr2_fxt_is_on() ? ", FXT" : "",
			  is_full() ? ", full" : "");
}

static const char *tell_flags(SCRIPT_NONE)
{
	return script_say("%s%s%s",
			  opened_flags & O_APPEND ? "append" : "write",
			  opened_made ? ", made" : "",
			  (opened_flags & O_ACCMODE) == O_RDWR ? ", read" : "");
}

static const char *tell_guard(SCRIPT_NONE)
{
	return script_say_number((intmax_t)guard.size);
}

static const char *tell_dropped(SCRIPT_NONE)
{
	use_settings();
	return script_say_number((intmax_t)tr2_targets_dropped());
}

/* The test's directory is @. */
static const char *tell_warnings(SCRIPT_NONE)
{
	const char *text = kit_stderr(), *at = strstr(text, kit_dir);

	return at ? script_say("%.*s@%s", (int)(at - text), text,
			       at + strlen(kit_dir))
		  : text;
}

/* `outside yes`: there is a file of TRACE_EVENT_CATEGORIES, or no more. */
static const char *note_outside(char **word)
{
	tr2_outside_note_file(!strcmp(word[0], "yes"));
	return NULL;
}

static const char *are_wanted(SCRIPT_NONE)
{
	return script_say_yes(tr2_targets_are_wanted(&settings));
}

static const struct script_verb verbs[] = {
	{ "fxt", open_fxt_on },
	{ "fxt-long", open_long },
	{ "chrome", open_chrome_on },
	{ "value", set_value },
	{ "reopen", reopen_all },
	{ "close", close_all },
	{ "fork", fork_child },
	{ "settle", settle_all },
	{ "die", die_now },
	{ "hurry", hurry_all },
	{ "file-error", fail_file },
	{ "component", set_component },
	{ "only", set_categories },
	{ "asks", does_ask },
	{ "state", tell_state },
	{ "flags", tell_flags },
	{ "guard", tell_guard },
	{ "dropped", tell_dropped },
	{ "warnings", tell_warnings },
	{ "outside", note_outside },
	{ "wanted", are_wanted },
	{ "set", script_set },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "begin", &world.begin[0] },
	{ "begin-next", &world.begin[1] },
	{ "open", &world.open },
	{ "engine", &world.initialize },
	{ "start", &world.start },
	{ "no-provider", &world.has_no_provider },
	{ "enabled", &world.enabled },
	{ "no-agent", &agent_fails },
	{ "max-files", &max_files },
	{ "depth", &depth },
	{ "quiet", &is_quiet },
	{ "drops", &drops },
	{ "no-path-memory", &no_path_memory },
	{ NULL, NULL },
};

static void begin_case(void)
{
	renew_process();
}

static void end_case(void)
{
	script_clear_values();
	dropped = 0;
	tr2_outside_note_file(false);
	tr2_targets_close();
	close(30);
	for (int fd = 900; fd < 1100; fd++) /* which the fake close() left */
		close(fd);
	get_notes();
	kit_stderr();
}

int main(void)
{
	char *text = script_read(__FILE__);

	kit_start();
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	kit_host.getpid = own_pid;
	kit_host.realloc = realloc_or_no_path;
	kit_host.free = free_noted;
	script.values = values;
	script.rest = get_notes;
	script_run(text, verbs, begin_case, end_case);
	return kit_done();
}
