/* driver.h - what the parts of the driver share. */
#ifndef DRIVER_H
#define DRIVER_H

#include <functional>

#include "contract.h"
#include "emitter.h"

using std::string;

struct End {
	int code;
};

struct Wrong {
	string text;
};

using Given = std::map<string, Value>;

using Action = std::function<void(Scope &, Given &)>;
using Block = void (*)(const Call &, Scope &);

extern const std::map<string, Action> host_calls;
extern const std::map<string, Action> child_calls;
extern const std::map<string, Action> trace_calls;
extern const std::map<string, Block> blocks;
extern bool checks_errno;

void perform(const std::vector<Call> &calls, Scope &scope);
void run_verb(const Verb &verb, const Words &words, Scope *up);
Text text_of(const Value &value);
void say(const string &head, string text);
void do_error(const string &fmt, const string &text);
long integer(const Value &value);
int result_of(const std::function<void()> &action);
void leave(int code);

#endif
