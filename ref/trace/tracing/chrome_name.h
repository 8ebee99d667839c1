/* chrome_name.h - make a file's name from a pattern. */
#ifndef TR2_TRACE_TRACING_CHROME_NAME_H
#define TR2_TRACE_TRACING_CHROME_NAME_H

#include <stdbool.h>

struct tr2_chrome_file;

/*
 * Returns the name, which the caller frees. NULL with errno if it is too long,
 * or if memory fails.
 */
char *tr2_chrome_name(const struct tr2_chrome_file *file);

/*
 * Go on with the next number. If the file is `apart`, its name is then not that
 * of a file which this process has begun.
 */
void tr2_chrome_name_next(struct tr2_chrome_file *file);

/*
 * Is there a file of this name that this process has begun? One without a byte
 * may be another copy's of the library, which has just opened it.
 */
bool tr2_chrome_name_is_taken(const struct tr2_chrome_file *file);

#endif
