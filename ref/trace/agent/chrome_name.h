/* chrome_name.h - from a pattern to the name of a file. */
#ifndef TR2_TRACE_AGENT_CHROME_NAME_H
#define TR2_TRACE_AGENT_CHROME_NAME_H

#include <stddef.h>

struct tr2_chrome_file;

/* 0, or -1 with errno where it is too long. */
int tr2_chrome_name(char *path, size_t size,
		    const struct tr2_chrome_file *file);

#endif
