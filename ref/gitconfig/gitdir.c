#include "gitconfig/gitdir.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "host/host.h"
#include "gitconfig/path.h"
#include "gitconfig/value.h"

/* The result of examining one directory. */
enum verdict {
	FOUND,
	STOP, /* something is there, but it is broken or not ours */
	NOTHING
};

static int is_line_end(char c)
{
	return c == '\r' || c == '\n';
}

/* Copy the text without the line ends at its end, if it can be a path. */
static int take_line(char out[PATH_MAX], const struct tr2_buf *text)
{
	size_t len = 0, i;

	for (i = 0; i < text->len; i++)
		if (!is_line_end(text->bytes[i]))
			len = i + 1;
	return !tr2_path_take(out, text->bytes, len) && strlen(out) == len;
}

/* Read a small file. Not 0: it can't be read, or contains no path. */
static int read_line(char out[PATH_MAX], const char *path)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int failed = tr2_path_read(path, &text) || !take_line(out, &text);

	tr2_buf_release(&text);
	return failed;
}

static int starts_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/*
 * Copy the path that a file contains, relative to that file. Not 0: there is
 * none.
 */
static int follow_file(char out[PATH_MAX], const char *path, const char *prefix)
{
	char line[PATH_MAX], target[PATH_MAX];

	return read_line(line, path) || !starts_with(line, prefix) ||
	       tr2_path_beside(target, path, line + strlen(prefix)) ||
	       tr2_path_real(out, target);
}

/* Find the part that linked worktrees share. Not 0: there is none. */
static int find_commondir(char out[PATH_MAX], const char *gitdir)
{
	const char *set = tr2_host->getenv("GIT_COMMON_DIR");
	char path[PATH_MAX];

	if (set)
		return tr2_path_copy(out, set);
	if (tr2_path_join(path, gitdir, "commondir") || access(path, F_OK))
		return tr2_path_copy(out, gitdir);
	return follow_file(out, path, "");
}

/* Does this file have the form of a repository's HEAD? */
static int is_head(const char *path)
{
	char line[PATH_MAX] = "";
	const char *ref = line + strlen("ref:");

	if (readlink(path, line, strlen("refs/")) != -1)
		return starts_with(line, "refs/");
	if (read_line(line, path))
		return 0;
	if (!starts_with(line, "ref:"))
		return strspn(line, "0123456789abcdefABCDEF") >= 40;
	return starts_with(ref + strspn(ref, " \t"), "refs/");
}

static int can_enter(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return !tr2_path_join(path, dir, name) && !access(path, X_OK);
}

static int is_repository(const char *gitdir)
{
	const char *objects = tr2_host->getenv("GIT_OBJECT_DIRECTORY");
	char path[PATH_MAX];

	if (tr2_path_join(path, gitdir, "HEAD") || !is_head(path))
		return 0;
	if (find_commondir(path, gitdir))
		return 0;
	if (objects ? access(objects, X_OK) : !can_enter(path, "objects"))
		return 0;
	return can_enter(path, "refs");
}

/* Does this gitfile lead to a repository? */
static int read_gitfile(char out[PATH_MAX], const char *path)
{
	return !follow_file(out, path, "gitdir: ") && is_repository(out);
}

static int is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Checks the link itself, not its target. SPEC: params.repository.owner */
static int is_ours(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && st.st_uid == geteuid();
}

/*
 * Examine one directory on the way up. `shown` is the beginning of its paths:
 * "" for the working directory, whose paths stay relative, so that conditions
 * can match the links that the user sees.
 */
