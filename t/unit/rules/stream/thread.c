/* Threads: their names and numbers, their begin, end, totals and execs. */
#include "rules/stream/stream_kit.h"

#define START(t) "thread_start thread=" t "\n"
#define EXIT(t) "thread_exit thread=" t "\n"
#define FIRST                                                        \
	"stream.thread.start-first: the thread does not begin with " \
	"thread_start\n"
#define AGAIN "stream.thread.start-unique: a second thread_start of this name\n"
#define SAME "stream.thread.number: another thread has this number\n"
#define ZERO "stream.thread.number: threads are numbered from 1\n"
#define UNKNOWN "stream.thread.unknown: the thread did not set its name\n"
#define UNSTARTED \
	"stream.thread.exit-unmatched: the thread has no thread_start\n"
#define EXITED "stream.thread.after-exit: the thread has already exited\n"
#define OPEN(line)                                                       \
	"\"atexit\" stream.thread.unfinished: the thread of line " #line \
	" has no thread_exit\n"
#define MAIN "stream.thread.main: the first thread is not called main\n"
#define TOTALS "stream.thread.totals-last: an event after the thread's totals\n"
#define EXEC "stream.exec.last: an event after an exec that did not fail\n"

static const struct story_row numbers[] = {
	{ "a thread is its number",
	  BEGIN START("th01:a") START("th001:b") START("th02:a"),
	  "4 \"th001:b\" " SAME },
	{ "a number has two digits or more, and a colon",
	  BEGIN START("th1:a") START("th1:b") START("th01") START("th01;")
		  START("tx01:a") START("th0/:a") START("th0::a")
			  START("th01:a"),
	  "" },
	{ "and ten digits at most",
	  BEGIN START("th0000000001:a") START("th01:a")
		  START("th00000000001:a"),
	  "4 \"th01:a\" " SAME },
	{ "all digits count",
	  BEGIN START("th19:a") START("th91:a") START("th019:b") START("th91:b")
		  START("th90:a") START("th09:a"),
	  "5 \"th019:b\" " SAME "6 \"th91:b\" " SAME },
	{ "numbers begin with 1", BEGIN START("th00:a") START("th00:b"),
	  "3 \"th00:a\" " ZERO "4 \"th00:b\" " ZERO },
	{ "many threads are found by their names",
	  BEGIN START("th01:a") START("th02:b") START("th03:c") START("th04:d")
		  START("th05:e") EXIT("th03:c") EXIT("th05:e")
			  EXIT("th01:a") "exit\natexit\n",
	  "12 " OPEN(4) "12 " OPEN(6) },
	{ "nothing but digits is a number",
	  BEGIN START("th1/:a") START("th09:a") START("th0;:a") START("th11:a")
		  START("th1a:a") START("th59:a"),
	  "" },
	{ "a number beyond 32 bits is no lower one",
	  BEGIN START("th4294967297:a") "th_counter thread=th4294967297:a count=3\n" EXIT(
		  "th4294967297:a") "counter count=9\n",
	  "" },
	{ "it is told apart from others of that size",
	  BEGIN START("th4294967297:a") START("th4294967298:a")
		  START("th4294967297:b"),
	  "5 \"th4294967297:b\" " SAME },
	{ "threads whose names have no number may have a sum",
	  BEGIN START("t") "th_counter thread=t count=3\n" EXIT(
		  "t") "counter count=9\n",
	  "6 9 stream.counter.sum: above the sum of its threads, 3\n" },
};

static const struct story_row begins[] = {
	{ "a thread begins with thread_start, which is told once",
	  BEGIN "error thread=t\nerror thread=t\n" START(
		  "t") "error thread=t\n" EXIT("t") "exit\natexit\n",
	  "3 \"t\" " FIRST },
	{ "one that did not may exit",
	  BEGIN "error thread=t\n" EXIT("t") "error thread=t\n",
	  "3 \"t\" " FIRST "5 \"t\" " EXITED },
	{ "or be open at the end", BEGIN "error thread=t\nexit\natexit\n",
	  "3 \"t\" " FIRST },
	{ "one that nobody knows need not begin, and can't exit",
	  BEGIN "error thread=th01:unknown\n" EXIT(
		  "th01:unknown") "error thread=th01:unknown\n",
	  "3 \"th01:unknown\" " UNKNOWN "4 \"th01:unknown\" " UNSTARTED },
	{ "its name has a number, and nothing else",
	  BEGIN "error thread=th01:unknow\nerror thread=th02:unknownx\n"
		"error thread=unknown\nerror thread=th1:unknown\n",
	  "3 \"th01:unknow\" " FIRST "4 \"th02:unknownx\" " FIRST
	  "5 \"unknown\" " FIRST "6 \"th1:unknown\" " FIRST },
	{ "it may begin later",
	  BEGIN "error thread=th01:unknown\n" START("th01:unknown")
		  EXIT("th01:unknown"),
	  "3 \"th01:unknown\" " UNKNOWN },
	{ "a thread begins once, and goes on",
	  BEGIN START("t") START("t") EXIT("t")
		  START("t") "error thread=t\n" EXIT("t"),
	  "4 \"t\" " AGAIN "6 \"t\" " AGAIN },
	{ "one that begins again is open from there",
	  BEGIN START("t") EXIT("t") START("t") "exit\natexit\n",
	  "5 \"t\" " AGAIN "7 " OPEN(5) },
	{ "the main thread has begun already",
	  BEGIN "thread_start\nthread_start\nthread_exit\nerror\n",
	  "3 \"main\" stream.thread.start-first: the thread has events before "
	  "thread_start\n"
	  "4 \"main\" " AGAIN },
	{ "and does not exit", BEGIN "thread_exit\nerror\n",
	  "3 \"main\" " UNSTARTED },
	{ "it is called so in version",
	  "version thread=mainx\nstart thread=mainx\n", "1 \"mainx\" " MAIN },
	{ "in a process without version it may be called anything",
	  "~start thread=x\nerror thread=x\n", "" },
	{ "so may it be where nobody knows whose line is lost",
	  "?\nerror thread=x\n", "" },
	{ "a thread that begins again has left its regions",
	  BEGIN START("t") "region_enter thread=t nesting=1\n" START(
		  "t") "data thread=t nesting=1\n",
	  "5 \"t\" " AGAIN },
	{ "a process that begins with thread_start has its main thread, too",
	  "thread_start sid=01234567-89ab-cdef-0123-456789abcdef thread=t\n"
	  "thread_exit sid=01234567-89ab-cdef-0123-456789abcdef thread=t\n"
	  "error sid=01234567-89ab-cdef-0123-456789abcdef thread=t\n",
	  "1 \"thread_start\" stream.version.first: the process does not begin "
	  "with version\n" },
};

