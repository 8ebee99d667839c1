/* inputs.h - the files, directories and `-` on a command line. */
#ifndef TR2_READ_BYTES_INPUTS_H
#define TR2_READ_BYTES_INPUTS_H

/*
 * Called with an open file, or with fd -1 and errno as the reason why not, which
 * tr2_inputs_explain() puts into words.
 */
typedef void tr2_inputs_fn(void *context, const char *name, int fd);

/* In errno: this command writes to the file, so it is not read. */
#define TR2_INPUTS_WRITTEN (-1)
const char *tr2_inputs_explain(int error);

/*
 * Call `fn` for the file, or for all regular files below the directory in the
 * order of their names, or for standard input, whose name is `-`. Links to
 * directories are not followed. A file that this command writes is never an
 * input. Below a directory, one that had no byte before is passed over, as
 * in `> DIR/rows`.
 */
void tr2_inputs_visit(const char *path, tr2_inputs_fn *fn, void *context);

#endif
