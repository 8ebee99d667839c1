/*
 * script_system.h - verbs of scripts about files and what the system allows.
 * The directory is the test's own.
 */
#ifndef UNIT_KIT_SCRIPT_SYSTEM_H
#define UNIT_KIT_SCRIPT_SYSTEM_H

#include "kit/limits.h"
#include "kit/script.h"

static int script_descriptors, script_input;

static inline const char *script_write(char **word)
{
	write_file(word[0], word[1]);
	return NULL;
}

static inline const char *script_append(char **word)
{
	append_file(word[0], word[1]);
	return NULL;
}

static inline const char *script_text(char **word)
{
	return file_text(word[0]);
}

static inline const char *script_has(char **word)
{
	return script_say_yes(has_file(word[0]));
}

/* A file of another kind. */
static inline const char *script_make(char **word)
{
	if (!strcmp(word[0], "fifo"))
		tap_need(!mkfifo(word[1], 0600));
	else if (!strcmp(word[0], "link"))
		tap_need(!symlink(word[2], word[1]));
	else if (!strcmp(word[0], "name"))
		tap_need(!link(word[2], word[1]));
	else
		mkdir(word[1], 0700);
	return NULL;
}

static inline const char *script_rename(char **word)
{
	tap_need(!rename(word[0], word[1]));
	return NULL;
}

static inline const char *script_remove(char **word)
{
	remove_all(word[0]);
	return NULL;
}

static inline const char *script_names(char **word)
{
	return list_names(word[0]);
}

static inline const char *script_mode(char **word)
{
	return script_say("%o", (unsigned)find_mode(word[0]));
}

static inline const char *script_umask(char **word)
{
	umask((mode_t)strtol(word[0], NULL, 8));
	return NULL;
}

/* `limit files N`, of which 0 is any; `limit size N`, or `limit size`. */
static inline const char *script_limit(char **word)
{
	if (!strcmp(word[0], "files"))
		limit_files((rlim_t)script_number(word[1], 0));
	else if (*word[1])
		limit_disk((rlim_t)script_number(word[1], 0));
	else
		free_disk();
	return NULL;
}

/* No descriptor, or only so many, are free. */
static inline const char *script_take_files(char **word)
{
	int next;

	limit_files(0);
	next = dup(2);
	close(next);
	limit_files((rlim_t)(next + script_number(word[0], 0)));
	return NULL;
}

/* More than there were at the last question. */
static inline const char *script_count_files(SCRIPT_NONE)
{
	const int before = script_descriptors;

	script_descriptors = count_descriptors();
	return script_say_number(script_descriptors - before);
}

/* As of a service that began without standard input. */
static inline const char *script_close_input(SCRIPT_NONE)
{
	if (script_input <= 0)
		script_input = fcntl(0, F_DUPFD_CLOEXEC, 60);
	close(0);
	return NULL;
}

static inline const char *script_tell_input(SCRIPT_NONE)
{
	const int flags = fcntl(0, F_GETFD);

	return flags < 0 ? "closed" : flags == FD_CLOEXEC ? "own" : "open";
}

static inline const char *script_restore_input(SCRIPT_NONE)
{
	if (script_input <= 0)
		return NULL;
	dup2(script_input, 0);
	close(script_input);
	script_input = 0;
	return NULL;
}

/* What a case may have left as it should not be. */
static inline void script_restore_system(void)
{
	script_restore_input(NULL);
	limit_files(0);
	free_disk();
	umask(022);
}

/* clang-format off */
#define SCRIPT_SYSTEM \
	{ "write", script_write }, { "append", script_append }, \
	{ "text", script_text }, { "has", script_has }, \
	{ "make", script_make }, { "rename", script_rename }, \
	{ "remove", script_remove }, { "names", script_names }, \
	{ "mode", script_mode }, { "umask", script_umask }, \
	{ "limit", script_limit }, { "take-files", script_take_files }, \
	{ "descriptors", script_count_files }, \
	{ "close-input", script_close_input }, \
	{ "input", script_tell_input }, \
	{ "restore-input", script_restore_input }
/* clang-format on */

#endif
