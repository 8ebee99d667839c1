/* children.cpp - programs that the driver starts. */
#include "driver.h"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/* Children */

static int start(Child &child)
{
	Words words = child.argv;

	if (child.shell) {
		if (words.size() > 1)
			words.insert(words.begin(), words[0] + " \"$@\"");
		words.insert(words.begin(), { "sh", "-c" });
	}
	std::vector<char *> argv;
	for (string &word : words)
		argv.push_back(&word[0]);
	argv.push_back(nullptr);
	int ends[2], error = 0;
	if (pipe2(ends, O_CLOEXEC))
		return errno;
	child.pid = fork();
	if (!child.pid) {
		for (int signo :
		     { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE }) {
			struct sigaction action;
			sigaction(signo, nullptr, &action);
			if (action.sa_handler != SIG_IGN)
				signal(signo, SIG_DFL);
		}
		if (!child.has_dir || !chdir(child.dir.c_str()))
			execvp(argv[0], argv.data());
		error = errno;
		(void)!write(ends[1], &error, sizeof(error));
		_exit(127);
	}
	close(ends[1]);
	if (read(ends[0], &error, sizeof(error)) > 0) {
		waitpid(child.pid, nullptr, 0);
		child.pid = -1;
	}
	close(ends[0]);
	return error;
}

static int wait_for(Child &child)
{
	int status = 0, code;

	while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	code = WTERMSIG(status);
	do_error("%s died of signal %d",
		 child.argv[0] + " died of signal " + std::to_string(code));
	return 128 + code;
}

static std::shared_ptr<Child> make_child(Given &given)
{
	auto child = std::make_shared<Child>();

	child->argv = given["argv"].texts();
	child->has_class = (bool)given["class"];
	child->child_class = given["class"].text;
	child->has_hook = (bool)given["hook"];
	child->hook = given["hook"].text;
	child->has_dir = (bool)given["dir"];
	child->dir = given["dir"].text;
	child->shell = given["shell"].text == "true";
	return child;
}

static int run(Child &child)
{
	int error = start(child);

	if (!error)
		return wait_for(child);
	do_error("cannot run %s: %s",
		 "cannot run " + child.argv[0] + ": " + strerror(error));
	return -1;
}

static void do_child(Scope &scope, Given &given)
{
	auto child = make_child(given);

	tr_child_start(*child);
	int code = run(*child);
	tr_child_exit(*child, code);
	scope.top()->names["code"] = Value(std::to_string(code));
}

static void do_child_start(Scope &scope, Given &given)
{
	auto child = make_child(given);

	tr_child_start(*child);
	scope.top()->children[given["child"] ? given["child"].text : "child"] =
		child;
}

static std::shared_ptr<Child> started(Scope &scope, Given &given)
{
	auto child =
		scope.child(given["child"] ? given["child"].text : "child");

	if (child && given["pid"])
		child->pid = (int)given["pid"].number();
	return child;
}

static void do_execute(Scope &scope, Given &given)
{
	Words words = given["argv"].texts();
	std::vector<char *> argv;

	for (string &word : words)
		argv.push_back(&word[0]);
	argv.push_back(nullptr);
	execvp(argv[0], argv.data());
	scope.top()->names["strerror"] = Value(string(strerror(errno)));
	scope.top()->names["errno"] = Value(std::to_string(errno));
}

const std::map<string, Action> child_calls = {
	{ "child", do_child },
	{ "child_start", do_child_start },
	{ "execute", do_execute },
	{ "run",
	  [](Scope &s, Given &g) {
		  Child &child = *started(s, g);
		  child.argv = g["argv"].texts();
		  run(child);
	  } },
	{ "child_exit",
	  [](Scope &s, Given &g) {
		  auto child = started(s, g);
		  if (child)
			  tr_child_exit(*child, (int)integer(g["code"]));
	  } },
	{ "child_ready",
	  [](Scope &s, Given &g) {
		  auto child = started(s, g);
		  if (child)
			  tr_child_ready(*child, g["ready"].text);
	  } },
};
