/* totals.cpp - timers and counters. */
#include "process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

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
	string sum = fault("sums are signed")
			     ? std::to_string((int64_t)total.count)
		     : fault("sums have 32 bits")
			     ? std::to_string((uint32_t)total.count)
			     : std::to_string(total.count);

	event.dots = fault("totals have dots") ? event.dots : 0;
	add_text(event, "category", total.category);
	add_text(event, "name", total.name);
	add(event, "count", sum);
	event.category = total.category;
	show(event,
	     name + (" " + total.category) + "/" + total.name + " value:" + sum,
	     "name:" + total.name + " value:" + sum);
}

void show_shares(void)
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
void give_shares(void)
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
	if (!running.depth ||
	    (--running.depth && !fault("inner pairs are intervals")))
		return;
	int64_t length = nano(CLOCK_MONOTONIC) - running.begun;
	if (fault("intervals are microseconds"))
		length -= length % 1000;
	Total &total = find_total(thread.timers, category, name, per_thread);
	total.count++;
	total.total += length;
	total.least = fault("the least interval is the last")
			      ? length
			      : std::min(total.least, length);
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

void show_totals(void)
{
	if (!fault("totals have dots"))
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
