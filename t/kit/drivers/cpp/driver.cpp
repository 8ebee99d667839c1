/*
 * driver.cpp - a driver in C++: it reads t/kit/contract.tsv and does what it
 * says. Its emitter was written from SPEC.md. KIT_FAULT names a row of
 * faults.tsv, which makes the emitter wrong in one way.
 *
 *	c++ -O1 -pthread -DCONTRACT='"t/kit/contract.tsv"' \
 *		-DFAULTS='"t/kit/drivers/cpp/faults.tsv"' t/kit/drivers/cpp/X.cpp
 */
#include "contract.h"
#include "emitter.h"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using std::string;

struct End {
	int code;
};

struct Wrong {
	string text;
};

using Given = std::map<string, Value>;

static bool checks_errno;

static void perform(const std::vector<Call> &calls, Scope &scope);
static void run_verb(const Verb &verb, const Words &words, Scope *up);

static Text text_of(const Value &value)
{
	return value ? Text(value.text) : Text();
}

static void say(const string &head, string text)
{
	for (char &c : text)
		if (((unsigned char)c < 32 && c != '\t' && c != '\n') ||
		    c == 127)
			c = '?';
	text = head + text + "\n";
	(void)!write(2, text.data(), text.size());
}

static void do_error(const string &fmt, const string &text)
{
	tr_error(Text(fmt), Text(text));
	say("error: ", text);
}

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
		for (int signo : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE }) {
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
	do_error("cannot run %s: %s", "cannot run " + child.argv[0] + ": " +
					      strerror(error));
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
	scope.top()->children[given["child"] ? given["child"].text :
					       "child"] = child;
}

