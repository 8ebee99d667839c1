/*
 * Paths and small files. The calls below let read(2) be interrupted and
 * short, and know two users.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* syscall, realpath */
#endif
#include "gitconfig/path.h"

#include <pwd.h>
#include <sys/syscall.h>

#include "kit/destination.h"
#include "base/buf.h"

static int interrupted; /* so many reads are */
static size_t at_most;	/* bytes a read; 0: all */
static size_t asked;	/* for, by the first read of a file */
static const char *home;
static char *last; /* the path that was made last */

ssize_t read(int fd, void *bytes, size_t size)
{
	if (!asked)
		asked = size;
	if (interrupted) {
		interrupted--;
		errno = EINTR;
		return -1;
	}
	if (at_most && size > at_most)
		size = at_most;
	return syscall(SYS_read, fd, bytes, size);
}

int getpwnam_r(const char *name, struct passwd *entry, char *text, size_t size,
	       struct passwd **found)
{
	static char directory[] = "/home/me";

	*entry = (struct passwd){ .pw_dir = directory };
	*found = strcmp(name, "me") && strcmp(name, "ill") ? NULL : entry;
	(void)text;
	return size >= 4096 && strcmp(name, "ill") ? 0 : EIO;
}

static const char *one_getenv(const char *name)
{
	return strcmp(name, "HOME") ? NULL : home;
}

static char *long_text(size_t len)
{
	static char text[2 * PATH_MAX];

	memset(text, 'x', len);
	text[len] = '\0';
	return text;
}

static const char *get_result(char *path)
{
	tr2_host->free(last);
	last = path;
	return path ? path : "(failed)";
}

static const char *expand_path(const char *path, size_t len, int real)
{
	return get_result(tr2_path_expand(path, len, real));
}

static void test_expand(void)
{
	char top[PATH_MAX];

	kit_require(realpath(kit_dir, top) != NULL, "no scratch directory");
	home = "/h";
	tap_str(expand_path("~/x/y", 3, 0), "/h/x", "~ is the home directory");
	tap_str(expand_path("~", 1, 0), "/h", "~ may stand alone");
	tap_str(expand_path("x~", 2, 0), "x~", "~ stands in front");
	tap_str(expand_path("~me/x", 5, 0), "/home/me/x",
		"~me is my directory");
	tap_str(expand_path("~me", 3, 0), "/home/me", "~me may stand alone");
	tap_str(expand_path("~m/x", 4, 0), "(failed)", "~m is nobody's");
	tap_str(expand_path("~ill/x", 6, 0), "(failed)",
		"a user may not be known");
	tap_str(expand_path("~/x", 3, 1), "(failed)",
		"a home may not be there");
	home = ".";
	tap_str(expand_path("~/x", 3, 1), kit_text("%s/x", top),
		"a home may be resolved");
	tap_str(expand_path("~/x", 3, 0), "./x", "a home may stay as it is");
	home = long_text(PATH_MAX - 2);
	tap_str(expand_path("~/x", 3, 0), "(failed)", "a home may be too long");
	home = long_text(PATH_MAX);
	tap_str(expand_path("~", 1, 0), "(failed)",
		"even without a name behind it");
	home = NULL;
	tap_str(expand_path("~/x", 3, 0), "(failed)", "there may be no home");
}

static int seen_flags;
static mode_t seen_mode;

static int noting_open(const char *path, int flags, mode_t mode)
{
	seen_flags = flags;
	seen_mode = mode;
	return tr2_host_system.open(path, flags, mode);
}

/* A file of so many bytes, each with a value of its place. */
static void make_file(size_t size)
{
	int fd = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	char text[1000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i % 251);
	for (size_t i = 0; i < size && size < 100000; i += sizeof(text))
		kit_require(write(fd, text, sizeof(text)) > 0, "no file");
	kit_require(!ftruncate(fd, (off_t)size), "no file");
	close(fd);
}

static int is_right(const struct tr2_buf *text, size_t size)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->bytes[i] != (char)(i % 1000 % 251))
			return 0;
	return text->len == size;
}

static void check_read(size_t size, const char *name)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int before = kit_count_fds();

	make_file(size);
	asked = 0;
	tap_ok(!tr2_path_read("file", &text) && is_right(&text, size) &&
		       kit_count_fds() == before,
	       name);
	tr2_buf_release(&text);
}

static int read_error(const char *path)
{
	struct tr2_buf text = TR2_BUF_INIT;
	int error = tr2_path_read(path, &text);

	tr2_buf_release(&text);
	return error;
}

static void test_read(void)
{
	kit_host.open = noting_open;
	check_read(0, "an empty file is read");
	tap_ok((seen_flags & O_ACCMODE) == O_RDONLY &&
		       seen_flags & O_NONBLOCK && seen_flags & O_NOCTTY &&
		       !seen_mode,
	       "a file that is read keeps nobody waiting");
	check_read(7, "a small file is read");
	tap_int((intmax_t)asked, 4096, "a page is enough for it");
	check_read(50001, "a large file is read");
	interrupted = 2;
	check_read(5000, "an interrupted read is repeated");
	at_most = 1;
	check_read(50, "a byte at a time makes a file, too");
	at_most = 0;
	tap_int(read_error("none"), ENOENT, "a file may not be there");
	tap_int(read_error("."), EISDIR, "a file may be a directory");
	make_file(TR2_PATH_FILE_MAX);
	tap_int(read_error("file"), 0, "the largest file is read");
	make_file(TR2_PATH_FILE_MAX + 1);
	tap_int(read_error("file"), EFBIG, "a larger one is not");
}

int main(void)
{
	kit_start();
	kit_host.getenv = one_getenv;
	tap_run(test_expand, test_read);
	tr2_host->free(last);
	return kit_done();
}
