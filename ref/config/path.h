/*
 * path.h - paths and small files, for the reader of git's config.
 * Paths longer than PATH_MAX are refused. Nothing is allocated but by
 * tr2_path_read().
 */
#ifndef TR2_CONFIG_PATH_H
#define TR2_CONFIG_PATH_H

#include <limits.h>
#include <stddef.h>

struct tr2_buf;

/* Files larger than this are not read. */
#define TR2_PATH_FILE_MAX (16u << 20)

/* All give 0, or something else where they fail. Here: it's too long. */
int tr2_path_copy(char out[PATH_MAX], const char *path);
/* The same of `len` bytes. */
int tr2_path_take(char out[PATH_MAX], const char *text, size_t len);

/* `dir`/`name` into `out`. Fails if that is too long. */
int tr2_path_join(char out[PATH_MAX], const char *dir, const char *name);

/*
 * `name` as seen from the directory of the file `from`: itself if it is
 * absolute. Fails if that is too long.
 */
int tr2_path_beside(char out[PATH_MAX], const char *from, const char *name);

/* As realpath(3), also of NULL; not in place. */
int tr2_path_real(char out[PATH_MAX], const char *path);

/*
 * `~/x` and `~user/x` become paths in that home directory, all others are
 * copied. With `real`, $HOME is resolved first. Fails if there is no such
 * home or no room. SPEC: config.include.home
 */
int tr2_path_expand(char out[PATH_MAX], const char *path, size_t len, int real);

/*
 * Append a file's bytes. 0, or an errno (EFBIG: over TR2_PATH_FILE_MAX).
 * Never waits: a pipe without bytes is EAGAIN.
 */
int tr2_path_read(const char *path, struct tr2_buf *out);

#endif