static std::shared_ptr<Child> started(Scope &scope, Given &given)
{
	auto child = scope.child(given["child"] ? given["child"].text :
						  "child");

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

/* Calls */

static long integer(const Value &value)
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
		string variable = name == "normal" ? "GIT_TRACE2" :
				  name == "perf"   ? "GIT_TRACE2_PERF" :
						     "GIT_TRACE2_EVENT";
		setenv(variable.c_str(),
		       name == given["target"].text ?
			       given["file"].text.c_str() :
			       "",
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
	int fd = open(given["path"].text.c_str(),
		      O_WRONLY | O_CREAT | O_APPEND, 0666);

	dup2(fd, (int)given["number"].number());
}

static Place place_of(Given &given)
{
	if (!given.count("file"))
		return HERE;
	return { given["file"].text, (int)given["line"].number() };
}

using Action = std::function<void(Scope &, Given &)>;

static void time_it(Scope &, Given &g)
{
	bool per_thread = (bool)g["per_thread"];

	tr_timer(true, g["category"].text, g["name"].text, per_thread);
	pause_for(g);
	tr_timer(false, g["category"].text, g["name"].text, per_thread);
}

#define DO [](Scope & scope, Given & g)
#define USE (void)scope, (void)g

static const std::map<string, Action> host_calls = {
	{ "exit", DO { USE; tr_exit((int)integer(g["code"]));
		throw End{ (int)integer(g["code"]) }; } },
	{ "end", DO { USE; throw End{ (int)integer(g["code"]) }; } },
	{ "_exit", DO { USE; _exit(0); } },
	{ "report_exit", DO { USE; tr_exit((int)integer(g["code"])); } },
	{ "error", DO { USE; do_error(g["fmt"].text, g["msg"].text); } },
	{ "bug", DO { USE; tr_error(text_of(g["msg"]), text_of(g["msg"]));
		say("BUG: driver.cpp:1: ", g["msg"].text); } },
	{ "fail", DO { USE; throw Wrong{ g["msg"].text }; } },
	{ "need", DO { USE; do_need(g); } },
	{ "child", do_child },
	{ "run", DO { Child &child = *started(scope, g); USE;
		child.argv = g["argv"].texts(); run(child); } },
	{ "execute", do_execute },
	{ "only_target", DO { USE; only_target(g); } },
	{ "raise", DO { USE; raise(signal_of(g)); } },
	{ "ignore", DO { USE; signal(signal_of(g), SIG_IGN); } },
	{ "handle", DO { USE; handled = g["text"].text;
		signal(signal_of(g), print_handled); } },
	{ "broken_pipe", DO { USE; broken_pipe(g); } },
	{ "sleep", DO { USE; pause_for(g); } },
	{ "open", DO { USE; open_number(g); } },
	{ "before_start", DO { USE; } },
	{ "print", DO { USE; (void)!write(1, g["text"].text.data(),
					  g["text"].text.size()); } },
};

static const std::map<string, Action> calls = {
	{ "start", DO { USE; tr_start(g["argv"].texts()); } },
	{ "cmd_ancestry", DO { USE; tr_ancestry(g["ancestry"].texts()); } },
	{ "report_error", DO { USE; tr_error(text_of(g["fmt"]),
					     text_of(g["msg"])); } },
	{ "cmd_name", DO { USE; tr_name(g["name"].text); } },
	{ "cmd_mode", DO { USE; tr_mode(g["name"].text); } },
	{ "cmd_path", DO { USE; tr_path(g["path"].text); } },
	{ "alias", DO { USE; tr_alias(g["alias"].text, g["argv"].texts()); } },
	{ "def_param", DO { USE; tr_param(g["param"].text,
					  text_of(g["value"])); } },
	{ "def_repo", DO { USE; scope.top()->names["repo"] = Value(
		std::to_string(tr_repo(g["worktree"].text))); } },
	{ "child_start", do_child_start },
	{ "child_exit", DO { auto child = started(scope, g);
		if (child) tr_child_exit(*child, (int)integer(g["code"])); } },
	{ "child_ready", DO { auto child = started(scope, g);
		if (child) tr_child_ready(*child, g["ready"].text); } },
	{ "exec", DO { USE; scope.top()->names["exec_id"] = Value(
		std::to_string(tr_exec(text_of(g["exe"]),
				       g["argv"].texts()))); } },
	{ "exec_result", DO { tr_exec_result(
		g["exec_id"] ? (int)g["exec_id"].number() :
			       (int)scope.find("exec_id").number(),
		(int)integer(g["code"])); } },
	{ "thread_start", DO { USE; tr_thread_start(g["name"].text); } },
	{ "thread_exit", DO { USE; tr_thread_exit(); } },
	{ "region_enter", DO { USE; tr_region(true, text_of(g["category"]),
		text_of(g["label"]), text_of(g["msg"]), repo_of(g)); } },
	{ "region_leave", DO { USE; tr_region(false, text_of(g["category"]),
		text_of(g["label"]), text_of(g["msg"]), repo_of(g)); } },
	{ "data", DO { USE; tr_data(g["category"].text, g["key"].text,
		g["value"].text, repo_of(g), false); } },
	{ "data_json", DO { USE; tr_data(g["category"].text, g["key"].text,
		g["value"].text, repo_of(g), true); } },
	{ "printf", DO { USE; tr_printf(text_of(g["msg"]), place_of(g)); } },
	{ "time", time_it },
	{ "timer_start", DO { USE; tr_timer(true, g["category"].text,
		g["name"].text, (bool)g["per_thread"]); } },
	{ "timer_stop", DO { USE; tr_timer(false, g["category"].text,
		g["name"].text, (bool)g["per_thread"]); } },
	{ "counter", DO { USE; tr_counter(g["category"].text, g["name"].text,
		(bool)g["per_thread"],
		g["add"].text[0] == '-' ?
			(uint64_t)strtoll(g["add"].text.c_str(), 0, 10) :
			strtoull(g["add"].text.c_str(), 0, 10)); } },
};

/* Calls that hold others */

using Block = void (*)(const Call &, Scope &);

static void do_if(const Call &call, Scope &scope)
{
	string word = call.words[0];
	size_t sign = word.find('=');
	bool good;

	if (sign == string::npos) {
		bool negated = word[0] == '!';
		good = (bool)evaluate(word.substr(negated), scope) != negated;
	} else {
		bool negated = word[sign - 1] == '!';
		Value found = evaluate(word.substr(0, sign - negated), scope);
		Value other = evaluate(word.substr(sign + 1), scope);
		good = (found && found.text == other.text) != negated;
	}
	perform(good ? call.body : call.other, scope);
}

static void do_each(const Call &call, Scope &scope)
{
	for (const Value &one : evaluate(call.words[0], scope).list) {
		scope.names["_"] = one;
		perform(call.body, scope);
	}
}

static void do_each3(const Call &call, Scope &scope)
{
	std::vector<Value> all = evaluate(call.words[0], scope).list;

	for (size_t i = 0; i < all.size(); i += 3) {
		const char *names[] = { "a", "b", "c" };
		for (size_t j = 0; j < 3; j++)
			scope.names[names[j]] =
				i + j < all.size() ? all[i + j] : Value();
		perform(call.body, scope);
	}
}

static void do_repeat(const Call &call, Scope &scope)
{
	long count = integer(evaluate(call.words[0], scope));

	for (long n = 0; n < count; n++) {
		scope.names["n"] = Value(std::to_string(n));
		perform(call.body, scope);
	}
}

static void do_count(const Call &call, Scope &scope)
{
	string word = call.words[0];
	size_t at = word.find("..");
	long from = integer(evaluate(word.substr(0, at), scope)),
	     to = integer(evaluate(word.substr(at + 2), scope));
	int step = word.substr(at + 2) == "1" ? -1 : 1;

	for (long i = from; (to - i) * step >= 0; i += step) {
		scope.names["i"] = Value(std::to_string(i));
		perform(call.body, scope);
	}
}

static void do_threads(const Call &call, Scope &scope)
{
	Value given = evaluate(call.words[0], scope);
	size_t count = given.kind == Value::LIST ? given.list.size() :
						   (size_t)integer(given);
	std::vector<std::thread> threads;
	std::vector<Scope> own(count);

	for (size_t i = 0; i < count; i++) {
		own[i].up = &scope;
		own[i].names["place"] = Value(std::to_string(i));
		if (given.kind == Value::LIST)
			own[i].names["_"] = given.list[i];
		threads.emplace_back([&, i] { perform(call.body, own[i]); });
	}
	for (std::thread &one : threads)
		one.join();
}

static std::vector<std::pair<const Call *, Scope *>> later;

static int result_of(const std::function<void()> &action)
{
	try {
		action();
	} catch (const End &end) {
		return end.code;
	} catch (const Wrong &wrong) {
		tr_error(Text(wrong.text), Text(wrong.text));
		say("fatal: ", wrong.text);
		tr_exit(128);
		return 128;
	}
	return 0;
}

static void leave(int code)
{
	tr_finish(code);
	for (auto &one : later)
		perform(one.first->body, *one.second);
	_exit(code & 255);
}

static void do_fork(const Call &call, Scope &scope)
{
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, nullptr, 0);
		return;
	}
	tr_fork();
	leave(result_of([&] { perform(call.body, scope); }));
}

