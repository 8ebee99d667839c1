/* Is a target alive: descriptors, files, directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#include "destination/value.h"
#include "doctor/doctor_part.h"
#include "host/host.h"
#include "lib/common/memory.h"
#include "lib/files/linux.h"
#include "lib/text/text.h"

/* Does a program listen on a socket, and does it take more? */

static const struct socket_kind {
	const char *prefix, *what;
	int type, fallback;
} kinds[] = {
	{ "stream:", "stream socket", SOCK_STREAM, 0 },
	{ "dgram:", "datagram socket", SOCK_DGRAM, 0 },
	{ "", "socket", SOCK_STREAM, SOCK_DGRAM },
};

static const struct socket_kind *find_kind(const char *value)
{
	const struct socket_kind *kind = kinds;

	while (strncmp(value, kind->prefix, strlen(kind->prefix)))
		kind++;
	return kind;
}

/* The target does not work. Both texts are taken over. */
static void blame_target(struct tr2_doctor_target *target, char *what,
			 char *repair)
{
	target->state = TR2_DOCTOR_BROKEN;
	free(target->what);
	free(target->repair);
	target->what = what;
	target->repair = repair;
}

static void blame_text(struct tr2_doctor_target *target, const char *what)
{
	blame_target(target, tr2_must_copy(what), NULL);
}

static void blame_connect(struct tr2_doctor_target *target, int error)
{
	const char *what = strerror(error);

	if (error == ECONNREFUSED)
		what = "the socket is dead: no program listens on it";
	else if (error == EAGAIN)
		what = "the socket is full: its program accepts nothing";
	else if (error == ENOENT)
		what = "there is no such socket: no program listens";
	else if (error == EPROTOTYPE)
		what = "the socket is of another type";
	blame_text(target, what);
}

/* A datagram socket can be connected even if its queue is full. */
static bool has_room(int fd)
{
	struct pollfd polls = { .fd = fd, .events = POLLOUT };

	return poll(&polls, 1, 0) > 0 && polls.revents & POLLOUT;
}

/* Returns why it can't be connected, an errno value, or 0. */
static int try_socket(struct tr2_doctor_target *target, int type, int fallback,
		      const char *path)
{
	int fd = tr2_host->connect(type, path), error = 0;

	if (fd < 0 && errno == EPROTOTYPE && fallback)
		fd = tr2_host->connect(fallback, path);
	if (fd < 0)
		error = errno;
	else if (!has_room(fd))
		error = EAGAIN;
	if (error)
		blame_connect(target, error);
	if (fd >= 0)
		close(fd);
	return error;
}

/* Can a socket have this path? If not, the target does not work. */
static bool check_address(struct tr2_doctor_target *target, const char *path)
{
	if (*path == '/' &&
	    strlen(path) < sizeof(((struct sockaddr_un *)0)->sun_path))
		return true;
	blame_text(target, "expected an absolute path of at most 107 bytes for "
			   "the socket");
	return false;
}

static void check_socket(struct tr2_doctor_target *target, const char *value)
{
	const struct socket_kind *kind = find_kind(value);
	const char *path = value + strlen(kind->prefix);
	int error;

	target->what = tr2_must_copy(kind->what);
	if (!check_address(target, path))
		return;
	error = try_socket(target, kind->type, kind->fallback, path);
	if (error == EPROTOTYPE && *kind->prefix)
		target->repair = tr2_must_copy("leave out stream: or dgram:");
}

static void check_manager(struct tr2_doctor_target *target, const char *path)
{
	int error;

	target->what = tr2_must_copy("trace manager");
	if (!check_address(target, path))
		return;
	error = try_socket(target, SOCK_SEQPACKET, 0, path);
	if (error == ENOENT || error == ECONNREFUSED)
		target->repair =
			tr2_doctor_command("trace2 manager --socket", path);
}

#define SENTINEL "git-trace2-discard"

static void describe_target(struct tr2_doctor_target *target, const char *what)
{
	free(target->what);
	target->what = tr2_must_copy(what);
}

