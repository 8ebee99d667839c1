/* settings: print each setting as `name=value`, or `name` if it is not set. */
#include <stdio.h>

#include "config/settings.h"
#include "verbs/verbs.h"

static void print_text(const char *name, const char *value)
{
	if (value)
		printf("%s=%s\n", name, value);
	else
		printf("%s\n", name);
}

static void print_target(const char *name,
			 const struct tr2_target_settings *target)
{
	printf("%sVariable=%s\n", name, target->variable);
	printf("%sTarget", name);
	print_text("", target->destination);
	printf("%sBrief=%d\n", name, target->brief);
}

int cmd_settings(int argc, const char **argv)
{
	struct tr2_settings settings;

	(void)argc;
	(void)argv;
	tr2_settings_read(&settings);
	print_target("normal", &settings.target[TR2_TARGET_NORMAL]);
	print_target("perf", &settings.target[TR2_TARGET_PERF]);
	print_target("event", &settings.target[TR2_TARGET_EVENT]);
	printf("eventNesting=%d\n", settings.event_nesting);
	print_text("configParams", settings.config_params);
	print_text("envVars", settings.env_vars);
	printf("destinationDebug=%d\n", settings.destination_debug);
	printf("maxFiles=%d\n", settings.max_files);
	print_text("fxtTarget", settings.fxt);
	print_text("chromeTarget", settings.chrome);
	printf("fxtMax=%d\n", settings.fxt_max);
	print_text("chromeTarget", settings.chrome);
	print_text("categories", settings.categories);
	printf("signals=%d\n", settings.signals);
	printf("redact=%d\n", settings.redact);
	print_text("parentSid", settings.parent_sid);
	print_text("parentName", settings.parent_name);
	tr2_settings_release(&settings);
	return 0;
}
