/*
 * path.h - paths and small files, for the reader of git's config. Paths
 * longer than PATH_MAX are refused. Only tr2_path_read() allocates memory.
 */
#ifndef TR2_GITCONFIG_PATH_H
#define TR2_GITCONFIG_PATH_H

#include <limits.h>
#include <stddef.h>

struct tr2_buf;

/* Larger files are not read. */
#define TR2_PATH_FILE_MAX (16u << 20)

/* All functions return 0 on success. This one fails if the path is too long. */
int tr2_path_copy(char out[PATH_MAX], const char *path);
/* The same for `len` bytes. */
int tr2_path_take(char out[PATH_MAX], const char *text, size_t len);

/* `dir`/`name` into `out`. Fails if the result is too long. */
int tr2_path_join(char out[PATH_MAX], const char *dir, const char *name);

/*
 * Resolve `name` relative to the directory of the file `from`; an absolute
 * name stays. Fails if the result is too long.
 */
int tr2_path_beside(char out[PATH_MAX], const char *from, const char *name);

/* As realpath(3); accepts NULL; `out` must not be the input. */
int tr2_path_real(char out[PATH_MAX], const char *path);

/*
 * `~/x` and `~user/x` become paths in that home directory; all others are
 * copied. With `real`, $HOME is resolved first. Fails if there is no such
 * home or the result is too long.
 * SPEC: config.include.home
 */
int tr2_path_expand(char out[PATH_MAX], const char *path, size_t len, int real);

/*
 * Append a file's bytes. 0, or an errno (EFBIG: over TR2_PATH_FILE_MAX).
 * Never waits: an empty pipe gives EAGAIN.
 */
int tr2_path_read(const char *path, struct tr2_buf *out);

#endif
