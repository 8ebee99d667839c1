/*
 * Which file an entry includes, and whether its condition is true.
 * SPEC: config.include, config.include-if, config.include-if.gitdir,
 * config.include-if.fold, config.include-if.url
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gitconfig/reader.h"
#include "gitconfig/gitdir.h"
#include "gitconfig/glob.h"
#include "host/host.h"
#include "gitconfig/path.h"

/* The part between a condition's keyword and `.path`. */
struct condition {
	struct tr2_gitconfig_reader *reader;
	const char *file; /* file of the condition; NULL: the environment */
	const char *text;
	size_t len;
};

/*
 * A gitdir pattern after completion. Its first bytes may be the file's own
 * directory; these bytes are not a glob and match only themselves.
 */
struct dir_glob {
	char text[PATH_MAX];
	size_t literal;
};

static void add_own_directory(struct dir_glob *glob, const char *file)
{
	char dir[PATH_MAX];

	if (tr2_path_real(dir, file))
		return;
	*strrchr(dir, '/') = '\0';
	glob->literal = strlen(dir);
	tr2_path_join(glob->text, dir, glob->text + strlen("./"));
}

/*
 * A pattern that gets too long stays as it is; no repository's path matches
 * it.
 */
static void complete_glob(struct dir_glob *glob, const char *file)
{
	char *text = glob->text;

	glob->literal = 0;
	if (!strncmp(text, "./", strlen("./")))
		add_own_directory(glob, file);
	else if (*text != '/')
		tr2_path_join(text, "**", text);
	if (text[strlen(text) - 1] == '/')
		tr2_path_join(text, text, "**");
}

static int dir_matches(const struct dir_glob *glob, const char *dir,
		       unsigned flags)
{
	const char *rest = glob->text + glob->literal;

	return tr2_glob_same(glob->text, dir, glob->literal, flags) &&
	       tr2_glob_match(rest, strlen(rest), dir + glob->literal,
			      flags | TR2_GLOB_PATH);
}

/* Is $PWD a name of the working directory? Another program may have set it. */
static int pwd_holds(const char *pwd)
{
	struct stat here, there;

	return pwd && *pwd == '/' && !stat(pwd, &there) && !stat(".", &here) &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* Keep links as the user's shell shows them. Not 0: the path is too long. */
static int absolute_path(char out[PATH_MAX], const char *path)
{
	const char *pwd = tr2_host->getenv("PWD");
	char cwd[PATH_MAX];

	if (*path == '/')
		return tr2_path_copy(out, path);
	if (!pwd_holds(pwd))
		pwd = getcwd(cwd, sizeof(cwd));
	return !pwd || tr2_path_join(out, pwd, path);
}

/* Try the real path, then the path that the user sees. */
static int gitdir_holds(const struct condition *cond, unsigned flags)
{
	const struct tr2_gitdir *repo = cond->reader->repo;
	struct dir_glob glob;
	char dir[PATH_MAX];

	if (!repo || tr2_path_expand(glob.text, cond->text, cond->len, 1))
		return 0;
	complete_glob(&glob, cond->file);
	return (!tr2_path_real(dir, repo->gitdir) &&
		dir_matches(&glob, dir, flags)) ||
	       (!absolute_path(dir, repo->gitdir) &&
		dir_matches(&glob, dir, flags));
}

static int remote_url_holds(const struct condition *cond, unsigned flags)
{
	const struct tr2_buf *urls = tr2_gitconfig_urls(cond->reader);
	size_t at = 0;

	while (at < urls->len) {
		if (tr2_glob_match(cond->text, cond->len, urls->bytes + at,
				   flags))
			return 1;
		at += strlen(urls->bytes + at) + 1;
	}
	return 0;
}

/* SPEC: config.include-if, config.include-if.params */
static const struct {
	const char *keyword;
	int (*holds)(const struct condition *cond, unsigned flags);
	unsigned flags;
} conditions[] = {
	{ "gitdir:", gitdir_holds, 0 },
	{ "gitdir/i:", gitdir_holds, TR2_GLOB_FOLD },
	{ "hasconfig:remote.*.url:", remote_url_holds, TR2_GLOB_PATH },
	{ NULL, NULL, 0 },
};

/* Is this `includeif.<condition>.path`, and is the condition true? */
static int condition_holds(struct tr2_gitconfig_reader *reader,
			   const struct tr2_config_entry *entry)
{
	static const char section[] = "includeif.", name[] = ".path";
	struct condition cond = { .reader = reader, .file = entry->path };
	size_t len = strlen(entry->key), i;

	if (strncmp(entry->key, section, strlen(section)) ||
	    strcmp(entry->key + len - strlen(name), name))
		return 0;
	cond.text = entry->key + strlen(section);
	for (i = 0; conditions[i].keyword; i++) {
		len = strlen(conditions[i].keyword);
		if (strncmp(cond.text, conditions[i].keyword, len))
			continue;
		cond.text += len;
		cond.len = strlen(cond.text) - strlen(name);
		return conditions[i].holds(&cond, conditions[i].flags);
	}
	return 0;
}

static void warn_unusable(const struct tr2_gitconfig_reader *reader,
			  const struct tr2_config_entry *entry)
{
	if (reader->warns)
		tr2_host_warn("trace2: unusable include path in file %s at "
			      "line %d",
			      entry->path, entry->line);
}

int tr2_gitconfig_include(struct tr2_gitconfig_reader *reader,
			  const struct tr2_config_entry *entry,
			  char out[PATH_MAX])
{
	char path[PATH_MAX];

	if (strcmp(entry->key, "include.path") &&
	    !condition_holds(reader, entry))
		return 0;
	if (!entry->value ||
	    tr2_path_expand(path, entry->value, strlen(entry->value), 0) ||
	    (!entry->path && *path != '/') ||
	    tr2_path_beside(out, entry->path ? entry->path : "", path)) {
		warn_unusable(reader, entry);
		return 0;
	}
	return 1;
}
