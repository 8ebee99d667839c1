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
static char *take_line(const struct tr2_buf *text)
{
	size_t len = 0;

	for (size_t i = 0; i < text->len; i++)
		if (!is_line_end(text->bytes[i]))
			len = i + 1;
	if (len && memchr(text->bytes, '\0', len))
		return NULL;
	return tr2_path_take(text->bytes, len);
}

/* Read a small file. NULL: it can't be read, or contains no path. */
static char *read_line(const char *path)
{
	struct tr2_buf text = TR2_BUF_INIT;
	char *line = tr2_path_read(path, &text) ? NULL : take_line(&text);

	tr2_buf_release(&text);
	return line;
}

static int starts_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/*
 * Returns the path that a file contains, relative to that file. NULL: there
 * is none.
 */
static char *follow_file(const char *path, const char *prefix)
{
	char *line = read_line(path), *target = NULL, *real = NULL;

	if (line && starts_with(line, prefix))
		target = tr2_path_beside(path, line + strlen(prefix));
	if (target)
		real = tr2_path_real(target);
	tr2_host->free(target);
	tr2_host->free(line);
	return real;
}

/* Find the part that linked worktrees share. NULL: there is none. */
static char *find_commondir(const char *gitdir)
{
	const char *set = tr2_host->getenv("GIT_COMMON_DIR");
	char *path, *common;

	if (set)
		return tr2_path_copy(set);
	path = tr2_path_join(gitdir, "commondir");
	common = !path || access(path, F_OK) ? tr2_path_copy(gitdir)
					     : follow_file(path, "");
	tr2_host->free(path);
	return common;
}

/* Does the text have the form of a repository's HEAD? */
static int has_head_form(const char *line)
{
	const char *ref = line + strlen("ref:");

	if (!starts_with(line, "ref:"))
		return strspn(line, "0123456789abcdefABCDEF") >= 40;
	return starts_with(ref + strspn(ref, " \t"), "refs/");
}

/* A link is a HEAD by what it points to. */
static int is_head(const char *path)
{
	char target[sizeof("refs/")] = "";
	char *line;
	int is;

	if (readlink(path, target, strlen("refs/")) != -1)
		return starts_with(target, "refs/");
	line = read_line(path);
	is = line && has_head_form(line);
	tr2_host->free(line);
	return is;
}

/* Is there such a path below `dir`, for which `holds` holds? */
static int holds_below(const char *dir, const char *name,
		       int (*holds)(const char *path))
{
	char *path = tr2_path_join(dir, name);
	int result = path && holds(path);

	tr2_host->free(path);
	return result;
}

static int can_enter(const char *path)
{
	return !access(path, X_OK);
}

/* Has the shared part what every repository has? */
static int has_parts(const char *common)
{
	const char *objects = tr2_host->getenv("GIT_OBJECT_DIRECTORY");

	if (objects ? !can_enter(objects)
		    : !holds_below(common, "objects", can_enter))
		return 0;
	return holds_below(common, "refs", can_enter);
}

static int is_repository(const char *gitdir)
{
	char *common;
	int is;

	if (!holds_below(gitdir, "HEAD", is_head))
		return 0;
	common = find_commondir(gitdir);
	is = common && has_parts(common);
	tr2_host->free(common);
	return is;
}

