/* Parameters. */
#include "verbs.h"

#define AT(line) "param.c", (line)

static int run_570def_param(const char **argv)
{
	TRACE(def_param, AT(11), argv[0], argv[1]);
	return 0;
}

/* cmd_name has listed them already, so these must write nothing. */
static void run_571list(void)
{
	TRACE(cmd_list_config, AT(20));
	TRACE(cmd_list_env_vars, AT(21));
}

static int run_572set_config(const char **argv)
{
	TRACE(cmd_set_config, AT(31), argv[0], argv[1]);
	return 0;
}

const struct verb verbs_param[] = {
	NEEDS(570def_param, "<param> [<value>]", 1, AT(10)),
	PLAIN(571list),
	NEEDS(572set_config, "<key> [<value>]", 1, AT(30)),
	{ .name = NULL },
};
