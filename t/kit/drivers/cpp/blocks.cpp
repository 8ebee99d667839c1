/* blocks.cpp - calls that hold others. */
#include "driver.h"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/* Calls that hold others */

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
			scope.names[names[j]] = i + j < all.size() ? all[i + j]
								   : Value();
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
	size_t count = given.kind == Value::LIST ? given.list.size()
						 : (size_t)integer(given);
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

int result_of(const std::function<void()> &action)
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

void leave(int code)
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

static void do_text(const Call &call, Scope &scope)
{
	string kind = evaluate(call.words[0], scope).text;

	for (size_t i = 1; i < call.words.size(); i++) {
		const string &word = call.words[i];
		size_t at = word.find('=');
		if (word.substr(0, at) != kind)
			continue;
		scope.top()->names["text"] =
			evaluate(word.substr(at + 1), scope);
		return;
	}
	throw Wrong{ "expect control, quotes, utf8, invalid, newlines, "
		     "password or long" };
}

const std::map<string, Block> blocks = {
	{ "if", do_if },
	{ "each", do_each },
	{ "each3", do_each3 },
	{ "repeat", do_repeat },
	{ "count", do_count },
	{ "threads", do_threads },
	{ "fork", do_fork },
	{ "after_exit", do_after_exit },
	{ "keep_errno", do_keep_errno },
	{ "text", do_text },
};
