/*
 * functions.h - names for the durations of libtrace2-functions, whose records
 * have only the addresses of functions (see ref/trace/functions).
 *
 * An object is known from its instant `module`. Only TR2_FUNCTIONS_MODULES of
 * them are kept; the functions of others keep their address.
 */
#ifndef TR2_SYMBOLS_FUNCTIONS_H
#define TR2_SYMBOLS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/reader.h"

#define TR2_FUNCTIONS_MODULES 4096

struct tr2_functions_module;

/* An empty one is all zero. */
struct tr2_functions {
	struct tr2_functions_module *modules;
	size_t count;
	struct trace_reader_record named; /* the record that was last named */
};

/*
 * Returns the record, or one that has the function's name instead; valid
 * until the next call.
 */
const struct trace_reader_record *
tr2_functions_name(struct tr2_functions *functions,
		   const struct trace_reader_record *record);
void tr2_functions_release(struct tr2_functions *functions);

#endif
