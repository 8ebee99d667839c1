/* reader.h - what the files of the config reader share. */
#ifndef TR2_GITCONFIG_READER_H
#define TR2_GITCONFIG_READER_H

#include "base/buf.h"
#include "gitconfig/gitconfig.h"
#include "gitconfig/text.h"

struct tr2_gitdir;

/* One reading of all scopes, on one thread. */
struct tr2_gitconfig_reader {
	tr2_config_fn *fn;
	void *data;
	const struct tr2_gitdir *repo; /* NULL: none, or not searched for */
	int early;		       /* only the system and global scopes */
	int warns;		       /* warn about errors */

	enum tr2_config_scope scope;	 /* the scope that is being read */
	struct tr2_gitconfig_file *open; /* the files that are being read */
	int depth;    /* of the file being read; 0: no include */
	int includes; /* number of includes that were followed */
	int refused;  /* an include went too deep */

	/*
	 * The URL of every remote, each with a NUL. They are read when first
	 * needed, by another reader, which has this flag set so that it does
	 * not do the same.
	 */
	int has_urls;
	struct tr2_buf urls;
};

/*
 * If this entry is an include that is to be followed, returns the file's
 * path, which the caller frees; else NULL. Relative paths start at the entry's
 * file.
 */
char *tr2_gitconfig_include(struct tr2_gitconfig_reader *reader,
			    const struct tr2_config_entry *entry);

/*
 * Returns the URLs of all remotes in all scopes. While they are being read
 * the list is empty: a file whose inclusion depends on the URLs can't add to
 * them.
 */
const struct tr2_buf *tr2_gitconfig_urls(struct tr2_gitconfig_reader *reader);

/*
 * Call `fn` for every assignment of the command scope, until the first error.
 * The texts are valid during the call.
 * SPEC: config.command
 */
typedef void
tr2_gitconfig_assign_fn(const struct tr2_gitconfig_assignment *assignment,
			void *data);
void tr2_gitconfig_command(tr2_gitconfig_assign_fn *fn, void *data);

#endif