/* Where does this gitfile lead to? NULL: to no repository. */
static char *read_gitfile(const char *path)
{
	char *gitdir = follow_file(path, "gitdir: ");

	if (gitdir && is_repository(gitdir))
		return gitdir;
	tr2_host->free(gitdir);
	return NULL;
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
 * can match the links that the user sees. `dotgit` is its `.git`.
 */
static enum verdict examine_paths(struct tr2_gitdir *repo, const char *dir,
				  const char *shown, const char *dotgit)
{
	if (is_file(dotgit)) {
		repo->gitdir = read_gitfile(dotgit);
		if (!repo->gitdir || !is_ours(dotgit))
			return STOP;
	} else if (is_repository(dotgit)) {
		repo->gitdir = tr2_path_copy(dotgit);
	} else if (is_repository(dir)) {
		repo->gitdir = tr2_path_copy(*shown ? shown : ".");
		return is_ours(dir) ? FOUND : STOP;
	} else {
		return NOTHING;
	}
	return repo->gitdir && is_ours(dir) && is_ours(repo->gitdir) ? FOUND
								     : STOP;
}

static enum verdict examine_dir(struct tr2_gitdir *repo, const char *dir,
				const char *shown)
{
	char *dotgit = *shown ? tr2_path_join(shown, ".git")
			      : tr2_path_copy(".git");
	enum verdict verdict = dotgit ? examine_paths(repo, dir, shown, dotgit)
				      : NOTHING;

	tr2_host->free(dotgit);
	return verdict;
}

/*
 * Returns the length of the ceiling and the slash after it, or 0 if `dir`
 * isn't below the ceiling. Paths that are not longer are not examined.
 */
static size_t measure_ceiling(const char *dir, const char *path)
{
	size_t len = 0;

	for (size_t i = 0; path[i]; i++)
		if (path[i] != '/')
			len = i + 1;
	return !strncmp(dir, path, len) && dir[len] == '/' ? len + 1 : 0;
}

static size_t one_ceiling(const char *dir, const char *ceiling, int as_is)
{
	char *real = NULL;
	size_t len = 0;

	if (*ceiling != '/')
		return 0;
	if (!as_is)
		real = tr2_path_real(ceiling);
	if (as_is || real)
		len = measure_ceiling(dir, as_is ? ceiling : real);
	tr2_host->free(real);
	return len;
}

/*
 * Find the longest ceiling. After an empty entry links are not resolved: with
 * it a user asks for this where resolving is slow.
 * SPEC: params.repository
 */
static size_t find_ceiling(const char *dir)
{
	const char *list = tr2_host->getenv("GIT_CEILING_DIRECTORIES");
	size_t longest = 0, size, len;
	char *entry;
	int as_is = 0;

	for (; list; list = list[size] ? list + size + 1 : NULL) {
		size = strcspn(list, ":");
		as_is |= !size;
		entry = tr2_path_take(list, size);
		len = entry ? one_ceiling(dir, entry, as_is) : 0;
		tr2_host->free(entry);
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

/* `dir` is the working directory, and afterwards one above it. */
static int find_above(struct tr2_gitdir *repo, char *dir)
{
	int anywhere = crosses_file_systems();
	struct stat start, here;
	enum verdict verdict;
	size_t ceiling;

	if (stat(dir, &start))
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

static int find_upwards(struct tr2_gitdir *repo)
{
	char *dir = tr2_path_here();
	int found = dir && find_above(repo, dir);

	tr2_host->free(dir);
	return found;
}

/* Use the path in GIT_DIR: a repository, or a gitfile. */
static int take_named(struct tr2_gitdir *repo, const char *name)
{
	if (!is_file(name))
		repo->gitdir = is_repository(name) ? tr2_path_copy(name) : NULL;
	else if (is_ours(name))
		repo->gitdir = read_gitfile(name);
	return repo->gitdir && is_ours(repo->gitdir);
}

int tr2_gitdir_find(struct tr2_gitdir *repo)
{
	const char *name = tr2_host->getenv("GIT_DIR");

	*repo = (struct tr2_gitdir){ NULL, NULL };
	if (name ? take_named(repo, name) : find_upwards(repo))
		repo->commondir = find_commondir(repo->gitdir);
	if (repo->commondir)
		return 1;
	tr2_gitdir_release(repo);
	return 0;
}

void tr2_gitdir_release(struct tr2_gitdir *repo)
{
	tr2_host->free(repo->gitdir);
	tr2_host->free(repo->commondir);
	*repo = (struct tr2_gitdir){ NULL, NULL };
}
