/*
 * origin.h - whose line it is, as far as this is possible without reading it.
 * And whose process it was: the machine that its SID names, and what `trace2
 * collect` was told of it. The latter is the object `attributes` at the end of
 * `start`, whose members are texts. This room alone knows its form.
 */
#ifndef TR2_READ_ORIGIN_H
#define TR2_READ_ORIGIN_H

#include "read/record.h"

/* Returns the part of the SID that is made of the host's name, or NULL. */
const char *tr2_origin_host(const char *sid, size_t len, size_t *host_len);

/* Append the `start`, a line of one event, with this object in it. */
void tr2_origin_put(struct tr2_buf *out, const char *start, size_t len,
		    const char *object);

/* Returns the attributes of a `start`, or NULL. */
const struct tr2_value *tr2_origin_of(struct tr2_record *record);

/*
 * The next attribute, from the token 0 on. False: there is none. Values that
 * are no text are left out.
 */
bool tr2_origin_next(struct tr2_record *record, size_t *token,
		     struct tr2_value *name, struct tr2_value *value);

/*
 * Returns the text of an attribute, or NULL. Valid until the next call for the
 * record.
 */
const char *tr2_origin_find(struct tr2_record *record, const char *name,
			    size_t *len);

/* Returns the user that an attribute or a def_param names, or NULL. */
const char *tr2_origin_user(struct tr2_record *record, size_t *len);

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
