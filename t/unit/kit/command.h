/*
 * command.h - a command, called in this process: its arguments, what it
 * prints, and a terminal for it. _XOPEN_SOURCE or more has to be defined.
 */
#ifndef UNIT_KIT_COMMAND_H
#define UNIT_KIT_COMMAND_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/tap.h"

/* By descriptor, 1 and 2: what was printed, and is it on a terminal? */
static char kit_said[3][1 << 18];
static int kit_on_terminal[3];

/* Ours has what is printed, theirs is where. */
struct kit_screen {
	int ours, theirs;
	int before; /* what the descriptor was */
};

static inline struct kit_screen kit_file(void)
{
	FILE *file = tmpfile();

	tap_need(file);
	return (struct kit_screen){ fileno(file), dup(fileno(file)), -1 };
}

static inline struct kit_screen kit_terminal(void)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY), theirs;

	tap_need(ours >= 0 && !grantpt(ours) && !unlockpt(ours));
	theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
	tap_need(theirs >= 0 && !fcntl(ours, F_SETFL, O_NONBLOCK));
	return (struct kit_screen){ ours, theirs, -1 };
}

static inline struct kit_screen *kit_screen(int fd)
{
	static struct kit_screen screens[3][2];
	struct kit_screen *screen = &screens[fd][kit_on_terminal[fd]];

	if (!screen->ours)
		*screen = kit_on_terminal[fd] ? kit_terminal() : kit_file();
	return screen;
}

static inline void kit_divert(int fd)
{
	struct kit_screen *screen = kit_screen(fd);

	screen->before = dup(fd);
	dup2(screen->theirs, fd);
	if (!kit_on_terminal[fd] && (ftruncate(screen->theirs, 0) ||
				     lseek(screen->theirs, 0, SEEK_SET)))
		abort();
}

static inline void kit_restore(int fd)
{
	struct kit_screen *screen = kit_screen(fd);
	char *said = kit_said[fd];
	size_t used = 0;
	ssize_t got;

	dup2(screen->before, fd);
	close(screen->before);
	if (!kit_on_terminal[fd])
		lseek(screen->ours, 0, SEEK_SET);
	do {
		got = read(screen->ours, said + used,
			   sizeof(kit_said[fd]) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	said[used] = '\0';
}

/* The words are separated by blanks. Returns what the command returns. */
static inline int kit_call(int (*command)(char **argv), const char *words)
{
	static char text[4096];
	char *argv[64] = { NULL };
	int argc = 0, rc;

	snprintf(text, sizeof(text), "%s", words);
	for (argv[0] = strtok(text, " "); argv[argc];)
		argv[++argc] = strtok(NULL, " ");
	fflush(stdout);
	kit_divert(1);
	kit_divert(2);
	rc = command(argv);
	fflush(stdout);
	kit_restore(2);
	kit_restore(1);
	return rc;
}

#endif
