/* targets.cpp - settings of the environment, and where lines go. */
#include "emitter.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using std::string;

struct Target {
	const char *variable, *brief_variable;
	int fd = -1;
	bool opened = false, dgram = false, socket = false, brief = false,
	     full = false;
	string value;

	bool on() const { return fd >= 0; }
};

static Target targets[] = { { "GIT_TRACE2", "GIT_TRACE2_BRIEF" },
			    { "GIT_TRACE2_PERF", "GIT_TRACE2_PERF_BRIEF" },
			    { "GIT_TRACE2_EVENT", "GIT_TRACE2_EVENT_BRIEF" } };
static std::recursive_mutex lock;
static size_t dropped;
static int budget = 100; /* ms */
static int depth;
static string sid;
static int limit = 2;
static Words categories;

/* The plain lines of a configuration file: [trace2], and KEY = VALUE. */
static std::map<string, string> read_config(const string &path)
{
	std::map<string, string> found;
	std::ifstream file(path);
	string line, section;

	while (std::getline(file, line)) {
		string key, value;
		bool quoted = false;
		size_t at = line.find_first_not_of(" \t"),
		       equals = line.find('=');
		if (at != string::npos && line[at] == '[')
			section = line.substr(at + 1, line.find(']') - at - 1);
		if (equals == string::npos || strcasecmp(section.c_str(),
							 "trace2"))
			continue;
		for (char c : line.substr(at, equals - at))
			if (isalnum((unsigned char)c))
				key += (char)tolower((unsigned char)c);
		for (char c : line.substr(equals + 1)) {
			quoted ^= c == '"';
			if (c != '"' && (quoted || !value.empty() ||
					 !strchr(" \t", c)))
				value += c;
		}
		found[key] = value;
	}
	return found;
}

static const char *const keys[][2] = {
	{ "GIT_TRACE2", "normaltarget" },
	{ "GIT_TRACE2_BRIEF", "normalbrief" },
	{ "GIT_TRACE2_PERF", "perftarget" },
	{ "GIT_TRACE2_PERF_BRIEF", "perfbrief" },
	{ "GIT_TRACE2_EVENT", "eventtarget" },
	{ "GIT_TRACE2_EVENT_BRIEF", "eventbrief" },
	{ "GIT_TRACE2_EVENT_NESTING", "eventnesting" },
	{ "GIT_TRACE2_ENV_VARS", "envvars" },
	{ "GIT_TRACE2_DST_DEBUG", "destinationdebug" },
	{ "GIT_TRACE2_CATEGORIES", "categories" },
	{ "GIT_TRACE2_MAX_FILES", "maxfiles" },
	{ "GIT_TRACE2_SIGNALS", "signals" },
};

/* An empty variable is as good as none; what it replaces is a file's. */
string setting(const char *name)
{
	static const auto config = [] {
		const char *home = getenv("HOME");
		return read_config(home ? string(home) + "/.gitconfig" : "");
	}();
	const char *value = getenv(name);
	string made = value ? value : "";

	for (const auto &pair : keys)
		if (!strcmp(pair[0], name) && config.count(pair[1]) &&
		    !fault((string("no ") + pair[1]).c_str()) &&
		    (fault("a file goes before a variable") || made.empty()))
			made = config.at(pair[1]);
	return made;
}

static long unit_of(const char *rest)
{
	if (!*rest)
		return 1;
	if (rest[1])
		return 0;
	switch (tolower((unsigned char)*rest)) {
	case 'k':
		return 1024;
	case 'm':
		return 1024 * 1024;
	case 'g':
		return 1024 * 1024 * 1024;
	}
	return 0;
}

bool is_boolean(const char *value, bool *truth)
{
	char *rest;
	long long number;

	for (const char *word : { "true", "yes", "on" })
		if (!strcasecmp(value, word) &&
		    !(*word == 'o' && fault("on is no boolean")))
			return *truth = true;
	for (const char *word : { "false", "no", "off", "" })
		if (!strcasecmp(value, word))
			return !(*truth = false);
	errno = 0;
	number = strtoll(value, &rest, fault("booleans are decimal") ? 10 : 0);
	if (rest == value || errno || !unit_of(rest))
		return false;
	number *= unit_of(rest);
	*truth = number != 0;
	return number <= INT_MAX && number >= -INT_MAX - 1LL;
}

