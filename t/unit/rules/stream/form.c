/* Times, places, repositories, and the brief and the full form. */
#include "rules/stream/stream_kit.h"

#define BACK "stream.time.wall: time goes back\n"
#define PLACE " file=a.c line=1\n"
#define TIME(year) " time=" year "-06-01T00:00:00.000000Z\n"

static const struct story_row times[] = {
	{ "t_abs may stay, and does not go back",
	  BEGIN "data t_abs=0.5\ndata t_abs=0.5\ndata t_abs=0.499999\n",
	  "5 0.499999 stream.time.t_abs: t_abs goes back by 1 us\n" },
	{ "it is compared with the highest one",
	  BEGIN "data t_abs=5\ndata t_abs=3\ndata t_abs=4\ndata t_abs=5\n",
	  "4 3 stream.time.t_abs: t_abs goes back by 2000000 us\n"
	  "5 4 stream.time.t_abs: t_abs goes back by 1000000 us\n" },
	{ "each thread has its own",
	  BEGIN "data t_abs=5\nthread_start thread=t t_abs=3\ndata t_abs=x\n",
	  "" },
	{ "the clock may stay, and does not go back",
	  TIMED "error at=1\nerror at=1\nerror at=0.999999\n",
	  "5 \"2026-01-14T09:30:00.999999Z\" " BACK },
	{ "it is compared with the last one",
	  TIMED "error at=5\nerror at=3\nerror at=4\nerror at=2\n",
	  "4 \"2026-01-14T09:30:03.000000Z\" " BACK
	  "6 \"2026-01-14T09:30:02.000000Z\" " BACK },
	{ "each thread has its own clock",
	  TIMED "error at=5\nthread_start at=3 thread=t\n", "" },
	{ "a clock that was set from 1970 has gone on",
	  "version sid=s" TIME("1970") "start sid=s" TIME("2026"), "" },
	{ "and from 1999 to the next year",
	  "version sid=s" TIME("1999") "start sid=s" TIME(
		  "2000") "error sid=s" TIME("2099") "error sid=s" TIME("2100"),
	  "" },
	{ "a clock that was set to 1999 has gone back",
	  "version sid=s" TIME("2026") "start sid=s" TIME("1999"),
	  "2 \"1999-06-01T00:00:00.000000Z\" " BACK },
	{ "a microsecond is enough",
	  "version sid=s time=2026-06-01T00:00:00.000001Z\n"
	  "start sid=s" TIME("2026"),
	  "2 \"2026-06-01T00:00:00.000000Z\" " BACK },
	{ "a time of another form is not compared",
	  TIMED "error at=5\nerror time=2025-01-01T00:00:00.00000Z\n"
		"error time=2025-01-01T00:00:00.0000000Z\nerror at=5\n",
	  "" },
	{ "nor is the time of a broken event, then or later",
	  TIMED "~error time=2099-99-99T99:99:99.999999Z\nerror at=1\n", "" },
	{ "but that of an event whose line has a finding",
	  TIMED "!error at=9\nerror at=8\n",
	  "4 \"2026-01-14T09:30:08.000000Z\" " BACK },
};

