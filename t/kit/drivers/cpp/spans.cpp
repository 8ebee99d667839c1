/* spans.cpp - threads, regions and data. */
#include "process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

/* Threads */

void tr_thread_start(const string &name)
{
	Guard guard;

	if (is_main && fault("calls on main are silent"))
		return;
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

Thread::~Thread()
{
	if (!is_main && !fault("a thread that just ends has no share"))
		give_shares();
}

void tr_thread_exit(void)
{
	Guard guard;

	if (is_main && fault("calls on main are silent"))
		return;
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
					 text.empty()
				 ? ""
				 : " ") +
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

	if (thread.stack.empty() &&
	    (!thread.base || fault("nothing closes the base")))
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
	event.dots = std::min(event.dots, (size_t)std::max(nesting() - 1, 0));
	if (!thread.base)
		event.dots = 0;
	event.dots += fault("a region_leave has one pair more");
	event.nesting = nesting() + fault("a region_leave has one level more");
	add_t_abs(event, false);
	add_t_rel(event, fault("a region's time is the thread's") ? thread.begun
								  : open.begun);
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
	string text = json ? hide_json(value) : hide(value);

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
	if (json)
		text = json_value(text);
	add(event, "value", json ? text : json_text(text));
	event.category = category;
	show(event, event.name + " " + key, key + ":" + text);
}

/* Messages */

void tr_printf(const Text &msg, const Place &place)
{
	Guard guard;
	Event event = make_event("printf");

	event.file = place.file;
	event.line = place.line;
	add_t_abs(event, true);
	if (msg.is_there)
		add_text(event, "msg", hide(msg.text));
	show(event,
	     fault("NORMAL's printf has secrets") ? msg.text : hide(msg.text),
	     hide(msg.text));
}