static void blame_error(struct tr2_doctor_target *target, int error)
{
	blame_text(target, strerror(error));
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

/* Can a new file be made in the directory? */
static bool check_access(struct tr2_doctor_target *target, const char *path)
{
	if (access(path, W_OK | X_OK))
		blame_error(target, errno);
	else if (is_full(path))
		blame_text(target, "the disk is full");
	return target->state != TR2_DOCTOR_BROKEN;
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

static void blame_full(struct tr2_doctor_target *target, int count, int most)
{
	char *suggestion =
		tr2_doctor_suggest("GIT_TRACE2_MAX_FILES", "trace2.maxFiles",
				   count < INT_MAX / 2 ? 2 * count : count);

	blame_target(target,
		     tr2_text_print("it is full: %d names, of which two are . "
				    "and .., and maxFiles is %d",
				    count, most),
		     tr2_text_print("move old logs away, or: %s", suggestion));
	free(suggestion);
}

static void check_limit(struct tr2_doctor_target *target, const char *path,
			int most)
{
	bool has_sentinel = false;
	const int count = count_names(path, &has_sentinel);
	char *sentinel = tr2_text_print("%s/" SENTINEL, path);

	if (has_sentinel)
		blame_target(target,
			     tr2_text_print("it was full: maxFiles is %d, and "
					    "nothing is written while "
					    "git-trace2-discard is there",
					    most),
			     tr2_doctor_command("move old logs away, then: rm",
						sentinel));
	else if (count >= most)
		blame_full(target, count, most);
	free(sentinel);
}

static void check_directory(const struct tr2_doctor *doctor,
			    struct tr2_doctor_target *target, const char *path)
{
	const int most = tr2_doctor_number(doctor, "GIT_TRACE2_MAX_FILES",
					   "trace2.maxfiles", 0);

	if (check_access(target, path) && most)
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
static bool blame_pipe(struct tr2_doctor_target *target, const char *path)
{
	static const char name[] = "//./pipe/";

	for (size_t i = 0; name[i]; i++)
		if (path[i] != name[i] &&
		    !(name[i] == '/' && path[i] == '\\') &&
		    !((path[i] | 32) == name[i]))
			return false;
	blame_text(target, "a named pipe of Windows, which this system does "
			   "not have");
	return true;
}

/* A file that is not there is made by the program if its directory is there. */
static void check_missing(struct tr2_doctor_target *target, const char *path)
{
	struct stat status;
	char *dir;

	if (blame_pipe(target, path))
		return;
	dir = cut_name(path);
	if (stat(dir, &status) && errno == ENOENT) {
		blame_target(target, tr2_must_copy("its directory is missing"),
			     tr2_doctor_command("mkdir -p", dir));
		target->missing = dir;
		return;
	}
	check_access(target, dir);
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
		blame_target(target, tr2_must_copy("it is a socket"),
			     tr2_text_print("set it to af_unix:%s", path));
	else if (S_ISFIFO(mode))
		describe_target(target, "FIFO; each git command waits until "
					"a program reads it");
	else if (S_ISREG(mode) && is_full(path))
		blame_text(target, "the disk is full");
	else if (S_ISCHR(mode) && tr2_try_file(path))
		blame_error(target, tr2_try_file(path));
}

/* What FXT and Chrome also ask of a file. They do not wait for a reader. */
static void check_records(struct tr2_doctor_target *target, const char *path,
			  const struct stat *st)
{
	const bool is_fxt = !strcmp(target->name, "FXT");
	const char *why;

	if (target->state == TR2_DOCTOR_BROKEN ||
	    (!is_fxt && strcmp(target->name, "CHROME") != 0))
		return;
	why = tr2_doctor_find_refusal(path, st, is_fxt);
	if (why)
		blame_text(target, why);
	else if (S_ISFIFO(st->st_mode))
		describe_target(target, "FIFO");
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
		check_records(target, path, &status);
	}
}

static void check_descriptor(struct tr2_doctor_target *target, int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	describe_target(target, fd == STDERR_FILENO ? "standard error"
						    : "open descriptor");
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		blame_target(target,
			     tr2_text_print("descriptor %d is %s", fd,
					    flags < 0 ? "not open here"
						      : "open for reading"),
			     NULL);
}

/* A path that is not absolute is the usual slip. */
static void check_unknown(struct tr2_doctor_target *target, const char *value)
{
	char here[PATH_MAX];
	char *repair = NULL;

	if (blame_pipe(target, value))
		return;
	if (*value == '~' && value[1] == '/' && getenv("HOME"))
		repair = tr2_text_print("set it to %s%s", getenv("HOME"),
					value + 1);
	else if (strchr(value, '/') && getcwd(here, sizeof(here)))
		repair = tr2_text_print("set it to %s/%s", here, value);
	blame_target(target,
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
		blame_text(target, "this target needs a file: expected an "
				   "absolute path");
	else if (value->form == TR2_FORM_DESCRIPTOR)
		check_descriptor(target, value->fd);
	else if (value->form == TR2_FORM_PATH)
		check_path(doctor, target, target->value);
	else if (value->form == TR2_FORM_UNKNOWN)
		check_unknown(target, target->value);
	else if (!strcmp(target->name, "FXT"))
		check_manager(target, value->socket);
	else
		check_socket(target, value->socket);
}

void tr2_doctor_check(const struct tr2_doctor *doctor,
		      struct tr2_doctor_target *target)
{
	struct tr2_destination_value value;

	if (target == &doctor->targets[TR2_DOCTOR_MANAGER]) {
		target->state = TR2_DOCTOR_WORKS;
		check_manager(target, target->value);
		return;
	}
	value = tr2_destination_parse(target->value);
	if (value.form != TR2_FORM_OFF)
		check_form(doctor, target, &value);
}
