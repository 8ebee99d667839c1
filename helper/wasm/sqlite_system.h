/* sqlite_system.h - what SQLite takes the address of, as functions. */
#pragma once
#include <sys/stat.h>
#include <unistd.h>

#undef fchmod
#undef fchown
#undef geteuid

static inline int tr2_wasm_chmod(int fd, mode_t mode)
{
	return (void)fd, (void)mode, 0;
}

static inline int tr2_wasm_chown(int fd, uid_t owner, gid_t group)
{
	return (void)fd, (void)owner, (void)group, 0;
}

static inline uid_t tr2_wasm_user(void)
{
	return 1;
}

#define fchmod tr2_wasm_chmod
#define fchown tr2_wasm_chown
#define geteuid tr2_wasm_user
