/* Is a target alive: descriptors, files, directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "destination/value.h"
#include "doctor/doctor_part.h"

#define SENTINEL "git-trace2-discard"

void tr2_doctor_blame(struct tr2_doctor_target *target, char *what,
		      char *repair)
{
	target->state = TR2_DOCTOR_BROKEN;
	free(target->what);
	free(target->repair);
	target->what = what;
	target->repair = repair;
}

static void describe_target(struct tr2_doctor_target *target, const char *what)
{
	free(target->what);
	target->what = tr2_must_copy(what);
}

static void blame_error(struct tr2_doctor_target *target, int error)
{
	tr2_doctor_blame(target, tr2_must_copy(strerror(error)), NULL);
}

/* The file systems of the kernel have no blocks. */
static bool is_full(const char *path)
{
	struct statvfs system;

	if (statvfs(path, &system) || !system.f_blocks)
		return false;
	return !(geteuid() ? system.f_bavail : system.f_bfree) ||
	       (system.f_files && !system.f_ffree);
}

static void blame_full(struct tr2_doctor_target *target)
{
	tr2_doctor_blame(target, tr2_must_copy("the disk is full"), NULL);
}

/* Git counts `.` and `..`, too. */
static int count_names(const char *path, bool *has_sentinel)
{
	DIR *dir = opendir(path);
	struct dirent *name;
	int count = 0;

	while (dir && (name = readdir(dir))) {
		count++;
		*has_sentinel |= !strcmp(name->d_name, SENTINEL);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void check_limit(struct tr2_doctor_target *target, const char *path,
			int most)
{
	bool has_sentinel = false;
	const int count = count_names(path, &has_sentinel);
	char *sentinel = tr2_text_print("%s/" SENTINEL, path);

	if (has_sentinel)
		tr2_doctor_blame(
			target,
			tr2_text_print("it was full: maxFiles is %d, and "
				       "nothing is written while "
				       "git-trace2-discard is there",
				       most),
			tr2_doctor_command("move old logs away, then: rm",
					   sentinel));
	else if (count >= most)
		tr2_doctor_blame(
			target,
			tr2_text_print("it is full: %d names, of which two "
				       "are . and .., and maxFiles is %d",
				       count, most),
			tr2_text_print("move old logs away, or: git config "
				       "--global trace2.maxFiles %d",
				       count < INT_MAX / 2 ? 2 * count
							   : count));
	free(sentinel);
}

static void check_directory(const struct tr2_doctor *doctor,
			    struct tr2_doctor_target *target, const char *path)
{
	const int most = tr2_doctor_number(doctor, "GIT_TRACE2_MAX_FILES",
					   "trace2.maxfiles", 0);

	if (access(path, W_OK | X_OK))
		blame_error(target, errno);
	else if (is_full(path))
		blame_full(target);
	else if (most)
		check_limit(target, path, most);
}

static char *cut_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = tr2_must_copy(path);

	dir[slash == path ? 1 : slash - path] = '\0';
	return dir;
}

/* Two slashes or backslashes, a dot and `pipe`: a name of Windows. */
static bool is_windows_pipe(const char *path)
{
	static const char name[] = "//./pipe/";
	size_t i;

	for (i = 0; name[i]; i++)
		if (path[i] != name[i] &&
		    !(name[i] == '/' && path[i] == '\\') &&
		    !((path[i] | 32) == name[i]))
			return false;
	return true;
}

static void blame_pipe(struct tr2_doctor_target *target)
{
	tr2_doctor_blame(target,
			 tr2_must_copy("a named pipe of Windows, which this "
				       "system does not have"),
			 NULL);
}

/* A file that is not there is made by the program if its directory is there. */
static void check_missing(struct tr2_doctor_target *target, const char *path)
{
	char *dir = cut_name(path);
	struct stat status;

	if (is_windows_pipe(path)) {
		blame_pipe(target);
		free(dir);
		return;
	}
	if (stat(dir, &status) && errno == ENOENT) {
		tr2_doctor_blame(target,
				 tr2_must_copy("its directory is missing"),
				 tr2_doctor_command("mkdir -p", dir));
		target->missing = dir;
		return;
	}
	if (access(dir, W_OK | X_OK))
		blame_error(target, errno);
	else if (is_full(dir))
		blame_full(target);
	free(dir);
}

/* Where a link leads, or NULL if there is none at `path`. */
static char *read_link(const char *path)
{
	char to[PATH_MAX], *dir, *whole;
	ssize_t len = readlink(path, to, sizeof(to) - 1);

	if (len <= 0)
		return NULL;
	to[len] = '\0';
	if (*to == '/')
		return tr2_must_copy(to);
	dir = cut_name(path);
	whole = tr2_text_print("%s/%s", dir, to);
	free(dir);
	return whole;
}

/* A link that leads to no file: the program makes the file where it leads. */
static void check_links(struct tr2_doctor_target *target, const char *path)
{
	char *at = tr2_must_copy(path), *next;
	int most = 40; /* as Linux follows; somebody may change them now */

	while (most-- && (next = read_link(at))) {
		free(at);
		at = next;
	}
	check_missing(target, at);
	free(at);
}

static void check_file(struct tr2_doctor_target *target, const char *path,
		       mode_t mode)
{
	if (access(path, W_OK))
		blame_error(target, errno);
	else if (S_ISSOCK(mode))
		tr2_doctor_blame(target, tr2_must_copy("it is a socket"),
				 tr2_text_print("set it to af_unix:%s", path));
	else if (S_ISFIFO(mode))
		describe_target(target, "FIFO; each git command waits until "
					"a program reads it");
	else if (S_ISREG(mode) && is_full(path))
		blame_full(target);
}

static void check_path(const struct tr2_doctor *doctor,
		       struct tr2_doctor_target *target, const char *path)
{
	struct stat status;

	describe_target(target, "file");
	errno = 0;
	if (stat(path, &status)) {
		if (errno == ENOENT)
			check_links(target, path);
		else
			blame_error(target, errno);
	} else if (S_ISDIR(status.st_mode)) {
		describe_target(target, "directory");
		check_directory(doctor, target, path);
	} else {
		check_file(target, path, status.st_mode);
	}
}

static void check_descriptor(struct tr2_doctor_target *target, int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	describe_target(target, fd == STDERR_FILENO ? "standard error"
						    : "open descriptor");
	if (flags < 0)
		tr2_doctor_blame(
			target,
			tr2_text_print("descriptor %d is not open here", fd),
			NULL);
	else if ((flags & O_ACCMODE) == O_RDONLY)
		tr2_doctor_blame(
			target,
			tr2_text_print("descriptor %d is open for reading", fd),
			NULL);
}

/* A path that is not absolute is the usual slip. */
static void check_unknown(struct tr2_doctor_target *target, const char *value)
{
	char here[PATH_MAX];
	char *repair = NULL;

	if (is_windows_pipe(value)) {
		blame_pipe(target);
		return;
	}
	if (*value == '~' && value[1] == '/' && getenv("HOME"))
		repair = tr2_text_print("set it to %s%s", getenv("HOME"),
					value + 1);
	else if (strchr(value, '/') && getcwd(here, sizeof(here)))
		repair = tr2_text_print("set it to %s/%s", here, value);
	tr2_doctor_blame(target,
			 tr2_must_copy("unknown value; expected 0, 1, 2 to 9, "
				       "an absolute path or af_unix:/PATH"),
			 repair);
}

/* FXT and Chrome are no text: they need a file. */
static bool is_possible(const struct tr2_doctor_target *target,
			enum tr2_destination_form form)
{
	const bool is_chrome = !strcmp(target->name, "CHROME");

	if (form == TR2_FORM_DESCRIPTOR)
		return !is_chrome && strcmp(target->name, "FXT") != 0;
	return form != TR2_FORM_SOCKET || !is_chrome;
}

static void check_form(const struct tr2_doctor *doctor,
		       struct tr2_doctor_target *target,
		       const struct tr2_destination_value *value)
{
	target->state = TR2_DOCTOR_WORKS;
	if (!is_possible(target, value->form))
		tr2_doctor_blame(target,
				 tr2_must_copy("this target needs a file: "
					       "expected an absolute path"),
				 NULL);
	else if (value->form == TR2_FORM_DESCRIPTOR)
		check_descriptor(target, value->fd);
	else if (value->form == TR2_FORM_PATH)
		check_path(doctor, target, target->value);
	else if (value->form == TR2_FORM_UNKNOWN)
		check_unknown(target, target->value);
	else if (!strcmp(target->name, "FXT"))
		tr2_doctor_check_manager(target, value->socket);
	else
		tr2_doctor_check_socket(target, value->socket);
}

void tr2_doctor_check(const struct tr2_doctor *doctor,
		      struct tr2_doctor_target *target)
{
	struct tr2_destination_value value;

	if (target == &doctor->targets[TR2_DOCTOR_MANAGER]) {
		target->state = TR2_DOCTOR_WORKS;
		tr2_doctor_check_manager(target, target->value);
		return;
	}
	value = tr2_destination_parse(target->value);
	if (value.form != TR2_FORM_OFF)
		check_form(doctor, target, &value);
}
