/* places.cpp - what a destination's value means: files, sockets, numbers. */
#include "targets.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

string target_sid;

static void warn_open(const Target &target, const string &path)
{
	int error = errno;

	if (debug() || fault("a file that can't be opened is told"))
		warn("trace2: could not open '" + path + "' for '" +
		     target.variable + "' tracing: " + strerror(error));
}

static int open_flags(void)
{
	return O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY |
	       (fault("descriptors stay open across exec") ? 0 : O_CLOEXEC) |
	       (fault("a file is emptied") ? O_TRUNC : 0) |
	       (fault("a file is not opened for appending") ||
				fault("a file is sought to its end")
			? 0
			: O_APPEND) |
	       (fault("a link is not followed") ? O_NOFOLLOW : 0);
}

int move_up(int fd)
{
	int moved;

	if (fd < 0 || fault("a file may be a descriptor of the host's"))
		return fd;
	moved = fcntl(fd,
		      fault("descriptors stay open across exec")
			      ? F_DUPFD
			      : F_DUPFD_CLOEXEC,
		      10);
	close(fd);
	return moved;
}

static int open_file(const char *path, int more)
{
	mode_t mode = fault("files are private") ? 0600 : 0666;

	if (fault("opening waits for a reader"))
		return move_up(
			open(path, (open_flags() & ~O_NONBLOCK) | more, mode));
	return move_up(open(path, open_flags() | more, mode));
}

static int entries(const string &directory)
{
	DIR *dir = opendir(directory.c_str());
	struct dirent *one;
	int count = 0;

	while (dir && (one = readdir(dir)))
		count += !(fault("hidden files do not count") &&
			   one->d_name[0] == '.') &&
			 !(fault("only files count") && one->d_type != DT_REG &&
			   one->d_name[0] != '.');
	if (dir)
		closedir(dir);
	return count;
}

static void open_sentinel(Target &target, const string &directory)
{
	string path = directory + "/git-trace2-discard";

	target.fd = open_file(path.c_str(), O_EXCL);
	target.full = target.fd >= 0;
}

static bool has_sentinel(const Target &target, const string &directory)
{
	struct stat info;
	string path = directory + "/git-trace2-discard";

	if (stat(path.c_str(), &info) || fault("a sentinel does not count"))
		return false;
	if (debug())
		warn(string("trace2: not opening ") + target.variable +
		     " trace file due to too many files in target directory " +
		     directory);
	return true;
}

static void open_new(Target &target, const string &path)
{
	int more = pick("a file of a directory may be there", 0, O_EXCL);
	string name = path;

	for (int i = 1; i <= 10 && target.fd < 0; i++) {
		target.fd = open_file(name.c_str(), more);
		name = path + "." + std::to_string(i);
	}
	if (target.fd < 0)
		warn_open(target, path);
}

static void open_in_directory(Target &target, string directory)
{
	string name = target_sid.substr(target_sid.rfind('/') + 1);
	long most = strtol(setting("GIT_TRACE2_MAX_FILES").c_str(), 0, 10);

	while (directory.size() > 1 && directory.back() == '/')
		directory.pop_back();
	most = std::min(most, (long)INT_MAX);
	if (most > 0 && !fault("there is no limit of files")) {
		if (has_sentinel(target, directory))
			return;
		if (entries(directory) - 2 * fault("dots do not count") >=
		    most + fault("the limit is one more"))
			return open_sentinel(target, directory);
	}
	open_new(target, directory + "/" + name +
				 pick("files of a directory have an extension",
				      ".log", ""));
}

static void open_path(Target &target, const string &path)
{
	struct stat info;

	if (!stat(path.c_str(), &info) && S_ISDIR(info.st_mode) &&
	    !fault("directories are files"))
		return open_in_directory(target, path);
	string name = path;
	if (fault("a slash at the end is cut") && name.back() == '/')
		name.pop_back();
	target.fd = open_file(name.c_str(), 0);
	if (target.fd < 0)
		warn_open(target, path);
}

/* Pipes and files as their own open files, so that no flag is shared. */
static void open_number(Target &target, int number)
{
	string path = "/proc/self/fd/" + std::to_string(number);
	struct stat info;

	if (fault("a number is used as it is")) {
		target.fd = number;
		return;
	}
	if (fcntl(number, F_GETFL) < 0) {
		if (debug())
			warn(string("unable to write trace to '") +
			     target.variable + "': " + strerror(EBADF));
		return;
	}
	if (fault("a number's flags change"))
		fcntl(number, F_SETFL, O_NONBLOCK);
	target.socket = !fstat(number, &info) && S_ISSOCK(info.st_mode);
	if (!fstat(number, &info) && S_ISFIFO(info.st_mode))
		target.fd =
			open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (target.fd >= 0)
		target.fd = move_up(target.fd);
	else
		target.fd = fcntl(number, F_DUPFD_CLOEXEC, 10);
}

static int connect_to(const string &path, int type)
{
	struct sockaddr_un address = {};
	int fd = move_up(
		socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, path.data(), path.size());
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void refuse_socket(const Target &target, const string &what)
{
	if (debug())
		warn("trace2: invalid AF_UNIX " + what + " for '" +
		     target.variable + "' tracing");
}

static void connect_target(Target &target, const string &path, bool stream,
			   bool dgram)
{
	if (!dgram)
		target.fd = connect_to(path, SOCK_STREAM);
	if (target.fd < 0 && !stream && (dgram || errno == EPROTOTYPE)) {
		target.dgram = true;
		target.fd = connect_to(path, SOCK_DGRAM);
	}
	if (target.fd < 0 && debug())
		warn("trace2: could not connect to socket '" + path +
		     "' for '" + target.variable +
		     "' tracing: " + strerror(errno));
}

static void open_socket(Target &target, const string &value)
{
	bool stream = value.compare(8, 7, "stream:") == 0;
	bool dgram = value.compare(8, 6, "dgram:") == 0;
	string path = value.substr(stream ? 15 : dgram ? 14 : 8);

	target.socket = true;
	if (path.empty())
		return refuse_socket(target, "value '" + value + "'");
	if (path[0] != '/' || path.size() > 107)
		return refuse_socket(target, "path '" + path + "'");
	connect_target(target, path, stream, dgram);
}

static bool is_off(const string &value)
{
	return value.empty() || value == "0" ||
	       (!strcasecmp(value.c_str(), "false") &&
		!fault("false is no off"));
}

void open_target(Target &target)
{
	const string &value = target.value;

	target.fd = -1;
	if (is_off(value))
		return;
	if (value == "1" || (!strcasecmp(value.c_str(), "true") &&
			     !fault("true is no destination")))
		target.fd = fcntl(fault("1 is standard output") ? 1 : 2,
				  F_DUPFD_CLOEXEC, 10);
	else if (value.size() == 1 && isdigit((unsigned char)value[0]))
		open_number(target, value[0] - '0');
	else if (value[0] == '/')
		open_path(target, value);
	else if (value.compare(0, 8, "af_unix:") == 0)
		open_socket(target, value);
	else if (!fault("an unknown value is silent"))
		warn(string("trace2: unknown value for '") + target.variable +
		     "': '" + value + "'");
	target.opened = target.on();
}
