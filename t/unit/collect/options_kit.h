/* options_kit.h - a command line that is read, and what is told about it. */
#ifndef UNIT_COLLECT_OPTIONS_KIT_H
#define UNIT_COLLECT_OPTIONS_KIT_H

#include "kit/tap.h"

#include <fcntl.h>

#include "collect/options.h"
#include "kit/directory.h"
#include "kit/file.h"

static struct tr2_collect_options options;
static int saved;
static int exit_status; /* of the last command line */

/* Standard error goes into the file `errors` meanwhile. */
static inline void catch_errors(void)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	fflush(stderr);
	saved = dup(2);
	dup2(fd, 2);
	close(fd);
}

static inline const char *show_errors(void)
{
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	return kit_text("errors");
}

static inline void forget_options(void)
{
	tr2_buf_release(&options.text);
	options = (struct tr2_collect_options){ 0 };
}

/* Returns what is told about a command line of these words. */
static inline const char *read_words(const char *text)
{
	char *argv[256] = { (char[]){ "collect" } }, *rest;
	static char words[4096]; /* the options point into it */
	int argc = 1;

	forget_options();
	snprintf(words, sizeof(words), "%s", text);
	for (rest = strtok(words, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	catch_errors();
	argv[argc] = NULL;
	exit_status = tr2_collect_read_options(&options, argv);
	if (exit_status == TR2_CLI_GO_ON)
		exit_status = 0;
	show_errors();
	return exit_status ? kit_text("errors") : "read";
}

#endif
