/*
 * driver.c - a driver for the installed libtrace2, as a stranger would write
 * it: a function for each call of t/kit/contract.tsv, and none for a verb.
 *
 *	cc -DCONTRACT='"t/kit/contract.tsv"' -o driver t/kit/drivers/[a-z]*.c \
 *		$(pkg-config --cflags --libs libtrace2)
 */
#define _GNU_SOURCE
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void exit_traced(int code)
{
	exit(trace2_cmd_exit(code));
}

void say_message(const char *prefix, const char *message)
{
	char *text = lend_memory(strdup(message));

	for (char *at = text; *at; at++)
		if ((*at > 0 && *at < ' ' && *at != '\t' && *at != '\n') ||
		    *at == 0x7f)
			*at = '?';
	dprintf(2, "%s%s\n", prefix, text);
}

/* Nothing depends on where a call stands. */
void enter_call(const struct call *call)
{
	(void)call;
}

void enter_step(enum child_step step)
{
	(void)step;
}

void fail_verb(struct span word, const struct scope *scope)
{
	const char *message = expand_text(word, scope);

	trace2_cmd_error("%s", message);
	say_message("fatal: ", message);
	exit_traced(128);
}

struct span open_contract(void)
{
	struct span file = { NULL, NULL };
	size_t size = 0;
	char *text = NULL;
	FILE *stream = fopen(CONTRACT, "r");

	if (!stream || getdelim(&text, &size, '\0', stream) < 0) {
		perror(CONTRACT);
		exit(2);
	}
	fclose(stream);
	file.at = keep_memory(text);
	file.end = text + strlen(text);
	return file;
}

static int print_usage(void)
{
	struct span file = open_contract();
	struct verb verb;

	fprintf(stderr, "usage:\n");
	while (read_verb(&file, &verb))
		fprintf(stderr, "\ttest-tool trace2 %s %s\n",
			copy_span(verb.name), copy_span(verb.arguments));
	return 129;
}

int main(int argc, char **argv)
{
	struct verb verb;

	if (argc < 3 || strcmp(argv[1], "trace2") || !find_verb(argv[2], &verb))
		return print_usage();
	prepare_exit();
	trace2_initialize_clock();
	if (argc > 3 && !strcmp(argv[2], "late_start"))
		sleep_for(atol(argv[3]), 0);
	if (!strcmp(argv[2], "596reentrant"))
		prepare_inside();
	trace2_set_program("example-1.0");
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
	trace2_cmd_name("trace2");
	perform_verb(argv[2], (const char **)argv + 3, NULL);
	return trace2_cmd_exit(0);
}
