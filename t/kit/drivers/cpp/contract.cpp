/* contract.cpp - see contract.h; t/README.md explains the language. */
#include "contract.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

using std::string;
using std::vector;

long Value::number() const
{
	return strtol(text.c_str(), nullptr, 10);
}

vector<string> Value::texts() const
{
	vector<string> found;

	for (const Value &one : list)
		found.push_back(one.text);
	return found;
}

Value Scope::find(const string &name) const
{
	auto found = names.find(name);

	if (found != names.end())
		return found->second;
	return up ? up->find(name) : Value();
}

std::shared_ptr<Child> Scope::child(const string &name) const
{
	auto found = children.find(name);

	if (found != children.end())
		return found->second;
	return up ? up->child(name) : nullptr;
}

Scope *Scope::top()
{
	return up ? up->top() : this;
}

/* Words: text in quotes may hold blanks, braces and quotes with a \. */
static vector<string> cut_words(const string &text)
{
	vector<string> words;
	string word;
	bool quoted = false;
	auto end = [&] {
		if (!word.empty())
			words.push_back(word);
		word.clear();
	};

	for (size_t i = 0; i < text.size(); i++) {
		if (quoted && text[i] == '\\') {
			word += text[i++];
		} else if (text[i] == '"') {
			quoted = !quoted;
		} else if (!quoted && strchr("{}; ", text[i])) {
			end();
			if (text[i] != ' ')
				words.push_back(string(1, text[i]));
			continue;
		}
		word += text[i];
	}
	end();
	return words;
}

static bool is_mark(const string &word)
{
	return word == "{" || word == "}" || word == ";";
}

static vector<Call> read_calls(const vector<string> &words, size_t *at)
{
	vector<Call> calls;

	for (; *at < words.size() && words[*at] != "}";) {
		if (words[*at] == ";") {
			++*at;
			continue;
		}
		Call call;
		call.name = words[(*at)++];
		while (*at < words.size() && !is_mark(words[*at]))
			call.words.push_back(words[(*at)++]);
		for (vector<Call> *block : { &call.body, &call.other }) {
			if (*at >= words.size() || words[*at] != "{")
				break;
			++*at;
			*block = read_calls(words, at);
			++*at;
			if (*at < words.size() && words[*at] == "else")
				++*at;
			else
				break;
		}
		calls.push_back(call);
	}
	return calls;
}

const vector<Verb> &read_contract(void)
{
	static vector<Verb> verbs;
	std::ifstream file(CONTRACT);
	string line;

	while (verbs.empty() ? (bool)std::getline(file, line) : false)
		for (; file || !line.empty(); std::getline(file, line)) {
			std::stringstream cells(line);
			string cell[5];
			size_t at = 0;

			if (!file)
				break;
			if (line[0] == '#')
				continue;
			for (string &one : cell) {
				std::getline(cells, one, '\t');
				if (one == "-")
					one.clear();
			}
			verbs.push_back(
				{ cell[0], cell[1], cell[2], cell[3],
				  read_calls(cut_words(cell[4]), &at) });
		}
	return verbs;
}

static void add_utf8(string &text, unsigned code)
{
	if (code < 0x80) {
		text += (char)code;
	} else if (code < 0x800) {
		text += (char)(0xc0 | code >> 6);
		text += (char)(0x80 | (code & 63));
	} else {
		text += (char)(0xe0 | code >> 12);
		text += (char)(0x80 | (code >> 6 & 63));
		text += (char)(0x80 | (code & 63));
	}
}

/* JSON's escapes, \xHH for a byte, and $name. */
static string read_name_in(const string &word, size_t *at, const Scope &scope)
{
	size_t end = *at + 1;

	while (isalnum((unsigned char)word[end]) || word[end] == '_')
		end++;
	string name = word.substr(*at + 1, end - *at - 1);
	Value found = scope.find(name);
	*at = end - 1;
	return found ? found.text : "$" + name;
}

