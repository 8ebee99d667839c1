/* trace2 list-providers and trace2 list-categories. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text/foreign.h"
#include "record/record.h"
#include "record/record_part.h"
#include "base/buf.h"
#include "lib/common/memory.h"
#include "list_categories_usage.h"
#include "list_providers_usage.h"

static const struct tr2_cli_option table[] = {
	{ LIST_PROVIDERS_OPTION_SOCKET, TR2_RECORD_SOCKET },
	{ .name = NULL },
};

static const struct tr2_cli providers = {
	.name = "list-providers",
	.help = LIST_PROVIDERS_HELP,
	.options = table,
	.has_none = true,
};

static const struct tr2_cli categories = {
	.name = "list-categories",
	.help = LIST_CATEGORIES_HELP,
	.options = table,
	.has_none = true,
};

/* The manager answers at once; this is for one that is stopped, or too busy. */
#define ANSWER_MS 10000

struct trace_controller *tr2_record_connect(const char *name,
					    const char *socket)
{
	struct trace_controller *controller = trace_controller_connect(socket);

	if (controller) {
		trace_controller_set_limit(controller, ANSWER_MS);
		return controller;
	}
	if (!socket && errno == ENOENT)
		tr2_record_fail(
			name,
			"no trace manager is running; start one with `trace2 "
			"manager`",
			0);
	else if (errno == EPERM)
		tr2_record_fail(
			name,
			"the trace manager is another user's; expected your "
			"own or root's",
			0);
	else
		tr2_record_fail(name, "cannot reach the trace manager", errno);
	return NULL;
}

static void show_provider(void *context, const struct trace_provider_info *info)
{
	(void)context;
	printf("%" PRIu32 "\t%" PRIu32 "\t", info->id, info->pid);
	tr2_foreign_print(stdout, info->name);
	putchar('\n');
}

static void add_category(void *context, const struct trace_category_info *info)
{
	struct tr2_vec *lines = context;
	struct tr2_buf line = TR2_BUF_INIT;

	tr2_foreign_line(&line, info->name, strlen(info->name));
	tr2_buf_byte(&line, '\t');
	tr2_foreign_line(&line, info->description, strlen(info->description));
	tr2_must_end(&line);
	*(char **)tr2_vec_add(lines, sizeof(char *)) = line.bytes;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Several programs may report the same category. Returns an errno value. */
static int list_categories(struct trace_controller *controller)
{
	struct tr2_vec lines = { NULL, 0, 0 };
	int error = trace_controller_get_known_categories(controller,
							  add_category, &lines);
	char **text;

	tr2_vec_sort(&lines, sizeof(*text), by_text);
	text = lines.items;
	for (uint32_t i = 0; !error && i < lines.count; i++)
		if (!i || strcmp(text[i], text[i - 1]))
			puts(text[i]);
	for (uint32_t i = 0; i < lines.count; i++)
		free(text[i]);
	tr2_vec_release(&lines);
	return error;
}

static int list_lines(const struct tr2_cli *cli, char **argv)
{
	struct tr2_record_options options;
	struct trace_controller *controller;
	int code = tr2_record_options_read(&options, cli, argv);

	if (code != TR2_CLI_GO_ON)
		return code;
	controller = tr2_record_connect(cli->name, options.socket);
	if (!controller)
		return 1;
	if (cli == &providers)
		code = trace_controller_get_providers(controller, show_provider,
						      NULL);
	else
		code = list_categories(controller);
	trace_controller_close(controller);
	return code ? tr2_record_fail(cli->name, "no answer", code) : 0;
}

int tr2_list_providers_main(char **argv)
{
	return list_lines(&providers, argv);
}

int tr2_list_categories_main(char **argv)
{
	return list_lines(&categories, argv);
}
