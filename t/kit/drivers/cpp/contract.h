/* contract.h - t/kit/contract.tsv: its verbs, and the values of their words. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include <map>
#include <memory>
#include <string>
#include <vector>

struct Value {
	enum { NONE, TEXT, LIST } kind = NONE;
	std::string text;
	std::vector<Value> list;

	Value() = default;
	Value(const std::string &given) : kind(TEXT), text(given)
	{
	}
	Value(const std::vector<Value> &given) : kind(LIST), list(given)
	{
	}
	explicit operator bool() const
	{
		return kind != NONE;
	}
	long number() const;
	std::vector<std::string> texts() const;
};

struct Call {
	std::string name;
	std::vector<std::string> words;
	std::vector<Call> body, other;
};

struct Verb {
	std::string name, arguments, takes, wrong;
	std::vector<Call> calls;
};

struct Child;

/* The names that a block sees: its own, then those around it. */
struct Scope {
	Scope *up = nullptr;
	std::map<std::string, Value> names;
	std::map<std::string, std::shared_ptr<Child>> children;

	Value find(const std::string &name) const;
	std::shared_ptr<Child> child(const std::string &name) const;
	Scope *top();
};

const std::vector<Verb> &read_contract(void);
Value evaluate(const std::string &word, const Scope &scope);
bool parse_int(const std::string &text, long *number);
bool fits(const std::string &takes, const std::vector<std::string> &words);
bool is_signal(const std::string &name);

#endif
