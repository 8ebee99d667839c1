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
#include <stdint.h>

#include "lib/common/vec.h"
#include "trace/reader.h"

#define TR2_FUNCTIONS_MODULES 4096

/* An empty one is all zero. */
struct tr2_functions {
	struct tr2_vec modules;		  /* struct tr2_functions_module */
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

/*
 * The names of the functions in an ELF file.
 *
 * The file is named by a trace, so it may be anything: only regular files are
 * opened, and nothing in them is trusted.
 */

struct tr2_elf_names;

/*
 * Read the file. NULL if it is no ELF file of this machine's kind, has no
 * names of functions, or has another build id than the text, which is
 * hexadecimal.
 */
struct tr2_elf_names *tr2_elf_names_open(const char *path,
					 const char *build_id);
void tr2_elf_names_close(struct tr2_elf_names *names);

/*
 * Returns the name of the function at the address as in the file, or NULL.
 * Valid until the names are closed.
 */
const char *tr2_elf_names_find(const struct tr2_elf_names *names,
			       uint64_t address);

#endif