static void do_after_exit(const Call &call, Scope &scope)
{
	later.push_back({ &call, scope.top() });
	for (Scope *one = &scope; one; one = one->up)
		for (auto &name : one->names)
			scope.top()->names.insert(name);
}

static void do_keep_errno(const Call &call, Scope &scope)
{
	checks_errno = true;
	perform(call.body, scope);
	checks_errno = false;
}

static void do_verb(Scope &scope, Given &given)
{
	for (const Verb &verb : read_contract())
		if (verb.name == given["name"].text)
			return run_verb(verb, given["argv"].texts(), &scope);
	throw Wrong{ "expect <verb> [<args>...]" };
}

static void do_text(const Call &call, Scope &scope)
{
	string kind = evaluate(call.words[0], scope).text;

	for (size_t i = 1; i < call.words.size(); i++) {
		const string &word = call.words[i];
		size_t at = word.find('=');
		if (word.substr(0, at) != kind)
			continue;
		scope.top()->names["text"] = evaluate(word.substr(at + 1),
						      scope);
		return;
	}
	throw Wrong{ "expect control, quotes, utf8, invalid, newlines, "
		     "password or long" };
}

static const std::map<string, Block> blocks = {
	{ "if", do_if },	     { "each", do_each },
	{ "each3", do_each3 },	     { "repeat", do_repeat },
	{ "count", do_count },	     { "threads", do_threads },
	{ "fork", do_fork },	     { "after_exit", do_after_exit },
	{ "keep_errno", do_keep_errno }, { "text", do_text },
};

static void perform_one(const Call &call, Scope &scope)
{
	auto block = blocks.find(call.name);
	Given given;

	if (block != blocks.end())
		return block->second(call, scope);
	for (const string &word : call.words) {
		size_t at = word.find('=');
		given[word.substr(0, at)] = evaluate(word.substr(at + 1),
						     scope);
	}
	if (call.name == "verb")
		return do_verb(scope, given);
	auto host = host_calls.find(call.name);
	if (host != host_calls.end())
		return host->second(scope, given);
	errno = 4711;
	calls.at(call.name)(scope, given);
	if (checks_errno)
		(void)!write(1, errno == 4711 ? "kept\n" : "set \n", 5);
}

static void perform(const std::vector<Call> &list, Scope &scope)
{
	for (const Call &call : list)
		perform_one(call, scope);
}

static bool knows(const std::vector<Call> &list)
{
	for (const Call &call : list)
		if ((!calls.count(call.name) && !blocks.count(call.name) &&
		     !host_calls.count(call.name) && call.name != "verb") ||
		    !knows(call.body) || !knows(call.other))
			return false;
	return true;
}

static void run_verb(const Verb &verb, const Words &words, Scope *up)
{
	static std::vector<std::unique_ptr<Scope>> kept;
	std::vector<Value> all;

	if (!verb.wrong.empty() && !fits(verb.takes, words))
		throw Wrong{ verb.wrong };
	kept.emplace_back(new Scope);
	Scope &scope = *kept.back();
	scope.up = up;
	for (const string &word : words) {
		all.push_back(word);
		scope.names[std::to_string(all.size())] = Value(word);
	}
	scope.names["*"] = Value(all);
	perform(verb.calls, scope);
}

int main(int argc, char **argv)
{
	Words words(argv, argv + argc);
	const Verb *found = nullptr;
	long ms;

	setlocale(LC_ALL, "");
	for (const Verb &verb : read_contract())
		if (argc > 2 && words[1] == "trace2" && verb.name == words[2] &&
		    knows(verb.calls))
			found = &verb;
	if (!found) {
		fprintf(stderr, "usage:\n");
		for (const Verb &verb : read_contract())
			if (knows(verb.calls))
				fprintf(stderr, "\ttest-tool trace2 %s %s\n",
					verb.name.c_str(),
					verb.arguments.c_str());
		return 129;
	}
	if (found->name == "late_start" && argc > 3 && parse_int(argv[3], &ms))
		usleep((useconds_t)ms * 1000);
	tr_initialize(words);
	tr_name("trace2");
	static Scope scope;
	scope.names["sid"] = Value(tr_sid());
	scope.names["dropped"] = Value(string("0"));
	leave(result_of([&] {
		run_verb(*found, Words(words.begin() + 3, words.end()),
			 &scope);
	}));
}
