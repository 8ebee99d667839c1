/* emitter.h - what a program calls, and what the parts share. */
#ifndef EMITTER_H
#define EMITTER_H

#include <map>
#include <string>
#include <vector>

#include "text.h"

struct Field {
	std::string key, json;
};

/* NORMAL and PERF have the event if their payload is there. */
struct Event {
	std::string name;
	std::vector<Field> own;
	std::string normal, perf;
	bool in_normal = true, in_perf = true, in_event = true;
	bool is_data = false; /* or a region: nesting and categories count */
	std::string category;
	int repo = -1, nesting = 0;
	size_t dots = 0;
	int64_t t_abs = -1, t_rel = -1; /* columns of PERF */
	int64_t now = 0;		/* micro, of this process */
	int64_t wall = 0;		/* micro since 1970 */
	std::string thread, file;
	int line = 0;
};

struct Child {
	int id = -1, pid = -1;
	int64_t begun = 0;
	bool ended = false;
	Words argv;
	std::string child_class, hook, dir;
	bool has_class = false, has_hook = false, has_dir = false,
	     shell = false;
};

/* A text that may be missing. */
struct Text {
	bool is_there = false;
	std::string text;

	Text() = default;
	Text(const std::string &given) : is_there(true), text(given)
	{
	}
	Text(const char *given) : is_there(true), text(given)
	{
	}
};

struct Place {
	std::string file;
	int line;
};

/* targets.cpp */
void open_targets(const std::string &sid);
void reopen_targets(const std::string &sid);
bool is_tracing(void);
void write_event(Event &event);
size_t count_dropped(void);
void drop_all(void);
bool is_boolean(const char *value, bool *truth);
std::string setting(const char *name);
void warn(const std::string &text);
bool debug(void);

/* lines.cpp */
std::string normal_line(const Event &event, bool brief);
std::string perf_line(const Event &event, bool brief, int depth);
std::string event_line(const Event &event, bool brief, const std::string &sid);

/* emitter.cpp */
extern const Place HERE;
void tr_initialize(const Words &argv);
void tr_fork(void);
void tr_exit(int code);
void tr_finish(int code);
std::string tr_sid(void);
void tr_start(const Words &argv);
void tr_ancestry(const Words &names);
void tr_error(const Text &fmt, const Text &msg);
void tr_name(const std::string &name);
void tr_mode(const std::string &name);
void tr_path(const std::string &path);
void tr_alias(const std::string &alias, const Words &argv);
void tr_param(const std::string &param, const Text &value,
	      const char *scope = "unknown");
int tr_repo(const std::string &worktree);
void tr_child_start(Child &child);
void tr_child_exit(Child &child, int code);
void tr_child_ready(Child &child, const std::string &ready);
int tr_exec(const Text &exe, const Words &argv);
void tr_exec_result(int id, int code);
void tr_thread_start(const std::string &name);
void tr_thread_exit(void);
void tr_region(bool enter, const Text &category, const Text &label,
	       const Text &msg, int repo);
void tr_data(const std::string &category, const std::string &key,
	     const std::string &value, int repo, bool json);
void tr_printf(const Text &msg, const Place &place);
void tr_timer(bool start, const std::string &category, const std::string &name,
	      bool per_thread);
void tr_counter(const std::string &category, const std::string &name,
		bool per_thread, uint64_t add);
void tr_signal(int signo);

#endif