static enum verdict examine_dir(struct tr2_gitdir *repo, const char *dir,
				const char *shown)
{
	char dotgit[PATH_MAX];

	if (*shown ? tr2_path_join(dotgit, shown, ".git")
		   : tr2_path_copy(dotgit, ".git"))
		return NOTHING;
	if (is_file(dotgit)) {
		if (!read_gitfile(repo->gitdir, dotgit) || !is_ours(dotgit))
			return STOP;
	} else if (is_repository(dotgit)) {
		tr2_path_copy(repo->gitdir, dotgit);
	} else if (is_repository(dir)) {
		tr2_path_copy(repo->gitdir, *shown ? shown : ".");
		return is_ours(dir) ? FOUND : STOP;
	} else {
		return NOTHING;
	}
	return is_ours(dir) && is_ours(repo->gitdir) ? FOUND : STOP;
}

/*
 * Returns the length of the ceiling and the slash after it, or 0 if `dir`
 * isn't below the ceiling. Paths that are not longer are not examined.
 */
static size_t one_ceiling(const char *dir, const char *ceiling, int as_is)
{
	char real[PATH_MAX];
	const char *path = as_is ? ceiling : real;
	size_t len = 0, i;

	if (*ceiling != '/' || (!as_is && tr2_path_real(real, ceiling)))
		return 0;
	for (i = 0; path[i]; i++)
		if (path[i] != '/')
			len = i + 1;
	return !strncmp(dir, path, len) && dir[len] == '/' ? len + 1 : 0;
}

/*
 * Find the longest ceiling. After an empty entry links are not resolved: with
 * it a user asks for this where resolving is slow.
 * SPEC: params.repository
 */
static size_t find_ceiling(const char *dir)
{
	const char *list = tr2_host->getenv("GIT_CEILING_DIRECTORIES");
	char entry[PATH_MAX];
	size_t longest = 0, size, len;
	int as_is = 0;

	for (; list; list = list[size] ? list + size + 1 : NULL) {
		size = strcspn(list, ":");
		as_is |= !size;
		len = tr2_path_take(entry, list, size)
			      ? 0
			      : one_ceiling(dir, entry, as_is);
		if (len > longest)
			longest = len;
	}
	return longest;
}

static int crosses_file_systems(void)
{
	const char *set = tr2_host->getenv("GIT_DISCOVERY_ACROSS_FILESYSTEM");

	return set && tr2_settings_bool(set) > 0;
}

/* Is this the highest directory that may be examined? */
static int is_top(const char *dir, size_t ceiling)
{
	return !dir[1] || strrchr(dir, '/') < dir + ceiling;
}

/* Remove the last component. */
static void go_up(char *dir)
{
	char *slash = strrchr(dir, '/');

	slash[slash == dir] = '\0';
}

static int find_upwards(struct tr2_gitdir *repo)
{
	int anywhere = crosses_file_systems();
	char dir[PATH_MAX];
	struct stat start, here;
	enum verdict verdict;
	size_t ceiling;

	if (!getcwd(dir, sizeof(dir)) || stat(dir, &start))
		return 0;
	ceiling = find_ceiling(dir);
	verdict = examine_dir(repo, dir, "");
	while (verdict == NOTHING && !is_top(dir, ceiling)) {
		go_up(dir);
		if (stat(dir, &here) ||
		    (here.st_dev != start.st_dev && !anywhere))
			return 0;
		verdict = examine_dir(repo, dir, dir);
	}
	return verdict == FOUND;
}

/* Use the path in GIT_DIR: a repository, or a gitfile. */
static int take_named(struct tr2_gitdir *repo, const char *name)
{
	if (is_file(name)) {
		if (!is_ours(name) || !read_gitfile(repo->gitdir, name))
			return 0;
	} else if (is_repository(name)) {
		tr2_path_copy(repo->gitdir, name);
	} else {
		return 0;
	}
	return is_ours(repo->gitdir);
}

int tr2_gitdir_find(struct tr2_gitdir *repo)
{
	const char *name = tr2_host->getenv("GIT_DIR");

	if (name ? !take_named(repo, name) : !find_upwards(repo))
		return 0;
	return !find_commondir(repo->commondir, repo->gitdir);
}
