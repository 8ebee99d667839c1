/*
 * destination_host.h - a host of destination.c's whose files, sockets and
 * writes are counted, and fail when they are asked to.
 */
#ifndef UNIT_DESTINATION_DESTINATION_HOST_H
#define UNIT_DESTINATION_DESTINATION_HOST_H

#include "kit/destination.h"

#include <dirent.h>

#include "kit/script_system.h"

static int is_unlisted; /* no directory can be listed */

DIR *opendir(const char *path)
{
	int fd = is_unlisted ? -1 : open(path, O_RDONLY | O_DIRECTORY);

	return fd < 0 ? NULL : fdopendir(fd);
}

static int unknown; /* a descriptor that can't be looked at */

int kit_fstat(int fd, struct stat *st) __asm__("fstat");

int kit_fstat(int fd, struct stat *st)
{
	return unknown && fd == unknown ? -1
					: fstatat(fd, "", st, AT_EMPTY_PATH);
}

static int opens, open_fails, open_error, connects, is_unseen;

static int has_no_memory;

static void *find_memory(void *old, size_t size)
{
	return has_no_memory ? NULL : realloc(old, size);
}

static int has_no_proc; /* so no pipe can be opened again */

/* A sandbox may let a file be opened, and refuse to look at it. */
static int open_counted(const char *path, int flags, mode_t mode)
{
	opens++;
	if (has_no_proc && !strncmp(path, "/proc/", 6)) {
		errno = ENOENT;
		return -1;
	}
	if (is_unseen)
		return 999;
	if (!open_fails)
		return open(path, flags, mode);
	open_fails--;
	errno = open_error;
	return -1;
}

static int refused; /* connections, by a queue that is full */

static int connect_counted(int type, const char *path)
{
	connects++;
	if (refused) {
		refused--;
		errno = EAGAIN;
		return -1;
	}
	return tr2_host_system.connect(type, path);
}

/* What the next writes give: a number of bytes, or minus an errno value. */
static int answers[8], writes;
static int raising; /* the next write raises SIGPIPE, too */
static int storm;   /* signals interrupt each write that lets them in */

static int is_let_in(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return !sigismember(&mask, SIGALRM);
}

static ssize_t write_answer(int fd, const void *bytes, size_t len)
{
	int answer;

	if (fd < 10) /* a warning */
		return tr2_host_system.write(fd, bytes, len);
	answer = storm && is_let_in() ? -EINTR : answers[writes++ & 7];
	if (raising && raising--)
		raise(SIGPIPE);
	if (answer >= 0)
		return tr2_host_system.write(fd, bytes,
					     answer ? (size_t)answer : len);
	errno = -answer;
	return -1;
}

/* `answers ENOSPC 3`: the first write fails, the next one writes 3 bytes. */
static const char *set_answers(char **word)
{
	for (int i = 0; i < 8; i++)
		answers[i] = *word[i] == 'E' ? -script_value_of(word[i])
					     : script_value_of(word[i]);
	writes = 0;
	return NULL;
}

static const char *tell_writes(SCRIPT_NONE)
{
	return script_say_number(writes);
}

/* `writes-between 50 110` */
static const char *compare_writes(char **word)
{
	return script_say_yes(writes > script_number(word[0], 0) &&
			      writes < script_number(word[1], 0));
}

static const char *fail_opens(char **word)
{
	open_fails = (int)script_number(word[0], 0);
	open_error = script_value_of(word[1]);
	opens = 0;
	return NULL;
}

/* Since this was asked last. */
static const char *tell_opens(SCRIPT_NONE)
{
	const int count = opens;

	opens = 0;
	return script_say_number(count);
}

static const char *tell_connects(SCRIPT_NONE)
{
	const int count = connects;

	connects = 0;
	return script_say_number(count);
}

#endif
