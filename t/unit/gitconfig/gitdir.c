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

/* GIT_DIR=/bare with each of these. */
static void test_heads(void)
{
	static const char digits[] =
		"0123456789abcdefABCDEF0123456789abcdefABC";
	static char text[PATH_MAX + 1];
	const struct {
		const char *text;
		size_t len;
		int good;
	} cases[] = {
		{ "ref: refs/heads/x\n", 18, 1 },
		{ "ref:refs/x", 10, 1 },
		{ "ref: \t refs/", 12, 1 },
		{ "ref: refs/x\r\n\r\n", 15, 1 },
		{ "ref: x\n", 7, 0 },
		{ "ref:\nrefs/x", 11, 0 },
		{ "refs/x", 6, 0 },
		{ "ref: refs/x\0y", 13, 0 },
		{ "", 0, 0 },
		{ "\n", 1, 0 },
		{ digits, 40, 1 },
		{ digits, 39, 0 },
		{ text, PATH_MAX - 1, 1 },
		{ text, PATH_MAX, 0 },
	};

	memset(text, '0', PATH_MAX);
	set_name(0, "GIT_DIR", "/bare");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		make_file("/bare/HEAD", cases[i].text, cases[i].len);
		tap_str(get_found(), cases[i].good ? "/bare /bare" : "none",
			kit_text("HEAD %zu is %s repository's", i,
				 cases[i].good ? "a" : "no"));
	}
	make_link("refs/heads/none", "/bare/HEAD");
	tap_str(get_found(), "/bare /bare", "HEAD may be a link to a branch");
	make_link("r", "/bare/HEAD");
	tap_str(get_found(), "none",
		"HEAD is no link to the start of a branch");
	make_link("../repo/.git/HEAD", "/bare/HEAD");
	tap_str(get_found(), "none", "HEAD is no link to another one");
	unlink(real_path("/bare/HEAD"));
	tap_str(get_found(), "none", "a repository has a HEAD");
	write_file("/bare/HEAD", "ref: refs/heads/main\n");
	set_name(0, NULL, NULL);
}

static void test_parts(void)
{
	static const char *const parts[] = { "objects", "refs" };
	char text[PATH_MAX];

	set_name(0, "GIT_DIR", "/bare");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *path = kit_text("/bare/%s", parts[i]);

		rmdir(real_path(path));
		tap_str(get_found(), "none",
			kit_text("a repository has %s", parts[i]));
		write_file(path, "");
		tap_str(get_found(), "none",
			kit_text("a repository has a directory %s", parts[i]));
		unlink(real_path(path));
		make_dir(path);
	}
	kit_require(!chmod(real_path("/bare/objects"), 0500), "no chmod");
	kit_require(!chmod(real_path("/bare/refs"), 0500), "no chmod");
	tap_str(get_found(), "/bare /bare", "a repository may be only read");
	set_name(1, "GIT_OBJECT_DIRECTORY", "/bare/refs");
	tap_str(get_found(), "/bare /bare",
		"objects elsewhere may be only read");
	set_name(1, NULL, NULL);
	write_file("/bare/commondir", "../repo/.git\n");
	tap_str(get_found(), "/bare /repo/.git",
		"commondir is seen from its file");
	write_file("/bare/commondir", "/repo/.git");
	tap_str(get_found(), "/bare /repo/.git", "commondir may be absolute");
	write_file("/bare/commondir", "x");
	tap_str(get_found(), "none", "a commondir of one letter is read");
	write_file("/bare/commondir", "../none\n");
	tap_str(get_found(), "none", "a commondir leads somewhere");
	memset(text, '/', sizeof(text));
	make_file("/bare/commondir", text, sizeof(text));
	tap_str(get_found(), "none", "a commondir has an end");
	write_file("/bare/commondir", "\n");
	tap_str(get_found(), "/bare /bare",
		"an empty commondir is where it is");
	unlink(real_path("/bare/commondir"));
	make_dir("/bare/commondir");
	tap_str(get_found(), "none", "a commondir is a file");
	rmdir(real_path("/bare/commondir"));
	set_name(0, NULL, NULL);
}

