/* Timers and counters: bounds, and sums of what the threads had. */
#include "rules/stream/stream_kit.h"

#define START(t) "thread_start thread=" t "\n"
#define EXIT(t) "thread_exit thread=" t "\n"
#define ABOVE(rule, sum) \
	"stream." rule ".sum: above the sum of its threads, " sum "\n"
#define BELOW(rule, sum) \
	"stream." rule ".sum: below the sum of its threads, " sum "\n"
#define PART(t, n, total, min, max)                                          \
	START(t)                                                             \
	"th_timer thread=" t " intervals=" n " t_total=" total " t_min=" min \
	" t_max=" max "\n" EXIT(t)
#define TIMES(n, min, max, total)                                             \
	"th_timer intervals=" n " t_min=" min " t_max=" max " t_total=" total \
	"\n"
#define WHOLE(min, max) \
	"timer intervals=4 t_total=0.8 t_min=" min " t_max=" max "\n"
#define TWICE "stream.totals.once: it had its total in line 8\n"
#define TIMERS TIMER TIMER TIMER TIMER
#define TIMER "th_timer thread=t intervals=1 t_total=800000000000\n"

static const struct story_row bounds[] = {
	{ "the bounds of a timer may be equal",
	  BEGIN "timer t_min=0.2 t_max=0.2 t_total=0.2\n", "" },
	{ "its shortest time is not above its longest",
	  BEGIN "timer t_min=0.200001 t_max=0.2 t_total=0.2\n",
	  "3 0.200001 stream.timer.bounds: t_min is above t_max\n" },
	{ "nor is its longest above the total",
	  BEGIN START(
		  "t") "th_timer thread=t t_min=0.2 t_max=0.2 t_total=0.199999\n",
	  "4 0.2 stream.timer.bounds: t_max is above t_total\n" },
	{ "without all three nothing is compared",
	  BEGIN "timer t_max=3 t_total=1\ntimer name=m t_min=3 t_total=1\n"
		"timer name=o t_min=3 t_max=2\n",
	  "" },
	{ "the total is a sum of so many times between them",
	  BEGIN TIMES("1", "0.1", "0.1", "0.1") TIMES("2", "0.1", "0.2", "0.3")
		  TIMES("2", "0.1", "0.2", "0.5")
			  TIMES("3", "0.1", "0.1", "0.2")
				  TIMES("2", "0.1", "0.1", "0.200002"),
	  "5 0.5 stream.timer.bounds: 2 intervals of 100000 to 200000 us don't "
	  "have this total\n"
	  "6 0.2 stream.timer.bounds: 3 intervals of 100000 to 100000 us don't "
	  "have this total\n" },
	{ "a counter has no bounds",
	  BEGIN "counter count=1 t_min=3 t_max=2 t_total=1\n", "" },
};

static const struct story_row sums[] = {
	{ "a timer and a counter of one name have sums of their own",
	  BEGIN START(
		  "t") "th_timer thread=t category=c name=n intervals=2 t_total=1\n"
		       "th_counter thread=t category=c name=n count=3\n" EXIT(
			       "t") "timer category=c name=n intervals=2 t_total=1\n"
				    "counter category=c name=n count=4\n",
	  "8 4 " ABOVE("counter", "3") },
	{ "names are told apart by category and name",
	  BEGIN START(
		  "t") "th_counter thread=t category=a name=b count=2\n"
		       "th_counter thread=t category=b name=a count=3\n"
		       "th_counter thread=t category=b name=b count=5\n" EXIT(
			       "t") "counter category=a name=b count=2\n"
				    "counter category=b name=a count=3\n"
				    "counter category=b name=b count=6\n"
				    "counter category=a name=a count=9\n",
	  "10 6 " ABOVE("counter", "5") },
	{ "shares are added",
	  BEGIN START("t") "th_counter thread=t count=2\n"
			   "th_counter thread=t count=3\n" EXIT(
				   "t") "counter count=5\ncounter count=4\n",
	  "8 4 " BELOW("counter", "5") },
	{ "a share without a number is none",
	  BEGIN START("t") "th_counter thread=t count=x\n"
			   "counter count=9\n" START(
				   "u") "th_timer thread=u t_total=5\n"
					"th_timer thread=u intervals=5\n" EXIT(
						"u"),
	  "" },
	{ "nor is there a sum without one",
	  BEGIN START(
		  "t") "th_timer thread=t intervals=1 t_total=5\n"
		       "th_counter thread=t count=1\n" EXIT(
			       "t") "timer t_total=9\ntimer name=m intervals=9\ncounter\n",
	  "" },
	{ "a sum may be above while a thread goes on",
	  BEGIN START("t") START("u") "th_counter thread=t count=3\n" EXIT(
		  "t") "counter count=4\ncounter count=2\n",
	  "8 2 " BELOW("counter", "3") },
	{ "or where a number is missing",
	  BEGIN START("th01:a") START(
		  "th03:a") "th_counter thread=th01:a count=3\n" EXIT("th01:a")
		  EXIT("th03:a") "counter count=4\n",
	  "" },
	{ "but not where all are there, in any order",
	  BEGIN START("th02:a") START("th01:a")
		  START("t") "th_counter thread=th01:a count=3\n" EXIT("th01:a")
			  EXIT("th02:a") EXIT("t") "counter count=4\n",
	  "10 4 " ABOVE("counter", "3") },
	{ "a sum that went around says nothing",
	  BEGIN START(
		  "t") "th_counter thread=t count=18446744073709551615\n"
		       "th_counter thread=t count=1\nth_counter thread=t count=1\n" EXIT(
			       "t") "counter count=7\n",
	  "" },
	{ "the highest sum is one",
	  BEGIN START("t") "th_counter thread=t count=18446744073709551614\n"
			   "th_counter thread=t count=1\n" EXIT(
				   "t") "counter count=18446744073709551614\n",
	  "7 18446744073709551614 " BELOW("counter", "18446744073709551615") },
	{ "a process that begins anew has no sums",
	  BEGIN START("t") "th_counter thread=t count=3\nversion\nstart\n"
			   "counter count=1\n",
	  "5 \"version\" stream.version.once: a second version under this SID, "
	  "which occurs first in line 1\n" },
};

