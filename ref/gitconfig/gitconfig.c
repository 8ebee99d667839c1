#include "gitconfig/gitconfig.h"

#include <string.h>
#include <unistd.h>

#include "gitconfig/reader.h"
#include "gitconfig/gitdir.h"
#include "host/host.h"
#include "gitconfig/path.h"
#include "gitconfig/value.h"

#define SYSTEM_CONFIG "/etc/gitconfig"

enum {
	INCLUDE_DEPTH_MAX = 10,
	INCLUDES_MAX = 1000 /* in total, so that includes in a circle end */
};

/* The file that is being parsed; its assignments need it. */
struct source {
	struct tr2_gitconfig_reader *reader;
	const char *path; /* NULL: the environment */
};

static void read_file(struct tr2_gitconfig_reader *reader, const char *path);

const char *tr2_config_scope_name(enum tr2_config_scope scope)
{
	static const char *const names[] = {
		[TR2_SCOPE_SYSTEM] = "system",
		[TR2_SCOPE_GLOBAL] = "global",
		[TR2_SCOPE_LOCAL] = "local",
		[TR2_SCOPE_COMMAND] = "command",
		[TR2_SCOPE_UNKNOWN] = "unknown",
	};

	return names[scope];
}

/* Warn only once: includes in a circle would repeat the warning endlessly. */
static void refuse_include(struct tr2_gitconfig_reader *reader,
			   const char *path)
{
	if (reader->refused || access(path, F_OK))
		return;
	reader->refused = 1;
	if (reader->warns)
		tr2_host_warn("trace2: not including '%s': more than %d "
			      "levels deep, or %d files",
			      path, INCLUDE_DEPTH_MAX, INCLUDES_MAX);
}

/* SPEC: config.include.depth, config.include.too-deep */
static void follow_include(struct tr2_gitconfig_reader *reader,
			   const char *path)
{
	if (reader->depth == INCLUDE_DEPTH_MAX ||
	    reader->includes == INCLUDES_MAX) {
		refuse_include(reader, path);
		return;
	}
	reader->includes++;
	reader->depth++;
	read_file(reader, path);
	reader->depth--;
}

/*
 * The include key is an entry itself; it comes before the entries of the file
 * that it includes.
 * SPEC: config.include
 */
static void take_assignment(const char *key, const char *value, int line,
			    void *data)
{
	struct source *source = data;
	struct tr2_gitconfig_reader *reader = source->reader;
	struct tr2_config_entry entry = {
		.scope = reader->scope,
		.key = key,
		.value = value,
		.path = source->path,
		.line = line,
	};
	char path[PATH_MAX];

	reader->fn(&entry, reader->data);
	if (tr2_gitconfig_include(reader, &entry, path))
		follow_include(reader, path);
}

/*
 * `error` is the result of opening or reading the file. A file in a directory
 * that may not be searched (HOME may belong to another user) counts as
 * missing.
 * SPEC: config.files.unreadable
 */
static void warn_unreadable(const struct tr2_gitconfig_reader *reader,
			    const char *path, int error)
{
	if (reader->warns && !access(path, F_OK))
		tr2_host_warn("unable to access '%s': %s", path,
			      strerror(error));
}

/* SPEC: config.files.broken */
static void read_file(struct tr2_gitconfig_reader *reader, const char *path)
{
	struct source source = { reader, path };
	struct tr2_buf text = TR2_BUF_INIT;
	int bad = 0, error = tr2_path_read(path, &text);

	if (error)
		warn_unreadable(reader, path, error);
	else
		bad = tr2_gitconfig_parse(text.bytes, text.len, take_assignment,
					  &source);
	if (bad && reader->warns)
		tr2_host_warn("trace2: bad config line %d in file %s", bad,
			      path);
	tr2_buf_release(&text);
}

/* SPEC: config.files.system, config.files.nosystem */
static void read_system(struct tr2_gitconfig_reader *reader)
{
	const char *none = tr2_host->getenv("GIT_CONFIG_NOSYSTEM");
	const char *path = tr2_host->getenv("GIT_CONFIG_SYSTEM");

	if (none && tr2_settings_bool(none) > 0)
		return;
	read_file(reader, path ? path : SYSTEM_CONFIG);
}

/* SPEC: config.files.xdg, config.files.no-home */
static void read_xdg(struct tr2_gitconfig_reader *reader)
{
	const char *dir = tr2_host->getenv("XDG_CONFIG_HOME");
	const char *home = tr2_host->getenv("HOME");
	char path[PATH_MAX];

	if (dir && *dir) {
		if (!tr2_path_join(path, dir, "git/config"))
			read_file(reader, path);
	} else if (home && !tr2_path_join(path, home, ".config/git/config")) {
		read_file(reader, path);
	}
}

/* SPEC: config.files.global */
static void read_global(struct tr2_gitconfig_reader *reader)
{
	const char *path = tr2_host->getenv("GIT_CONFIG_GLOBAL");
	const char *home = tr2_host->getenv("HOME");
	char file[PATH_MAX];

	if (path) {
		read_file(reader, path);
		return;
	}
	read_xdg(reader);
	if (home && !tr2_path_join(file, home, ".gitconfig"))
		read_file(reader, file);
}

/* SPEC: config.files, params.scopes */
static void read_scopes(struct tr2_gitconfig_reader *reader)
{
	struct source environment = { reader, NULL };
	char path[PATH_MAX];

	reader->scope = TR2_SCOPE_SYSTEM;
	read_system(reader);
	reader->scope = TR2_SCOPE_GLOBAL;
	read_global(reader);
	if (reader->early)
		return;
	reader->scope = TR2_SCOPE_LOCAL;
	if (reader->repo &&
	    !tr2_path_join(path, reader->repo->commondir, "config"))
		read_file(reader, path);
	reader->scope = TR2_SCOPE_COMMAND;
	tr2_gitconfig_command(take_assignment, &environment);
}

static void take_url(const struct tr2_config_entry *entry, void *data)
{
	static const char section[] = "remote.";
	const char *name = strrchr(entry->key, '.');

	if (entry->value && !strncmp(entry->key, section, strlen(section)) &&
	    name >= entry->key + strlen(section) && !strcmp(name, ".url"))
		tr2_buf_add(data, entry->value, strlen(entry->value) + 1);
}

const struct tr2_buf *tr2_gitconfig_urls(struct tr2_gitconfig_reader *reader)
{
	struct tr2_gitconfig_reader inner = {
		.fn = take_url,
		.data = &reader->urls,
		.repo = reader->repo,
		.early = reader->early,
		.has_urls = 1,
	};

	if (!reader->has_urls) {
		read_scopes(&inner);
		reader->has_urls = 1;
	}
	return &reader->urls;
}

static void read_config(struct tr2_gitconfig_reader *reader)
{
	read_scopes(reader);
	tr2_buf_release(&reader->urls);
}

void tr2_gitconfig_read_early(tr2_config_fn *fn, void *data)
{
	struct tr2_gitconfig_reader reader = {
		.fn = fn,
		.data = data,
		.early = 1,
		.warns = 1,
	};

	read_config(&reader);
}

void tr2_gitconfig_read_all(tr2_config_fn *fn, void *data)
{
	struct tr2_gitdir repo;
	struct tr2_gitconfig_reader reader = {
		.fn = fn,
		.data = data,
		.repo = tr2_gitdir_find(&repo) ? &repo : NULL,
	};

	read_config(&reader);
}
