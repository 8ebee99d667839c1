/*
 * gitconfig.h - read git's configuration: files, includes, scopes and the
 * command scope of the environment.
 *
 * This room knows what git's configuration says, and nothing of Trace2: which
 * keys are settings is the matter of ref/config. It only reads.
 *
 *	gitconfig.c	the scopes, one after another
 *	command_scope.c	the scope `command`, from the environment
 *	include.c	included files and their conditions
 *	gitdir.c	where the repository is
 *	text.c		the text of a file as entries
 *	value.c		an entry's value as a boolean or a number
 *	path.c		paths with `~`, and whole files
 *	glob.c		wildmatch, for conditions and lists of names
 *
 * Entries come in the order in which git lists them (`git config --list
 * --show-scope`), and later ones win. trace2_initialize() uses it, and so do
 * the calls that list parameters; events never do.
 *
 * The scopes, in this order (SPEC: config.files):
 *
 *	system	/etc/gitconfig, or the file that GIT_CONFIG_SYSTEM names;
 *		no file if GIT_CONFIG_NOSYSTEM is set
 *	global	$XDG_CONFIG_HOME/git/config (default ~/.config/git/config),
 *		then ~/.gitconfig; or, instead of both, the file that
 *		GIT_CONFIG_GLOBAL names
 *	local	`config` of the repository (gitdir.h)
 *	command	GIT_CONFIG_COUNT with its keys and values, then
 *		GIT_CONFIG_PARAMETERS
 *
 * A missing file is skipped silently. include.path and
 * includeIf.<condition>.path are entries themselves; the entries of the
 * included file follow at once, in the same scope, up to ten levels deep
 * (SPEC: config.include). The conditions are gitdir, gitdir/i (both false
 * while no repository is searched for) and hasconfig:remote.*.url; all others
 * are false (SPEC: config.include-if).
 */
#ifndef TR2_GITCONFIG_GITCONFIG_H
#define TR2_GITCONFIG_GITCONFIG_H

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

/* Returns the scope's word on the wire: "system", "global", "local", … */
const char *tr2_config_scope_name(enum tr2_config_scope scope);

/*
 * Read the system and global files, the only ones with trace2.* keys. If a
 * file exists but can't be read or parsed, warn with its path and line, and
 * keep the entries before the error.
 * SPEC: config.grammar
 */
void tr2_gitconfig_read_early(tr2_config_fn *fn, void *data);

/*
 * Read everything that a git command would see: system, global, the
 * repository's own file and the command scope. Errors are silent; an error
 * ends the file, or the command scope, that contains it.
 * SPEC: params.scopes
 */
void tr2_gitconfig_read_all(tr2_config_fn *fn, void *data);

#endif
