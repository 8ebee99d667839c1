/*
 * gitdir.h - find the git repository that contains the working directory.
 *
 * The search works as in git. GIT_DIR names the repository. Without it, the
 * search goes up from the working directory; in each directory it tries
 * `.git` (a directory, or a file `gitdir: path`) and then the directory
 * itself (a bare repository). It stays on one file system (unless
 * GIT_DISCOVERY_ACROSS_FILESYSTEM is set) and below every directory of
 * GIT_CEILING_DIRECTORIES. GIT_COMMON_DIR, or the file `commondir`, names the
 * shared part of a linked worktree.
 * SPEC: params.repository, params.repository.form, params.repository.search,
 * params.repository.ceiling
 *
 * A repository that belongs to another user is ignored, because that user
 * wrote its config. This applies to its worktree, its `.git` and its
 * directory, also if GIT_DIR names it; safe.directory is not consulted.
 * SPEC: params.repository.owner
 */
#ifndef TR2_GITCONFIG_GITDIR_H
#define TR2_GITCONFIG_GITDIR_H

struct tr2_gitdir {
	char *gitdir;	 /* `.git` or `.` for the working directory */
	char *commondir; /* the directory of its `config` */
};

/*
 * 1 if a repository was found and belongs to the caller; tr2_gitdir_release()
 * then frees the paths. Else 0, also if memory fails.
 */
int tr2_gitdir_find(struct tr2_gitdir *repo);
void tr2_gitdir_release(struct tr2_gitdir *repo);

#endif