static const struct story_row times[] = {
	{ "times may be cut by a microsecond for each share, and one more",
	  BEGIN START("t") "th_timer thread=t intervals=1 t_total=0.1\n"
			   "th_timer thread=t intervals=2 t_total=0.1\n"
			   "th_timer thread=t intervals=3 t_total=0.1\n" EXIT(
				   "t") "timer intervals=6 t_total=0.299996\n"
					"timer intervals=6 t_total=0.300004\n"
					"timer intervals=6 t_total=0.299995\n"
					"timer intervals=6 t_total=0.300005\n",
	  "9 \"timer\" " TWICE
	  "10 0.299995 " BELOW("timer", "300000 us") "11 0.300005 " ABOVE(
		  "timer", "300000 us") },
	{ "the shortest and the longest time are those of a thread",
	  BEGIN PART("t", "2", "0.5", "0.2", "0.3")
		  PART("u", "2", "0.3", "0.1", "0.2") WHOLE("0.1", "0.3") WHOLE(
			  "0.2", "0.3") WHOLE("0.1", "0.2") WHOLE("0", "0.3"),
	  "10 0.2 stream.timer.sum: the shortest of its threads is 100000 us\n"
	  "11 0.2 stream.timer.sum: the longest of its threads is 300000 us\n"
	  "12 0 stream.timer.sum: the shortest of its threads is 100000 us\n" },
	{ "each share has its total before the end",
	  BEGIN START("t") "th_timer thread=t intervals=1 t_total=1\n"
			   "th_counter thread=t count=1\n" EXIT(
				   "t") "exit\ncounter count=1\natexit\n",
	  "9 \"atexit\" stream.totals.missing: the th_timer of line 4 has no "
	  "total\n" },
	{ "a counter that went around to 0 has none",
	  BEGIN PART("t", "1", "1", "1", "1") START(
		  "u") "th_counter thread=u count=18446744073709551615\n"
		       "th_counter thread=u count=1\n" EXIT(
			       "u") "exit\ntimer intervals=1 t_total=1\natexit\n",
	  "" },
	{ "intervals are all there",
	  BEGIN START("t") "th_timer thread=t intervals=6 t_total=0.1\n" EXIT(
		  "t") "timer intervals=5 t_total=0.1\ntimer intervals=7 t_total=0.9\n",
	  "6 5 " BELOW("timer", "6") "7 7 " ABOVE("timer", "6") },
	{ "times may be above while a thread goes on",
	  BEGIN START(
		  "t") "th_timer thread=t intervals=1 t_total=0.1\n"
		       "timer intervals=1 t_total=0.3\ntimer intervals=1 t_total=0.05\n",
	  "6 0.05 " BELOW("timer", "100000 us") },
	{ "more time than all bounds says nothing",
	  BEGIN START("t") TIMERS TIMERS TIMERS EXIT(
		  "t") "timer intervals=12 t_total=1\n",
	  "" },
	{ "a sum of eleven is one",
	  BEGIN START("t") TIMERS TIMERS TIMER TIMER TIMER EXIT(
		  "t") "timer intervals=11 t_total=1\n",
	  "16 1 " BELOW("timer", "8800000000000000000 us") },
};

/* Tell the event so often, with numbers from 1 on between its halves. */
static void tell_often(const char *before, const char *behind, int count)
{
	char row[128];
	int i;

	for (i = 1; i <= count; i++) {
		snprintf(row, sizeof(row), "%s%02d%s\n", before, i, behind);
		go_on_story(row);
	}
}

static const char *find_in_names(int names)
{
	char row[64];

	begin_story();
	go_on_story(BEGIN);
	tell_often("th_counter name=n", " count=2", names);
	snprintf(row, sizeof(row), "counter name=n%d count=1\n", names);
	go_on_story(row);
	return end_story();
}

static const char *find_in_threads(int threads)
{
	begin_story();
	go_on_story(BEGIN);
	tell_often("thread_start thread=th", ":a", threads);
	go_on_story("th_counter thread=th01:a count=2\n");
	tell_often("thread_exit thread=th", ":a", threads);
	go_on_story("counter count=3\n");
	return end_story();
}

static void test_limits(void)
{
	tap_str(find_in_names(1024), "1027 1 " BELOW("counter", "2"),
		"1024 names have sums");
	tap_str(find_in_names(1025), "", "a further name has none");
	tap_str(find_in_threads(4095), "8194 3 " ABOVE("counter", "2"),
		"4095 threads and main have a sum");
	tap_str(find_in_threads(4096), "", "of more nobody knows it");
}

int main(void)
{
	check_stories(bounds);
	check_stories(sums);
	check_stories(times);
	test_limits();
	return tap_done();
}
