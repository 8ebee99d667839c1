/* From version to atexit: what comes first, last and once. */
#include "rules/stream/stream_kit.h"

#define SECOND "stream.version.once: a second version under this SID"
#define TORN "?{\"event\":\"version\",\"sid\":\"" STORY_SID "1\"\n"
#define LATE "stream.atexit.last: an event after the process's atexit\n"

static const struct story_row begins[] = {
	{ "a process begins, does something, and ends",
	  "version\ntoo_many_files\nstart\ncmd_ancestry\nerror\nexit\natexit\n",
	  "" },
	{ "a process begins with version", "start\nexit\natexit\n",
	  "1 \"start\" stream.version.first: the process does not begin with "
	  "version\n" },
	{ "what may have been before it is missing to nobody",
	  "error\ncmd_ancestry\nchild_exit child_id=0\natexit\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n" },
	{ "a version that comes late is no second one, nor what follows",
	  "start\nchild_start child_id=0\nversion\nchild_exit child_id=0\n"
	  "exit\natexit\n",
	  "1 \"start\" stream.version.first: the process does not begin with "
	  "version\n" },
	{ "but the next one is", "start\nversion\nversion\nexit\natexit\n",
	  "1 \"start\" stream.version.first: the process does not begin with "
	  "version\n"
	  "3 \"version\" " SECOND ", which occurs first in line 1\n"
	  "4 \"exit\" stream.start.second: start is missing before this event\n" },
	{ "one whose writer never writes it has lost nothing before",
	  "error sid=01234567-89ab-cdef-0123-456789abcdef\n"
	  "child_exit sid=01234567-89ab-cdef-0123-456789abcdef child_id=3\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n"
	  "2 3 stream.child.exit-unmatched: no child_start has this id\n" },
	{ "its late version hides nothing, for nothing is lost",
	  "error sid=01234567-89ab-cdef-0123-456789abcdef\nversion sid=01234567-89ab-cdef-0123-456789abcdef\nstart sid=01234567-89ab-cdef-0123-456789abcdef\n"
	  "child_exit sid=01234567-89ab-cdef-0123-456789abcdef child_id=3\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n"
	  "4 3 stream.child.exit-unmatched: no child_start has this id\n" },
	{ "its start may be missing, or come once",
	  "error sid=01234567-89ab-cdef-0123-456789abcdef\nerror sid=01234567-89ab-cdef-0123-456789abcdef\nstart sid=01234567-89ab-cdef-0123-456789abcdef\nstart sid=01234567-89ab-cdef-0123-456789abcdef\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n"
	  "4 \"start\" stream.start.once: a second start of the process\n" },
	{ "a process that begins anew is open once, from its last line",
	  BEGIN "version\n.\n",
	  "3 \"version\" " SECOND ", which occurs first in line 1\n"
	  "log:3 stream.unfinished: the log of the process ends here, without "
	  "atexit\n" },
	{ "it is the parent of its children",
	  BEGIN BEGIN "child_start child_id=0\n/version\n/start\n/exit\n"
		      "/atexit t_abs=9\nchild_exit child_id=0 pid=2 t_rel=1\n",
	  "3 \"version\" " SECOND ", which occurs first in line 1\n"
	  "10 1 stream.child.time: child_exit after 1000000 us, the child's own "
	  "atexit after 9000000 us\n" },
	{ "so does one that has ended under a name",
	  BEGIN "cmd_name name=a hierarchy=a\nexit\natexit\nversion\nstart\n"
		"exit\natexit\n",
	  "6 \"version\" " SECOND ", which occurs first in line 1\n" },
	{ "a second version begins the process anew",
	  BEGIN
	  "child_start child_id=0\nexit\nversion\nchild_start child_id=0\n"
	  "start\nexit\natexit\n",
	  "5 \"version\" " SECOND ", which occurs first in line 1\n"
	  "6 \"child_start\" stream.start.second: start is missing before this "
	  "event\n"
	  "9 \"atexit\" stream.child.unfinished: child 0 of line 6 has no "
	  "child_exit\n" },
	{ "a process that begins anew has the same SID and a parent",
	  "/version\n/start\n/version\n/start\n/cmd_name name=gc\n/exit\n/exit\n",
	  "3 \"version\" " SECOND ", which occurs first in line 1\n"
	  "7 \"exit\" stream.exit.once(deviation.git.daemon-sid): a second exit "
	  "of the process\n" },
	{ "what the process before was called is forgotten",
	  BEGIN "cmd_name name=gc\nexit\nversion\nstart\nexit\nexit\n",
	  "5 \"version\" " SECOND ", which occurs first in line 1\n"
	  "8 \"exit\" stream.exit.once: a second exit of the process\n" },
	{ "lines that were lost before a process began anew are not its own",
	  BEGIN "?\nversion\nexit\n",
	  "4 \"version\" " SECOND ", which occurs first in line 1\n"
	  "5 \"exit\" stream.start.second: start is missing before this event\n" },
};

