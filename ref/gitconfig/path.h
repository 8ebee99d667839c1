/*
 * path.h - paths and small files, for the reader of git's config.
 *
 * A path is memory of tr2_host that the caller frees, because PATH_MAX bytes
 * are a large part of a small stack. All functions that make one return NULL
 * if the path is not shorter than PATH_MAX, or if memory fails.
 */
#ifndef TR2_GITCONFIG_PATH_H
#define TR2_GITCONFIG_PATH_H

#include <stddef.h>

struct tr2_buf;

/* Larger files are not read. */
#define TR2_PATH_FILE_MAX (16u << 20)

char *tr2_path_copy(const char *path);
/* The same for `len` bytes. */
char *tr2_path_take(const char *text, size_t len);

/* `dir`/`name`. */
char *tr2_path_join(const char *dir, const char *name);

/*
 * Resolve `name` relative to the directory of the file `from`; an absolute
 * name stays.
 */
char *tr2_path_beside(const char *from, const char *name);

/* As realpath(3); accepts NULL. */
char *tr2_path_real(const char *path);

/* The working directory, as getcwd(3). */
char *tr2_path_here(void);

/*
 * `~/x` and `~user/x` become paths in that home directory; all others are
 * copied. With `real`, $HOME is resolved first. NULL also if there is no such
 * home.
 * SPEC: config.include.home
 */
char *tr2_path_expand(const char *path, size_t len, int real);

/*
 * Append a file's bytes. 0, or an errno (EFBIG: over TR2_PATH_FILE_MAX).
 * Never waits: an empty pipe gives EAGAIN.
 */
int tr2_path_read(const char *path, struct tr2_buf *out);

#endif
