/*
 * gitdir.h - the git repository around the working directory.
 *
 * Found as git finds it: GIT_DIR names it, or it is the first of `.git` (a
 * directory, or a file `gitdir: path`) and the directory itself (a bare
 * repository), in the working directory and above, on one file system
 * (unless GIT_DISCOVERY_ACROSS_FILESYSTEM) and below every directory of
 * GIT_CEILING_DIRECTORIES. GIT_COMMON_DIR or its file `commondir` tells
 * where a linked worktree's shared part is. SPEC: params.repository
 *
 * A repository that belongs to somebody else is none: its config is
 * another person's text. That goes for its worktree, its `.git` and its
 * directory, also for one that GIT_DIR names; safe.directory is not
 * consulted. SPEC: params.repository.owner
 */
#ifndef TR2_CONFIG_GITDIR_H
#define TR2_CONFIG_GITDIR_H

#include <limits.h>

struct tr2_gitdir {
	char gitdir[PATH_MAX];	  /* `.git` or `.` in the working directory */
	char commondir[PATH_MAX]; /* where its `config` is */
};

/* 1 if there is a repository that belongs to the caller, else 0. */
int tr2_gitdir_find(struct tr2_gitdir *repo);

#endif