static const struct story_row starts[] = {
	{ "a missing start is told once, and may come late",
	  "version\nerror\nerror\nstart\nstart\n",
	  "2 \"error\" stream.start.second: start is missing before this event\n"
	  "5 \"start\" stream.start.once: a second start of the process\n" },
	{ "a process starts once", BEGIN "start\n",
	  "3 \"start\" stream.start.once: a second start of the process\n" },
	{ "one that has lost a line may have begun anew",
	  BEGIN "?{\"event\":\"x\",\"sid\":\"" STORY_SID "1\"\nstart\n", "" },
	{ "so may any process where nobody knows whose line is lost",
	  BEGIN "?\nstart\n---\nversion sid=b\nstart sid=b\n?\n"
		"too_many_files sid=b\n",
	  "" },
	{ "too many files come right after version", BEGIN "too_many_files\n",
	  "3 \"too_many_files\" stream.too-many-files.place: too_many_files is "
	  "not right after version\n" },
	{ "where a line is lost nobody knows",
	  BEGIN "?{\"event\":\"x\",\"sid\":\"" STORY_SID "1\"\n"
		"too_many_files\n",
	  "" },
	{ "a broken version is followed by start and too many files",
	  "~version\ntoo_many_files\nstart\n", "" },
	{ "the ancestry comes right after start, the first time",
	  BEGIN "error\ncmd_ancestry\ncmd_ancestry\n",
	  "4 \"cmd_ancestry\" stream.cmd_ancestry.place: cmd_ancestry is not "
	  "right after start\n" },
	{ "or not at all", BEGIN "cmd_ancestry\nerror\ncmd_ancestry\n", "" },
	{ "too many files may be between them, if they come late",
	  BEGIN "too_many_files\ncmd_ancestry\n",
	  "3 \"too_many_files\" stream.too-many-files.place: too_many_files is "
	  "not right after version\n" },
};

