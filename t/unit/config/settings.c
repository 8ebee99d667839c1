/* Where settings come from; what they mean is in t/library/settings. */
#include "kit/memory.h"

#include "config/settings.h"
#include "kit/destination.h"
#include "gitconfig/value.h"

/* Variables, and what they are; then a config file. */
static const char *const *environment;
static const char *others; /* what each setting is that is not listed */
static const char *config;
static int opens;

static const char *some_getenv(const char *name)
{
	const char *const *pair;

	if (!strcmp(name, "GIT_CONFIG_GLOBAL"))
		return config;
	if (!strcmp(name, "GIT_CONFIG_NOSYSTEM"))
		return "1";
	for (pair = environment; *pair; pair += 2)
		if (!strcmp(name, pair[0]))
			return pair[1];
	return strncmp(name, "GIT_TRACE2_", 11) ? NULL : others;
}

static int counting_open(const char *path, int flags, mode_t mode)
{
	opens++;
	return tr2_host_system.open(path, flags, mode);
}

static const char *or_null(const char *text)
{
	return text ? text : "-";
}

static const char *all_of(const struct tr2_settings *got)
{
	const struct tr2_target_settings *target = got->target;

	return kit_text(
		"%s %s %d; %s %s %d; %s %s %d; %d %s %s %d %d %d %s %s %s %d "
		"%d %s %s",
		target[0].variable, or_null(target[0].destination),
		target[0].brief, target[1].variable,
		or_null(target[1].destination), target[1].brief,
		target[2].variable, or_null(target[2].destination),
		target[2].brief, got->event_nesting,
		or_null(got->config_params), or_null(got->env_vars),
		got->destination_debug, got->max_files, got->redact,
		or_null(target[3].destination), or_null(target[4].destination),
		or_null(got->categories), got->fxt_max, got->signals,
		or_null(got->parent_sid), or_null(got->parent_name));
}

