/* compress.h - a complete file as a compressed one. */
#ifndef TR2_COLLECT_COMPRESS_H
#define TR2_COLLECT_COMPRESS_H

/*
 * Write what the file `from` has to the file `to`, in the format of gzip, and
 * see it to the disk. A file `to` that was begun before is written anew. 0, or
 * an errno value: then there is no file `to`.
 */
int tr2_collect_compress(const char *from, const char *to);

#endif
