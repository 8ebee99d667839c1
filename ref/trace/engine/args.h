/*
 * args.h - the arguments of a record on their way into the buffer: first
 * their names get references and their sizes are added up, then they are
 * stored.
 */
#ifndef TR2_TRACE_ENGINE_ARGS_H
#define TR2_TRACE_ENGINE_ARGS_H

#include "trace/event_args.h"
#include "trace/engine/session.h"
#include "trace/engine/utf8.h"

struct tr2_trace_args {
	const struct trace_arg *arg;
	unsigned count;
	size_t words; /* size of all arguments */
	size_t arg_words[FXT_ARGS];
	struct fxt_text key[FXT_ARGS];
};

/* Returns how a record refers to a NUL-terminated string. 0: no room. */
typedef int tr2_trace_resolve(struct tr2_trace_writer *writer,
			      const char *string, struct fxt_text *text);

static inline void tr2_trace_args_set(struct tr2_trace_args *args,
				      const struct trace_arg *arg, size_t count)
{
	args->arg = arg;
	args->count = count < FXT_ARGS ? (unsigned)count : FXT_ARGS;
	args->words = 0;
}

static inline size_t tr2_trace_string_bytes(const struct trace_value *value)
{
	const char *string = value->as.string;

	return string ? tr2_trace_cut(string, value->bytes, FXT_STRING_BYTES)
		      : 0;
}

/* Is the value one word after the name? */
static inline int tr2_trace_is_word(const struct trace_value *value)
{
	const unsigned words = 1u << FXT_ARG_INT64 | 1u << FXT_ARG_UINT64 |
			       1u << FXT_ARG_DOUBLE | 1u << FXT_ARG_POINTER |
			       1u << FXT_ARG_KOID;

	return words >> value->type & 1;
}

static inline size_t tr2_trace_value_bytes(const struct trace_value *value)
{
	if (tr2_trace_is_word(value))
		return FXT_WORD;
	if (value->type == FXT_ARG_STRING)
		return tr2_trace_string_bytes(value);
	return 0;
}

/* 0: a string's definition found no room. */
static inline __attribute__((always_inline)) int
tr2_trace_args_resolve(struct tr2_trace_writer *writer,
		       struct tr2_trace_args *args, tr2_trace_resolve *resolve)
{
	unsigned i;

	for (i = 0; i < args->count; i++) {
		const struct trace_arg *arg = &args->arg[i];

		if (!resolve(writer, arg->name, &args->key[i]))
			return 0;
		args->arg_words[i] = fxt_arg_words(
			args->key[i], tr2_trace_value_bytes(&arg->value));
		args->words += args->arg_words[i];
	}
	return 1;
}

/* The part of a value that is in the argument's header. */
static inline uint32_t tr2_trace_value_head(const struct trace_value *value)
{
	size_t bytes;

	if (tr2_trace_is_word(value))
		return 0;
	if (value->type != FXT_ARG_STRING)
		return (uint32_t)value->as.word;
	bytes = tr2_trace_string_bytes(value);
	return bytes ? FXT_INLINE | (uint32_t)bytes : 0;
}

static inline uint64_t *tr2_trace_args_put(uint64_t *at,
					   const struct tr2_trace_args *args)
{
	unsigned i;

	for (i = 0; i < args->count; i++) {
		const struct trace_value *value = &args->arg[i].value;

		*at++ = fxt_arg_header((enum fxt_arg)value->type,
				       args->arg_words[i], args->key[i].ref,
				       tr2_trace_value_head(value));
		at = tr2_trace_put_text(at, args->key[i]);
		if (tr2_trace_is_word(value))
			*at++ = value->as.word;
		else if (value->type == FXT_ARG_STRING)
			at = tr2_trace_put_bytes(at, value->as.string,
						 tr2_trace_string_bytes(value));
	}
	return at;
}

#endif
