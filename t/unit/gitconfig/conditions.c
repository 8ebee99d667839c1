/*
 * Conditions of includes: where the repository is, and by which name. And the
 * files that are warned about.
 */
#define _GNU_SOURCE /* syscall(), RTLD_NEXT */
#include "kit/destination.h"

#include <dlfcn.h>
#include <sys/syscall.h>

#include "kit/live.h"
#include "gitconfig/gitconfig.h"

/*
 * A world of config files and repositories, with an environment of its own
 */

static struct {
	const char *name, *value;
} names[12]; /* the environment */
static char shown[1 << 17];

static const char *some_getenv(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].name && !strcmp(name, names[i].name))
			return names[i].value;
	return NULL;
}

static void set_name(const char *name, const char *value)
{
	size_t i = 0;

	while (names[i].name && strcmp(names[i].name, name))
		i++;
	names[i].name = name;
	names[i].value = value;
}

static void forget_names(void)
{
	memset(names, 0, sizeof(names));
	set_name("GIT_CONFIG_SYSTEM", kit_path("system"));
	set_name("HOME", kit_path("home"));
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	kit_require(fd >= 0 && write(fd, text, strlen(text)) >= 0, path);
	close(fd);
}

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

static const char *show_all(void)
{
	*shown = '\0';
	tr2_gitconfig_read_all(show_entry, NULL);
	return shown;
}

static const char *show_early(void)
{
	*shown = '\0';
	tr2_gitconfig_read_early(show_entry, NULL);
	return shown;
}

