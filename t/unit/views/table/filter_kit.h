/*
 * filter_kit.h - filter files. _GNU_SOURCE has to be defined.
 */
#ifndef UNIT_TABLE_FILTER_KIT_H
#define UNIT_TABLE_FILTER_KIT_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kit/tap.h"

static char kit_folder[] = "/tmp/table-XXXXXX";

/* The files of the program are in a folder of its own. */
static inline void enter_folder(void)
{
	tap_need(mkdtemp(kit_folder) && !chdir(kit_folder));
}

/* Returns its name. A new file is not synced to disk as one cut to 0 is. */
static inline const char *write_file(const char *name, const char *bytes)
{
	FILE *file;

	unlink(name);
	file = fopen(name, "w");
	tap_need(file && fputs(bytes, file) >= 0 && !fclose(file));
	return name;
}

#endif
