/*
 * event_args.h - named values in records; included by <trace/event.h>.
 */
#ifndef TRACE_EVENT_ARGS_H
#define TRACE_EVENT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fxt_numbers.h"

/* More are not written. */
#define TRACE_MAX_ARGS FXT_ARGS

/* Make them with TA_*. Strings are pointed to, not copied. */
struct trace_value {
	uint32_t type;	/* enum fxt_arg */
	uint32_t bytes; /* of a string */
	union {
		uint64_t word; /* integers by their bits */
		double real;
		const char *string;
	} as;
};

/* `name` has static storage: a literal. */
struct trace_arg {
	const char *name;
	struct trace_value value;
};

static inline struct trace_value trace_internal_word(enum fxt_arg type,
						     uint64_t word)
{
	struct trace_value value;

	value.type = (uint32_t)type;
	value.bytes = 0;
	value.as.word = word;
	return value;
}

static inline struct trace_value trace_internal_int32(int32_t number)
{
	return trace_internal_word(FXT_ARG_INT32, (uint32_t)number);
}

static inline struct trace_value trace_internal_uint32(uint32_t number)
{
	return trace_internal_word(FXT_ARG_UINT32, number);
}

static inline struct trace_value trace_internal_int64(int64_t number)
{
	return trace_internal_word(FXT_ARG_INT64, (uint64_t)number);
}

static inline struct trace_value trace_internal_uint64(uint64_t number)
{
	return trace_internal_word(FXT_ARG_UINT64, number);
}

static inline struct trace_value trace_internal_bool(bool truth)
{
	return trace_internal_word(FXT_ARG_BOOL, truth);
}

static inline struct trace_value trace_internal_double(double real)
{
	struct trace_value value = trace_internal_word(FXT_ARG_DOUBLE, 0);

	value.as.real = real;
	return value;
}

static inline struct trace_value trace_internal_string(const char *bytes,
						       size_t len)
{
	struct trace_value value = trace_internal_word(FXT_ARG_STRING, 0);

	value.bytes = (uint32_t)(len < UINT32_MAX ? len : UINT32_MAX);
	value.as.string = bytes;
	return value;
}

static inline struct trace_value trace_internal_cstring(const char *text)
{
	return trace_internal_string(text, text ? strlen(text) : 0);
}

/*
 * The values of arguments. The bytes to which TA_STRING and TA_CHAR_ARRAY
 * point must live as long as the statement, and for TRACE_DURATION as long as
 * the scope. A null string counts as an empty one.
 */
#define TA_NULL() (trace_internal_word(FXT_ARG_NULL, 0))
#define TA_BOOL(truth) (trace_internal_bool(truth))
#define TA_INT32(number) (trace_internal_int32(number))
#define TA_UINT32(number) (trace_internal_uint32(number))
#define TA_INT64(number) (trace_internal_int64(number))
#define TA_UINT64(number) (trace_internal_uint64(number))
#define TA_DOUBLE(real) (trace_internal_double(real))
#define TA_CHAR_ARRAY(bytes, len) (trace_internal_string((bytes), (len)))
#define TA_STRING(text) (trace_internal_cstring(text))
#define TA_STRING_LITERAL(text) (trace_internal_cstring(text))
#define TA_POINTER(pointer) \
	(trace_internal_word(FXT_ARG_POINTER, (uint64_t)(uintptr_t)(pointer)))
#define TA_KOID(koid) (trace_internal_word(FXT_ARG_KOID, (uint64_t)(koid)))

#endif
