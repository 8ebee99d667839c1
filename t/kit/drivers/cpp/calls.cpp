/* calls.cpp - the calls of the language, one by one. */
#include "driver.h"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

Text text_of(const Value &value)
{
	return value ? Text(value.text) : Text();
}

void say(const string &head, string text)
{
	for (char &c : text)
		if (((unsigned char)c < 32 && c != '\t' && c != '\n') ||
		    c == 127)
			c = '?';
	text = head + text + "\n";
	(void)!write(2, text.data(), text.size());
}

void do_error(const string &fmt, const string &text)
{
	tr_error(Text(fmt), Text(text));
	say("error: ", text);
}

/* Calls */

long integer(const Value &value)
{
	long number = 0;

	parse_int(value.text, &number);
	return number;
}

static void pause_for(Given &given)
{
	long nano = given["ns"].number() + given["ms"].number() * 1000000;
	struct timespec time = { nano / 1000000000, nano % 1000000000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static int repo_of(Given &given)
{
	Value repo = given["repo"];

	return !repo ? -1 : repo.text == "unannounced" ? 0 : (int)repo.number();
}

static int signal_of(Given &given)
{
	static const std::map<string, int> numbers = {
		{ "INT", SIGINT },   { "TERM", SIGTERM }, { "HUP", SIGHUP },
		{ "QUIT", SIGQUIT }, { "PIPE", SIGPIPE }, { "KILL", SIGKILL },
		{ "USR1", SIGUSR1 }
	};

	return numbers.at(given["signal"].text);
}

static string handled;

static void print_handled(int)
{
	(void)!write(1, handled.data(), handled.size());
}

static void do_need(Given &given)
{
	long number;
	bool good = true;

	if (given.count("int"))
		good = parse_int(given["int"].text, &number);
	for (const Value &one : given["words"].list)
		good = good && !one.text.empty();
	if (given["words"].list.size() % 3)
		good = false;
	if (given.count("target"))
		good = given["target"].text == "normal" ||
		       given["target"].text == "perf" ||
		       given["target"].text == "event";
	if (!good)
		throw Wrong{ given["else"].text };
}

static void only_target(Given &given)
{
	for (string name : { "normal", "perf", "event" }) {
		string variable = name == "normal" ? "GIT_TRACE2"
				  : name == "perf" ? "GIT_TRACE2_PERF"
						   : "GIT_TRACE2_EVENT";
		setenv(variable.c_str(),
		       name == given["target"].text ? given["file"].text.c_str()
						    : "",
		       1);
	}
	setenv("GIT_TRACE2_BRIEF", "1", 1);
}

static void broken_pipe(Given &given)
{
	int ends[2];

	if (pipe(ends))
		return;
	close(ends[0]);
	(void)!write(ends[1], given["text"].text.data(),
		     given["text"].text.size());
	close(ends[1]);
}

static void open_number(Given &given)
{
	int fd = open(given["path"].text.c_str(), O_WRONLY | O_CREAT | O_APPEND,
		      0666);

	dup2(fd, (int)given["number"].number());
}

static Place place_of(Given &given)
{
	if (!given.count("file"))
		return HERE;
	return { given["file"].text, (int)given["line"].number() };
}

static void time_it(Scope &, Given &g)
{
	bool per_thread = (bool)g["per_thread"];

	tr_timer(true, g["category"].text, g["name"].text, per_thread);
	pause_for(g);
	tr_timer(false, g["category"].text, g["name"].text, per_thread);
}

static uint64_t to_add(const string &text)
{
	if (text[0] == '-')
		return (uint64_t)strtoll(text.c_str(), nullptr, 10);
	return strtoull(text.c_str(), nullptr, 10);
}

static int exec_id(Scope &scope, Given &given)
{
	if (given["exec_id"])
		return (int)given["exec_id"].number();
	return (int)scope.find("exec_id").number();
}

static void remember(Scope &scope, const char *name, int number)
{
	scope.top()->names[name] = Value(std::to_string(number));
}

const std::map<string, Action> host_calls = {
	{ "exit",
	  [](Scope &, Given &g) {
		  tr_exit((int)integer(g["code"]));
		  throw End{ (int)integer(g["code"]) };
	  } },
	{ "end",
	  [](Scope &, Given &g) { throw End{ (int)integer(g["code"]) }; } },
	{ "_exit", [](Scope &, Given &) { _exit(0); } },
	{ "report_exit",
	  [](Scope &, Given &g) { tr_exit((int)integer(g["code"])); } },
	{ "error",
	  [](Scope &, Given &g) { do_error(g["fmt"].text, g["msg"].text); } },
	{ "bug",
	  [](Scope &, Given &g) {
		  tr_error(text_of(g["msg"]), text_of(g["msg"]));
		  say("BUG: driver.cpp:1: ", g["msg"].text);
	  } },
	{ "fail", [](Scope &, Given &g) { throw Wrong{ g["msg"].text }; } },
	{ "need", [](Scope &, Given &g) { do_need(g); } },
	{ "only_target", [](Scope &, Given &g) { only_target(g); } },
	{ "raise", [](Scope &, Given &g) { raise(signal_of(g)); } },
	{ "ignore", [](Scope &, Given &g) { signal(signal_of(g), SIG_IGN); } },
	{ "handle",
	  [](Scope &, Given &g) {
		  handled = g["text"].text;
		  signal(signal_of(g), print_handled);
	  } },
	{ "broken_pipe", [](Scope &, Given &g) { broken_pipe(g); } },
	{ "sleep", [](Scope &, Given &g) { pause_for(g); } },
	{ "open", [](Scope &, Given &g) { open_number(g); } },
	{ "before_start", [](Scope &, Given &) {} },
	{ "print",
	  [](Scope &, Given &g) {
		  (void)!write(1, g["text"].text.data(), g["text"].text.size());
	  } },
};

const std::map<string, Action> trace_calls = {
	{ "start", [](Scope &, Given &g) { tr_start(g["argv"].texts()); } },
	{ "cmd_ancestry",
	  [](Scope &, Given &g) { tr_ancestry(g["ancestry"].texts()); } },
	{ "report_error",
	  [](Scope &, Given &g) {
		  tr_error(text_of(g["fmt"]), text_of(g["msg"]));
	  } },
	{ "cmd_name", [](Scope &, Given &g) { tr_name(g["name"].text); } },
	{ "cmd_mode", [](Scope &, Given &g) { tr_mode(g["name"].text); } },
	{ "cmd_path", [](Scope &, Given &g) { tr_path(g["path"].text); } },
	{ "thread_start",
	  [](Scope &, Given &g) { tr_thread_start(g["name"].text); } },
	{ "alias",
	  [](Scope &, Given &g) {
		  tr_alias(g["alias"].text, g["argv"].texts());
	  } },
	{ "def_param",
	  [](Scope &, Given &g) {
		  tr_param(g["param"].text, text_of(g["value"]));
	  } },
	{ "def_repo",
	  [](Scope &s, Given &g) {
		  remember(s, "repo", tr_repo(g["worktree"].text));
	  } },
	{ "exec",
	  [](Scope &s, Given &g) {
		  remember(s, "exec_id",
			   tr_exec(text_of(g["exe"]), g["argv"].texts()));
	  } },
	{ "exec_result",
	  [](Scope &s, Given &g) {
		  tr_exec_result(exec_id(s, g), (int)integer(g["code"]));
	  } },
	{ "thread_exit", [](Scope &, Given &) { tr_thread_exit(); } },
	{ "region_enter",
	  [](Scope &, Given &g) {
		  tr_region(true, text_of(g["category"]), text_of(g["label"]),
			    text_of(g["msg"]), repo_of(g));
	  } },
	{ "region_leave",
	  [](Scope &, Given &g) {
		  tr_region(false, text_of(g["category"]), text_of(g["label"]),
			    text_of(g["msg"]), repo_of(g));
	  } },
	{ "data",
	  [](Scope &, Given &g) {
		  tr_data(g["category"].text, g["key"].text, g["value"].text,
			  repo_of(g), false);
	  } },
	{ "data_json",
	  [](Scope &, Given &g) {
		  tr_data(g["category"].text, g["key"].text, g["value"].text,
			  repo_of(g), true);
	  } },
	{ "printf",
	  [](Scope &, Given &g) {
		  tr_printf(text_of(g["msg"]), place_of(g));
	  } },
	{ "time", time_it },
	{ "timer_start",
	  [](Scope &, Given &g) {
		  tr_timer(true, g["category"].text, g["name"].text,
			   (bool)g["per_thread"]);
	  } },
	{ "timer_stop",
	  [](Scope &, Given &g) {
		  tr_timer(false, g["category"].text, g["name"].text,
			   (bool)g["per_thread"]);
	  } },
	{ "counter",
	  [](Scope &, Given &g) {
		  tr_counter(g["category"].text, g["name"].text,
			     (bool)g["per_thread"], to_add(g["add"].text));
	  } },
};
