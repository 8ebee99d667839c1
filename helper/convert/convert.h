/*
 * convert.h - `trace2 convert`: turn archives and EVENT logs into another
 * format.
 *
 * The room converts in one pass, and its memory grows with what is open at a
 * time (processes, threads, slices), not with the input:
 *
 *	convert.c     the command: files in, formats, exit status
 *	logs*.c       EVENT lines to records of an archive
 *	fxt_writer.c  records to bytes; fxt_strings.c: its string table
 *	sorter.c      records to Chrome's JSON, in the order of threads
 *	output.c      where the bytes go; appears only when complete
 *	dump.c        the command `dump`
 *	functions.c   names of functions, which elf_names.c finds
 *	tie_tree.c    a data structure
 *
 * It knows lines and records (helper/log, helper/json), and uses the checker
 * of helper/validate, so that a broken line gets the same finding as from
 * `trace2 validate`. Only the command's table and `record` may use it.
 *
 * It never changes OUT before the result is complete and on disk, and it
 * never drops a line or a value silently: each is reported or counted.
 */
#ifndef TR2_CONVERT_CONVERT_H
#define TR2_CONVERT_CONVERT_H

/* argv[0] is "convert". Returns the exit status. */
int tr2_convert_main(int argc, char **argv);

/* `trace2 convert --to chrome IN OUT`. Returns the exit status. */
int tr2_convert_to_chrome(const char *in, const char *out);

#endif
