/*
 * The event table: the list TR2_EVENTS as constants.
 * SPEC: chapter event.*
 */
#include "event/event.h"

#include "event/payload.h"

/* clang-format off */

#define OPT TR2_FIELD_OPTIONAL
#define HIDE TR2_FIELD_REDACTED
#define OPT_HIDE (OPT | HIDE)

/* A byte for each field and for END, and 256 more for a redacted one. */
#define F(key, type, flags) key[1 + 256 * (((flags) & HIDE) != 0)]
#define END end[1]
#define WEIGHT(...) sizeof(struct { char __VA_ARGS__; })
#define HIDDEN(kind, name, normal, perf, flags, ...) \
	HIDDEN_##kind = WEIGHT(__VA_ARGS__) / 256,
enum { TR2_EVENTS(HIDDEN) };
#define FITS(kind, name, normal, perf, flags, ...) \
	_Static_assert(WEIGHT(__VA_ARGS__) % 256 <= TR2_EVENT_FIELDS_MAX + 1, \
		       name " has more fields than TR2_EVENT_FIELDS_MAX"); \
	_Static_assert(HIDDEN_##kind <= TR2_EVENT_HIDDEN_MAX, \
		       name " has more redacted fields than " \
		       "TR2_EVENT_HIDDEN_MAX");
TR2_EVENTS(FITS)
#undef F
#undef END

/* kind, name on the wire, NORMAL's payload, PERF's payload, flags, fields */
#define ROW(kind, name, normal, perf, flags, ...) \
	[TR2_EVENT_##kind] = { name, HEAD(name), sizeof(HEAD(name)) - 1, \
			       flags, HIDDEN_##kind, normal, perf, \
			       { __VA_ARGS__ } },
#define HEAD(name) "{\"event\":\"" name "\",\"sid\":\""

/* key on the wire and member, type, flags */
#define F(key, type, flags) \
	{ #key, ",\"" #key "\":", sizeof(",\"" #key "\":") - 1, \
	  TR2_FIELD_##type, flags, offsetof(struct tr2_event, key) }
#define END { NULL, NULL, 0, TR2_FIELD_STRING, 0, 0 }

#define N(name) tr2_normal_##name
#define P(name) tr2_perf_##name
#define NONE NULL

#define T_ABS TR2_SHOW_T_ABS
#define T_BOTH (TR2_SHOW_T_ABS | TR2_SHOW_T_REL)
#define CATEGORY TR2_SHOW_CATEGORY
#define IN_REGION (CATEGORY | TR2_FILTER_NESTING | TR2_MAY_HAVE_REPO)

const struct tr2_event_info tr2_event_table[TR2_EVENT_COUNT] = {
	TR2_EVENTS(ROW)
};
/* clang-format on */