static void make_world(void)
{
	static const char *const dirs[] = {
		"home",
		"home/.config",
		"home/.config/git",
		"xdg",
		"xdg/git",
		"repo",
		"repo/.git",
		"repo/.git/refs",
		"repo/.git/objects",
		"wt",
		"Sub",
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		kit_require(!mkdir(dirs[i], 0777), dirs[i]);
	write_file("repo/.git/HEAD", "ref: refs/heads/main");
	write_file("repo/.git/config", "[l]k");
	write_file("wt/HEAD", "ref: refs/heads/main");
	write_file("wt/commondir", "../repo/.git");
	write_file("system", "[s]k");
	write_file("home/.gitconfig", "[h]k");
	write_file("home/.config/git/config", "[x]k");
	write_file("xdg/git/config", "[o]k");
	write_file("global", "[g]k");
	write_file("yes", "[y]k");
	kit_require(!symlink("repo", "link"), "no link");
}

static void gitconfig_start(void)
{
	kit_start();
	kit_host.getenv = some_getenv;
	kit_host.realloc = counting_realloc;
	kit_host.free = counting_free;
	forget_names();
	make_world();
}

/*
 * Conditions
 */

static const char *elsewhere; /* as if it had been copied bit by bit */
static int no_cwd, no_real;

/* In the place of the C library's. */
int stat(const char *path, struct stat *st)
{
	int failed = fstatat(AT_FDCWD, path, st, 0);

	if (no_cwd && !strcmp(path, "."))
		return -1;
	if (elsewhere && !strcmp(path, elsewhere)) {
		failed = fstatat(AT_FDCWD, ".", st, 0);
		st->st_dev++;
	}
	return failed;
}

char *getcwd(char *path, size_t size)
{
	if (no_cwd || size < PATH_MAX || syscall(SYS_getcwd, path, size) < 0)
		return NULL;
	return path;
}

char *realpath(const char *path, char *out)
{
	char *(*real)(const char *, char *);

	*(void **)(&real) = dlsym(RTLD_NEXT, "realpath");
	return no_real ? NULL : real(path, out);
}

/* Does this condition hold, in the user's file? */
static int condition_holds(const char *condition)
{
	write_file(kit_path("home/.gitconfig"),
		   kit_text("[includeIf \"%s\"]path=../yes", condition));
	return strstr(show_all(), "y.k") != NULL;
}

static int condition_includes(const char *text)
{
	write_file("Sub/config", text);
	set_name("GIT_CONFIG_GLOBAL", kit_path("Sub/config"));
	return strstr(show_all(), "global:y.k=-;") != NULL;
}

/* The repository below the file's own directory. */
static void test_own_directory(void)
{
	kit_require(!rename("repo", "Sub/repo"), "no repository");
	set_name("GIT_DIR", kit_path("Sub/repo/.git"));
	tap_ok(condition_includes("[includeIf \"gitdir:./repo/\"]path=../yes"),
	       "./ is the file's own directory");
	tap_ok(condition_includes(
		       "[includeIf \"gitdir/i:./REPO/\"]path=../yes"),
	       "what follows ./ may be in any case");
	tap_ok(!condition_includes("[includeIf \"gitdir:./epo/\"]path=../yes"),
	       "what follows ./ is a whole name");
	tap_ok(!condition_includes("[includeIf \"gitdir:./.git/\"]path=../yes"),
	       "./ is the directory itself");
	tap_ok(condition_includes("[includeIf \"gitdir:./?epo/\"]path=../yes"),
	       "what follows ./ is a glob from its first byte");
	kit_require(!rename("Sub", "Su*"), "no new name");
	kit_require(!mkdir("Sub", 0777), "no directory");
	write_file("Su*/config", "[includeIf \"gitdir:./repo/\"]path=../yes");
	kit_require(!rename("Su*/repo", "Sub/repo"), "no repository");
	set_name("GIT_CONFIG_GLOBAL", kit_path("Su*/config"));
	tap_ok(!strstr(show_all(), "global:y.k=-;"),
	       "the file's own directory is no glob");
	set_name("GIT_CONFIG_GLOBAL", "/dev/null");
	set_name("GIT_CONFIG_PARAMETERS",
		 kit_text("'includeIf.gitdir:./repo/.path'='%s'",
			  kit_path("yes")));
	tap_ok(!strstr(show_all(), "y.k"),
	       "the command scope has no directory");
	set_name("GIT_CONFIG_PARAMETERS",
		 kit_text("'include.path'='%s'", kit_path("yes")));
	tap_ok(strstr(show_all(), "command:y.k=-;") != NULL,
	       "the command scope includes by whole paths");
	set_name("GIT_CONFIG_PARAMETERS", "'include.path'='yes'");
	tap_ok(!strstr(show_all(), "y.k"), "and by no others");
	forget_names();
}

/* With as many slashes before it as have room. */
static const char *long_name(const char *path)
{
	static char name[PATH_MAX];

	memset(name, '/', sizeof(name) - 1);
	memcpy(name + sizeof(name) - 1 - strlen(path), path, strlen(path));
	return name;
}

/* $PWD shows the way that the user went, if it leads here. */
static void test_pwd(void)
{
	static const char text[] = "[includeIf \"gitdir:link/\"]path=../yes";
	const char *link = kit_path("link");

	kit_require(!rename("Sub/repo", "repo") && !chdir("repo"), "no chdir");
	write_file("../home/.gitconfig", text);
	set_name("PWD", link);
	tap_ok(strstr(show_all(), "y.k") != NULL, "a link in PWD is seen");
	set_name("PWD", kit_path("home"));
	tap_ok(!strstr(show_all(), "y.k"), "an old PWD is not looked at");
	set_name("PWD", "../link");
	tap_ok(!strstr(show_all(), "y.k"), "nor a relative one");
	set_name("PWD", kit_text("%s/gone/link", kit_dir));
	tap_ok(!strstr(show_all(), "y.k"), "nor one that is not there");
	set_name("PWD", NULL);
	tap_ok(!strstr(show_all(), "y.k"), "without PWD links are not seen");
	kit_require(!mkdir("../home/link", 0777), "no directory");
	set_name("PWD", kit_path("home/link"));
	tap_ok(!strstr(show_all(), "y.k"), "nor an old one of the same name");
	elsewhere = kit_path("home/link");
	tap_ok(!strstr(show_all(), "y.k"), "nor one on another device");
	elsewhere = NULL;
	set_name("PWD", link);
	tap_ok(condition_holds("gitdir:repo/"), "a link in PWD hides nothing");
	set_name("PWD", kit_text("%s//link", kit_dir));
	tap_ok(condition_holds("gitdir:link/") &&
		       !condition_holds("gitdir:/link/"),
	       "an absolute pattern begins at the root");
	set_name("PWD", NULL);
	set_name("GIT_DIR", "../link/.git");
	tap_ok(condition_holds("gitdir:link/"),
	       "a link from the working directory is seen");
	no_cwd = 1;
	tap_ok(!condition_holds("gitdir:link/"),
	       "without a working directory none is seen");
	set_name("PWD", link);
	tap_ok(!condition_holds("gitdir:link/"), "nor one that PWD shows");
	no_cwd = 0;
	set_name("PWD", long_name(link));
	set_name("GIT_DIR", ".git");
	tap_ok(!condition_holds("gitdir:link/"),
	       "nor one without room for more");
	set_name("PWD", NULL);
	set_name("GIT_DIR", kit_path("link/.git"));
	tap_ok(condition_holds("gitdir:link/") &&
		       condition_holds(kit_text("gitdir:%s/link/", kit_dir)),
	       "a link in GIT_DIR is seen");
	no_real = 1;
	tap_ok(condition_holds("gitdir:link/") &&
		       !condition_holds("gitdir:repo/"),
	       "though there may be no real name");
	no_real = 0;
	kit_require(!chdir(kit_dir), "no chdir");
	forget_names();
}

/* A linked worktree by two names, the shared directory by neither. */
static void test_worktree(void)
{
	kit_require(!symlink("wt", "tw"), "no link");
	set_name("GIT_DIR", "tw");
	tap_ok(condition_holds("gitdir:wt"),
	       "a worktree's real name is looked at");
	tap_ok(condition_holds("gitdir:tw"),
	       "a worktree's other name is looked at");
	forget_names();
}

static void test_home(void)
{
	kit_require(!symlink(".", "here"), "no link");
	set_name("GIT_DIR", "repo/.git");
	write_file("global", kit_text("[includeIf \"gitdir:~/repo/\"]path=%s",
				      kit_path("yes")));
	set_name("GIT_CONFIG_GLOBAL", kit_path("global"));
	set_name("HOME", kit_path("here"));
	tap_ok(strstr(show_all(), "y.k") != NULL,
	       "a link to the home is followed");
	set_name("HOME", kit_path("no-home"));
	write_file("global", "[include]path=~/x");
	show_early();
	tap_str(kit_stderr(), "", "a home that is not there is no warning");
	forget_names();
}

/* Early only the user's own files are read, also for remotes' URLs. */
static void test_early_urls(void)
{
	set_name("GIT_CONFIG_PARAMETERS", "'remote.x.url'='a'");
	write_file("home/.gitconfig",
		   "[includeIf \"hasconfig:remote.*.url:a\"]path=../yes");
	tap_ok(strstr(show_all(), "y.k") != NULL, "a command's URLs are seen");
	tap_ok(!strstr(show_early(), "y.k"), "early they are not");
	forget_names();
}

/*
 * Files
 */

static void test_warnings(void)
{
	write_file("system", "[s]k\n1\n");
	tap_str(show_early(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"a broken file keeps what stands before the error");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: bad config line 2 in file %s\n",
			 kit_path("system")),
		"a broken file is warned about");
	show_all();
	tap_str(kit_stderr(), "", "but not for the list of parameters");
	set_name("GIT_CONFIG_SYSTEM", kit_dir);
	show_early();
	tap_str(kit_stderr(),
		kit_text("warning: unable to access '%s': Is a directory\n",
			 kit_dir),
		"a directory for a file is warned about");
	show_all();
	set_name("GIT_CONFIG_SYSTEM", kit_path("home/.gitconfig/x"));
	show_early();
	tap_str(kit_stderr(), "", "what can't be there is not");
	write_file("system", "[s]k");
	forget_names();
}

static int refusal;

static int refusing_open(const char *path, int flags, mode_t mode)
{
	(void)path, (void)flags, (void)mode;
	errno = refusal;
	return -1;
}

/* Nobody may have asked the program to trace. */
static void test_shortage(void)
{
	static const int shortages[] = { EMFILE, ENFILE, ENOMEM };
	size_t i;

	set_name("GIT_CONFIG_SYSTEM", kit_path("system"));
	set_name("GIT_CONFIG_GLOBAL", kit_path("global"));
	for (i = 0; i < sizeof(shortages) / sizeof(*shortages); i++) {
		refusal = shortages[i];
		kit_host.open = refusing_open;
		show_early();
		kit_host.open = tr2_host_system.open;
		tap_str(kit_stderr(), "",
			kit_text("no file is warned about when there are no "
				 "more descriptors or memory (%d)",
				 (int)i));
	}
	forget_names();
}

int main(void)
{
	gitconfig_start();
	tap_run(test_warnings, test_shortage, test_own_directory, test_pwd,
		test_worktree, test_home, test_early_urls);
	tap_int(live, 0, "conditions leak nothing");
	return kit_done();
}
