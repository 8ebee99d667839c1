/* Directories: names, collisions, the limit and its sentinel. */
#include <dirent.h>
#include <sys/resource.h>

#include "kit/destination.h"

static struct tr2_destination dst;

static int lists_nothing;

/* In the place of the C library's. */
DIR *opendir(const char *path)
{
	int fd = lists_nothing ? -1 : open(path, O_RDONLY | O_DIRECTORY);

	return fd < 0 ? NULL : fdopendir(fd);
}

static const char *could_not_open(const char *path, const char *why)
{
	return kit_text("warning: trace2: could not open '%.3584s' for "
			"'GIT_TRACE2' tracing: %s\n",
			path, why);
}

static void touch_file(const char *path)
{
	close(open(path, O_WRONLY | O_CREAT, 0666));
}

static void plant_link(const char *target, const char *path)
{
	kit_require(!symlink(target, path), "no symbolic link");
}

static void open_and_write(const char *dir)
{
	if (kit_open(&dst, dir)) {
		kit_write(&dst, "a line\n");
		kit_close(&dst);
	}
}

static int access_of(const char *dir, int read_back)
{
	struct tr2_destination_options options = kit_options(dir);
	int access;

	options.read_back = read_back;
	options.max_files = 2; /* it is full at once */
	tr2_destination_open(&dst, &options);
	access = fcntl(dst.ours.fd, F_GETFL) & (O_ACCMODE | O_APPEND);
	kit_close(&dst);
	unlink(kit_text("%s/git-trace2-discard", dir));
	options.max_files = 0;
	tr2_destination_open(&dst, &options);
	if (access != (fcntl(dst.ours.fd, F_GETFL) & (O_ACCMODE | O_APPEND)))
		return -1;
	kit_close(&dst);
	unlink(kit_text("%s/sid", dir));
	return access;
}

static void test_read_back(void)
{
	mkdir("access", 0777);
	tap_int(access_of(kit_path("access"), 0), O_WRONLY | O_APPEND,
		"a file in a directory is only written");
	tap_int(access_of(kit_path("access"), 1), O_RDWR | O_APPEND,
		"a file that is read back is opened for it");
}

/* A directory whose path has this many bytes. */
static const char *long_dir(size_t len)
{
	static char path[PATH_MAX];
	size_t at = (size_t)snprintf(path, sizeof(path), "%s/", kit_dir);

	while (at < len) {
		size_t room = len - at > 250 ? 200 : len - at;

		memset(path + at, 'd', room);
		at += room;
		path[at] = '\0';
		kit_require(!mkdir(path, 0777) || errno == EEXIST, "no dir");
		if (at < len)
			path[at++] = '/';
	}
	path[at] = '\0';
	return path;
}

static void open_named(const char *dir, const char *file_name)
{
	struct tr2_destination_options options = kit_options(dir);

	options.file_name = file_name;
	errno = 0;
	if (tr2_destination_open(&dst, &options))
		kit_close(&dst);
}

static int opens;

static int open_counted(const char *path, int flags, mode_t mode)
{
	opens++;
	return tr2_host_system.open(path, flags, mode);
}

static void check_warning(const char *path, const char *what)
{
	tap_ok(!dst.alive, kit_text("%s is off", what));
	tap_str(kit_stderr(), could_not_open(path, "File name too long"),
		kit_text("%s is warned about", what));
}

static void test_long_path(void)
{
	char name[202];
	const char *dir = long_dir(PATH_MAX - 5);

	open_named(dir, "sid");
	check_warning(kit_text("%s/sid", dir),
		      "a path without room for the sentinel");

	memset(name, 'n', sizeof(name));
	name[201] = '\0';
	dir = long_dir(PATH_MAX - 202);
	open_named(dir, name);
	check_warning(dir, "a path without room for the name");
	name[200] = '\0';
	open_named(dir, name);
	tap_str(kit_stderr(), "", "a path with just room for the name is used");
	opens = 0;
	kit_host.open = open_counted;
	open_named(dir, name);
	kit_host.open = tr2_host_system.open;
	check_warning(kit_text("%s/%s", dir, name),
		      "a path without room for the number");
	tap_int(opens, 1, "a path without room for the number is not tried");
}

static void test_planted_link(void)
{
	mkdir("planted", 0777);
	touch_file("victim");
	plant_link("../victim", "planted/sid");
	plant_link("../nowhere", "planted/sid.1");
	open_and_write(kit_path("planted"));
	tap_ok(!*kit_content("victim"), "a planted link is not followed");
	tap_str(kit_content("nowhere"), "(none)",
		"a planted link to nothing creates nothing");
	tap_str(kit_content("planted/sid.2"), "a line\n",
		"a planted link is a taken name");
}

static int open_fails(const char *path, int flags, mode_t mode)
{
	if (++opens < 4) {
		errno = EMFILE;
		return -1;
	}
	return tr2_host_system.open(path, flags, mode);
}

static int open_always_fails(const char *path, int flags, mode_t mode)
{
	(void)path, (void)flags, (void)mode;
	opens++;
	errno = EACCES;
	return -1;
}

static void test_other_errors(void)
{
	mkdir("errors", 0777);
	opens = 0;
	kit_host.open = open_fails;
	open_and_write(kit_path("errors"));
	tap_str(kit_content("errors/sid.3"), "a line\n",
		"any open error leads to the next name");
	opens = 0;
	kit_host.open = open_always_fails;
	open_and_write(kit_path("errors"));
	kit_host.open = tr2_host_system.open;
	tap_int(opens, 10, "there are ten attempts in all");
	tap_str(kit_stderr(),
		could_not_open(kit_path("errors/sid"), "Permission denied"),
		"the last error is the one that is warned about");
}

static int open_limited(const char *dir, int max_files)
{
	struct tr2_destination_options options = kit_options(dir);

	options.max_files = max_files;
	return tr2_destination_open(&dst, &options);
}

/* A new directory that holds `files` files. */
static const char *new_dir(int files)
{
	static int count;
	const char *name = kit_text("limit%d", ++count);

	mkdir(name, 0777);
	while (files--)
		touch_file(kit_text("%s/%d", name, files));
	return kit_path(name);
}

/* The host has lowered its limit below the numbers that are ours. */
static void test_few_numbers(void)
{
	const char *dir = new_dir(0);
	struct rlimit limit, few;
	DIR *left;
	int entries = 0;

	getrlimit(RLIMIT_NOFILE, &limit);
	few = limit;
	few.rlim_cur = 8;
	setrlimit(RLIMIT_NOFILE, &few);
	tap_ok(!kit_open(&dst, dir), "without a number a directory is off");
	setrlimit(RLIMIT_NOFILE, &limit);
	left = opendir(dir);
	while (readdir(left))
		entries++;
	closedir(left);
	tap_int(entries, 2, "it leaves no empty file there");
	kit_stderr();
}

static void test_unlisted(void)
{
	const char *dir = new_dir(3);
	int before;

	lists_nothing = 1;
	tap_ok(open_limited(dir, 3) && !dst.too_many_files,
	       "a directory that can't be listed is not full");
	kit_close(&dst);
	lists_nothing = 0;
	unlink(kit_text("%s/sid", dir));
	before = kit_count_fds();
	open_limited(dir, 9);
	tap_int(kit_count_fds(), before + 1,
		"a directory that was listed is closed");
	kit_close(&dst);
}

int main(void)
{
	kit_start();
	tap_run(test_read_back, test_long_path, test_planted_link,
		test_other_errors, test_few_numbers, test_unlisted);
	return kit_done();
}
