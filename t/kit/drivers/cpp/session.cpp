/* session.cpp - who the process is, and who it becomes by a fork. */
#include "process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <sstream>
#include <unistd.h>

/* The session */

static string make_component(void)
{
	int64_t wall = nano(CLOCK_REALTIME) / 1000;
	time_t second = wall / 1000000;
	char name[256] = "", date[40], text[128];
	struct tm parts;

	if (fault("a SID has local time"))
		localtime_r(&second, &parts);
	else
		gmtime_r(&second, &parts);
	strftime(date, sizeof(date), "%Y%m%dT%H%M%S", &parts);
	gethostname(name, sizeof(name) - 1);
	snprintf(text, sizeof(text),
		 fault("a SID has a decimal pid") ? "%s.%06dZ-H%s-P%08d"
						  : "%s.%06dZ-H%s-P%08x",
		 date,
		 fault("a SID has milliseconds") ? (int)(wall % 1000000 / 1000)
						 : (int)(wall % 1000000),
		 fault("a SID has the host's name")
			 ? name
			 : sha1_head(fault("a SID has another host") ? "x"
								     : name)
				   .c_str(),
		 (unsigned)getpid());
	return fault("every SID is the same") ? "sid" : text;
}

static string make_sid(void)
{
	string parent = setting("GIT_TRACE2_PARENT_SID");

	if (parent.size() > 65536)
		parent = parent.substr(parent.rfind('/') + 1);
	if (parent.size() > 65536)
		parent.clear();
	if (fault("a parent's SID is tidied") && !parent.empty() &&
	    parent.back() == '/')
		parent.pop_back();
	process.component = make_component();
	if (parent.empty() || fault("a child does not know its parent"))
		return process.component;
	return parent + (fault("a point stands between SIDs") ? "." : "/") +
	       process.component;
}

static void write_version(void)
{
	Event event = make_event("version");

	add(event, "evt", fault("the version is 3") ? "\"3\"" : "\"4\"");
	add_text(event, "exe", "cpp-1.0");
	show(event, "version cpp-1.0", "cpp-1.0");
	event = make_event("too_many_files");
	event.in_normal = event.in_perf = false;
	if (!fault("nobody says that there are too many files"))
		emit(event);
}

static Words find_ancestors(void)
{
	Words names;

	for (long pid = getppid(); pid > 0;) {
		std::ifstream file("/proc/" + number(pid) + "/stat");
		std::stringstream all;
		char state;

		all << file.rdbuf();
		string text = all.str();
		size_t from = text.find('('),
		       end = fault("a name ends at its first parenthesis")
				     ? text.find(')')
				     : text.rfind(')');
		if (from == string::npos || end == string::npos)
			break;
		names.push_back(text.substr(from + 1, end - from - 1));
		pid = 0;
		std::stringstream rest(text.substr(end + 1));
		rest >> state >> pid;
		if (fault("only the parent is named"))
			break;
	}
	return names;
}

void export_variable(const char *name, const string &value)
{
	if (is_tracing() || fault("children hear of a trace that is off"))
		setenv(name, value.c_str(), 1);
}

void tr_initialize(const Words &argv)
{
	Guard guard;

	process.begun = fault("time counts from the initialisation")
				? micro()
				: first_micro;
	process.pid = getpid();
	process.argv = argv;
	process.sid = make_sid();
	is_main = true;
	thread.name = "main";
	thread.begun = micro();
	open_targets(process.sid);
	if (!fault("children do not hear of the SID"))
		export_variable("GIT_TRACE2_PARENT_SID", process.sid);
	if (!is_tracing())
		return;
	catch_signals();
	if (fault("start comes first"))
		tr_start(argv);
	write_version();
	if (!fault("start comes first"))
		tr_start(argv);
	Words names = find_ancestors();
	if (!names.empty())
		tr_ancestry(names);
}

string tr_sid(void)
{
	return process.sid;
}

/* A forked child becomes a process when it first writes. */

void tr_fork(void)
{
	process.begun = micro();
	process.forked = true;
	process.wrote = process.exited = process.reported = false;
	process.children = process.execs = process.threads = 0;
	process.timers.clear();
	process.counters.clear();
	thread.timers.clear();
	thread.counters.clear();
	thread.running.clear();
	if (!fault("a forked child has its parent's regions"))
		thread.stack.clear();
	thread.base = is_main = true;
	thread.name = "main";
	thread.begun = process.begun;
	if (fault("a forked child keeps its parent's SID"))
		process.forked = false;
}

void begin_forked(void)
{
	process.forked = false;
	process.component = make_component();
	process.sid += "/" + process.component;
	reopen_targets(process.sid);
	write_version();
	if (!fault("a forked child has no start"))
		tr_start(process.argv);
	for (size_t i = 0; i < process.worktrees.size(); i++) {
		Event event = make_event("def_repo");
		event.repo = (int)i + 1;
		add_text(event, "worktree", process.worktrees[i]);
		show(event, "worktree " + quote(process.worktrees[i]),
		     "worktree:" + quote(process.worktrees[i]));
	}
}
