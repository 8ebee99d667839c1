/* process.h - what the parts of the emitter know of the process. */
#ifndef PROCESS_H
#define PROCESS_H

#include <cerrno>
#include <ctime>
#include <mutex>

#include "emitter.h"

using std::string;

struct Open {
	int64_t begun;
	bool shown;
};

struct Total {
	string category, name;
	bool per_thread = false;
	uint64_t count = 0; /* of intervals, or the sum */
	int64_t total = 0, least = INT64_MAX, most = 0;

	void add(const Total &other);
};

struct Running {
	int depth = 0;
	int64_t begun = 0;
};

struct Thread {
	string name;
	int64_t begun = 0;
	bool base = true, busy = false, ending = false;
	std::vector<Open> stack;
	std::vector<Total> timers, counters;
	std::map<std::pair<string, string>, Running> running;

	~Thread();
};

struct Process {
	string sid, hierarchy, component;
	Words argv;
	int64_t begun;
	int threads = 0, children = 0, execs = 0, repos = 0, code = 0;
	bool exited = false, ended = false, reported = false, forked = false,
	     wrote = false, listed = false;
	pid_t pid;
	std::vector<string> worktrees;
	std::vector<Total> timers, counters;
	std::mutex totals;
};

extern Process process;

extern thread_local Thread thread;
extern thread_local bool is_main;

/* Keeps errno, and knows a call inside another. */
class Guard
{
	int error = errno;
	bool outer = !thread.busy;

      public:
	Guard()
	{
		thread.busy = true;
	}
	~Guard()
	{
		thread.busy = thread.busy && !outer;
		errno = fault("errno is not kept") ? EBADF : error;
	}
};

int64_t nano(clockid_t clock);
int64_t micro(void);
Event make_event(const char *name);
void add(Event &event, const char *key, const string &json);
void add_t_abs(Event &event, bool in_event);
void add_t_rel(Event &event, int64_t begun);
void add_text(Event &event, const char *key, const string &text);
void add_number(Event &event, const char *key, long number);
string number(long value);
void emit(Event &event);
void begin_forked(void);
void export_variable(const char *name, const string &value);
extern int64_t first_micro;
void show(Event &event, const string &normal, const string &perf);
void name_thread(const string &name);
void need_thread(void);
int nesting(void);
void catch_signals(void);
void show_shares(void);
void give_shares(void);
void show_totals(void);
bool category_shown(const string &given); /* targets.cpp */

#endif