static const struct story_row ends[] = {
	{ "an exit comes once, and then no code is the right one",
	  BEGIN "exit code=0\nexit code=1\natexit code=2\n",
	  "4 \"exit\" stream.exit.once: a second exit of the process\n" },
	{ "atexit comes after exit", BEGIN "atexit code=0\n",
	  "3 \"atexit\" stream.exit.before-atexit: atexit without an exit\n" },
	{ "atexit has the code of the exit",
	  BEGIN "exit code=3\natexit code=4\n",
	  "4 4 stream.exit.code: atexit with code 4, the exit before it had 3\n" },
	{ "a negative code is told once, although two events have it",
	  BEGIN "exit code=-3\natexit code=-3\n",
	  "3 -3 event.exit.code-byte: expected 0 to 255\n" },
	{ "timers and counters come after the exit, in this order",
	  BEGIN "exit\nth_timer\nth_counter\ntimer\ncounter\natexit\n", "" },
	{ "an exit after a total is one too late",
	  BEGIN "counter\nexit\natexit\n",
	  "4 \"exit\" stream.totals.order: timers and counters came before this "
	  "exit\n" },
	{ "git for Windows asks for its ancestry in between",
	  BEGIN "data_json category=process nesting=1\n"
		"data category=process nesting=1\ncmd_ancestry\n"
		"cmd_ancestry\n",
	  "" },
	{ "but nothing else stands there",
	  BEGIN "data category=process nesting=1\ndata category=p nesting=1\n"
		"cmd_ancestry\n",
	  "5 \"cmd_ancestry\" stream.cmd_ancestry.place: cmd_ancestry is not "
	  "right after start\n" },
	{ "an exit without a code is compared with nothing",
	  BEGIN "exit code=x\natexit code=4\n", "" },
	{ "nor is an atexit without one", BEGIN "exit code=3\natexit\n", "" },
	{ "git may exit again where it forks",
	  BEGIN "cmd_name name=maintenance\nexit\nexit\n",
	  "5 \"exit\" stream.exit.once(deviation.git.daemon-sid): a second exit "
	  "of the process\n" },
	{ "also where it is a daemon, and it does not forget that",
	  BEGIN "cmd_name name=daemon\ncmd_name name=x\nexit\natexit\nerror\n",
	  "7 \"error\" stream.atexit.last(deviation.git.daemon-sid): an event "
	  "after the process's atexit\n" },
	{ "but not elsewhere", BEGIN "cmd_name name=gcx\nexit\nexit\n",
	  "5 \"exit\" stream.exit.once: a second exit of the process\n" },
	{ "nor may any other program",
	  "version sid=a\nstart sid=a\ncmd_name sid=a name=gc\nexit sid=a\n"
	  "exit sid=a\n",
	  "5 \"exit\" stream.exit.once: a second exit of the process\n" },
	{ "a signal ends the process, which is told once",
	  BEGIN "signal\nsignal\nerror\n",
	  "4 \"signal\" stream.signal.last: an event after the signal that ended "
	  "the process\n" },
	{ "it is told at the first line that has no other finding",
	  BEGIN "signal\n~error\n!error\nerror\nerror\n",
	  "6 \"error\" stream.signal.last: an event after the signal that ended "
	  "the process\n" },
	{ "what comes after atexit is told once",
	  BEGIN "exit\natexit\nerror\nerror\n", "5 \"error\" " LATE },
	{ "that, too, at the first line that has no other finding",
	  BEGIN "exit\natexit\n~error\n!error\nerror\nerror\n",
	  "7 \"error\" " LATE },
	{ "a version after atexit begins another process, which may end, too",
	  BEGIN "exit\natexit\nerror\nversion\nstart\nexit\natexit\nerror\n",
	  "5 \"error\" " LATE "6 \"version\" " SECOND
	  ", which occurs first in line 1\n"
	  "10 \"error\" " LATE },
	{ "so may a version that can't be read",
	  BEGIN "exit\natexit\n" TORN "start\nerror\nexit\natexit\nerror\n",
	  "10 \"error\" " LATE },
	{ "of which nothing is missed that the line may have had",
	  BEGIN "exit\natexit\n" TORN "child_exit child_id=0\natexit\n.\n",
	  "" },
	{ "and of one that ends without an atexit nothing is told",
	  BEGIN "exit\natexit\n" TORN "start\n.\n", "" },
	{ "but a version after it begins a whole process",
	  BEGIN "exit\natexit\n" TORN "version\nerror\n",
	  "6 \"version\" " SECOND ", which occurs first in line 1\n"
	  "7 \"error\" stream.start.second: start is missing before this event\n" },
	{ "that has not the name of the first one",
	  BEGIN "cmd_name name=gc\nexit\natexit\nversion\nstart\nexit\natexit\n"
		"error\n",
	  "6 \"version\" " SECOND ", which occurs first in line 1\n"
	  "10 \"error\" " LATE },
};

int main(void)
{
	check_stories(begins);
	check_stories(starts);
	check_stories(ends);
	return tap_done();
}
