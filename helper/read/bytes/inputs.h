/* inputs.h - the files, directories and `-` on a command line. */
#ifndef TR2_READ_BYTES_INPUTS_H
#define TR2_READ_BYTES_INPUTS_H

/* Called with an open file, or with fd -1 and errno as the reason why not. */
typedef void tr2_inputs_fn(void *context, const char *name, int fd);

/*
 * Call `fn` for the file, or for all regular files below the directory in the
 * order of their names, or for standard input, whose name is `-`. Links to
 * directories are not followed.
 */
void tr2_inputs_visit(const char *path, tr2_inputs_fn *fn, void *context);

#endif
