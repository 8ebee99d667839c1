/*
 * elf_names.h - the names of the functions in an ELF file.
 *
 * The file is named by a trace, so it may be anything: only regular files are
 * opened, and nothing in them is trusted.
 */
#ifndef TR2_SYMBOLS_ELF_NAMES_H
#define TR2_SYMBOLS_ELF_NAMES_H

#include <stddef.h>
#include <stdint.h>

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
