/* Conditions of includes: where the repository is, and by which name. */
#define _GNU_SOURCE /* syscall(), RTLD_NEXT */
#include "gitconfig/gitconfig_kit.h"

#include <dlfcn.h>
#include <sys/syscall.h>

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

int main(void)
{
	gitconfig_start();
	tap_run(test_own_directory, test_pwd, test_worktree, test_home,
		test_early_urls);
	tap_int(live, 0, "conditions leak nothing");
	return kit_done();
}
