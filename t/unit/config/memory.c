/*
 * Settings, config and redaction where memory fails: every
 * allocation in turn, and from every allocation on. What settings mean is in
 * t/library/settings.
 */
#include "kit/memory.h"

#include <stdlib.h>
#include <unistd.h>

#include "kit/tap.h"
#include "base/buf.h"
#include "gitconfig/gitconfig.h"
#include "host/host.h"
#include "config/params.h"
#include "event/redact.h"
#include "config/settings.h"

static char home[] = "/tmp/config_memory.XXXXXX";

static const char *fixed_getenv(const char *name)
{
	static const char *const names[][2] = {
		{ "GIT_CONFIG_NOSYSTEM", "1" },
		{ "GIT_CONFIG_GLOBAL", home },
		{ "GIT_CONFIG_COUNT", "1" },
		{ "GIT_CONFIG_KEY_0", "a.b" },
		{ "GIT_CONFIG_VALUE_0", "c" },
		{ "GIT_CONFIG_PARAMETERS", "'d.e'='f'" },
		{ "GIT_TRACE2_PARENT_SID", "sid" },
		{ "GIT_TRACE2_REDACT", "1" },
		{ "NAMED", "value" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return NULL;
}

/* Is the text the whole one, or none? */
static int text_is_whole(const char *text, const char *want)
{
	return !text || !strcmp(text, want);
}

static int settings_hold(void)
{
	struct tr2_settings got;
	int good;

	tr2_settings_read(&got);
	good = text_is_whole(got.target[TR2_TARGET_EVENT].destination, "/x") &&
	       text_is_whole(got.config_params, "a.*") &&
	       text_is_whole(got.env_vars, "A") &&
	       text_is_whole(got.parent_sid, "sid") && !got.parent_name &&
	       got.redact == 1 &&
	       (got.event_nesting == 2 || got.event_nesting == 5);
	tr2_settings_release(&got);
	return good && !got.config_params;
}

static void take_entry(const struct tr2_config_entry *entry, void *data)
{
	int *good = data;

	*good &= strchr(entry->key, '.') != NULL;
}

static int list_holds(void)
{
	int good = 1;

	tr2_gitconfig_read_all(take_entry, &good);
	return good;
}

static void take_param(const char *scope, const char *param, const char *value,
		       void *data)
{
	int *good = data;

	*good &= !strcmp(scope, "command") && !strcmp(param, "NAMED") &&
		 !strcmp(value, "value");
}

static int params_hold(void)
{
	int good = 1;

	tr2_params_env("NAMED , UNNAMED,NAMED", take_param, &good);
	return good;
}

static int redact_holds(void)
{
	struct tr2_buf out = TR2_BUF_INIT;
	int good;

	tr2_redact_add(&out, "https://u:secret@h/");
	good = out.failed || !strcmp(out.bytes, "https://u:<REDACTED>@h/");
	tr2_buf_release(&out);
	return good;
}

/* Let the k-th call fail, for every k up to one that is never reached. */
static void sweep_memory(int (*holds)(void), int on, const char *name)
{
	int good = 1, call = 0;

	memory_fail_on = on;
	do {
		memory_fail(++call);
		good &= holds() && !memory_live;
	} while (memory_calls >= call && call < 1000);
	tap_ok(good && call > 1 && call < 1000, name);
}

static void write_config(void)
{
	static const char text[] =
		"[trace2]\neventTarget = /x\nconfigParams = a.*\nenvVars = A\n"
		"eventNesting = 5\n[a]\nb = c\n[includeIf "
		"\"hasconfig:remote.*.url:x\"]\npath = none\n[remote \"o\"]\n"
		"url = x\n";
	int fd = mkstemp(home);

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd))
		exit(1);
}

static ssize_t swallow_bytes(int fd, const void *bytes, size_t len)
{
	(void)fd;
	(void)bytes;
	return (ssize_t)len;
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
	struct tr2_host host = tr2_host_system;

	memory_install(&host);
	host.getenv = fixed_getenv;
	host.write = swallow_bytes; /* warnings */
	write_config();
	sweep_memory(settings_hold, 0, "a failed allocation costs one setting");
	sweep_memory(settings_hold, 1, "settings are read without any memory");
	sweep_memory(list_holds, 0,
		     "a failed allocation leaves the listing sound");
	sweep_memory(list_holds, 1, "config is listed without any memory");
	sweep_memory(params_hold, 0, "a failed allocation costs one parameter");
	sweep_memory(redact_holds, 0, "a failed allocation leaves no secret");
	remove(home);
	test_names();
	return tap_done();
}