static const struct story_row ends[] = {
	{ "a thread does nothing after its exit, which is told once",
	  BEGIN START("t") EXIT("t") "error thread=t\nerror thread=t\n",
	  "5 \"t\" " EXITED },
	{ "it can't exit again",
	  BEGIN START("t") EXIT("t") "error thread=t\n" EXIT("t"),
	  "5 \"t\" " EXITED "6 \"t\" " UNSTARTED },
	{ "threads that are open at the end are told",
	  BEGIN START("t") "exit\natexit\n", "5 " OPEN(3) },
	{ "a thread takes a second more than its events are apart at most",
	  TIMED "thread_start thread=t at=1\nthread_start thread=u at=1\n"
		"thread_exit thread=t at=2 t_rel=2\n"
		"thread_exit thread=u at=2 t_rel=2.000001\n",
	  "6 2.000001 stream.thread.t_rel: more time than since its "
	  "thread_start in line 4\n" },
	{ "one that begins again takes no longer than from there",
	  TIMED "thread_start thread=t at=1\nthread_start thread=t at=5\n"
		"thread_exit thread=t at=6 t_rel=3\n",
	  "4 \"t\" " AGAIN
	  "5 3 stream.thread.t_rel: more time than since its thread_start in "
	  "line 4\n" },
	{ "one that did not begin may have taken any time",
	  TIMED "error thread=t at=1\nthread_exit thread=t at=2 t_rel=9\n",
	  "3 \"t\" " FIRST },
};

static const struct story_row totals[] = {
	{ "little comes after the totals of a thread, and that is told once",
	  BEGIN START("t") "th_timer thread=t\nth_counter thread=t\n"
			   "error thread=t\ntimer thread=t\ncounter thread=t\n"
			   "signal thread=t\ndata thread=t\ndata thread=t\n"
			   "th_timer thread=t\n" EXIT("t"),
	  "10 \"data\" stream.signal.last: an event after the signal that "
	  "ended the process\n" },
	{ "timers of a thread come before its counters",
	  BEGIN START("t") "th_counter thread=t\nth_timer thread=t\n",
	  "5 \"th_timer\" stream.totals.order: a th_timer after a th_counter of "
	  "its thread\n" },
	{ "data are too much",
	  BEGIN START("t") "th_counter thread=t\ndata thread=t\ndata thread=t\n"
			   "th_timer thread=t\ndata thread=t\n",
	  "5 \"data\" " TOTALS "8 \"data\" " TOTALS },
	{ "the main thread ends after them", BEGIN "exit\nth_timer\natexit\n",
	  "" },
	{ "and does not exit after them", BEGIN "th_counter\nexit\natexit\n",
	  "4 \"exit\" " TOTALS },
	{ "other threads go on", BEGIN START("t") "th_counter thread=t\ndata\n",
	  "" },
	{ "a thread that begins again has not written them",
	  BEGIN START("t") "th_counter thread=t\n" START("t") "data thread=t\n",
	  "5 \"t\" " AGAIN },
	{ "an unknown event is too much, too", BEGIN "th_counter\nnovel\n",
	  "4 \"novel\" " TOTALS },
};

static const struct story_row execs[] = {
	{ "nothing comes after an exec on its thread, and that is told once",
	  BEGIN START("t") "exec\nerror thread=t\nerror\nerror\n",
	  "6 \"error\" " EXEC },
	{ "but for its result",
	  BEGIN "exec exec_id=0\nexec_result exec_id=0\nerror\n", "" },
	{ "which comes on that thread",
	  BEGIN START("t") "exec thread=t exec_id=0\nerror\n"
			   "exec_result thread=t exec_id=0\nerror thread=t\n",
	  "" },
	{ "each thread has an exec of its own",
	  BEGIN START("t") "exec exec_id=0\nexec thread=t exec_id=1\n"
			   "exec_result thread=t exec_id=1\nerror thread=t\n"
			   "error\n",
	  "8 \"error\" " EXEC },
	{ "and the results may come in any order",
	  BEGIN START("t") "exec exec_id=0\nexec thread=t exec_id=1\n"
			   "exec_result exec_id=0\nerror\n"
			   "exec_result thread=t exec_id=1\nerror thread=t\n",
	  "" },
	{ "a lost line may have been the result",
	  BEGIN "exec exec_id=0\n?\nerror\n", "" },
	{ "so may a broken one",
	  BEGIN
	  "exec exec_id=0\n?{\"event\":\"exec_result\",\"sid\":\"" STORY_SID
	  "1\"\nerror\n",
	  "" },
};

int main(void)
{
	check_stories(numbers);
	check_stories(begins);
	check_stories(ends);
	check_stories(totals);
	check_stories(execs);
	return tap_done();
}