/* What follows a backslash, which is at `at`. */
static string read_escape(const string &word, size_t *at)
{
	static const std::map<char, char> escapes = { { 'b', '\b' },
						      { 'f', '\f' },
						      { 'n', '\n' },
						      { 'r', '\r' },
						      { 't', '\t' } };
	char c = word[++*at];
	string made;

	if (c != 'u' && c != 'x')
		return string(1, escapes.count(c) ? escapes.at(c) : c);
	int digits = c == 'u' ? 4 : 2;
	unsigned long code =
		strtoul(word.substr(*at + 1, digits).c_str(), 0, 16);
	*at += digits;
	if (digits == 2)
		made += (char)code;
	else
		add_utf8(made, code);
	return made;
}

static string read_text(const string &word, const Scope &scope)
{
	string made;

	for (size_t i = 0; i < word.size(); i++)
		if (word[i] == '$')
			made += read_name_in(word, &i, scope);
		else if (word[i] == '\\')
			made += read_escape(word, &i);
		else
			made += word[i];
	return made;
}

static Value read_list(const string &word, const Scope &scope)
{
	vector<Value> found;
	string item;
	bool quoted = false;

	for (size_t i = 1; i < word.size(); i++) {
		if (quoted && word[i] == '\\')
			item += word[i++];
		else if (word[i] == '"')
			quoted = !quoted;
		else if (!quoted && (word[i] == ',' || word[i] == ']')) {
			Value one = item.empty() ? Value()
						 : evaluate(item, scope);
			if (one.kind == Value::LIST)
				found.insert(found.end(), one.list.begin(),
					     one.list.end());
			else if (!item.empty())
				found.push_back(one);
			item.clear();
			continue;
		}
		item += word[i];
	}
	return found;
}

static Value read_name(const string &word, const Scope &scope)
{
	if (word.back() == '*') {
		vector<Value> all = scope.find("*").list;
		size_t from = isdigit((unsigned char)word[1]) ? word[1] - '1'
							      : 0;
		if (from > all.size())
			from = all.size();
		return vector<Value>(all.begin() + from, all.end());
	}
	size_t bar = word.find('|');
	Value found = scope.find(word.substr(1, bar - 1));
	if (!found && bar != string::npos)
		return evaluate(word.substr(bar + 1), scope);
	return found;
}

Value evaluate(const string &word, const Scope &scope)
{
	size_t sum = word.find("+$");

	if (word[0] == '"') {
		size_t end = word.rfind('"');
		string text = read_text(word.substr(1, end - 1), scope), made;
		long count = word[end + 1] == '*' ? atol(word.c_str() + end + 2)
						  : 1;
		while (count-- > 0)
			made += text;
		return made;
	}
	if (word[0] == '[')
		return read_list(word, scope);
	if (word[0] == '$')
		return read_name(word, scope);
	if (sum != string::npos)
		return std::to_string(
			atol(word.c_str()) +
			scope.find(word.substr(sum + 2)).number());
	return word == "null" ? Value() : Value(word);
}

bool parse_int(const string &text, long *number)
{
	int error = errno;
	char *rest;

	errno = 0;
	*number = strtol(text.c_str(), &rest, 10);
	std::swap(error, errno);
	if (text.empty() || *rest || error)
		return false;
	*number = (int)*number;
	return true;
}

bool is_signal(const string &name)
{
	return string(" INT TERM HUP QUIT PIPE KILL USR1 ")
		       .find(" " + name + " ") != string::npos;
}

static bool fits_one(const string &kind, const string &word)
{
	long number;

	if (kind == "int")
		return parse_int(word, &number);
	if (kind == "word")
		return !word.empty();
	return kind != "signal" || is_signal(word);
}

bool fits(const string &takes, const vector<string> &words)
{
	std::stringstream kinds(takes);
	string kind;
	size_t at = 0;
	bool more = takes.empty();

	for (; kinds >> kind; at++) {
		bool may = kind.back() == '?';
		if (kind.size() > 3 && kind.substr(kind.size() - 3) == "...") {
			kind.resize(kind.size() - 3);
			more = true;
		} else if (kind == "...") {
			return true;
		}
		if (may)
			kind.pop_back();
		if (at >= words.size())
			return may;
		if (!fits_one(kind, words[at]))
			return false;
	}
	return more || words.size() <= at;
}
