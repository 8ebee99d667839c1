/* compress.h - a complete file as a compressed one. */
#ifndef TR2_DELIVERY_COMPRESS_H
#define TR2_DELIVERY_COMPRESS_H

enum tr2_compress {
	TR2_COMPRESS_OFF,
	TR2_COMPRESS_GZIP,
	TR2_COMPRESS_ZSTD,
	TR2_COMPRESS_COUNT
};

/* What names the format, and what its files end in. */
extern const char *const tr2_compress_names[TR2_COMPRESS_COUNT + 1];
extern const char *const tr2_compress_suffixes[TR2_COMPRESS_COUNT];

/*
 * Write what the file `from` has to the file `to`, in this format, and see it
 * to the disk. A file `to` that was begun before is written anew. 0, or an
 * errno value: then there is no file `to`.
 */
int tr2_collect_compress(const char *from, const char *to,
			 enum tr2_compress format);

#endif
