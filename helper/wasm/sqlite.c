/*
 * sqlite.c - SQLite without locks, for nobody else has the file yet, and with
 * paths as they are: the working folder is the host's.
 */
#include <sqlite3.h>

int tr2_wasm_sqlite(const char *unused);

static int keep_path(sqlite3_vfs *vfs, const char *path, int room, char *out)
{
	(void)vfs;
	sqlite3_snprintf(room, out, "%s", path);
	return SQLITE_OK;
}

int tr2_wasm_sqlite(const char *unused)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find("unix-none");

	(void)unused;
	vfs->xFullPathname = keep_path;
	return sqlite3_vfs_register(vfs, 1);
}
