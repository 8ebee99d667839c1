/*
 * gitconfig.h - reader of git's configuration: files, includes, scopes
 * and the command scope of the environment.
 *
 * Entries come in the order in which git lists them (`git config --list
 * --show-scope`): later ones win. Used at trace2_initialize() and when
 * parameters are listed; never on the tracing path.
 *
 * Scopes, in that order (SPEC: config.files):
 *
 *	system	/etc/gitconfig, or what GIT_CONFIG_SYSTEM names; none with
 *		GIT_CONFIG_NOSYSTEM
 *	global	$XDG_CONFIG_HOME/git/config (default ~/.config/git/config),
 *		then ~/.gitconfig; or what GIT_CONFIG_GLOBAL names, instead
 *		of both
 *	local	`config` of the repository (config/gitdir.h)
 *	command	GIT_CONFIG_COUNT with its keys and values, then
 *		GIT_CONFIG_PARAMETERS
 *
 * A file that isn't there is passed over in silence. include.path and includeIf.<condition>.path are entries
 * themselves; what they include follows at once, in the same scope, ten
 * levels deep (SPEC: config.include). Conditions are gitdir, gitdir/i
 * (false where no repository is looked for) and hasconfig:remote.*.url;
 * all others are false (SPEC: config.include-if).
 */
#ifndef TR2_CONFIG_GITCONFIG_H
#define TR2_CONFIG_GITCONFIG_H

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
 * read from). A file that is there but can't be read or parsed is warned
 * about, with path and line, and what stands before the error is kept.
 * SPEC: config.grammar
 */
void tr2_gitconfig_read_early(tr2_config_fn *fn, void *data);

/*
 * Read all that a command would see: system, global, the repository's own
 * and the command scope. Errors are silent; they end the file, or the
 * command scope, that they stand in. SPEC: params.scopes
 */
void tr2_gitconfig_read_all(tr2_config_fn *fn, void *data);

#endif
