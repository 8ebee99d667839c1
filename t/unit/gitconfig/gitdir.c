/* Which repository is found: see gitdir_kit.h for the world it is in. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "gitconfig/gitdir.h"

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

/* `gitdir commondir`, or `none`. */
static const char *get_found(void)
{
	struct tr2_gitdir repo;
	const char *found;

	if (!tr2_gitdir_find(&repo))
		return "none";
	found = kit_text("%s %s", repo.gitdir, repo.commondir);
	tr2_gitdir_release(&repo);
	return found;
}

static void set_name(size_t i, const char *name, const char *value)
{
	names[i][0] = name;
	names[i][1] = value;
}

static void test_search(void)
{
	static const struct {
		const char *from;
		const char *found;
	} cases[] = {
		{ "/repo", ".git .git" },
		{ "/repo/sub", "/repo/.git /repo/.git" },
		{ "/repo/sub/deep", "/repo/.git /repo/.git" },
		{ "/repo/empty", "/repo/.git /repo/.git" },
		{ "/repo/broken", "/repo/.git /repo/.git" },
		{ "/repo/.git", ". ." },
		{ "/repo/.git/refs", "/repo/.git /repo/.git" },
		{ "/bare", ". ." },
		{ "/bare/refs", "/bare /bare" },
		{ "/linked", "/repo/.git/worktrees/l /repo/.git" },
		{ "/repo/astray", "none" },
		{ "/ours", ".git .git" },
		{ "/link", ".git .git" },
		{ "/outside", "none" },
		{ "/", "none" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		go_to(cases[i].from);
		tap_str(get_found(), cases[i].found,
			kit_text("%s: the repository from there",
				 cases[i].from));
	}
}

static void test_named(void)
{
	static const struct {
		const char *names[2][2];
		const char *found;
	} cases[] = {
		{ { { "GIT_DIR", "/repo/.git" } }, "/repo/.git /repo/.git" },
		{ { { "GIT_DIR", "repo/.git" } }, "repo/.git repo/.git" },
		{ { { "GIT_DIR", "bare" } }, "bare bare" },
		{ { { "GIT_DIR", "/linked/.git" } },
		  "/repo/.git/worktrees/l /repo/.git" },
		{ { { "GIT_DIR", "/repo/astray/.git" } }, "none" },
		{ { { "GIT_DIR", "/outside" } }, "none" },
		{ { { "GIT_DIR", "" } }, "none" },
		{ { { "GIT_DIR", "/repo/.git" }, { "GIT_COMMON_DIR", "bare" } },
		  "/repo/.git bare" },
		{ { { "GIT_DIR", "/repo/.git" }, { "GIT_COMMON_DIR", "no" } },
		  "none" },
		{ { { "GIT_DIR", "/bare" },
		    { "GIT_OBJECT_DIRECTORY", "/outside" } },
		  "/bare /bare" },
		{ { { "GIT_DIR", "/bare" }, { "GIT_OBJECT_DIRECTORY", "no" } },
		  "none" },
	};

	go_to("/");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(names, cases[i].names, sizeof(cases[i].names));
		tap_str(get_found(), cases[i].found,
			kit_text("%s=%s %s: the repository", names[0][0],
				 names[0][1], names[1][1] ? names[1][1] : ""));
	}
	memset(names, 0, sizeof(names));
}

/* The first file is another user's, or on another disk. */
static void test_owners(void)
{
	static const struct {
		const char *theirs;
		const char *from; /* NULL: GIT_DIR=/linked/.git */
		const char *found;
	} cases[] = {
		{ "/repo", "/repo", "none" },
		{ "/repo/.git", "/repo", "none" },
		{ "/repo", "/repo/sub", "none" },
		{ "/repo/.git", "/repo/sub", "none" },
		{ "/repo/sub", "/repo/sub", "/repo/.git /repo/.git" },
		{ "/bare", "/bare", "none" },
		{ "/bare", "/bare/refs", "none" },
		{ "/repo/bare", "/repo/bare/refs", "none" },
		{ "/repo/inner", "/repo/inner", "none" },
		{ "/repo/inner/.git", "/repo/inner", "none" },
		{ "/linked", "/linked", "none" },
		{ "/linked/.git", "/linked", "none" },
		{ "/repo/.git/worktrees/l", "/linked", "none" },
		{ "/repo/.git", "/ours", ".git .git" },
		{ "/ours/.git", "/ours", "none" },
		{ "/linked/.git", NULL, "none" },
		{ "/repo/.git/worktrees/l", NULL, "none" },
		{ "/linked", NULL, "/repo/.git/worktrees/l /repo/.git" },
	};
	struct stat st;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *from = cases[i].from;

		theirs = 0;
		kit_require(!lstat(cases[i].theirs, &st), cases[i].theirs);
		theirs = st.st_ino;
		set_name(0, from ? NULL : "GIT_DIR", "/linked/.git");
		go_to(from ? from : "/");
		tap_str(get_found(), cases[i].found,
			kit_text("%s is another user's, from %s",
				 cases[i].theirs, from ? from : "GIT_DIR"));
	}
	theirs = 0;
	set_name(0, NULL, NULL);
}

