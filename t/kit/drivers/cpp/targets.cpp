/* targets.cpp - the three targets, and how a line is written. */
#include "targets.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static Target targets[] = { { "GIT_TRACE2", "GIT_TRACE2_BRIEF" },
			    { "GIT_TRACE2_PERF", "GIT_TRACE2_PERF_BRIEF" },
			    { "GIT_TRACE2_EVENT", "GIT_TRACE2_EVENT_BRIEF" } };
static std::recursive_mutex lock;
static size_t dropped;
static int budget = 100; /* ms */
static int depth;
static int limit = 2;
static Words categories;

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
	long number =
		strtol(setting("GIT_TRACE2_EVENT_NESTING").c_str(), 0, 10);

	target_sid = own;
	depth = (int)std::count(target_sid.begin(), target_sid.end(), '/');
	limit = number > 0 && number <= INT_MAX ? (int)number
		: number > 0			? INT_MAX
						: 2;
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

	target_sid = own;
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

static bool is_too_deep(const Event &event, int number)
{
	if (!event.is_data || event.nesting <= limit)
		return false;
	return (number == 2 && !fault("there is no nesting limit")) ||
	       (number == 1 && fault("PERF has the nesting limit"));
}

static bool shows(const Target &target, const Event &event)
{
	const Words *row = fault_row("none");
	int number = (int)(&target - targets);
	const char *names[] = { "normal", "perf", "event" };
	bool shown[] = { event.in_normal, event.in_perf, event.in_event };

	if (row && (*row)[3] == names[number] && (*row)[4] == event.name)
		return false;
	if (event.name == "too_many_files")
		return shown[number] && target.full;
	return shown[number] && !is_too_deep(event, number);
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
			number == 0 ? normal_line(event, target.brief)
			: number == 1
				? perf_line(event, target.brief, depth)
				: event_line(event, target.brief, target_sid);
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
		if (one == name || (fault("categories are prefixes") &&
				    name.compare(0, one.size(), one) == 0))
			return true;
	return fault("categories are ignored");
}
