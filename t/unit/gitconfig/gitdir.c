/* Which repository is found: see gitdir_kit.h for the world it is in. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "gitconfig/gitdir.h"

#include "gitconfig/gitdir_kit.h"

/* `gitdir commondir`, or `none`. */
static const char *get_found(void)
{
	struct tr2_gitdir repo;
	const char *found;

	if (!tr2_gitdir_find(&repo))
		return "none";
	found = kit_text("%s %s", repo.gitdir, repo.commondir);
	tr2_gitdir_release(&repo);
	return found;
}

static void set_name(size_t i, const char *name, const char *value)
{
	names[i][0] = name;
	names[i][1] = value;
}

static void test_search(void)
{
	static const struct {
		const char *from;
		const char *found;
	} cases[] = {
		{ "/repo", ".git .git" },
		{ "/repo/sub", "/repo/.git /repo/.git" },
		{ "/repo/sub/deep", "/repo/.git /repo/.git" },
		{ "/repo/empty", "/repo/.git /repo/.git" },
		{ "/repo/broken", "/repo/.git /repo/.git" },
		{ "/repo/.git", ". ." },
		{ "/repo/.git/refs", "/repo/.git /repo/.git" },
		{ "/bare", ". ." },
		{ "/bare/refs", "/bare /bare" },
		{ "/linked", "/repo/.git/worktrees/l /repo/.git" },
		{ "/repo/astray", "none" },
		{ "/ours", ".git .git" },
		{ "/link", ".git .git" },
		{ "/outside", "none" },
		{ "/", "none" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		go_to(cases[i].from);
		tap_str(get_found(), cases[i].found,
			kit_text("%s: the repository from there",
				 cases[i].from));
	}
}

static void test_named(void)
{
	static const struct {
		const char *names[2][2];
		const char *found;
	} cases[] = {
		{ { { "GIT_DIR", "/repo/.git" } }, "/repo/.git /repo/.git" },
		{ { { "GIT_DIR", "repo/.git" } }, "repo/.git repo/.git" },
		{ { { "GIT_DIR", "bare" } }, "bare bare" },
		{ { { "GIT_DIR", "/linked/.git" } },
		  "/repo/.git/worktrees/l /repo/.git" },
		{ { { "GIT_DIR", "/repo/astray/.git" } }, "none" },
		{ { { "GIT_DIR", "/outside" } }, "none" },
		{ { { "GIT_DIR", "" } }, "none" },
		{ { { "GIT_DIR", "/repo/.git" }, { "GIT_COMMON_DIR", "bare" } },
		  "/repo/.git bare" },
		{ { { "GIT_DIR", "/repo/.git" }, { "GIT_COMMON_DIR", "no" } },
		  "none" },
		{ { { "GIT_DIR", "/bare" },
		    { "GIT_OBJECT_DIRECTORY", "/outside" } },
		  "/bare /bare" },
		{ { { "GIT_DIR", "/bare" }, { "GIT_OBJECT_DIRECTORY", "no" } },
		  "none" },
	};

	go_to("/");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(names, cases[i].names, sizeof(cases[i].names));
		tap_str(get_found(), cases[i].found,
			kit_text("%s=%s %s: the repository", names[0][0],
				 names[0][1], names[1][1] ? names[1][1] : ""));
	}
	memset(names, 0, sizeof(names));
}

/* The first file is another user's, or on another disk. */
static void test_owners(void)
{
	static const struct {
		const char *theirs;
		const char *from; /* NULL: GIT_DIR=/linked/.git */
		const char *found;
	} cases[] = {
		{ "/repo", "/repo", "none" },
		{ "/repo/.git", "/repo", "none" },
		{ "/repo", "/repo/sub", "none" },
		{ "/repo/.git", "/repo/sub", "none" },
		{ "/repo/sub", "/repo/sub", "/repo/.git /repo/.git" },
		{ "/bare", "/bare", "none" },
		{ "/bare", "/bare/refs", "none" },
		{ "/repo/bare", "/repo/bare/refs", "none" },
		{ "/repo/inner", "/repo/inner", "none" },
		{ "/repo/inner/.git", "/repo/inner", "none" },
		{ "/linked", "/linked", "none" },
		{ "/linked/.git", "/linked", "none" },
		{ "/repo/.git/worktrees/l", "/linked", "none" },
		{ "/repo/.git", "/ours", ".git .git" },
		{ "/ours/.git", "/ours", "none" },
		{ "/linked/.git", NULL, "none" },
		{ "/repo/.git/worktrees/l", NULL, "none" },
		{ "/linked", NULL, "/repo/.git/worktrees/l /repo/.git" },
	};
	struct stat st;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *from = cases[i].from;

		theirs = 0;
		kit_require(!lstat(cases[i].theirs, &st), cases[i].theirs);
		theirs = st.st_ino;
		set_name(0, from ? NULL : "GIT_DIR", "/linked/.git");
		go_to(from ? from : "/");
		tap_str(get_found(), cases[i].found,
			kit_text("%s is another user's, from %s",
				 cases[i].theirs, from ? from : "GIT_DIR"));
	}
	theirs = 0;
	set_name(0, NULL, NULL);
}

