/* Which files are read, in which scope, and which of them are included. */
#include "gitconfig/gitconfig_kit.h"

static void test_scopes(void)
{
	set_name("GIT_CONFIG_PARAMETERS", "'c.k'");
	tap_str(show_all(),
		"system:s.k=-;global:x.k=-;global:h.k=-;command:c.k=-;",
		"without a repository three scopes are read");
	set_name("GIT_DIR", "repo/.git");
	tap_str(show_all(),
		"system:s.k=-;global:x.k=-;global:h.k=-;local:l.k=-;"
		"command:c.k=-;",
		"with a repository there are four scopes");
	set_name("GIT_DIR", "wt");
	tap_ok(strstr(show_all(), "local:l.k=-;") != NULL,
	       "a linked worktree reads the shared config");
	tap_str(show_early(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"early there are two scopes");
	forget_names();
	set_name("GIT_CONFIG_NOSYSTEM", "1");
	set_name("XDG_CONFIG_HOME", kit_path("xdg"));
	tap_str(show_all(), "global:o.k=-;global:h.k=-;",
		"the system's file may be left out, and the XDG one moved");
	set_name("GIT_CONFIG_NOSYSTEM", "0");
	set_name("XDG_CONFIG_HOME", "");
	tap_str(show_all(), "system:s.k=-;global:x.k=-;global:h.k=-;",
		"neither by a false or empty variable");
	set_name("GIT_CONFIG_GLOBAL", kit_path("global"));
	tap_str(show_all(), "system:s.k=-;global:g.k=-;",
		"one global file may take the place of both");
	forget_names();
	set_name("HOME", NULL);
	tap_str(show_all(), "system:s.k=-;",
		"without a home there is none of both");
	forget_names();
	tap_str(kit_stderr(), "", "nothing is said about files not there");
}

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

static int count_words(const char *text, const char *word)
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
	tap_int(count_words(show_early(), "a.k"), 11,
		"ten levels of includes are taken");
	tap_int(count_words(shown, "y.k"), 10, "all but the last go on");
	tap_str(kit_stderr(), too_deep(kit_path("home/.gitconfig")),
		"a circle is warned about once");
	show_all();
	tap_str(kit_stderr(), "", "a circle is none of the warnings of a list");
	write_file("home/.gitconfig", "[a]k\n[include]\npath=.gitconfig\n"
				      "path=../none");
	show_early();
	tap_int(count_words(kit_stderr(), "none"), 0,
		"a file that is not there can't be too deep");
	while (strlen(text) < 1500)
		strcat(text, "path=.gitconfig\n");
	write_file("home/.gitconfig", text);
	tap_int(count_words(show_early(), "a.k"), 1001,
		"a thousand files are included");
	kit_stderr();
	for (int i = 1; i <= 11; i++)
		write_file(kit_text("home/%d", i),
			   kit_text("[a]k\n[include]path=%d", i + 1));
	write_file("home/10", "[a]k\n[include]path=none");
	write_file("home/.gitconfig", "[include]path=1");
	tap_int(count_words(show_early(), "a.k"), 10,
		"ten levels are not too deep");
	tap_str(kit_stderr(), "", "and what is not there is no level");
}

int main(void)
{
	gitconfig_start();
	tap_run(test_scopes, test_warnings, test_shortage, test_circles);
	tap_int(live, 0, "reading config leaks nothing");
	return kit_done();
}
