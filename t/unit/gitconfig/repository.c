/*
 * Which repository is found, and which conditions of includes hold there, in a
 * world whose root is a directory of the test's own: `/repo` is below it.
 * repository.txt has the cases; each begins with the world of make_world().
 */
#define _GNU_SOURCE /* syscall(), realpath */
#include "kit/memory.h"

#include "gitconfig/repository_system.h"

#include "gitconfig/gitconfig.h"
#include "base/buf.h"
#include "gitconfig/gitdir.h"
#include "gitconfig/path.h"
#include "kit/script.h"

/*
 * ---- The world
 */

static const char *go_to(char **word)
{
	kit_require(!chdir(real_path(word[0])), word[0]);
	return NULL;
}

static void make_dir(const char *path)
{
	kit_require(!mkdir(real_path(path), 0777), path);
}

static const char *make_dirs(char **word)
{
	for (; *word[0]; word++)
		make_dir(word[0]);
	return NULL;
}

static void put_text(const char *path, const char *text, size_t len)
{
	int fd = open(real_path(path), O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(fd >= 0 && write(fd, text, len) == (ssize_t)len, path);
	close(fd);
}

static const char *make_file(char **word)
{
	put_text(word[0], word[1], strlen(word[1]));
	return NULL;
}

/* It begins with bytes that a commit's name may have. */
static const char *make_long_file(char **word)
{
	static char text[20001];

	memset(text, 'a', sizeof(text));
	put_text(word[0], text, sizeof(text) - 1);
	kit_require(!truncate(real_path(word[0]), script_number(word[1], 0)),
		    word[0]);
	return NULL;
}

static const char *make_link(char **word)
{
	unlink(real_path(word[0]));
	kit_require(!symlink(word[1], real_path(word[0])), word[0]);
	return NULL;
}

static const char *move_file(char **word)
{
	kit_require(!rename(real_path(word[0]), real_path(word[1])), word[0]);
	return NULL;
}

/* What `git init` leaves, as far as it is looked at. */
static void make_repository(const char *path)
{
	make_dir(path);
	make_dir(kit_text("%s/objects", path));
	make_dir(kit_text("%s/refs", path));
	put_text(kit_text("%s/HEAD", path), "ref: refs/heads/main\n", 21);
}

/* `env NAME VALUE`; `env NAME`: it has none. `long:x` is as long as may be. */
static const char *set_variable(char **word)
{
	const bool is_long = !strncmp(word[1], "long:", 5);
	size_t i = 0, len;

	while (*environment[i][0] && strcmp(environment[i][0], word[0]))
		i++;
	snprintf(environment[i][0], PATH_MAX, "%s", word[0]);
	len = (size_t)snprintf(environment[i][1], PATH_MAX, "%s", word[1]);
	if (is_long) {
		memset(environment[i][1], '/', PATH_MAX - 1);
		strcpy(environment[i][1] + PATH_MAX - 1 - (len - 5),
		       word[1] + 5);
	}
	if (!strcmp(word[1], "unset"))
		*environment[i][0] = '?';
	return NULL;
}

/* The working directory as the system tells it: the longest path, or so. */
static const char *tell_cwd(char **word)
{
	static char cwd[PATH_MAX];

	snprintf(cwd, sizeof(cwd), "%s", word[0]);
	if (!strcmp(word[0], "long")) {
		memset(cwd, '/', sizeof(cwd));
		memcpy(cwd, "/repo", strlen("/repo"));
		strcpy(cwd + PATH_MAX - 2, "s");
	}
	told_cwd = cwd;
	return NULL;
}

static ino_t find_inode(const char *path)
{
	struct stat st;

	kit_require(!lstat(path, &st), path);
	return st.st_ino;
}

static const char *set_owner(char **word)
{
	theirs = 0;
	theirs = find_inode(word[0]);
	return NULL;
}

static const char *set_disk(char **word)
{
	other_disk = 0;
	other_disk = find_inode(word[0]);
	return NULL;
}

static const char *hide_path(char **word)
{
	snprintf(hidden, sizeof(hidden), "%s", word[0]);
	return NULL;
}

static const char *copy_here(char **word)
{
	snprintf(copied, sizeof(copied), "%s", word[0]);
	return NULL;
}

static void make_world(void)
{
	static const char *const dirs[] = {
		"",
		"/repo",
		"/repo/sub",
		"/repo/sub/deep",
		"/repo/empty",
		"/repo/empty/.git",
		"/repo/broken",
		"/linked",
		"/repo/astray",
		"/repo/inner",
		"/outside",
		"/ours",
		"/home",
		"/home/.config",
		"/home/.config/git",
		"/Sub",
		"/wt",
	};
	static const char *const repositories[] = {
		"/repo/.git", "/repo/broken/.git", "/bare",
		"/repo/bare", "/repo/inner/.git",
	};
	static const char *const files[][2] = {
		{ "/repo/broken/.git/commondir", "none" },
		{ "/linked/.git", "gitdir: ../repo/.git/worktrees/l\r\n" },
		{ "/repo/.git/worktrees/l/HEAD", "ref: refs/heads/l\n" },
		{ "/repo/.git/worktrees/l/commondir", "../..\n" },
		{ "/repo/astray/.git", "gitdir: /linked\n" },
		{ "/repo/.git/config", "[l]k" },
		{ "/wt/HEAD", "ref: refs/heads/main" },
		{ "/wt/commondir", "../repo/.git" },
		{ "/system", "[s]k" },
		{ "/home/.gitconfig", "[h]k" },
		{ "/home/.config/git/config", "[x]k" },
		{ "/global", "[g]k" },
		{ "/yes", "[y]k" },
	};
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		make_dir(*dirs[i] ? dirs[i] : "/");
	for (i = 0; i < sizeof(repositories) / sizeof(*repositories); i++)
		make_repository(repositories[i]);
	make_dir("/repo/.git/worktrees");
	make_dir("/repo/.git/worktrees/l");
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		put_text(files[i][0], files[i][1], strlen(files[i][1]));
	kit_require(!symlink("../repo/.git", real_path("/ours/.git")) &&
			    !symlink("repo", real_path("/link")),
		    "no links");
}

/*
 * ---- What is found there
 */

static const char *tell_found(SCRIPT_NONE)
{
	struct tr2_gitdir repo;
	const char *found;

	if (!tr2_gitdir_find(&repo))
		return "none";
	found = strlen(repo.gitdir) > 100
			? script_say("%.6s...", repo.gitdir)
			: script_say("%s %s", repo.gitdir, repo.commondir);
	tr2_gitdir_release(&repo);
	return found;
}

static char shown[1 << 17];

/* Includes themselves are left out. */
static void show_entry(const struct tr2_config_entry *entry, void *data)
{
	size_t used = strlen(shown);

	(void)data;
	if (!strncmp(entry->key, "include", strlen("include")))
		return;
	snprintf(shown + used, sizeof(shown) - used, "%s:%s=%s;",
		 tr2_config_scope_name(entry->scope), entry->key,
		 entry->value ? entry->value : "-");
}

/* `config`, or `config early`: before it is known what is traced. */
static const char *tell_config(char **word)
{
	*shown = '\0';
	if (*word[0])
		tr2_gitconfig_read_early(show_entry, NULL);
	else
		tr2_gitconfig_read_all(show_entry, NULL);
	return shown;
}

/* Does the file `yes` count? */
static const char *is_included(char **word)
{
	return script_say_yes(strstr(tell_config(word), "y.k") != NULL);
}

/* Does this condition hold, in the user's file? */
static const char *does_hold(char **word)
{
	const char *text = kit_text("[includeIf \"%s\"]path=/yes", word[0]);

	put_text("/home/.gitconfig", text, strlen(text));
	return is_included((char *[]){ (char[]){ "" } });
}

/* Since this was asked last. */
static const char *tell_warnings(SCRIPT_NONE)
{
	static char text[1024];
	const ssize_t len = pread(STDERR_FILENO, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	return ftruncate(STDERR_FILENO, 0) ? "?" : text;
}

/* `expand ~/x`; `expand ~/x real`. What is below the world begins with `/`. */
static const char *expand_path(char **word)
{
	char *path = tr2_path_expand(word[0], strlen(word[0]), *word[1]);
	const char *answer = path ? script_say("%s", path) : "none";

	tr2_host->free(path);
	return answer;
}

/* The length of a file, or why it is not read. */
static const char *read_whole(char **word)
{
	struct tr2_buf text = TR2_BUF_INIT;
	const int error = tr2_path_read(word[0], &text);
	const size_t len = text.len;

	tr2_buf_release(&text);
	return error ? script_say_error(error)
		     : script_say_number((intmax_t)len);
}

static const struct script_verb verbs[] = {
	{ "go", go_to },
	{ "expand", expand_path },
	{ "read", read_whole },
	{ "dir", make_dirs },
	{ "file", make_file },
	{ "long-file", make_long_file },
	{ "link", make_link },
	{ "move", move_file },
	{ "env", set_variable },
	{ "cwd", tell_cwd },
	{ "theirs", set_owner },
	{ "other-disk", set_disk },
	{ "hidden", hide_path },
	{ "copied", copy_here },
	{ "found", tell_found },
	{ "config", tell_config },
	{ "included", is_included },
	{ "holds", does_hold },
	{ "warnings", tell_warnings },
	{ "set", script_set },
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "no-cwd", &no_cwd },	 { "no-real", &no_real },
	{ "open", &open_error }, { "interrupted", &interrupted },
	{ "at-most", &at_most }, { NULL, NULL },
};

static void begin_case(void)
{
	memset(environment, 0, sizeof(environment));
	set_variable((char *[]){ (char[]){ "GIT_CONFIG_SYSTEM" },
				 (char[]){ "/system" } });
	set_variable((char *[]){ (char[]){ "HOME" }, (char[]){ "/home" } });
	make_world();
	go_to((char *[]){ (char[]){ "/" } });
}

static void end_case(void)
{
	theirs = other_disk = 0;
	*hidden = *copied = '\0';
	told_cwd = NULL;
	script_clear_values();
	kit_require(!chdir(kit_dir) && !system("rm -rf root"), "no way back");
	if (memory_live)
		script_fail("no memory left", "some");
	tell_warnings(NULL);
}

int main(void)
{
	char *text = script_read(__FILE__);

	kit_start();
	kit_host.open = world_open;
	kit_host.getenv = world_getenv;
	memory_install(&kit_host);
	script.values = values;
	script_run(text, verbs, begin_case, end_case);
	return kit_done();
}
