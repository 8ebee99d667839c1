/*
 * directory.h - a directory of the test's own, which it enters, and what is
 * in it.
 */
#ifndef UNIT_KIT_DIRECTORY_H
#define UNIT_KIT_DIRECTORY_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/tap.h"

static char directory_path[64];

static inline void enter_directory(void)
{
	strcpy(directory_path, "/tmp/unit-XXXXXX");
	tap_need(mkdtemp(directory_path) && !chdir(directory_path));
}

/* Returns how many descriptors are open. */
static inline int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1100; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* The bits of a file's mode. */
static inline int find_mode(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

static inline int is_directory(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISDIR(st.st_mode);
}

/* Remove this file, or this directory with all that is in it. */
static inline void remove_all(const char *path)
{
	DIR *dir = is_directory(path) ? opendir(path) : NULL;
	const struct dirent *entry;
	char inner[512];

	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(inner, sizeof(inner), "%.250s/%.250s", path,
			 entry->d_name);
		remove_all(inner);
	}
	if (dir)
		closedir(dir);
	remove(path);
}

static inline void leave_directory(void)
{
	tap_need(!chdir("/"));
	remove_all(directory_path);
}

static inline void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	tap_need(out);
	fputs(text, out);
	fclose(out);
}

static inline void append_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "a");

	tap_need(out);
	fputs(text, out);
	fclose(out);
}

static inline int has_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

/*
 * Returns the names in a directory, in order, each before a blank. Valid
 * until the next call.
 */
static inline const char *list_names(const char *path)
{
	static char names[4096];
	struct dirent **found;
	int count = scandir(path, &found, NULL, alphasort);
	size_t used = 0;

	names[0] = '\0';
	for (int i = 0; i < count; i++) {
		if (strcmp(found[i]->d_name, ".") != 0 &&
		    strcmp(found[i]->d_name, "..") != 0)
			used += (size_t)snprintf(names + used,
						 sizeof(names) - used, "%s ",
						 found[i]->d_name);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
	return names;
}

#endif
