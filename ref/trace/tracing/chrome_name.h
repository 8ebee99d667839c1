/* chrome_name.h - make a file's name from a pattern. */
#ifndef TR2_TRACE_TRACING_CHROME_NAME_H
#define TR2_TRACE_TRACING_CHROME_NAME_H

#include <stddef.h>

struct tr2_chrome_file;

/* 0, or -1 with errno if the name is too long. */
int tr2_chrome_name(char *path, size_t size,
		    const struct tr2_chrome_file *file);

#endif
