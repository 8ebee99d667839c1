/* sqlite.c - SQLite without locks: nobody else has the file yet. */
#include <sqlite3.h>
#include <stddef.h>

int tr2_wasm_sqlite(const char *unused);

int tr2_wasm_sqlite(const char *unused)
{
	(void)unused;
	return sqlite3_vfs_register(sqlite3_vfs_find("unix-none"), 1);
}
