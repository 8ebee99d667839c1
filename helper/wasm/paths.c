/*
 * paths.c - paths as they are. The C library's own functions cut the slash
 * off, so that the host could not tell /a from a.
 */
#include <stddef.h>

#include <wasi/libc-find-relpath.h>

#define PLACE 3 /* the descriptor of whatever the host calls a path */

int __wasilibc_find_abspath(const char *path, const char **prefix,
			    const char **relative)
{
	*prefix = "";
	*relative = path;
	return PLACE;
}

int __wasilibc_find_relpath(const char *path, const char **prefix,
			    char **relative, size_t len)
{
	(void)len;
	*prefix = "";
	*relative = (char *)path;
	return PLACE;
}
