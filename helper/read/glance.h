/*
 * glance.h - find out to which process a line belongs, as far as this is
 * possible without reading it.
 */
#ifndef TR2_READ_GLANCE_H
#define TR2_READ_GLANCE_H

#include <stddef.h>

/*
 * Returns the SID of the event at the beginning of the text, or NULL. If the
 * text turns out to be an event, this is its SID.
 */
const char *tr2_glance_sid(const char *text, size_t len, size_t *sid_len);

/*
 * The same if the whole line belongs to this process, whatever is wrong with
 * it.
 */
const char *tr2_glance_line(const char *text, size_t len, size_t *sid_len);

#endif
