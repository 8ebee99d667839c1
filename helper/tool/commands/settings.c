/*
 * settings: each one as `VARIABLE=value`, or `VARIABLE` where it is not set,
 * and the variable that each target names in warnings.
 */
#include <stdio.h>

#include "config/settings.h"
#include "tool/commands/commands.h"

static void print_setting(const char *variable, const char *text,
			  const int *number)
{
	if (number)
		printf("%s=%d\n", variable, *number);
	else if (text)
		printf("%s=%s\n", variable, text);
	else
		printf("%s\n", variable);
}

int cmd_settings(int argc, const char **argv)
{
	struct tr2_settings settings;

	(void)argc;
	(void)argv;
	tr2_settings_read(&settings);
	tr2_settings_each(&settings, print_setting);
	for (int target = 0; target < TR2_TARGET_COUNT; target++)
		printf("target=%s\n", settings.target[target].variable);
	tr2_settings_release(&settings);
	return 0;
}
