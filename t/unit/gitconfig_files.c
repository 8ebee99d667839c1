/* Which files are read, in which scope, and which of them are included. */
#include "tr2_gitconfig.h"

#include "destination_kit.h"
#include "live_kit.h"

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
static void show(const struct tr2_config_entry *entry, void *data)
{
	size_t used = strlen(shown);

	(void)data;
	if (!strncmp(entry->key, "include", strlen("include")))
		return;
	snprintf(shown + used, sizeof(shown) - used, "%s:%s=%s;",
		 tr2_config_scope_name(entry->scope), entry->key,
		 entry->value ? entry->value : "-");
}

static const char *all(void)
{
	*shown = '\0';
	tr2_gitconfig_read_all(show, NULL);
	return shown;
}

static const char *early(void)
{
	*shown = '\0';
	tr2_gitconfig_read_early(show, NULL);
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

static void test_scopes(void)
{
	set_name("GIT_CONFIG_PARAMETERS", "'c.k'");
	tap_str(all(), "system:s.k=-;global:x.k=-;global:h.k=-;command:c.k=-;",
		"without a repository three scopes are read");
	set_name("GIT_DIR", "repo/.git");
	tap_str(all(),
		"system:s.k=-;global:x.k=-;global:h.k=-;local:l.k=-;"
		"command:c.k=-;",
		"with a repository there are four scopes");
	set_name("GIT_DIR", "wt");
	tap_ok(strstr(all(), "local:l.k=-;") != NULL,
	       "a linked worktree reads the shared config");
	tap_str(early(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"early there are two scopes");
	forget_names();
	set_name("GIT_CONFIG_NOSYSTEM", "1");
	set_name("XDG_CONFIG_HOME", kit_path("xdg"));
	tap_str(all(), "global:o.k=-;global:h.k=-;",
		"the system's file may be left out, and the XDG one moved");
	set_name("GIT_CONFIG_NOSYSTEM", "0");
	set_name("XDG_CONFIG_HOME", "");
	tap_str(all(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"neither by a false or empty variable");
	set_name("GIT_CONFIG_GLOBAL", kit_path("global"));
	tap_str(all(), "system:s.k=-;global:g.k=-;",
		"one global file may take the place of both");
	forget_names();
	set_name("HOME", NULL);
	tap_str(all(), "system:s.k=-;", "without a home there is none of both");
	forget_names();
	tap_str(kit_stderr(), "", "nothing is said about files not there");
}

static void test_warnings(void)
{
	write_file("system", "[s]k\n1\n");
	tap_str(early(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"a broken file keeps what stands before the error");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: bad config line 2 in file %s\n",
			 kit_path("system")),
		"a broken file is warned about");
	all();
	tap_str(kit_stderr(), "", "but not for the list of parameters");
	set_name("GIT_CONFIG_SYSTEM", kit_dir);
	early();
	tap_str(kit_stderr(),
		kit_text("warning: unable to access '%s': Is a directory\n",
			 kit_dir),
		"a directory for a file is warned about");
	all();
	set_name("GIT_CONFIG_SYSTEM", kit_path("home/.gitconfig/x"));
	early();
	tap_str(kit_stderr(), "", "what can't be there is not");
	write_file("system", "[s]k");
	forget_names();
}

static int refusing_open(const char *path, int flags, mode_t mode)
{
	(void)path, (void)flags, (void)mode;
	errno = EACCES;
	return -1;
}

static void test_refused(void)
{
	const char *none = kit_path("none"), *global = kit_path("global");

	set_name("GIT_CONFIG_SYSTEM", none);
	set_name("GIT_CONFIG_GLOBAL", global);
	kit_host.open = refusing_open;
	early();
	kit_host.open = tr2_host_system.open;
	tap_str(kit_stderr(),
		kit_text("warning: unable to access '%s': Permission denied\n",
			 global),
		"a file that is seen and refused is warned about");
	forget_names();
}

/* Each in ~/.gitconfig, seen from the scratch directory. */
static void test_includes(void)
{
	static const struct {
		const char *text;
		int included;
	} cases[] = {
		{ "[include]path=../yes", 1 },
		{ "[include]path=~/../yes", 1 },
		{ "[include]path=yes", 0 },
		{ "[include]other=../yes", 0 },
		{ "[includeIf]path=../yes", 0 },
		{ "[includeIf \"gitdir:**\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:**\"]other=../yes", 0 },
		{ "[includeIf \"gitdir:\"]path=../yes", 1 },
		{ "[includeIf \"gitdir\"]path=../yes", 0 },
		{ "[includeIs \"gitdir:**\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:repo/\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:repo/.git\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:repo\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:epo/\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:REPO/\"]path=../yes", 0 },
		{ "[includeIf \"gitdir/i:REPO/\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:/**/repo/\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:/repo/\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:~/../repo/\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:./repo/\"]path=../yes", 0 },
		{ "[includeIf \"gitdir:.git\"]path=../yes", 1 },
		{ "[includeIf \"gitdir:~no.one.of.this.name/\"]path=../yes",
		  0 },
		{ "[includeIf \"hasconfig:remote.*.url:a/*\"]path=../yes\n"
		  "[remote \"x\"]url=a/b",
		  1 },
		{ "[remote \"x\"]url=z\n[remote \"y\"]url=a/b\n"
		  "[includeIf \"hasconfig:remote.*.url:a/*\"]path=../yes",
		  1 },
		{ "[remote \"x\"]url=a/b/c\n"
		  "[includeIf \"hasconfig:remote.*.url:a/*\"]path=../yes",
		  0 },
		{ "[remote \"x\"]url\n[remote \"x\"]push=a\n[remote]url=a\n"
		  "[emote \"x\"]url=a\n[remote \"x\"]aurl=a\n"
		  "[includeIf \"hasconfig:remote.*.url:a\"]path=../yes",
		  0 },
		{ "[includeIf \"hasconfig:remote.*.url\"]path=../yes", 0 },
		{ "[remote \"\"]url=a\n"
		  "[includeIf \"hasconfig:remote.*.url:a\"]path=../yes",
		  1 },
	};

	set_name("GIT_DIR", "repo/.git");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_file("home/.gitconfig", cases[i].text);
		tap_int(strstr(all(), "global:y.k=-;") != NULL,
			cases[i].included, kit_text("include %zu", i));
	}
	tap_str(kit_stderr(), "", "nothing is said of includes not taken");
}

static void test_unusable(void)
{
	static const char *const texts[] = {
		"[include]\npath",
		"[include]\npath=~no.one.of.this.name/x",
	};

	for (int i = 0; i < 2; i++) {
		write_file("home/.gitconfig", texts[i]);
		early();
		tap_str(kit_stderr(),
			kit_text("warning: trace2: unusable include path in "
				 "file %s at line 2\n",
				 kit_path("home/.gitconfig")),
			kit_text("an unusable include path is told: %d", i));
		all();
		tap_str(kit_stderr(), "",
			kit_text("but not for parameters: %d", i));
	}
	write_file("home/.gitconfig",
		   "[includeIf \"gitdir:**\"]path=../yes\n"
		   "[remote \"x\"]url=a\n"
		   "[includeIf \"hasconfig:remote.*.url:\"]path=../yes");
	set_name("GIT_DIR", "none");
	tap_ok(!strstr(all(), "y.k"), "without a repository no gitdir holds");
	set_name("GIT_DIR", "wt");
	write_file("home/.gitconfig", "[includeIf \"gitdir:wt\"]path=../yes");
	tap_ok(strstr(all(), "y.k") != NULL,
	       "a worktree's condition sees its own directory");
	write_file("home/.gitconfig",
		   kit_text("[includeIf \"gitdir:%s/wt\"]path=../yes",
			    kit_dir));
	tap_ok(strstr(all(), "y.k") != NULL,
	       "an absolute pattern stays as it is");
	forget_names();
}

static int includes(const char *text)
{
	write_file("Sub/config", text);
	set_name("GIT_CONFIG_GLOBAL", kit_path("Sub/config"));
	return strstr(all(), "global:y.k=-;") != NULL;
}

static int count(const char *text, const char *word)
{
	int found = 0;

	for (; (text = strstr(text, word)); text++)
		found++;
	return found;
}

static const char *too_deep(const char *path)
{
	return kit_text("warning: trace2: not including '%s': more than 10 "
			"levels deep, or 1000 files\n",
			path);
}

static void test_circles(void)
{
	char text[2000] = "[a]k\n[include]\n";

	write_file("home/.gitconfig", "[a]k\n[include]\npath=.gitconfig\n"
				      "path=../yes");
	tap_int(count(early(), "a.k"), 11, "ten levels of includes are taken");
	tap_int(count(shown, "y.k"), 10, "all but the last go on");
	tap_str(kit_stderr(), too_deep(kit_path("home/.gitconfig")),
		"a circle is warned about once");
	all();
	tap_str(kit_stderr(), "", "a circle is none of the warnings of a list");
	write_file("home/.gitconfig", "[a]k\n[include]\npath=.gitconfig\n"
				      "path=../none");
	early();
	tap_int(count(kit_stderr(), "none"), 0,
		"a file that is not there can't be too deep");
	while (strlen(text) < 1500)
		strcat(text, "path=.gitconfig\n");
	write_file("home/.gitconfig", text);
	tap_int(count(early(), "a.k"), 1001, "a thousand files are included");
	kit_stderr();
	for (int i = 1; i <= 11; i++)
		write_file(kit_text("home/%d", i),
			   kit_text("[a]k\n[include]path=%d", i + 1));
	write_file("home/10", "[a]k\n[include]path=none");
	write_file("home/.gitconfig", "[include]path=1");
	tap_int(count(early(), "a.k"), 10, "ten levels are not too deep");
	tap_str(kit_stderr(), "", "and what is not there is no level");
}

/* The repository below the file's own directory. */
static void test_own_directory(void)
{
	kit_require(!rename("repo", "Sub/repo"), "no repository");
	set_name("GIT_DIR", kit_path("Sub/repo/.git"));
	tap_ok(includes("[includeIf \"gitdir:./repo/\"]path=../yes"),
	       "./ is the file's own directory");
	tap_ok(includes("[includeIf \"gitdir/i:./REPO/\"]path=../yes"),
	       "what follows ./ may be in any case");
	tap_ok(!includes("[includeIf \"gitdir:./epo/\"]path=../yes"),
	       "what follows ./ is a whole name");
	tap_ok(!includes("[includeIf \"gitdir:./.git/\"]path=../yes"),
	       "./ is the directory itself");
	kit_require(!rename("Sub", "S*b"), "no new name");
	kit_require(!mkdir("Sub", 0777), "no directory");
	write_file("S*b/config", "[includeIf \"gitdir:./repo/\"]path=../yes");
	kit_require(!rename("S*b/repo", "Sub/repo"), "no repository");
	set_name("GIT_CONFIG_GLOBAL", kit_path("S*b/config"));
	tap_ok(!strstr(all(), "global:y.k=-;"),
	       "the file's own directory is no glob");
	set_name("GIT_CONFIG_GLOBAL", "/dev/null");
	set_name("GIT_CONFIG_PARAMETERS",
		 kit_text("'includeIf.gitdir:./repo/.path'='%s'",
			  kit_path("yes")));
	tap_ok(!strstr(all(), "y.k"), "the command scope has no directory");
	set_name("GIT_CONFIG_PARAMETERS",
		 kit_text("'include.path'='%s'", kit_path("yes")));
	tap_ok(strstr(all(), "command:y.k=-;") != NULL,
	       "the command scope includes by whole paths");
	set_name("GIT_CONFIG_PARAMETERS", "'include.path'='yes'");
	tap_ok(!strstr(all(), "y.k"), "and by no others");
	forget_names();
}

/* $PWD shows the way that the user went, if it leads here. */
static void test_pwd(void)
{
	static const char text[] = "[includeIf \"gitdir:link/\"]path=../yes";
	const char *link = kit_path("link");

	kit_require(!rename("Sub/repo", "repo") && !chdir("repo"), "no chdir");
	write_file("../home/.gitconfig", text);
	set_name("PWD", link);
	tap_ok(strstr(all(), "y.k") != NULL, "a link in PWD is seen");
	set_name("PWD", kit_path("home"));
	tap_ok(!strstr(all(), "y.k"), "an old PWD is not looked at");
	set_name("PWD", "../link");
	tap_ok(!strstr(all(), "y.k"), "nor a relative one");
	set_name("PWD", kit_text("%s/gone/link", kit_dir));
	tap_ok(!strstr(all(), "y.k"), "nor one that is not there");
	set_name("PWD", NULL);
	tap_ok(!strstr(all(), "y.k"), "without PWD links are not seen");
	set_name("GIT_DIR", kit_path("link/.git"));
	tap_ok(strstr(all(), "y.k") != NULL, "a link in GIT_DIR is seen");
	kit_require(!chdir(kit_dir), "no chdir");
}

int main(void)
{
	kit_start();
	kit_host.getenv = some_getenv;
	kit_host.realloc = counting_realloc;
	kit_host.free = counting_free;
	forget_names();
	make_world();
	test_scopes();
	test_warnings();
	test_refused();
	test_includes();
	test_circles();
	test_unusable();
	test_own_directory();
	test_pwd();
	tap_int(live, 0, "reading config leaks nothing");
	return kit_done();
}
