/*
 * driver.cpp - a driver in C++: it reads t/kit/contract.tsv and does what it
 * says. Its emitter was written from SPEC.md. KIT_FAULT names a row of
 * faults.tsv, which makes the emitter wrong in one way.
 *
 *	c++ -O1 -pthread -DCONTRACT='"t/kit/contract.tsv"' \
 *		-DFAULTS='"t/kit/drivers/cpp/faults.tsv"' t/kit/drivers/cpp/X.cpp
 */
#include "driver.h"

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

bool checks_errno;

using Row = std::map<string, Action>::value_type;

static const Row *find_call(const string &name)
{
	for (const auto *table : { &trace_calls, &child_calls, &host_calls })
		if (table->count(name))
			return &*table->find(name);
	return nullptr;
}

static void do_verb(Scope &scope, Given &given)
{
	for (const Verb &verb : read_contract())
		if (verb.name == given["name"].text)
			return run_verb(verb, given["argv"].texts(), &scope);
	throw Wrong{ "expect <verb> [<args>...]" };
}

static void perform_one(const Call &call, Scope &scope)
{
	auto block = blocks.find(call.name);
	Given given;

	if (block != blocks.end())
		return block->second(call, scope);
	for (const string &word : call.words) {
		size_t at = word.find('=');
		given[word.substr(0, at)] =
			evaluate(word.substr(at + 1), scope);
	}
	if (call.name == "verb")
		return do_verb(scope, given);
	errno = 4711;
	find_call(call.name)->second(scope, given);
	if (checks_errno && !host_calls.count(call.name))
		(void)!write(1, errno == 4711 ? "kept\n" : "set \n", 5);
}

void perform(const std::vector<Call> &list, Scope &scope)
{
	for (const Call &call : list)
		perform_one(call, scope);
}

static bool knows(const std::vector<Call> &list)
{
	for (const Call &call : list)
		if ((!find_call(call.name) && !blocks.count(call.name) &&
		     call.name != "verb") ||
		    !knows(call.body) || !knows(call.other))
			return false;
	return true;
}

void run_verb(const Verb &verb, const Words &words, Scope *up)
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
		run_verb(*found, Words(words.begin() + 3, words.end()), &scope);
	}));
}