static const char *read_with(const char *const *names, const char *text)
{
	struct tr2_settings got;
	const char *all, *after;
	int fd = open("config", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(fd >= 0 && write(fd, text, strlen(text)) >= 0, "no file");
	close(fd);
	config = kit_path("config");
	environment = names;
	opens = 0;
	memset(&got, 'x', sizeof(got));
	tr2_settings_read(&got);
	all = all_of(&got);
	tr2_settings_release(&got);
	kit_require(!memory_live, "settings leak");
	after = all_of(&got);
	kit_require(strstr(after, "; 2 - - 0 0 1 - - - 1073741824 -1 - -") !=
			    NULL,
		    after);
	return all;
}

#define NONE                                                       \
	"GIT_TRACE2 - 0; GIT_TRACE2_PERF - 0; GIT_TRACE2_EVENT - " \
	"0; 2 - - 0 0 1 - - - 1073741824 -1 - -"

static const char *const nothing[] = { NULL };
static const char *const everything[] = {
	"GIT_TRACE2",
	"n",
	"GIT_TRACE2_PERF",
	"p",
	"GIT_TRACE2_EVENT",
	"e",
	"GIT_TRACE2_BRIEF",
	"1",
	"GIT_TRACE2_PERF_BRIEF",
	"yes",
	"GIT_TRACE2_EVENT_BRIEF",
	"true",
	"GIT_TRACE2_DST_DEBUG",
	"3x",
	"GIT_TRACE2_EVENT_NESTING",
	"1",
	"GIT_TRACE2_CONFIG_PARAMS",
	"c",
	"GIT_TRACE2_ENV_VARS",
	"v",
	"GIT_TRACE2_MAX_FILES",
	"7",
	"GIT_TRACE2_FXT",
	"f",
	"GIT_TRACE2_CHROME",
	"h",
	"GIT_TRACE2_FXT_MAX",
	"1",
	"GIT_TRACE2_CATEGORIES",
	"g",
	"GIT_TRACE2_SIGNALS",
	"0",
	"GIT_TRACE2_REDACT",
	"",
	"GIT_TRACE2_PARENT_SID",
	"s",
	"GIT_TRACE2_PARENT_NAME",
	"m",
	NULL,
};
#define ALL                                                               \
	"GIT_TRACE2 n 1; GIT_TRACE2_PERF p 1; GIT_TRACE2_EVENT e 1; 1 c " \
	"v 1 7 0 f h g 1 0 s m"

static void test_sources(void)
{
	static const char *const empty[] = { "GIT_TRACE2", "", NULL };
	static const char *const zero[] = { "GIT_TRACE2_MAX_FILES", "0", NULL };
	static const char *const debug[] = { "GIT_TRACE2_DST_DEBUG", "1",
					     NULL };
	const char *most[sizeof(everything) / sizeof(*everything)] = { NULL };
	static const char *const no_debug[] = { "GIT_TRACE2_DST_DEBUG", "0",
						NULL };

	tap_str(read_with(nothing, ""), NONE, "every setting has a default");
	tap_ok(opens > 0, "config files are read where they may say something");
	others = "1";
	tap_str(read_with(everything, "[trace2]maxFiles=2"), ALL,
		"the environment sets everything");
	tap_int(opens, 0, "config files are not read without need");
	memcpy(most, everything, sizeof(everything));
	for (size_t i = 1; i <= 3; i++)
		most[sizeof(everything) / sizeof(*everything) - 2 * i] = NULL;
	read_with(most, "");
	tap_int(opens, 0, "only settings that a file may hold are looked for");
	others = NULL;
	tap_str(read_with(everything + 2, "[trace2]normalTarget=n"), ALL,
		"the first setting may come from a file");
	tap_str(read_with(empty, "[trace2]perfTarget=\nmaxFiles=0"), NONE,
		"an empty text is none");
	tap_str(read_with(zero, "[trace2]maxFiles=3\n[other]maxFiles=3"), NONE,
		"a variable replaces a file");
	tap_ok(strstr(read_with(debug, "[trace2]eventNesting=0"), " 1 0 1 -"),
	       "destination debug is on");
	tap_str(kit_stderr(),
		"warning: trace2: value '0' for 'GIT_TRACE2_EVENT_NESTING' is "
		"not above 0, using 2\n",
		"under destination debug a bad nesting is warned about");
	read_with(no_debug, "[trace2]eventNesting=0");
	tap_str(kit_stderr(), "", "without it nothing is said");
	read_with(nothing, "[trace2]\nmaxFiles\n");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: missing value for 'trace2.maxfiles' "
			 "in file %s at line 2\n",
			 config),
		"a key without a value is warned about");
}

static void test_memory(void)
{
	static const char text[] = "[trace2]maxFiles=3\nmaxFiles=4";
	const char *all = read_with(nothing, text);
	int four = 0, three = 0;

	tap_ok(strstr(all, " 0 4 1 ") != NULL, "the last assignment counts");
	for (int at = 1; at < 20; at++) {
		memory_fail(at);
		all = read_with(nothing, text);
		four += strstr(all, " 0 4 1 ") != NULL;
		three += strstr(all, " 0 3 1 ") != NULL;
	}
	memory_fail(0);
	tap_ok(three == 1 && four > 0,
	       "where memory fails the assignment before it counts");
	kit_stderr();
}

static void test_names(void)
{
	const char *variable = NULL, *key = NULL;
	unsigned count = 0;

	tap_ok(tr2_settings_names(TR2_TARGET_EVENT, &variable, &key) &&
		       !strcmp(variable, "GIT_TRACE2_EVENT") &&
		       !strcmp(key, "trace2.eventtarget"),
	       "a setting's names have the number of its target");
	while (tr2_settings_names(count, &variable, &key))
		count++;
	tap_ok(!strcmp(variable, "GIT_TRACE2_PARENT_NAME") && !key,
	       "the last setting is of the environment alone");
}

int main(void)
{
	kit_start();
	kit_host.getenv = some_getenv;
	kit_host.open = counting_open;
	memory_install(&kit_host);
	tap_run(test_sources, test_memory, test_names);
	return kit_done();
}
