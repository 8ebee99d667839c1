/*
 * gitdir_kit.h - the world of the program that looks for repositories: the
 * scratch directory's `root` is `/`, and a file may be another user's or on
 * another file system.
 */
#ifndef UNIT_GITCONFIG_GITDIR_KIT_H
#define UNIT_GITCONFIG_GITDIR_KIT_H

#include "kit/destination.h"
#include "kit/live.h"

static ino_t theirs, elsewhere; /* what is not ours, not on our disk */
static const char *hidden;	/* what can't be looked at */
static const char *names[4][2]; /* the environment */
static const char *told_cwd;	/* instead of the working directory */

/* Shorter by repeated slashes: both must have room in a path. */
static const char *real_path(const char *path)
{
	static char text[PATH_MAX * 2];
	size_t len;

	if (*path != '/')
		return path;
	len = (size_t)snprintf(text, sizeof(text), "%s/root", kit_dir);
	for (; *path; path++)
		if (*path != '/' || path[1] != '/')
			text[len++] = *path;
	text[len] = '\0';
	return text;
}

static int look_at(const char *path, struct stat *st, int flags)
{
	int failed = fstatat(AT_FDCWD, real_path(path), st, flags);

	st->st_uid += st->st_ino == theirs;
	st->st_dev += st->st_ino == elsewhere;
	return failed;
}

int stat(const char *path, struct stat *st)
{
	if (hidden && !strcmp(path, hidden))
		return -1;
	return look_at(path, st, 0);
}

int lstat(const char *path, struct stat *st)
{
	return look_at(path, st, AT_SYMLINK_NOFOLLOW);
}

/* By the owner's bits alone: root may do everything. */
int access(const char *path, int mode)
{
	struct stat st;

	if (stat(path, &st))
		return -1;
	return ((int)(st.st_mode >> 6) & mode) == mode ? 0 : -1;
}

ssize_t readlink(const char *path, char *text, size_t size)
{
	return readlinkat(AT_FDCWD, real_path(path), text, size);
}

/* The part of a path of ours that the world knows. */
static char *shown_path(char *text)
{
	const char *shown = text + strlen(kit_dir) + strlen("/root");

	kit_require(strlen(text) >= (size_t)(shown - text), "out of the world");
	memmove(text, *shown ? shown : "/", strlen(*shown ? shown : "/") + 1);
	return text;
}

static char *path_of(int fd, char *out)
{
	const char *link = kit_text("/proc/self/fd/%d", fd);
	ssize_t len = readlinkat(AT_FDCWD, link, out, PATH_MAX - 1);

	if (fd >= 0)
		close(fd);
	if (len < 0)
		return NULL;
	out[len] = '\0';
	return shown_path(out);
}

char *realpath(const char *path, char *out)
{
	return path_of(open(real_path(path), O_RDONLY), out);
}

char *getcwd(char *out, size_t size)
{
	kit_require(size == PATH_MAX, "no room for a path");
	if (told_cwd)
		return *told_cwd ? strcpy(out, told_cwd) : NULL;
	return path_of(open(".", O_RDONLY), out);
}

static int world_open(const char *path, int flags, mode_t mode)
{
	return tr2_host_system.open(real_path(path), flags, mode);
}

static const char *world_getenv(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i][0] && !strcmp(name, names[i][0]))
			return names[i][1];
	return NULL;
}

static void go_to(const char *dir)
{
	kit_require(!chdir(real_path(dir)), dir);
}

static void make_dir(const char *path)
{
	kit_require(!mkdir(real_path(path), 0777), path);
}

static void make_file(const char *path, const char *text, size_t len)
{
	int fd = open(real_path(path), O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(fd >= 0 && write(fd, text, len) == (ssize_t)len, path);
	close(fd);
}

static void write_file(const char *path, const char *text)
{
	make_file(path, text, strlen(text));
}

static void make_link(const char *target, const char *path)
{
	unlink(real_path(path));
	kit_require(!symlink(target, real_path(path)), path);
}

/* What `git init` leaves, as far as it is looked at. */
static void make_repository(const char *path)
{
	make_dir(path);
	make_dir(kit_text("%s/objects", path));
	make_dir(kit_text("%s/refs", path));
	write_file(kit_text("%s/HEAD", path), "ref: refs/heads/main\n");
}

static void make_world(void)
{
	kit_require(!mkdir(kit_path("root"), 0777), "no root");
	make_dir("/repo");
	make_repository("/repo/.git");
	make_dir("/repo/sub");
	make_dir("/repo/sub/deep");
	make_dir("/repo/empty");
	make_dir("/repo/empty/.git");
	make_dir("/repo/broken");
	make_repository("/repo/broken/.git");
	write_file("/repo/broken/.git/commondir", "none");
	make_repository("/bare");
	make_dir("/linked");
	write_file("/linked/.git", "gitdir: ../repo/.git/worktrees/l\r\n");
	make_dir("/repo/.git/worktrees");
	make_dir("/repo/.git/worktrees/l");
	write_file("/repo/.git/worktrees/l/HEAD", "ref: refs/heads/l\n");
	write_file("/repo/.git/worktrees/l/commondir", "../..\n");
	make_dir("/repo/astray");
	write_file("/repo/astray/.git", "gitdir: /linked\n");
	make_repository("/repo/bare");
	make_dir("/repo/inner");
	make_repository("/repo/inner/.git");
	make_dir("/outside");
	make_dir("/ours");
	make_link("../repo/.git", "/ours/.git");
	make_link("repo", "/link");
}

#endif
