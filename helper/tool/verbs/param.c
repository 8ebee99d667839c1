/* Parameters. */
#include "verbs.h"

#define AT(line) "param.c", (line)

static int run_570def_param(int argc, const char **argv)
{
	if (!argc)
		tool_die(AT(10), "expect <param> [<value>]");
	TRACE(def_param, AT(11), argv[0], argv[1]);
	return 0;
}

/* cmd_name has listed them already, so these must write nothing. */
static void run_571list(void)
{
	TRACE(cmd_list_config, AT(20));
	TRACE(cmd_list_env_vars, AT(21));
}

static int run_572set_config(int argc, const char **argv)
{
	if (!argc)
		tool_die(AT(30), "expect <key> [<value>]");
	TRACE(cmd_set_config, AT(31), argv[0], argv[1]);
	return 0;
}

const struct verb verbs_param[] = {
	{ "570def_param", run_570def_param, "<param> [<value>]", NULL },
	{ "571list", NULL, "", run_571list },
	{ "572set_config", run_572set_config, "<key> [<value>]", NULL },
	{ NULL, NULL, NULL, NULL },
};
