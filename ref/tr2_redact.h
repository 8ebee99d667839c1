/*
 * tr2_redact.h - passwords inside URLs, wherever they stand.
 * SPEC: chapter redact.*
 */
#ifndef TR2_REDACT_H
#define TR2_REDACT_H

#include <stddef.h>

struct tr2_buf;

/*
 * Quick look: could `text` hold a password? No false negatives; cheap
 * enough for every string of every event (one strstr-like scan).
 */
int tr2_redact_wanted(const char *text);

/*
 * Append `text` with each password replaced by <REDACTED>, then a NUL.
 * Async-signal-safe in a fixed buffer.
 */
void tr2_redact_add(struct tr2_buf *out, const char *text);

#endif
