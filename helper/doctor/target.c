/* Is a target alive: descriptors, files, directories, sockets. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
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
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "trace/fxt_numbers.h"

/* The target does not work. `repair` may be NULL. */
static void blame_target(struct tr2_doctor_target *target, const char *what,
			 const char *repair)
{
	target->state = TR2_DOCTOR_BROKEN;
	target->what = what;
	target->repair = repair;
}

static void blame_error(struct tr2_doctor_target *target, int error)
{
	blame_target(target, tr2_must_copy(strerror(error)), NULL);
}

static const char *explain_socket(int error)
{
	switch (error) {
	case ECONNREFUSED:
		return "the socket is dead: no program listens on it";
	case EAGAIN:
		return "the socket is full: its program accepts nothing";
	case ENOENT:
		return "there is no such socket: no program listens";
	case EPROTOTYPE:
		return "the socket is of another type";
	default:
		return tr2_must_copy(strerror(error));
	}
}

/*
 * Returns why the socket accepts nothing, an errno value, or 0. One of datagrams
 * can be connected even if its queue is full.
 */
static int try_socket(int type, const char *path)
{
	struct pollfd polls = { .events = POLLOUT };
	int error;

	polls.fd = tr2_host->connect(type, path);
	if (polls.fd < 0)
		return errno;
	error = poll(&polls, 1, 0) > 0 && polls.revents & POLLOUT ? 0 : EAGAIN;
	close(polls.fd);
	return error;
}

/* Returns the same; it is told. `other` is tried after `type`; 0: no type. */
static int check_socket(struct tr2_doctor_target *target, const char *path,
			int type, int other)
{
	int error;

	if (*path != '/' ||
	    strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path)) {
		blame_target(target,
			     "expected an absolute path of at most 107 bytes "
			     "for the socket",
			     NULL);
		return 0;
	}
	error = try_socket(type, path);
	if (error == EPROTOTYPE && other)
		error = try_socket(other, path);
	if (error)
		blame_target(target, explain_socket(error), NULL);
	return error;
}

static void check_text_socket(struct tr2_doctor_target *target,
			      const char *value)
{
	const bool is_dgram = !strncmp(value, "dgram:", 6);

	target->what = "socket";
	if (!is_dgram && strncmp(value, "stream:", 7) != 0)
		check_socket(target, value, SOCK_STREAM, SOCK_DGRAM);
	else if (check_socket(target, strchr(value, ':') + 1,
			      is_dgram ? SOCK_DGRAM : SOCK_STREAM,
			      0) == EPROTOTYPE)
		target->repair = "leave out stream: or dgram:";
}

static void check_manager(struct tr2_doctor_target *target, const char *path)
{
	int error;

	target->what = "trace manager";
	error = check_socket(target, path, SOCK_SEQPACKET, 0);
	if (error == ENOENT || error == ECONNREFUSED)
		target->repair =
			tr2_doctor_command("trace2 manager --socket", path);
}

/* The file systems of the kernel have no blocks. */
static bool is_full(const char *path)
{
	struct statvfs system;

	return !statvfs(path, &system) && system.f_blocks &&
	       (!system.f_bavail || (system.f_files && !system.f_favail));
}

/* Can the file be written, or a file be made in the directory? */
static bool check_access(struct tr2_doctor_target *target, const char *path,
			 int mode)
{
	if (access(path, mode))
		blame_error(target, errno);
	else if (is_full(path))
		blame_target(target, "the disk is full", NULL);
	return target->state != TR2_DOCTOR_BROKEN;
}

