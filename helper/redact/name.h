/*
 * name.h - names of redacted files. A directory of logs often has names of
 * hosts, users or repositories.
 */
#ifndef TR2_REDACT_NAME_H
#define TR2_REDACT_NAME_H

#include "redact/redactor/value.h"

/*
 * Append the path of the redacted log and a NUL: without `.gz` or `.zst`, and
 * unless `hider` is NULL with other names.
 */
void tr2_name_show(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *path);

#endif
