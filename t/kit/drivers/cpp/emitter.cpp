/* emitter.cpp - the process, its threads, and the events of its calls. */
#include "process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <sstream>
#include <unistd.h>

using std::string;

const Place HERE = { "driver.cpp", 1 };

Process process;
thread_local Thread thread;
thread_local bool is_main;

int64_t nano(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int64_t micro(void)
{
	return nano(CLOCK_MONOTONIC) / 1000;
}

int64_t first_micro = micro(); /* before main */

/* Threads */

void name_thread(const string &name)
{
	char number[24];

	snprintf(number, sizeof(number),
		 fault("thread numbers have one digit")	     ? "th%d:"
		 : fault("thread numbers have three digits") ? "th%03d:"
							     : "th%02d:",
		 __atomic_add_fetch(&process.threads, 1, __ATOMIC_SEQ_CST) -
			 fault("threads count from 0"));
	thread.name = cut_utf8(number + name, 24);
	thread.begun = micro();
	thread.base = true;
	thread.stack.clear();
}

void need_thread(void)
{
	if (thread.name.empty())
		name_thread("unknown");
}

/* Events */

int nesting(void)
{
	int count = thread.base;

	for (const Open &open : thread.stack)
		count += open.shown;
	return count;
}

static size_t dots(void)
{
	int count = nesting() - thread.base;

	return (size_t)(count + (thread.base ? 0 : -(count > 0)));
}

Event make_event(const char *name)
{
	Event event;

	need_thread();
	event.name = name;
	event.now = micro();
	event.wall = nano(CLOCK_REALTIME) / 1000;
	event.thread = fault("the first thread is MainThread") && is_main
			       ? "MainThread"
			       : thread.name;
	event.file = HERE.file;
	event.line = HERE.line;
	event.dots = dots();
	return event;
}

static int64_t since_begin(const Event &event)
{
	int64_t time = event.now - process.begun;

	if (fault("t_abs is in milliseconds"))
		time *= 1000;
	if (fault("t_abs counts from 1970"))
		return event.wall;
	return time;
}

void add_t_abs(Event &event, bool in_event)
{
	event.t_abs = since_begin(event);
	if (in_event)
		event.own.push_back({ "t_abs", seconds(event.t_abs) });
}

void add_t_rel(Event &event, int64_t begun)
{
	event.t_rel = event.now - begun +
		      fault("t_rel is a second too long") * 1000000;
	event.own.push_back({ "t_rel", seconds(event.t_rel) });
}

void add(Event &event, const char *key, const string &json)
{
	event.own.push_back({ key, json });
}

void add_text(Event &event, const char *key, const string &text)
{
	add(event, key, json_text(text));
}

void add_number(Event &event, const char *key, long number)
{
	add(event, key, std::to_string(number));
}

string number(long value)
{
	return std::to_string(value);
}

void emit(Event &event)
{
	if (process.ended && !fault("calls after the end are written"))
		return;
	if (process.forked)
		begin_forked();
	process.wrote = true;
	write_event(event);
}

void show(Event &event, const string &normal, const string &perf)
{
	event.normal = normal;
	event.perf = perf;
	emit(event);
}

void tr_start(const Words &argv)
{
	Guard guard;
	Event event = make_event("start");
	Words words = hide_all(argv);

	if (fault("the command line has no directory"))
		words[0] = words[0].substr(words[0].rfind('/') + 1);
	if (fault("the command line lacks the program"))
		words.erase(words.begin());
	add_t_abs(event, true);
	add(event, "argv", json_list(words));
	show(event, "start " + quote_all(words), quote_all(words));
}

void tr_ancestry(const Words &names)
{
	Guard guard;
	Event event = make_event("cmd_ancestry");
	string all;

	for (const string &name : names)
		all += (all.empty() ? "" : " <- ") + name;
	add(event, "ancestry", json_list(names));
	show(event, "cmd_ancestry " + all,
	     "ancestry:[" + quote_all(names) + "]");
}

void tr_error(const Text &fmt, const Text &msg)
{
	Guard guard;
	Event event = make_event("error");

	if (fault("a percent sign is a format") &&
	    msg.text.find('%') != string::npos)
		return tr_error(fmt, msg.text.substr(0, msg.text.find('%')));
	if (fmt.is_there && !fmt.text.empty()) {
		add_text(event, "msg", hide(msg.text));
		add_text(event, "fmt",
			 hide(fault("fmt is the message") ? msg.text
			      : fault("a format ends at 4,096 bytes")
				      ? fmt.text.substr(0, 4096)
				      : fmt.text));
		show(event, "error " + hide(msg.text), hide(msg.text));
	} else {
		show(event, "error", "");
	}
}

static void list_variables(void)
{
	string list = setting("GIT_TRACE2_ENV_VARS"), name;
	std::stringstream names(list);

	if (process.listed || fault("no variable is recorded"))
		return;
	process.listed = true;
	while (std::getline(names, name, ',')) {
		size_t from = name.find_first_not_of(" \t\n"),
		       end = name.find_last_not_of(" \t\n");
		if (from == string::npos)
			continue;
		name = name.substr(from, end - from + 1);
		if (!setting(name.c_str()).empty())
			tr_param(name, Text(setting(name.c_str())),
				 fault("a variable's scope is unknown")
					 ? "unknown"
					 : "command");
	}
}

/* The names above, and this one. */
static string add_name(const string &name)
{
	string parent = setting("GIT_TRACE2_PARENT_NAME");

	if (fault("a hierarchy is the name alone"))
		return name;
	if (parent.size() > 65536)
		parent.clear();
	if (process.hierarchy.empty())
		return parent.empty() ? name : parent + "/" + name;
	string made = process.hierarchy + "/" + name;
	return made.size() > 1024 && parent.empty() ? name : made;
}

static void export_names(void)
{
	if (process.hierarchy.size() <= 65536 &&
	    !fault("children do not hear of the name"))
		export_variable("GIT_TRACE2_PARENT_NAME", process.hierarchy);
	if (process.pid != getpid())
		export_variable("GIT_TRACE2_PARENT_SID", process.sid);
}

void tr_name(const string &name)
{
	Guard guard;
	Event event = make_event("cmd_name");

	process.hierarchy = add_name(name);
	add_text(event, "name", name);
	if (!process.hierarchy.empty())
		add_text(event, "hierarchy", process.hierarchy);
	string both = name + (process.hierarchy.empty()
				      ? ""
				      : " (" + process.hierarchy + ")");
	show(event, "cmd_name " + both, both);
	export_names();
	if (is_tracing())
		list_variables();
}

void tr_mode(const string &name)
{
	Guard guard;
	Event event = make_event("cmd_mode");

	add_text(event, "name", name);
	show(event, "cmd_mode " + name, name);
}

void tr_path(const string &path)
{
	Guard guard;
	Event event = make_event("cmd_path");

	add_text(event, "path", path);
	show(event, "cmd_path " + path, path);
}

void tr_alias(const string &alias, const Words &argv)
{
	Guard guard;
	Event event = make_event("alias");
	Words words = hide_all(argv);

	add_text(event, "alias", alias);
	add(event, "argv", json_list(words));
	show(event, "alias " + alias + " -> " + quote_all(words),
	     "alias:" + alias + " argv:[" + quote_all(words) + "]");
}

void tr_param(const string &given, const Text &value, const char *scope)
{
	Guard guard;
	Event event = make_event("def_param");
	string param = hide(given), text = hide(value.text);

	add_text(event, "scope", scope);
	add_text(event, "param", param);
	if (value.is_there)
		add_text(event, "value", text);
	event.category = string("scope:") + scope;
	show(event,
	     string("def_param scope:") + scope + " " + param +
		     (value.is_there ? "=" + text : ""),
	     param + (value.is_there ? ":" + text : ""));
}

int tr_repo(const string &worktree)
{
	Guard guard;

	if (worktree.empty())
		return 0;
	process.worktrees.push_back(worktree);
	Event event = make_event("def_repo");
	event.repo = (int)process.worktrees.size() -
		     fault("repositories count from 0");
	add_text(event, "worktree", worktree);
	show(event, "worktree " + quote(worktree),
	     "worktree:" + quote(worktree));
	return event.repo;
}

/* Children and exec */

void tr_child_start(Child &child)
{
	Guard guard;
	Event event = make_event("child_start");
	string kind = child.has_class ? child.child_class : "?", args, cd;
	Words words = hide_all(child.argv);

	if (child.has_hook)
		kind = "hook";
	child.id = process.children++ + fault("children count from 1");
	child.begun = event.now;
	add_t_abs(event, false);
	add_number(event, "child_id", child.id);
	add_text(event, "child_class", kind);
	if (child.has_hook)
		add_text(event, "hook_name", child.hook);
	if (child.has_dir)
		add_text(event, "cd", child.dir);
	add(event, "use_shell", child.shell ? "true" : "false");
	add(event, "argv", json_list(words));
	args = quote_all(words);
	cd = child.has_dir ? "cd " + quote(child.dir) + "; " : "";
	show(event, "child_start[" + number(child.id) + "] " + cd + args,
	     "[ch" + number(child.id) + "] class:" + kind +
		     (child.has_hook ? " hook:" + child.hook : "") +
		     (child.has_dir ? " cd:" + quote(child.dir) : "") +
		     " argv:[" + args + "]");
}

void tr_child_exit(Child &child, int code)
{
	Guard guard;
	Event event = make_event("child_exit");
	string id = number(child.id), both;
	long pid = fault("a child has its parent's pid") ? getpid() : child.pid;

	if (fault("a killed child has a negative code") && code > 128)
		code = 128 - code;
	if (child.ended && !fault("a child may end twice"))
		return;
	child.ended = true;
	both = "pid:" + number(pid) + " code:" + number(code);
	add_t_abs(event, false);
	add_number(event, "child_id", child.id);
	add_number(event, "pid", pid);
	add_number(event, "code", code);
	add_t_rel(event, child.begun);
	show(event,
	     "child_exit[" + id + "] " + both +
		     " elapsed:" + seconds(event.t_rel),
	     "[ch" + id + "] " + both);
}

void tr_child_ready(Child &child, const string &ready)
{
	Guard guard;
	Event event = make_event("child_ready");
	string id = number(child.id), both;

	if (child.ended)
		return;
	child.ended = true;
	both = "pid:" + number(child.pid) + " ready:" + ready;
	add_t_abs(event, false);
	add_number(event, "child_id", child.id);
	add_number(event, "pid", child.pid);
	add_text(event, "ready", ready);
	add_t_rel(event, child.begun);
	show(event,
	     "child_ready[" + id + "] " + both +
		     " elapsed:" + seconds(event.t_rel),
	     "[ch" + id + "] " + both);
}

int tr_exec(const Text &exe, const Words &argv)
{
	Guard guard;
	Event event = make_event("exec");
	Words words = hide_all(argv);
	int id = process.execs++ + fault("execs count from 1");
	string both = exe.is_there ? exe.text + (argv.empty() ? "" : " ") : "";

	add_t_abs(event, false);
	add_number(event, "exec_id", id);
	if (exe.is_there)
		add_text(event, "exe", exe.text);
	add(event, "argv", json_list(words));
	show(event,
	     "exec[" + number(id) + "] " +
		     (exe.is_there ? exe.text + " " : "") + quote_all(words),
	     "id:" + number(id) + " argv:[" + both + quote_all(words) + "]");
	return id;
}

void tr_exec_result(int id, int code)
{
	Guard guard;
	Event event = make_event("exec_result");
	string text = " code:" + number(code) +
		      (code > 0 && !fault("a failed exec has no reason")
			       ? string(" err:") + strerror(code)
			       : "");

	add_t_abs(event, false);
	add_number(event, "exec_id", id);
	add_number(event, "code", code);
	show(event, "exec_result[" + number(id) + "]" + text,
	     "id:" + number(id) + text);
}