/* Git counts `.` and `..`, too. */
static int count_names(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

#define SENTINEL "git-trace2-discard"

static void check_directory(const struct tr2_doctor *doctor,
			    struct tr2_doctor_target *target, const char *path)
{
	const int most = tr2_doctor_number(doctor, "GIT_TRACE2_MAX_FILES",
					   "trace2.maxfiles", 0);
	const int count = most ? count_names(path) : 0;
	char *sentinel = tr2_text_print("%s/" SENTINEL, path);

	target->what = "directory";
	if (!check_access(target, path, W_OK | X_OK) || !most)
		;
	else if (!access(sentinel, F_OK))
		blame_target(target,
			     tr2_text_print("it was full: maxFiles is %d, and "
					    "nothing is written while " SENTINEL
					    " is there",
					    most),
			     tr2_doctor_command("move old logs away, then: rm",
						sentinel));
	else if (count >= most)
		blame_target(target,
			     tr2_text_print("it is full: %d names, of which "
					    "two are . and .., and maxFiles "
					    "is %d",
					    count, most),
			     tr2_text_print("move old logs away, or: "
					    "GIT_TRACE2_MAX_FILES=%ld",
					    2L * count));
	free(sentinel);
}

/* Make the directory and those above it. 0, or an errno value. */
static int make_directories(char *path)
{
	char *at = path;
	int error = 0;

	while (!error && (at = strchr(at + 1, '/'))) {
		*at = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			error = errno;
		*at = '/';
	}
	if (!error && mkdir(path, 0777))
		error = errno;
	return tr2_destination_is_directory(path) ? 0 : error;
}

/* What --fix does; all other repairs would remove logs or change settings. */
static bool repair_missing(const struct tr2_doctor *doctor, char *path)
{
	const int error = doctor->fixes ? make_directories(path) : 0;

	if (error)
		tr2_foreign_blame("doctor", path, strerror(error));
	else if (doctor->fixes)
		tr2_foreign_complain("doctor", "made the directory", path);
	return doctor->fixes && !error;
}

static void check_path(const struct tr2_doctor *doctor,
		       struct tr2_doctor_target *target, const char *path);

/* A file that is not there is made by the program if its directory is there. */
static void check_missing(const struct tr2_doctor *doctor,
			  struct tr2_doctor_target *target, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = tr2_must_copy(path);
	struct stat status;

	dir[slash == path ? 1 : slash - path] = '\0';
	if (!stat(dir, &status) || errno != ENOENT)
		check_access(target, dir, W_OK | X_OK);
	else if (repair_missing(doctor, dir))
		check_path(doctor, target, path);
	else
		blame_target(target, "its directory is missing",
			     tr2_doctor_command("mkdir -p", dir));
	free(dir);
}

/* Is there nothing in the file, or what a target of records has written? */
static bool is_ours(const char *path, off_t size, bool is_fxt)
{
	const uint64_t magic = FXT_MAGIC;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char head[sizeof(magic)] = "";
	const bool is_read = fd >= 0 && read(fd, head, sizeof(head)) >= 0;

	if (fd >= 0)
		close(fd);
	if (!is_fxt)
		return !size || (is_read && !memcmp(head, "[\n", 2));
	return !size || (is_read && size % (off_t)sizeof(magic) == 0 &&
			 !memcmp(head, &magic, sizeof(magic)));
}

/*
 * Returns why FXT or Chrome does not write to what is there, or NULL.
 * SPEC: fxt.target.file.owner, chrome.owner, chrome.foreign
 */
static const char *find_refusal(const char *path, const struct stat *st,
				bool is_fxt)
{
	const bool is_file = S_ISREG(st->st_mode);

	if (!is_file && is_fxt)
		return "this target needs a file";
	if ((is_file || S_ISFIFO(st->st_mode)) && st->st_uid != geteuid())
		return "it belongs to another user";
	if (is_file && access(path, R_OK))
		return "it cannot be read";
	return is_file && !is_ours(path, st->st_size, is_fxt)
		       ? "the file has no trace of this target in it"
		       : NULL;
}

static bool has_records(const struct tr2_doctor_target *target)
{
	return target->id == TR2_DOCTOR_FXT || target->id == TR2_DOCTOR_CHROME;
}

static void check_file(struct tr2_doctor_target *target, const char *path,
		       const struct stat *st)
{
	const char *refusal = NULL;
	int error;

	if (!check_access(target, path, W_OK))
		return;
	error = S_ISCHR(st->st_mode) ? tr2_try_file(path) : 0;
	if (has_records(target))
		refusal = find_refusal(path, st, target->id == TR2_DOCTOR_FXT);
	if (refusal)
		blame_target(target, refusal, NULL);
	else if (error)
		blame_error(target, error);
	else if (S_ISSOCK(st->st_mode))
		blame_target(target, "it is a socket",
			     tr2_text_print("set it to af_unix:%s", path));
	else if (S_ISFIFO(st->st_mode))
		target->what = has_records(target)
				       ? "FIFO"
				       : "FIFO; each git command waits until "
					 "a program reads it";
}

static void check_path(const struct tr2_doctor *doctor,
		       struct tr2_doctor_target *target, const char *path)
{
	struct stat status;

	target->what = "file";
	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		check_directory(doctor, target, path);
	else if (!stat(path, &status))
		check_file(target, path, &status);
	else if (errno == ENOENT)
		check_missing(doctor, target, path);
	else
		blame_error(target, errno);
}

static void check_descriptor(struct tr2_doctor_target *target, int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	target->what = fd == STDERR_FILENO ? "standard error"
					   : "open descriptor";
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
	const char *repair = NULL;

	if (*value == '~' && value[1] == '/' && getenv("HOME"))
		repair = tr2_text_print("set it to %s%s", getenv("HOME"),
					value + 1);
	else if (strchr(value, '/') && getcwd(here, sizeof(here)))
		repair = tr2_text_print("set it to %s/%s", here, value);
	blame_target(target,
		     "unknown value; expected 0, 1, 2 to 9, an absolute path "
		     "or af_unix:/PATH",
		     repair);
}

/* FXT and Chrome are no text: they need a file. */
static bool is_possible(const struct tr2_doctor_target *target,
			enum tr2_destination_form form)
{
	if (form == TR2_FORM_DESCRIPTOR)
		return !has_records(target);
	return form != TR2_FORM_SOCKET || target->id != TR2_DOCTOR_CHROME;
}

static void check_form(const struct tr2_doctor *doctor,
		       struct tr2_doctor_target *target,
		       const struct tr2_destination_value *value)
{
	target->state = TR2_DOCTOR_WORKS;
	if (!is_possible(target, value->form))
		blame_target(target,
			     "this target needs a file: expected an absolute "
			     "path",
			     NULL);
	else if (value->form == TR2_FORM_DESCRIPTOR)
		check_descriptor(target, value->fd);
	else if (value->form == TR2_FORM_PATH)
		check_path(doctor, target, target->value);
	else if (value->form == TR2_FORM_UNKNOWN)
		check_unknown(target, target->value);
	else if (target->id == TR2_DOCTOR_FXT)
		check_manager(target, value->socket);
	else
		check_text_socket(target, value->socket);
}

void tr2_doctor_check(const struct tr2_doctor *doctor,
		      struct tr2_doctor_target *target)
{
	const struct tr2_destination_value value =
		tr2_destination_parse(target->value);

	if (target->id == TR2_DOCTOR_MANAGER) {
		target->state = TR2_DOCTOR_WORKS;
		check_manager(target, target->value);
	} else if (value.form != TR2_FORM_OFF) {
		check_form(doctor, target, &value);
	}
}
