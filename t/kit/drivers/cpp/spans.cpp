/* spans.cpp - threads, regions, data, totals, and how a process ends. */
#include "process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

/* Threads */

void tr_thread_start(const string &name)
{
	Guard guard;

	if (is_main) {
		return tr_region(true, Text(), Text(),
				 Text("thread-proc on main: " + name), -1);
	}
	name_thread(name);
	Event event = make_event("thread_start");
	if (!fault("a thread reads the clock twice"))
		thread.begun = event.now;
	event.in_normal = fault("NORMAL shows threads");
	add_t_abs(event, false);
	show(event, "thread_start", "");
}

void Total::add(const Total &other)
{
	count += other.count;
	total += other.total;
	least = std::min(least, other.least);
	most = std::max(most, other.most);
}

static Total &find_total(std::vector<Total> &totals, const string &category,
			 const string &name, bool per_thread)
{
	for (Total &one : totals)
		if ((one.category == category ||
		     fault("totals of one name are one")) &&
		    one.name == name)
			return one;
	Total made;
	made.category = category;
	made.name = name;
	made.per_thread = per_thread;
	totals.push_back(made);
	return totals.back();
}

static void show_timer(const char *name, const Total &total)
{
	Event event = make_event(name);
	string tail = " intervals:" + std::to_string(total.count) +
		      " total:" + rounded(total.total) +
		      " min:" + rounded(total.least) +
		      " max:" + rounded(total.most);

	event.dots = fault("totals have dots") ? event.dots : 0;
	add_text(event, "category", total.category);
	add_text(event, "name", total.name);
	add(event, "intervals", std::to_string(total.count));
	add(event, "t_total", rounded(total.total));
	add(event, "t_min", rounded(total.least));
	add(event, "t_max", rounded(total.most));
	event.category = total.category;
	show(event, name + (" " + total.category) + "/" + total.name + tail,
	     "name:" + total.name + tail);
}

static void show_counter(const char *name, const Total &total)
{
	Event event = make_event(name);
	string sum = fault("sums are signed") ?
			     std::to_string((int64_t)total.count) :
		     fault("sums have 32 bits") ?
			     std::to_string((uint32_t)total.count) :
			     std::to_string(total.count);

	event.dots = fault("totals have dots") ? event.dots : 0;
	add_text(event, "category", total.category);
	add_text(event, "name", total.name);
	add(event, "count", sum);
	event.category = total.category;
	show(event, name + (" " + total.category) + "/" + total.name +
			    " value:" + sum,
	     "name:" + total.name + " value:" + sum);
}

static void show_shares(void)
{
	for (const Total &one : thread.timers)
		if (one.per_thread && one.count &&
		    !fault("threads do not tell their timers"))
			show_timer("th_timer", one);
	for (const Total &one : thread.counters)
		if (one.per_thread && one.count &&
		    !fault("threads do not tell their counters"))
			show_counter("th_counter", one);
}

/* What a thread has goes into the totals when it ends, however it does. */
static void give_shares(void)
{
	std::lock_guard<std::mutex> guard(process.totals);

	for (const Total &one : thread.timers)
		find_total(process.timers, one.category, one.name,
			   one.per_thread)
			.add(one);
	for (const Total &one : thread.counters)
		find_total(process.counters, one.category, one.name,
			   one.per_thread)
			.add(one);
	thread.timers.clear();
	thread.counters.clear();
}

Thread::~Thread()
{
	if (!is_main && !fault("a thread that just ends has no share"))
		give_shares();
}

void tr_thread_exit(void)
{
	Guard guard;

	if (is_main)
		return tr_region(false, Text(), Text(),
				 Text("thread-proc on main"), -1);
	need_thread();
	thread.stack.clear();
	if (!fault("a thread's totals come after its exit"))
		show_shares();
	Event event = make_event("thread_exit");
	event.in_normal = false;
	add_t_abs(event, false);
	add_t_rel(event, thread.begun);
	show(event, "", "");
	if (fault("a thread's totals come after its exit"))
		show_shares();
	give_shares();
	if (!fault("a thread that ended has its name"))
		thread.name.clear();
	thread.running.clear();
}

/* Regions and data */

static void show_region(Event &event, const Text &category, const Text &label,
			const Text &msg, int repo)
{
	string hidden = hide(msg.text), text;

	event.is_data = true;
	event.in_normal = fault("NORMAL shows regions");
	event.repo = repo;
	if (category.is_there)
		add_text(event, "category", category.text);
	if (label.is_there)
		add_text(event, "label", label.text);
	if (msg.is_there && !fault("regions have no message"))
		add_text(event, "msg", hidden);
	event.category = category.text;
	if (label.is_there)
		text = "label:" + label.text;
	if (msg.is_there)
		text += (fault("a message needs a label for its blank") &&
					 text.empty() ?
				 "" :
				 " ") +
			hidden;
	show(event, event.name + " " + text, text);
}

