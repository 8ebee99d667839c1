#include "tr2_gitdir.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tr2_buf.h"
#include "tr2_host.h"
#include "tr2_path.h"
#include "tr2_settings_value.h"

/* What looking into one directory tells. */
enum verdict {
	NOTHING,
	FOUND,
	STOP /* there is something, but it is broken or not ours */
};

static int is_line_end(char c)
{
	return c == '\r' || c == '\n';
}

/*
 * A small text file without the line ends at its end. 0, or -1 if it can't
 * be read, is too long or holds a NUL.
 */
static int read_line(char out[PATH_MAX], const char *path)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int failed = tr2_path_read(path, &text);

	while (text.len && is_line_end(text.bytes[text.len - 1]))
		text.len--;
	failed = failed || text.len >= PATH_MAX ||
		 (text.len && memchr(text.bytes, '\0', text.len));
	if (!failed && text.len)
		memcpy(out, text.bytes, text.len);
	out[failed ? 0 : text.len] = '\0';
	tr2_buf_release(&text);
	return failed ? -1 : 0;
}

static int starts_with(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* Where the part is that linked worktrees share. */
static int find_commondir(char out[PATH_MAX], const char *gitdir)
{
	const char *set = tr2_host->getenv("GIT_COMMON_DIR");
	char path[PATH_MAX], line[PATH_MAX];

	if (set)
		return tr2_path_copy(out, set);
	if (tr2_path_join(path, gitdir, "commondir"))
		return -1;
	if (access(path, F_OK))
		return tr2_path_copy(out, gitdir);
	if (read_line(line, path) || tr2_path_beside(path, path, line))
		return -1;
	return tr2_path_real(out, path);
}

/* Is this what HEAD of a repository looks like? */
static int is_head(const char *path)
{
	char line[PATH_MAX] = "";
	const char *ref = line + strlen("ref:");
	struct stat st;

	if (lstat(path, &st))
		return 0;
	if (S_ISLNK(st.st_mode))
		return readlink(path, line, sizeof(line) - 1) > 0 &&
		       starts_with(line, "refs/");
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

	if (!*gitdir || tr2_path_join(path, gitdir, "HEAD") || !is_head(path))
		return 0;
	if (find_commondir(path, gitdir))
		return 0;
	if (objects ? access(objects, X_OK) : !can_enter(path, "objects"))
		return 0;
	return can_enter(path, "refs");
}

/* What a gitfile names. 0, or -1 if it isn't one or leads nowhere. */
static int read_gitfile(char out[PATH_MAX], const char *path)
{
	static const char prefix[] = "gitdir: ";
	char line[PATH_MAX], target[PATH_MAX];

	if (read_line(line, path) || !starts_with(line, prefix))
		return -1;
	if (tr2_path_beside(target, path, line + strlen(prefix)) ||
	    !is_repository(target))
		return -1;
	return tr2_path_real(out, target);
}

static int is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Of the link, not of what it leads to. SPEC: params.repository.owner */
static int is_ours(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && st.st_uid == geteuid();
}

/*
 * Look into one directory of the way up. `shown` is what its paths begin
 * with: "" for the working directory, whose paths stay relative, so that
 * conditions can see them through the links that the user sees.
 */
static enum verdict look(struct tr2_gitdir *repo, const char *dir,
			 const char *shown)
{
	char dotgit[PATH_MAX];

	if (*shown ? tr2_path_join(dotgit, shown, ".git")
		   : tr2_path_copy(dotgit, ".git"))
		return STOP;
	if (is_file(dotgit)) {
		if (read_gitfile(repo->gitdir, dotgit) || !is_ours(dotgit))
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

/* So many bytes of `dir` are a ceiling: nothing up to there is looked at. */
static long one_ceiling(const char *dir, const char *ceiling, int resolve)
{
	char real[PATH_MAX];
	size_t len;

	if (*ceiling != '/')
		return -1;
	if (resolve && tr2_path_real(real, ceiling))
		return -1;
	if (resolve)
		ceiling = real;
	len = strlen(ceiling);
	while (len && ceiling[len - 1] == '/')
		len--;
	return !strncmp(dir, ceiling, len) && dir[len] == '/' ? (long)len : -1;
}

/*
 * The longest ceiling; -1: none. After an empty entry links stay links:
 * a user says so where resolving them is slow. SPEC: params.repository
 */
static long find_ceiling(const char *dir)
{
	const char *list = tr2_host->getenv("GIT_CEILING_DIRECTORIES");
	char entry[PATH_MAX];
	long longest = -1, len;
	int resolve = 1;
	size_t size;

	for (; list; list = list[size] ? list + size + 1 : NULL) {
		size = strcspn(list, ":");
		if (!size)
			resolve = 0;
		if (!size || size >= PATH_MAX)
			continue;
		memcpy(entry, list, size);
		entry[size] = '\0';
		len = one_ceiling(dir, entry, resolve);
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

/* Cut the last component off. 0, or -1 if that is the ceiling or `/`. */
static int go_up(char *dir, long ceiling)
{
	char *slash = strrchr(dir, '/');

	if (!dir[1] || slash - dir <= ceiling)
		return -1;
	slash[slash == dir] = '\0';
	return 0;
}

static int find_upwards(struct tr2_gitdir *repo)
{
	int anywhere = crosses_file_systems();
	char dir[PATH_MAX];
	struct stat start, here;
	enum verdict verdict;
	long ceiling;

	if (!getcwd(dir, sizeof(dir)) || stat(dir, &start))
		return 0;
	ceiling = find_ceiling(dir);
	verdict = look(repo, dir, "");
	while (verdict == NOTHING) {
		if (go_up(dir, ceiling) || stat(dir, &here) ||
		    (here.st_dev != start.st_dev && !anywhere))
			return 0;
		verdict = look(repo, dir, dir);
	}
	return verdict == FOUND;
}

/* What GIT_DIR names: a repository, or a gitfile. */
static int take_named(struct tr2_gitdir *repo, const char *name)
{
	if (is_file(name)) {
		if (!is_ours(name) || read_gitfile(repo->gitdir, name))
			return 0;
	} else if (!is_repository(name) || tr2_path_copy(repo->gitdir, name)) {
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