static void test_file_systems(void)
{
	static const struct {
		const char *crosses;
		const char *found;
	} cases[] = {
		{ NULL, "none" },
		{ "0", "none" },
		{ "maybe", "none" },
		{ "1", "/repo/.git /repo/.git" },
	};
	struct stat st;

	go_to("/repo/sub/deep");
	kit_require(!stat("/repo", &st), "no repository");
	elsewhere = st.st_ino;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		set_name(0, "GIT_DISCOVERY_ACROSS_FILESYSTEM",
			 cases[i].crosses);
		tap_str(get_found(), cases[i].found,
			kit_text("a search across file systems: %s",
				 cases[i].crosses ? cases[i].crosses : "no"));
	}
	elsewhere = 0;
	set_name(0, NULL, NULL);
}

/* Where a path has no room for more the way up goes on. */
static void test_limits(void)
{
	struct tr2_gitdir repo;
	char cwd[PATH_MAX];

	make_dir("/repo/s");
	go_to("/repo/s");
	memset(cwd, '/', sizeof(cwd));
	memcpy(cwd, "/repo", strlen("/repo"));
	strcpy(cwd + PATH_MAX - 2, "s");
	told_cwd = cwd;
	tap_ok(tr2_gitdir_find(&repo) && !strncmp(repo.gitdir, "/repo/", 6),
	       "the way up begins with the longest path");
	tr2_gitdir_release(&repo);
	told_cwd = "";
	tap_str(get_found(), "none",
		"a lost working directory has no repository");
	told_cwd = "/gone/away";
	tap_str(get_found(), "none", "nor has one that can't be looked at");
	told_cwd = NULL;
	go_to("/repo/sub");
	hidden = "/repo";
	tap_str(get_found(), "none",
		"the way up ends where nothing can be seen");
	hidden = NULL;
	set_name(0, "GIT_DIR", cwd);
	tap_str(get_found(), "none", "a GIT_DIR without room for more is none");
	set_name(0, NULL, NULL);
}

/* It could be the name of a commit, if it had room. */
static void test_long_head(void)
{
	static const size_t lengths[] = { 20000, PATH_MAX, PATH_MAX - 1 };
	static char text[20001];

	make_dir("/long");
	make_dir("/long/objects");
	make_dir("/long/refs");
	set_name(0, "GIT_DIR", "/long");
	for (int i = 0; i < 3; i++) {
		memset(text, 'a', lengths[i]);
		text[lengths[i]] = '\0';
		write_file("/long/HEAD", text);
		tap_str(get_found(), i < 2 ? "none" : "/long /long",
			kit_text("a HEAD of %zu bytes", lengths[i]));
	}
	set_name(0, NULL, NULL);
}

/* The last step of the way up is `/`. */
static void test_root(void)
{
	static char too_long[PATH_MAX + 2] = "/";

	write_file("/HEAD", "ref: refs/heads/main\n");
	make_dir("/objects");
	make_dir("/refs");
	go_to("/outside");
	tap_str(get_found(), "/ /", "the way up ends with the root");
	set_name(0, "GIT_CEILING_DIRECTORIES", "none:/none:/bare");
	tap_str(get_found(), "/ /", "no ceiling ends the way up early");
	memset(too_long + 1, 'x', PATH_MAX);
	set_name(0, "GIT_CEILING_DIRECTORIES", too_long);
	tap_str(get_found(), "/ /", "nor does one that is too long");
	go_to("/");
	set_name(0, NULL, NULL);
	tap_str(get_found(), ". .", "the root itself may be a repository");
	set_name(0, "GIT_DIR", "");
	tap_str(get_found(), "none", "an empty GIT_DIR is not the root");
	set_name(0, "GIT_CEILING_DIRECTORIES", "/");
	go_to("/outside");
	tap_str(get_found(), "none", "the root may be a ceiling");
	set_name(0, NULL, NULL);
}

int main(void)
{
	kit_start();
	kit_host.open = world_open;
	kit_host.getenv = world_getenv;
	kit_host.realloc = counting_realloc;
	kit_host.free = counting_free;
	make_world();
	tap_run(test_search, test_named, test_owners, test_file_systems,
		test_limits, test_long_head, test_root);
	tap_int(live, 0, "looking for a repository leaks nothing");
	return kit_done();
}