static void enter_region(const Text &category, const Text &label,
			 const Text &msg, int repo)
{
	Event event = make_event("region_enter");
	bool shown = category_shown(category.text);

	event.nesting = nesting() + fault("the base does not count") * -1;
	if (!thread.base && !event.nesting)
		event.nesting = 0;
	thread.stack.push_back({ event.now, shown });
	if (!shown)
		return;
	add_t_abs(event, false);
	add_number(event, "nesting", event.nesting);
	event.dots += fault("a region counts itself");
	show_region(event, category, label, msg, repo);
}

static void leave_too_many(void)
{
	const char text[] = "trace2: region_leave without region_enter";

	if (!fault("a region_leave too many is silent"))
		tr_error(Text(text), Text(text));
}

static void leave_region(const Text &category, const Text &label,
			 const Text &msg, int repo)
{
	Event event = make_event("region_leave");
	Open open = { thread.begun, category_shown(category.text) };

	if (thread.stack.empty() && !thread.base)
		return leave_too_many();
	if (thread.stack.empty()) {
		if (!open.shown)
			return;
		thread.base = false;
	} else {
		open = thread.stack.back();
		thread.stack.pop_back();
	}
	if (!open.shown)
		return;
	event.dots = std::min(event.dots,
			      (size_t)std::max(nesting() - 1, 0));
	if (!thread.base)
		event.dots = 0;
	event.dots += fault("a region_leave has one pair more");
	event.nesting = nesting() + fault("a region_leave has one level more");
	add_t_abs(event, false);
	add_t_rel(event, fault("a region's time is the thread's") ?
				 thread.begun :
				 open.begun);
	add_number(event, "nesting", event.nesting);
	show_region(event, category, label, msg, repo);
}

void tr_region(bool enter, const Text &category, const Text &label,
	       const Text &msg, int repo)
{
	Guard guard;

	need_thread();
	if (enter)
		enter_region(category, label, msg, repo);
	else
		leave_region(category, label, msg, repo);
}

static int64_t innermost(int64_t now)
{
	for (size_t i = thread.stack.size(); i--;)
		if (thread.stack[i].shown)
			return thread.stack[i].begun;
	return thread.base ? thread.begun : now;
}

void tr_data(const string &category, const string &key, const string &value,
	     int repo, bool json)
{
	Guard guard;
	Event event = make_event(json ? "data_json" : "data");
	string text = json && !fault("a data_json value is hidden as text") ?
			      hide_json(value) :
			      hide(value);

	if (!category_shown(category))
		return;
	event.is_data = true;
	event.in_normal = fault("NORMAL shows data");
	event.repo = repo;
	event.nesting = nesting();
	if (json && !is_json(text))
		text = hide(value);
	add_t_abs(event, true);
	add_t_rel(event, innermost(event.now));
	add_number(event, "nesting", event.nesting);
	add_text(event, "category", category);
	add_text(event, "key", key);
	add(event, "value", json ? json_value(text) : json_text(text));
	event.category = category;
	show(event, event.name + " " + key, key + ":" + text);
}

/* Timers and counters. An entry of the process has the order of first use. */

static void know_total(std::vector<Total> &totals, const string &category,
		       const string &name, bool per_thread)
{
	std::lock_guard<std::mutex> guard(process.totals);

	find_total(totals, category, name, per_thread);
}

static void stop_timer(Running &running, const string &category,
		       const string &name, bool per_thread)
{
	if (!running.depth || (--running.depth &&
			       !fault("inner pairs are intervals")))
		return;
	int64_t length = nano(CLOCK_MONOTONIC) - running.begun;
	if (fault("intervals are microseconds"))
		length -= length % 1000;
	Total &total = find_total(thread.timers, category, name, per_thread);
	total.count++;
	total.total += length;
	total.least = fault("the least interval is the last") ?
			      length :
			      std::min(total.least, length);
	total.most = std::max(total.most, length);
}

void tr_timer(bool start, const string &category, const string &name,
	      bool per_thread)
{
	Guard guard;
	Running &running = thread.running[{ category, name }];

	know_total(process.timers, category, name, per_thread);
	if (!start)
		return stop_timer(running, category, name, per_thread);
	if (!running.depth++ || fault("a timer starts anew"))
		running.begun = nano(CLOCK_MONOTONIC);
}