static void test_file_systems(void)
{
	static const struct {
		const char *crosses;
		const char *found;
	} cases[] = {
		{ NULL, "none" },
		{ "0", "none" },
		{ "maybe", "none" },
		{ "1", "/repo/.git /repo/.git" },
	};
	struct stat st;

	go_to("/repo/sub/deep");
	kit_require(!stat("/repo", &st), "no repository");
	elsewhere = st.st_ino;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		set_name(0, "GIT_DISCOVERY_ACROSS_FILESYSTEM",
			 cases[i].crosses);
		tap_str(get_found(), cases[i].found,
			kit_text("a search across file systems: %s",
				 cases[i].crosses ? cases[i].crosses : "no"));
	}
	elsewhere = 0;
	set_name(0, NULL, NULL);
}

/* Where a path has no room for more the way up goes on. */
static void test_limits(void)
{
	struct tr2_gitdir repo;
	char cwd[PATH_MAX];

	make_dir("/repo/s");
	go_to("/repo/s");
	memset(cwd, '/', sizeof(cwd));
	memcpy(cwd, "/repo", strlen("/repo"));
	strcpy(cwd + PATH_MAX - 2, "s");
	told_cwd = cwd;
	tap_ok(tr2_gitdir_find(&repo) && !strncmp(repo.gitdir, "/repo/", 6),
	       "the way up begins with the longest path");
	tr2_gitdir_release(&repo);
	told_cwd = "";
	tap_str(get_found(), "none",
		"a lost working directory has no repository");
	told_cwd = "/gone/away";
	tap_str(get_found(), "none", "nor has one that can't be looked at");
	told_cwd = NULL;
	go_to("/repo/sub");
	hidden = "/repo";
	tap_str(get_found(), "none",
		"the way up ends where nothing can be seen");
	hidden = NULL;
	set_name(0, "GIT_DIR", cwd);
	tap_str(get_found(), "none", "a GIT_DIR without room for more is none");
	set_name(0, NULL, NULL);
}

/* It could be the name of a commit, if it had room. */
static void test_long_head(void)
{
	static const size_t lengths[] = { 20000, PATH_MAX, PATH_MAX - 1 };
	static char text[20001];

	make_dir("/long");
	make_dir("/long/objects");
	make_dir("/long/refs");
	set_name(0, "GIT_DIR", "/long");
	for (int i = 0; i < 3; i++) {
		memset(text, 'a', lengths[i]);
		text[lengths[i]] = '\0';
		write_file("/long/HEAD", text);
		tap_str(get_found(), i < 2 ? "none" : "/long /long",
			kit_text("a HEAD of %zu bytes", lengths[i]));
	}
	set_name(0, NULL, NULL);
}

/* The last step of the way up is `/`. */
static void test_root(void)
{
	static char too_long[PATH_MAX + 2] = "/";

	write_file("/HEAD", "ref: refs/heads/main\n");
	make_dir("/objects");
	make_dir("/refs");
	go_to("/outside");
	tap_str(get_found(), "/ /", "the way up ends with the root");
	set_name(0, "GIT_CEILING_DIRECTORIES", "none:/none:/bare");
	tap_str(get_found(), "/ /", "no ceiling ends the way up early");
	memset(too_long + 1, 'x', PATH_MAX);
	set_name(0, "GIT_CEILING_DIRECTORIES", too_long);
	tap_str(get_found(), "/ /", "nor does one that is too long");
	go_to("/");
	set_name(0, NULL, NULL);
	tap_str(get_found(), ". .", "the root itself may be a repository");
	set_name(0, "GIT_DIR", "");
	tap_str(get_found(), "none", "an empty GIT_DIR is not the root");
	set_name(0, "GIT_CEILING_DIRECTORIES", "/");
	go_to("/outside");
	tap_str(get_found(), "none", "the root may be a ceiling");
	set_name(0, NULL, NULL);
}

int main(void)
{
	kit_start();
	kit_host.open = world_open;
	kit_host.getenv = world_getenv;
	kit_host.realloc = counting_realloc;
	kit_host.free = counting_free;
	make_world();
	tap_run(test_search, test_named, test_owners, test_file_systems,
		test_limits, test_long_head, test_root);
	tap_int(live, 0, "looking for a repository leaks nothing");
	return kit_done();
}
