/*
 * added_kit.h - stories of targets of the program's own: each is a child
 * whose targets write to a pipe what they get.
 */
#ifndef UNIT_TARGET_ADDED_KIT_H
#define UNIT_TARGET_ADDED_KIT_H

#include "trace2-target.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"

static int story_out; /* the pipe */

static inline void write_text(const char *text)
{
	if (write(story_out, text, strlen(text)) < 0)
		_exit(99);
}

/* Returns what the story writes; *status is how its process ends. */
static inline const char *tell_story(void (*story)(void), int *status)
{
	static char text[65536];
	size_t len = 0;
	ssize_t got;
	int ends[2];
	pid_t pid;

	tap_need(!pipe(ends));
	pid = fork();
	if (!pid) {
		close(ends[0]);
		story_out = ends[1];
		story();
		exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(ends[0]);
	text[len] = '\0';
	waitpid(pid, status, 0);
	return text;
}

#endif