static bool truth_of(const char *name)
{
	bool truth = false;

	return is_boolean(setting(name).c_str(), &truth) && truth;
}

bool debug(void)
{
	static const bool on = truth_of("GIT_TRACE2_DST_DEBUG");

	return on && !fault("debug is silent");
}

void warn(const string &text)
{
	string line = "warning: " + text + "\n";

	if (fault("warnings have no prefix"))
		line = text + "\n";
	if (fault("warnings are two writes")) {
		(void)!write(2, "warning: ", 9);
		line = text + "\n";
	}
	(void)!write(2, line.data(), line.size());
}

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
	       (fault("a file is not opened for appending") ? 0 : O_APPEND) |
	       (fault("a link is not followed") ? O_NOFOLLOW : 0);
}

static int move_up(int fd)
{
	int moved;

	if (fd < 0 || fault("a file may be a descriptor of the host's"))
		return fd;
	moved = fcntl(fd, fault("descriptors stay open across exec") ?
				  F_DUPFD :
				  F_DUPFD_CLOEXEC, 10);
	close(fd);
	return moved;
}

static int open_file(const char *path, int more)
{
	mode_t mode = fault("files are private") ? 0600 : 0666;

	if (fault("opening waits for a reader"))
		return move_up(open(path, (open_flags() & ~O_NONBLOCK) | more,
				    mode));
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
			 !(fault("only files count") &&
			   one->d_type != DT_REG && one->d_name[0] != '.');
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

static void open_in_directory(Target &target, string directory)
{
	string name = sid.substr(sid.rfind('/') + 1), path;
	long most = strtol(setting("GIT_TRACE2_MAX_FILES").c_str(), 0, 10);
	struct stat info;

	while (directory.size() > 1 && directory.back() == '/')
		directory.pop_back();
	if (fault("files of a directory have an extension"))
		name += ".log";
	most = std::min(most, (long)INT_MAX) + fault("the limit is one more");
	if (most > 0 && !fault("there is no limit of files")) {
		path = directory + "/git-trace2-discard";
		if (!stat(path.c_str(), &info) &&
		    !fault("a sentinel does not count")) {
			if (debug())
				warn(string("trace2: not opening ") +
				     target.variable +
				     " trace file due to too many files in "
				     "target directory " + directory);
			return;
		}
		if (entries(directory) >= most)
			return open_sentinel(target, directory);
	}
	path = directory + "/" + name;
	for (int i = 0; i < 10 && target.fd < 0; i++)
		target.fd = open_file((path + (i ? "." + std::to_string(i) :
						   ""))
					      .c_str(),
				      fault("a file of a directory may be "
					    "there") ?
					      0 :
					      O_EXCL);
	if (target.fd < 0)
		warn_open(target, path);
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
		target.fd = open(path.c_str(),
				 O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (target.fd >= 0)
		target.fd = move_up(target.fd);
	else
		target.fd = fcntl(number, F_DUPFD_CLOEXEC, 10);
}

static int connect_to(const string &path, int type)
{
	struct sockaddr_un address = {};
	int fd = move_up(socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK,
				0));

	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, path.data(), path.size());
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void open_socket(Target &target, const string &value)
{
	bool stream = value.compare(8, 7, "stream:") == 0;
	bool dgram = value.compare(8, 6, "dgram:") == 0;
	string path = value.substr(stream ? 15 : dgram ? 14 : 8);
	string end = string(" for '") + target.variable + "' tracing";

	if (path.empty() || path[0] != '/' || path.size() > 107) {
		if (debug())
			warn("trace2: invalid AF_UNIX " +
			     (path.empty() ? "value '" + value :
					     "path '" + path) +
			     "'" + end);
		return;
	}
	target.socket = true;
	if (!dgram)
		target.fd = connect_to(path, SOCK_STREAM);
	if (target.fd < 0 && !stream &&
	    (dgram || errno == EPROTOTYPE)) {
		target.dgram = true;
		target.fd = connect_to(path, SOCK_DGRAM);
	}
	if (target.fd < 0 && debug())
		warn("trace2: could not connect to socket '" + path + "'" +
		     end + ": " + strerror(errno));
}

static bool is_off(const string &value)
{
	return value.empty() || value == "0" ||
	       (!strcasecmp(value.c_str(), "false") &&
		!fault("false is no off"));
}

static void open_target(Target &target)
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

static Words cut_list(const string &list)
{
	Words made;
	size_t from = 0, end;

	for (; from < list.size(); from = end + 1) {
		end = std::min(list.find(',', from), list.size());
		made.push_back(list.substr(from, end - from));
	}
	return made;
}

void open_targets(const string &own)
{
	long number = strtol(setting("GIT_TRACE2_EVENT_NESTING").c_str(), 0,
			     10);

	sid = own;
	depth = (int)std::count(sid.begin(), sid.end(), '/');
	limit = number > 0 && number <= INT_MAX ? (int)number :
		number > 0			? INT_MAX :
						  2;
	if (number <= 0 && debug() &&
	    !setting("GIT_TRACE2_EVENT_NESTING").empty())
		warn("trace2: value '" + setting("GIT_TRACE2_EVENT_NESTING") +
		     "' for 'GIT_TRACE2_EVENT_NESTING' is not above 0, using "
		     "2");
	categories = cut_list(setting("GIT_TRACE2_CATEGORIES"));
	for (Target &target : targets) {
		target.value = setting(target.variable);
		target.brief = truth_of(target.brief_variable);
		open_target(target);
	}
}

/* In a forked child: files of directories and sockets are its own. */
void reopen_targets(const string &own)
{
	struct stat info;

	sid = own;
	depth++;
	dropped = 0;
	for (Target &target : targets) {
		bool folder = target.value[0] == '/' &&
			      !stat(target.value.c_str(), &info) &&
			      S_ISDIR(info.st_mode);
		if (!target.on() ||
		    (!folder && target.value.compare(0, 8, "af_unix:")) ||
		    fault("a forked child keeps its parent's file"))
			continue;
		close(target.fd);
		open_target(target);
	}
}

bool is_tracing(void)
{
	for (const Target &target : targets)
		if (target.opened)
			return true;
	return false;
}

size_t count_dropped(void)
{
	return dropped;
}

void drop_all(void)
{
	for (const Target &target : targets)
		dropped += target.opened;
}

static ssize_t write_some(const Target &target, const char *at, size_t size)
{
	if (fault("lines are pieces of 512 bytes") && size > 512)
		size = 512;
	if (fault("lines are pieces of 8192 bytes") && size > 8192)
		size = 8192;
	if (fault("a line is written before its end") && size > 1)
		size--;
	if (!target.socket)
		return write(target.fd, at, size);
	return send(target.fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool may_wait(const Target &target)
{
	struct pollfd one = { target.fd, POLLOUT, 0 };
	struct timespec before, after;
	int ready, &left = budget;

	if (fault("a destination may wait for ever"))
		return poll(&one, 1, -1) > 0;
	if (fault("each event has a limit of its own"))
		return poll(&one, 1, 100) > 0;
	if (fault("each target has a limit of its own")) {
		static std::map<int, int> own;
		int &mine = own.insert({ target.fd, 100 }).first->second;
		ready = poll(&one, 1, mine);
		mine = ready > 0 ? mine : 0;
		return ready > 0;
	}
	clock_gettime(CLOCK_MONOTONIC, &before);
	ready = poll(&one, 1, left);
	clock_gettime(CLOCK_MONOTONIC, &after);
	left -= (int)((after.tv_sec - before.tv_sec) * 1000 +
		      (after.tv_nsec - before.tv_nsec) / 1000000);
	left = ready > 0 ? std::max(left, 0) : 0;
	return ready > 0;
}

static bool write_whole(Target &target, const string &line)
{
	size_t done = 0;

	while (done < line.size()) {
		ssize_t got = write_some(target, line.data() + done,
					 line.size() - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno != EAGAIN || !may_wait(target)))
			return false;
		if (got > 0)
			done += (size_t)got;
		if (done < line.size() && fault("a line is not completed"))
			return false;
	}
	return true;
}

static void fail(Target &target)
{
	static std::map<const Target *, bool> told;

	dropped++;
	if (target.dgram && errno == EMSGSIZE)
		return;
	if (debug() && !told[&target])
		warn(string("unable to write trace to '") + target.variable +
		     "': " + strerror(errno));
	told[&target] = true;
	if (fault("a target goes on after an error"))
		return;
	if (fault("a socket is connected to again") && target.socket) {
		close(target.fd);
		return open_target(target);
	}
	close(target.fd);
	target.fd = -1;
}

/* Signals of a write are not the host's. */
static void send_line(Target &target, const string &line)
{
	sigset_t ours, before, pending;
	struct timespec none = { 0, 0 };
	bool was[2];

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	if (!fault("a full file raises SIGXFSZ"))
		sigaddset(&ours, SIGXFSZ);
	sigpending(&pending);
	was[0] = sigismember(&pending, SIGPIPE);
	was[1] = sigismember(&pending, SIGXFSZ);
	if (!fault("a dead pipe raises SIGPIPE"))
		pthread_sigmask(SIG_BLOCK, &ours, &before);
	if (fault("a file is sought to its end"))
		lseek(target.fd, 0, SEEK_END);
	if (fault("a lock is waited for")) {
		struct flock all = {};
		all.l_type = F_WRLCK;
		fcntl(target.fd, F_SETLKW, &all);
	}
	if (!write_whole(target, line))
		fail(target);
	if (fault("each line is written twice"))
		write_whole(target, line);
	if (fault("a dead pipe raises SIGPIPE"))
		return;
	if (was[0])
		sigdelset(&ours, SIGPIPE);
	if (was[1])
		sigdelset(&ours, SIGXFSZ);
	while (sigtimedwait(&ours, nullptr, &none) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

static bool shows(const Target &target, const Event &event)
{
	const Words *row = fault_row("none");
	int number = (int)(&target - targets);
	const char *names[] = { "normal", "perf", "event" };
	bool shown = number == 0 ? event.in_normal :
		     number == 1 ? event.in_perf :
				   event.in_event;

	if (row && (*row)[3] == names[number] && (*row)[4] == event.name)
		return false;
	if (event.name == "too_many_files")
		return shown && target.full;
	if (event.is_data && event.nesting > limit &&
	    ((number == 2 && !fault("there is no nesting limit")) ||
	     (number == 1 && fault("PERF has the nesting limit"))))
		return false;
	return shown;
}

void write_event(Event &event)
{
	std::lock_guard<std::recursive_mutex> guard(lock);
	const Words *row = fault_row("twice");

	for (Target &target : targets) {
		int number = (int)(&target - targets);
		if (!target.opened || !shows(target, event))
			continue;
		if (!target.on()) {
			dropped += !fault("a dead target counts no drops");
			continue;
		}
		string line =
			number == 0 ? normal_line(event, target.brief) :
			number == 1 ? perf_line(event, target.brief, depth) :
				      event_line(event, target.brief, sid);
		send_line(target, line);
		if (row && number == 2 && (*row)[3] == event.name)
			send_line(target, line);
	}
}

bool category_shown(const string &given)
{
	string name = given.empty() ? "trace2" : given;

	if (categories.empty())
		return true;
	for (const string &one : categories)
		if (one == name ||
		    (fault("categories are prefixes") &&
		     name.compare(0, one.size(), one) == 0))
			return true;
	return fault("categories are ignored");
}
