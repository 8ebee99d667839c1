/*
 * reader.h - what the parts of the config reader share.
 */
#ifndef TR2_CONFIG_READER_H
#define TR2_CONFIG_READER_H

#include <limits.h>

#include "base/buf.h"
#include "config/gitconfig.h"
#include "config/text.h"

struct tr2_gitdir;

/* One reading of all scopes, on one thread. */
struct tr2_gitconfig_reader {
	tr2_config_fn *fn;
	void *data;
	const struct tr2_gitdir *repo; /* NULL: none, or not looked for */
	int early;		       /* only system and global */
	int warns;		       /* about errors */

	enum tr2_config_scope scope; /* being read */
	int depth;		     /* of the file being read; 0: no include */
	int includes;		     /* how many were followed */
	int refused;		     /* was one that went too far */

	/*
	 * Every remote's URL, each with a NUL; read when first asked for, by
	 * a reader that says it has them: it is not to ask in turn.
	 */
	int has_urls;
	struct tr2_buf urls;
};

/*
 * Is this entry an include that is to be followed? 1, and the file's path.
 * Relative paths are seen from the entry's file.
 */
int tr2_gitconfig_include(struct tr2_gitconfig_reader *reader,
			  const struct tr2_config_entry *entry,
			  char out[PATH_MAX]);

/*
 * The URLs of all remotes in all scopes. While they are being read there
 * are none: a file whose inclusion depends on them can't add to them.
 */
const struct tr2_buf *tr2_gitconfig_urls(struct tr2_gitconfig_reader *reader);

/*
 * Call `fn` for every assignment of the command scope, up to the first
 * error. SPEC: config.command
 */
void tr2_gitconfig_command(tr2_gitconfig_assign_fn *fn, void *data);

#endif