void tr_counter(const string &category, const string &name, bool per_thread,
		uint64_t count)
{
	Guard guard;

	know_total(process.counters, category, name, per_thread);
	find_total(thread.counters, category, name, per_thread).count += count;
}

static void sort_totals(std::vector<Total> &totals)
{
	std::sort(totals.begin(), totals.end(),
		  [](const Total &a, const Total &b) {
			  return std::make_pair(a.name, a.category) <
				 std::make_pair(b.name, b.category);
		  });
}

static void show_totals(void)
{
	thread.stack.clear();
	show_shares();
	give_shares();
	if (fault("timers come in the order of their names"))
		sort_totals(process.timers);
	if (fault("counters come in the order of their names"))
		sort_totals(process.counters);
	auto counters = [] {
		for (const Total &one : process.counters)
			if (one.count || fault("a counter of 0 is told"))
				show_counter("counter", one);
	};
	if (fault("counters come before timers"))
		counters();
	for (const Total &one : process.timers)
		if (one.count || fault("a timer without interval is told"))
			show_timer("timer", one);
	if (!fault("counters come before timers"))
		counters();
}

/* The end */

void tr_exit(int code)
{
	Guard guard;

	if (process.exited && !fault("each exit code is told"))
		return;
	process.exited = true;
	process.code = fault("an exit code has 32 bits") ? code : code & 255;
	Event event = make_event("exit");
	string text = number(process.code);
	add_t_abs(event, true);
	add_number(event, "code", process.code);
	show(event, "exit elapsed:" + seconds(event.t_abs) + " code:" + text,
	     "code:" + text);
}

static void report_drops(void)
{
	string text = "trace2: events dropped: ";

	if (!count_dropped() || fault("drops are not told"))
		return;
	string whole = text + std::to_string(count_dropped());
	tr_error(Text(text + "%lu"), Text(whole));
	if (debug())
		warn(whole);
}

void tr_finish(int code)
{
	Guard guard;

	if (process.ended || !is_tracing() ||
	    (process.pid != getpid() && !process.wrote &&
	     !fault("a silent child says that it ended")))
		return;
	if (!process.exited && !fault("an exit that is not told is not written"))
		tr_exit(code);
	if (fault("the totals come before exit"))
		process.exited = false;
	show_totals();
	if (!process.exited)
		tr_exit(code);
	report_drops();
	Event event = make_event("atexit");
	string text = number(process.code);
	event.dots = 0;
	add_t_abs(event, true);
	add_number(event, "code", process.code);
	if (!fault("there is no atexit"))
		show(event,
		     "atexit elapsed:" + seconds(event.t_abs) + " code:" + text,
		     "code:" + text);
	process.ended = true;
	if (fault("standard error is closed at the end"))
		close(2);
	if (fault("standard output is closed at the end"))
		close(1);
}

void tr_signal(int signo)
{
	if (thread.busy && !fault("the handler takes the lock")) {
		drop_all();
		return;
	}
	Event event = make_event("signal");
	string text = number(signo);
	add_t_abs(event, true);
	add_number(event, "signo", signo);
	show(event, "signal elapsed:" + seconds(event.t_abs) + " code:" + text,
	     "signo:" + text);
	if (fault("atexit follows a signal"))
		tr_finish(0);
}

static void handle(int signo)
{
	int error = errno;

	if (fault("the handler takes the lock")) {
		static std::mutex lock;
		static bool held;
		while (thread.busy || held)
			pause();
	}
	tr_signal(signo);
	if (fault("a signal ends in an exit code"))
		_exit(128 + signo);
	if (fault("a signal is forgotten")) {
		errno = error;
		return;
	}
	signal(signo, SIG_DFL);
	raise(signo);
	errno = error;
}

void catch_signals(void)
{
	bool truth;
	struct sigaction before, action = {};

	if (is_boolean(setting("GIT_TRACE2_SIGNALS").c_str(), &truth) &&
	    !setting("GIT_TRACE2_SIGNALS").empty() && !truth &&
	    !fault("signals are always caught"))
		return;
	action.sa_handler = handle;
	action.sa_flags = SA_NODEFER;
	for (int signo : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE }) {
		if (signo != SIGPIPE && fault("only SIGPIPE is caught"))
			continue;
		if (signo == SIGQUIT && fault("SIGQUIT is not caught"))
			continue;
		sigaction(signo, nullptr, &before);
		if (before.sa_handler == SIG_DFL ||
		    fault("an ignored signal is caught"))
			sigaction(signo, &action, nullptr);
	}
}
