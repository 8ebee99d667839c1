/*
 * form.h - how an event is written: order of keys, white space, escapes,
 * digits, names. Readers need none of it, so these rules are asked only if a
 * log is held to a class of emitters.
 * SPEC: chapter "The EVENT format"
 */
#ifndef TR2_RULES_FORM_H
#define TR2_RULES_FORM_H

#include "lib/common/map.h"
#include "rules/finding/finding.h"
#include "read/record.h"

/*
 * Check the event. Each rule is reported once for a log: `told` has the rules
 * that were reported.
 */
void tr2_form_check(struct tr2_record *record, struct tr2_sink *sink,
		    struct tr2_map *told);

#endif
