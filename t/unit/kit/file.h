#ifndef UNIT_KIT_FILE_H
#define UNIT_KIT_FILE_H

#include <stdio.h>

/*
 * Returns the contents of a file, "" if it does not exist. Valid until the
 * next call.
 */
static inline const char *file_text(const char *path)
{
	static char text[1 << 20];
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[len] = '\0';
	if (file)
		fclose(file);
	return text;
}

#endif