static const struct story_row forms[] = {
	{ "version and atexit have a time in brief logs, too",
	  "version at=0\nstart\nexit\natexit at=1\n", "" },
	{ "they are full if they have a place", "version" PLACE "start\n",
	  "2 \"start\" stream.brief.mixed: the event is brief, but earlier ones "
	  "are full\n" },
	{ "an event with a time is full",
	  "version\nstart at=1\nerror\nerror\nerror at=2\n",
	  "3 \"error\" stream.brief.mixed: the event is brief, but earlier ones "
	  "are full\n" },
	{ "so is one with a place, and that is told once",
	  "version\nstart\nerror" PLACE "error" PLACE "error\n",
	  "3 \"error\" stream.brief.mixed: the event is full, but earlier ones "
	  "are brief\n" },
	{ "it is told at the first line that has no other finding",
	  "version\nstart\n~error" PLACE "!error" PLACE "error" PLACE
	  "error" PLACE,
	  "5 \"error\" stream.brief.mixed: the event is full, but earlier ones "
	  "are brief\n" },
	{ "an event with a finding has a form", "!version" PLACE "start\n",
	  "2 \"start\" stream.brief.mixed: the event is brief, but earlier ones "
	  "are full\n" },
	{ "also a brief one", "version\n!start\nerror" PLACE,
	  "3 \"error\" stream.brief.mixed: the event is full, but earlier ones "
	  "are brief\n" },
	{ "a brief one is told then, too", "version" PLACE "!start\nerror\n",
	  "3 \"error\" stream.brief.mixed: the event is brief, but earlier ones "
	  "are full\n" },
	{ "a place is a file and a line",
	  "version" PLACE "start file=a.c\nerror at=1 line=1\n",
	  "2 \"a.c\" stream.place: file without line\n"
	  "3 1 stream.place: line without file\n" },
};

static const struct story_row values[] = {
	{ "the first time is less than half an hour from that of the SID",
	  "version time=2026-01-14T10:00:42.112357Z\n"
	  "/version time=2026-01-14T10:00:42.112358Z\n"
	  "//version time=2026-01-14T08:30:42.112400Z\n",
	  "2 \"2026-01-14T10:00:42.112358Z\" stream.time.sid: 30 minutes from "
	  "the time in the SID\n"
	  "3 \"2026-01-14T08:30:42.112400Z\" stream.time.sid: -59 minutes from "
	  "the time in the SID\n" },
	{ "an error has both texts or none",
	  BEGIN "error\nerror msg=m fmt=m\nerror msg=m\nerror fmt=m\n",
	  "5 \"m\" stream.error.fmt: msg without fmt\n"
	  "6 \"m\" stream.error.fmt: fmt without msg\n" },
	{ "a code is a byte",
	  BEGIN "exit code=256\natexit code=256\n"
		"/version\n/start\n/exit code=255\n/atexit code=255\n",
	  "3 256 event.exit.code-byte: expected 0 to 255\n" },
	{ "a child's code may be that of none",
	  BEGIN "child_start child_id=0\nchild_exit child_id=0 code=-1\n"
		"child_start child_id=1\nchild_exit child_id=1 code=-2\n",
	  "6 -2 event.child_exit.code-other: expected -1 to 255: after a "
	  "signal 128 and the signal's number\n" },
	{ "only some events may be about a repository",
	  BEGIN "def_repo repo=1\ndata repo=1 nesting=1\nnovel repo=1\n"
		"error repo=0\n",
	  "6 0 stream.repo.place: this event is about no repository\n" },
};

static const struct story_row repos[] = {
	{ "a repository is defined before it is used",
	  BEGIN "def_repo repo=1\ndata repo=1\ndata repo=2\n",
	  "5 2 stream.repo.undefined: no earlier def_repo has this number\n" },
	{ "that is told once, and it may be defined later, once",
	  BEGIN "data repo=2\ndata repo=2\ndef_repo repo=2\ndata repo=2\n"
		"def_repo repo=2\n",
	  "3 2 stream.repo.undefined: no earlier def_repo has this number\n"
	  "7 2 stream.repo.once: the def_repo of line 5 has this number "
	  "already\n" },
	{ "repository 0 is none, nor is one below",
	  BEGIN "data repo=0\ndata repo=-1\ndata repo=x\n", "" },
	{ "a def_repo without a number defines nothing",
	  BEGIN "def_repo\ndata repo=1\n",
	  "4 1 stream.repo.undefined: no earlier def_repo has this number\n" },
	{ "a repository is defined once",
	  BEGIN "def_repo repo=1\ndef_repo repo=1\n",
	  "4 1 stream.repo.once: the def_repo of line 3 has this number "
	  "already\n" },
};

int main(void)
{
	check_stories(times);
	check_stories(forms);
	check_stories(values);
	check_stories(repos);
	return tap_done();
}