static void test_gitfiles(void)
{
	static const struct {
		const char *text;
		const char *found;
	} cases[] = {
		{ "gitdir: /bare\n", "/bare /bare" },
		{ "gitdir: bare", "/bare /bare" },
		{ "gitdir: ./repo/../bare\r\n", "/bare /bare" },
		{ "gitdir:/bare\n", "none" },
		{ "gitdir: \n", "none" },
		{ "gitdir: none\n", "none" },
		{ "/bare\n", "none" },
		{ "", "none" },
	};
	char text[PATH_MAX] = "";

	set_name(0, "GIT_DIR", "/gitfile");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_file("/gitfile", cases[i].text);
		tap_str(get_found(), cases[i].found,
			kit_text("gitfile %zu leads to %s", i, cases[i].found));
	}
	memcpy(text, "gitdir: ", 8);
	memset(text + 8, 'x', sizeof(text) - 9);
	set_name(0, "GIT_DIR", "/repo/sub/gitfile");
	write_file("/repo/sub/gitfile", text);
	tap_str(get_found(), "none", "a gitfile may lead too far");
	set_name(0, NULL, NULL);
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

static void test_ceilings(void)
{
	static const char found_it[] = "/repo/.git /repo/.git";
	static const struct {
		const char *list;
		const char *from;
		const char *found;
	} cases[] = {
		{ "/", "/repo/sub", found_it },
		{ "/", "/repo", ".git .git" },
		{ "/repo", "/repo/sub", "none" },
		{ "/repo", "/repo/sub/deep", "none" },
		{ "/repo", "/repo", ".git .git" },
		{ "/repo//", "/repo/sub", "none" },
		{ "/repo/sub", "/repo/sub/deep", "none" },
		{ "/repo/sub", "/repo/sub", found_it },
		{ "/rep", "/repo/sub", found_it },
		{ "/bare:/repo", "/repo/sub", "none" },
		{ "/repo:/bare", "/repo/sub", "none" },
		{ "/repo:/", "/repo/sub", "none" },
		{ "/repo/sub:/repo", "/repo/sub/deep", "none" },
		{ "/:/repo", "/repo/sub", "none" },
		{ "/none:/repo", "/repo/sub", "none" },
		{ "repo", "/repo/sub", found_it },
		{ "..", "/repo/sub", found_it },
		{ "/link", "/repo/sub", "none" },
		{ ":/link", "/repo/sub", found_it },
		{ ":/repo", "/repo/sub", "none" },
		{ "/link:", "/repo/sub", "none" },
		{ "", "/repo/sub", found_it },
	};
	static char text[3 * PATH_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		set_name(0, "GIT_CEILING_DIRECTORIES", cases[i].list);
		go_to(cases[i].from);
		tap_str(get_found(), cases[i].found,
			kit_text("from %s up to '%s'", cases[i].from,
				 cases[i].list));
	}
	go_to("/repo/sub");
	memset(text, '/', sizeof(text));
	strcpy(text, ":");
	memcpy(text + 1, "/repo", strlen("/repo"));
	text[PATH_MAX] = '\0';
	set_name(0, "GIT_CEILING_DIRECTORIES", text);
	tap_str(get_found(), "none", "the longest ceiling counts");
	text[PATH_MAX] = '/';
	text[PATH_MAX + 1] = '\0';
	tap_str(get_found(), found_it,
		"a ceiling one byte longer is passed over");
	text[PATH_MAX + 1] = '/';
	strcpy(text + sizeof(text) - 3, ":/");
	tap_str(get_found(), found_it, "a longer one is passed over");
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
	tap_run(test_search, test_named, test_heads, test_parts, test_gitfiles,
		test_owners, test_file_systems, test_ceilings, test_limits,
		test_long_head, test_root);
	tap_int(live, 0, "looking for a repository leaks nothing");
	return kit_done();
}
