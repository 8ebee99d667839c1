/*
 * fxt_place.h - the file of this process's archive.
 * SPEC: fxt.target.file, fxt.target.file.nested, fxt.target.directory
 */
#ifndef TR2_TARGET_FXT_PLACE_H
#define TR2_TARGET_FXT_PLACE_H

struct tr2_destination_options;
struct tr2_fxt_file;
struct tr2_target_options;

/*
 * Open `destination->value`, an absolute path, and begin an archive there. 1,
 * or 0 after a warning.
 */
int tr2_fxt_place_open(struct tr2_fxt_file *file,
		       const struct tr2_target_options *options,
		       const struct tr2_destination_options *destination,
		       int *too_many_files);

#endif
