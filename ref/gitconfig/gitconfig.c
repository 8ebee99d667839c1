#include "gitconfig/gitconfig.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gitconfig/reader.h"
#include "gitconfig/gitdir.h"
#include "host/host.h"
#include "host/memory.h"
#include "gitconfig/path.h"
#include "gitconfig/value.h"

#define SYSTEM_CONFIG "/etc/gitconfig"

enum {
	INCLUDE_DEPTH_MAX = 10,
	INCLUDES_MAX = 1000 /* in total, so that includes in a circle end */
};

/*
 * A file that is being parsed. The one that it includes is parsed first, as
 * far as its end; the list takes the place of recursion, whose stack a small
 * thread has not got.
 */
struct tr2_gitconfig_file {
	struct tr2_gitconfig_file *includer;
	char *path;
	struct tr2_buf text;
	struct tr2_gitconfig_parser parser;
};

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

/*
 * `error` is the result of opening or reading the file. A file in a directory
 * that may not be searched (HOME may belong to another user) counts as
 * missing. A shortage is the program's own affair, and nobody may have asked
 * it to trace.
 * SPEC: config.files.unreadable
 */
static void warn_unreadable(const struct tr2_gitconfig_reader *reader,
			    const char *path, int error)
{
	if (error == EMFILE || error == ENFILE || error == ENOMEM)
		return;
	if (reader->warns && !access(path, F_OK))
		tr2_host_warn("unable to access '%s': %s", path,
			      strerror(error));
}

static void free_file(struct tr2_gitconfig_file *file)
{
	tr2_gitconfig_parse_end(&file->parser);
	tr2_buf_release(&file->text);
	tr2_host->free(file->path);
	tr2_host->free(file);
}

/* Begin to read a file. It owns `path`. */
static void open_file(struct tr2_gitconfig_reader *reader, char *path)
{
	struct tr2_gitconfig_file *file =
		path ? tr2_memory_realloc(NULL, sizeof(*file)) : NULL;
	int error;

	if (!file) {
		tr2_host->free(path);
		return;
	}
	*file = (struct tr2_gitconfig_file){
		reader->open, path, TR2_BUF_INIT, { 0 }
	};
	error = tr2_path_read(path, &file->text);
	if (error) {
		warn_unreadable(reader, path, error);
		free_file(file);
		return;
	}
	tr2_gitconfig_parse_begin(&file->parser, file->text.bytes,
				  file->text.len);
	reader->open = file;
}

/* SPEC: config.include.depth, config.include.too-deep */
static void follow_include(struct tr2_gitconfig_reader *reader, char *path)
{
	if (reader->depth == INCLUDE_DEPTH_MAX ||
	    reader->includes == INCLUDES_MAX) {
		refuse_include(reader, path);
		tr2_host->free(path);
		return;
	}
	reader->includes++;
	open_file(reader, path);
}

/*
 * The include key is an entry itself; it comes before the entries of the file
 * that it includes. `path` is NULL in the environment.
 * SPEC: config.include
 */
static void take_assignment(struct tr2_gitconfig_reader *reader,
			    const struct tr2_gitconfig_assignment *assignment,
			    const char *path)
{
	const struct tr2_config_entry entry = {
		.scope = reader->scope,
		.key = assignment->key,
		.value = assignment->value,
		.path = path,
		.line = assignment->line,
	};
	char *included;

	reader->fn(&entry, reader->data);
	included = tr2_gitconfig_include(reader, &entry);
	if (included)
		follow_include(reader, included);
}

/* SPEC: config.files.broken */
static void close_file(struct tr2_gitconfig_reader *reader, int bad)
{
	struct tr2_gitconfig_file *file = reader->open;

	if (bad && reader->warns)
		tr2_host_warn("trace2: bad config line %d in file %s", bad,
			      file->path);
	reader->open = file->includer;
	free_file(file);
}

/*
 * Read the files that are open, and those that they include. `depth` is that
 * of the first one.
 */
static void read_open(struct tr2_gitconfig_reader *reader, int depth)
{
	struct tr2_gitconfig_assignment found;
	struct tr2_gitconfig_file *file;
	int bad;

	reader->depth = depth;
	while ((file = reader->open) != NULL) {
		bad = 0;
		if (tr2_gitconfig_parse_next(&file->parser, &found, &bad)) {
			take_assignment(reader, &found, file->path);
			reader->depth += reader->open != file;
		} else {
			close_file(reader, bad);
			reader->depth--;
		}
	}
	reader->depth = 0;
}

/* `path` is freed. */
static void read_file(struct tr2_gitconfig_reader *reader, char *path)
{
	open_file(reader, path);
	read_open(reader, 0);
}

/* What the environment includes is one level deep. */
static void take_environment(const struct tr2_gitconfig_assignment *assignment,
			     void *data)
{
	struct tr2_gitconfig_reader *reader = data;

	take_assignment(reader, assignment, NULL);
	read_open(reader, 1);
}

/* SPEC: config.files.system, config.files.nosystem */
static void read_system(struct tr2_gitconfig_reader *reader)
{
	const char *none = tr2_host->getenv("GIT_CONFIG_NOSYSTEM");
	const char *path = tr2_host->getenv("GIT_CONFIG_SYSTEM");

	if (none && tr2_settings_bool(none) > 0)
		return;
	read_file(reader, tr2_path_copy(path ? path : SYSTEM_CONFIG));
}

/* SPEC: config.files.xdg, config.files.no-home */
static void read_xdg(struct tr2_gitconfig_reader *reader)
{
	const char *dir = tr2_host->getenv("XDG_CONFIG_HOME");
	const char *home = tr2_host->getenv("HOME");

	if (dir && *dir)
		read_file(reader, tr2_path_join(dir, "git/config"));
	else if (home)
		read_file(reader, tr2_path_join(home, ".config/git/config"));
}

/* SPEC: config.files.global */
static void read_global(struct tr2_gitconfig_reader *reader)
{
	const char *path = tr2_host->getenv("GIT_CONFIG_GLOBAL");
	const char *home = tr2_host->getenv("HOME");

	if (path) {
		read_file(reader, tr2_path_copy(path));
		return;
	}
	read_xdg(reader);
	if (home)
		read_file(reader, tr2_path_join(home, ".gitconfig"));
}

/* SPEC: config.files, params.scopes */
static void read_scopes(struct tr2_gitconfig_reader *reader)
{
	reader->scope = TR2_SCOPE_SYSTEM;
	read_system(reader);
	reader->scope = TR2_SCOPE_GLOBAL;
	read_global(reader);
	if (reader->early)
		return;
	reader->scope = TR2_SCOPE_LOCAL;
	if (reader->repo)
		read_file(reader,
			  tr2_path_join(reader->repo->commondir, "config"));
	reader->scope = TR2_SCOPE_COMMAND;
	tr2_gitconfig_command(take_environment, reader);
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
	tr2_gitdir_release(&repo);
}
