/*
 * tr2_gitconfig.h - reader of git's configuration: files, includes, scopes
 * and the command scope of the environment.
 *
 * Entries come in the order in which git lists them (`git config --list
 * --show-scope`): later ones win. Used at trace2_initialize() and when
 * parameters are listed; never on the tracing path.
 */
#ifndef TR2_GITCONFIG_H
#define TR2_GITCONFIG_H

enum tr2_config_scope {
	TR2_SCOPE_SYSTEM,
	TR2_SCOPE_GLOBAL,
	TR2_SCOPE_LOCAL,
	TR2_SCOPE_COMMAND,
	TR2_SCOPE_UNKNOWN
};

/* One assignment. The texts are valid during the callback. */
struct tr2_config_entry {
	enum tr2_config_scope scope;
	const char *key;   /* canonical: section and name in lower case */
	const char *value; /* NULL: a key without `=` */
	const char *path;  /* the file; NULL for the command scope */
	int line;	   /* 1-based; 0 for the command scope */
};

typedef void tr2_config_fn(const struct tr2_config_entry *entry, void *data);

/* The word that the wire uses: "system", "global", "local", … */
const char *tr2_config_scope_name(enum tr2_config_scope scope);

/*
 * Read the system and global files (the only ones that trace2.* keys are
 * read from). A file that can't be read or parsed is warned about, with
 * path and line, and what stands before the error is kept.
 * SPEC: config.files, config.grammar, config.include
 */
void tr2_gitconfig_read_early(tr2_config_fn *fn, void *data);

/*
 * Read all that a command would see: system, global, the repository's own
 * (found from GIT_DIR or upwards from the working directory; only if the
 * caller owns it), and the command scope. Errors are silent.
 * SPEC: params.scopes
 */
void tr2_gitconfig_read_all(tr2_config_fn *fn, void *data);

#endif
