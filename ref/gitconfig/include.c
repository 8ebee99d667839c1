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
	char *text;
	size_t literal;
};

/* 0: there is no text, or it got too long: no repository's path matches it. */
static int replace_text(struct dir_glob *glob, char *text)
{
	tr2_host->free(glob->text);
	glob->text = text;
	return text != NULL;
}

static int add_own_directory(struct dir_glob *glob, const char *file)
{
	char *dir = tr2_path_real(file), *text = NULL;

	if (dir) {
		*strrchr(dir, '/') = '\0';
		glob->literal = strlen(dir);
		text = tr2_path_join(dir, glob->text + strlen("./"));
	}
	tr2_host->free(dir);
	return replace_text(glob, text);
}

/* Add what the pattern begins with; 0 as above. */
static int complete_begin(struct dir_glob *glob, const char *file)
{
	if (!strncmp(glob->text, "./", strlen("./")))
		return add_own_directory(glob, file);
	if (*glob->text == '/')
		return 1;
	return replace_text(glob, tr2_path_join("**", glob->text));
}

static int complete_glob(struct dir_glob *glob, const char *file)
{
	if (!glob->text || !complete_begin(glob, file))
		return 0;
	if (glob->text[strlen(glob->text) - 1] != '/')
		return 1;
	return replace_text(glob, tr2_path_join(glob->text, "**"));
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

/* Keep links as the user's shell shows them. NULL: the path is too long. */
static char *absolute_path(const char *path)
{
	const char *pwd = tr2_host->getenv("PWD");
	char *here = NULL, *out = NULL;

	if (*path == '/')
		return tr2_path_copy(path);
	if (!pwd_holds(pwd))
		pwd = here = tr2_path_here();
	if (pwd)
		out = tr2_path_join(pwd, path);
	tr2_host->free(here);
	return out;
}

/* `dir` is freed. */
static int matches_and_free(const struct dir_glob *glob, char *dir,
			    unsigned flags)
{
	int matches = dir && dir_matches(glob, dir, flags);

	tr2_host->free(dir);
	return matches;
}

/* Try the real path, then the path that the user sees. */
static int gitdir_holds(const struct condition *cond, unsigned flags)
{
	const struct tr2_gitdir *repo = cond->reader->repo;
	struct dir_glob glob = { NULL, 0 };
	int holds;

	if (!repo)
		return 0;
	glob.text = tr2_path_expand(cond->text, cond->len, 1);
	holds = complete_glob(&glob, cond->file) &&
		(matches_and_free(&glob, tr2_path_real(repo->gitdir), flags) ||
		 matches_and_free(&glob, absolute_path(repo->gitdir), flags));
	tr2_host->free(glob.text);
	return holds;
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
	size_t len = strlen(entry->key);

	if (strncmp(entry->key, section, strlen(section)) ||
	    strcmp(entry->key + len - strlen(name), name))
		return 0;
	cond.text = entry->key + strlen(section);
	for (size_t i = 0; conditions[i].keyword; i++) {
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

/* NULL: the value names no file. */
static char *name_file(const struct tr2_config_entry *entry)
{
	char *path = NULL, *out = NULL;

	if (entry->value)
		path = tr2_path_expand(entry->value, strlen(entry->value), 0);
	if (path && (entry->path || *path == '/'))
		out = tr2_path_beside(entry->path ? entry->path : "", path);
	tr2_host->free(path);
	return out;
}

char *tr2_gitconfig_include(struct tr2_gitconfig_reader *reader,
			    const struct tr2_config_entry *entry)
{
	char *path;

	if (strcmp(entry->key, "include.path") &&
	    !condition_holds(reader, entry))
		return NULL;
	path = name_file(entry);
	if (!path)
		warn_unusable(reader, entry);
	return path;
}
