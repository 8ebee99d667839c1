/* Regions and data: which are open, and how long they took. */
#include "rules/stream/stream_kit.h"

#define ENTER(n) "region_enter nesting=" #n " "
#define LEAVE(n) "region_leave nesting=" #n " "
#define DATA(n) "data nesting=" #n " "
#define NESTING(n, found)                             \
	"stream.region.nesting: expected nesting " #n \
	", one more than regions are open, found " #found "\n"
#define DATA_NESTING(n, found)                      \
	"stream.data.nesting: expected nesting " #n \
	", one more than regions are open, found " #found "\n"
#define NOT_OPEN \
	"stream.region.leave-unmatched: no open region has this nesting\n"
#define NONE_OPEN                                                           \
	"\"region_leave\" stream.region.leave-unmatched: no region of the " \
	"thread is open\n"
#define OPEN_INSIDE(line)                                          \
	"stream.region.leave-innermost: the region of line " #line \
	" inside it is still open\n"
#define SHORTER(line)                                    \
	"stream.region.t_rel: the region of line " #line \
	" took less time than something inside it\n"
#define LONGER(line)                                                               \
	"stream.region.time: more time than since its region_enter in line " #line \
	"\n"
#define OTHER(key, line)                                               \
	": not the " key " of the innermost region, which line " #line \
	" entered\n"
#define MATCH(key, line) "stream.region.leave-match" OTHER(key, line)
#define KNOWN(key, line)                                                      \
	"stream.region.leave-match(deviation.git.region-mismatch)" OTHER(key, \
									 line)
#define OPEN(line)                                            \
	"stream.region.unfinished: the region of line " #line \
	" has no region_leave\n"

static const struct story_row nestings[] = {
	{ "regions nest, and their places are used again",
	  BEGIN ENTER(1) "label=a\n" ENTER(2) "label=b\n" LEAVE(2) "label=b\n" ENTER(2) "label=c\n" ENTER(3) "label=d\n" LEAVE(3) "label=d\n" LEAVE(
		  2) "label=c\n" LEAVE(1) "label=a\n" ENTER(1) "label=e\n" ENTER(2) "label=f\n" LEAVE(2) "label=f\n" LEAVE(1) "label=e\n",
	  "" },
	{ "threads have regions of their own",
	  BEGIN
	  "thread_start thread=t\n" ENTER(1) "label=a\n" ENTER(1) "thread=t label=b\n" ENTER(2) "label=c\n" DATA(
		  2) "thread=t\n" LEAVE(2) "label=c\n" LEAVE(1) "thread=t label=b\n" LEAVE(1) "label=a\n",
	  "" },
	{ "a wrong nesting is told once, until no region is open",
	  BEGIN ENTER(2) "\n" DATA(9) "\n" ENTER(7) "\n" LEAVE(7) "\n" DATA(
		  9) "\n" LEAVE(5) "\n" DATA(2) "\n",
	  "3 2 " NESTING(1, 2) "9 2 " DATA_NESTING(1, 2) },
	{ "or until an event says that none is",
	  BEGIN ENTER(2) "\n" DATA(1) "\n" LEAVE(1) "\n",
	  "3 2 " NESTING(1, 2) "5 " NONE_OPEN },
	{ "the first one says so of itself to nobody",
	  BEGIN ENTER(1) "\n" DATA(1) "\n" DATA(1) "\n" DATA(2) "\n",
	  "4 1 " DATA_NESTING(2, 1) "6 2 " DATA_NESTING(1, 2) },
	{ "an event without a nesting has the right one",
	  BEGIN "region_enter\ndata\ndata_json\n" DATA(2) "\nregion_leave\n"
							  "region_leave\n",
	  "8 " NONE_OPEN },
	{ "a leave too many with nesting 0 says that one more is to come",
	  BEGIN LEAVE(0) "\n" DATA(0) "\n" ENTER(0) "\n" DATA(0) "\n" LEAVE(
		  0) "\n" DATA(0) "\n",
	  "3 " NONE_OPEN "8 0 " DATA_NESTING(1, 0) },
	{ "that one may be the next",
	  BEGIN LEAVE(0) "\n" LEAVE(5) "\n" LEAVE(1) "\n",
	  "3 " NONE_OPEN "5 " NONE_OPEN },
	{ "with nesting 1 it changes nothing", BEGIN LEAVE(1) "\n" DATA(2) "\n",
	  "3 " NONE_OPEN "4 2 " DATA_NESTING(1, 2) },
	{ "a thread that starts anew is in order again",
	  BEGIN "thread_start thread=t\n" ENTER(
		  2) "thread=t\n"
		     "thread_exit thread=t\nthread_start thread=t\n" LEAVE(
			     1) "thread=t\n",
	  "4 2 " NESTING(
		  1,
		  2) "6 \"t\" stream.thread.start-unique: a second thread_start of this "
		     "name\n"
		     "7 " NONE_OPEN },
};

static const struct story_row leaves[] = {
	{ "a region of the same name as the one around it is still open",
	  BEGIN ENTER(1) "\n" ENTER(2) "\n" LEAVE(1) "\n" DATA(1) "\n",
	  "5 1 " OPEN_INSIDE(4) },
	{ "regions inside one that is left are left",
	  BEGIN ENTER(1) "label=a\n" ENTER(2) "label=b\n" ENTER(3) "label=c\n" LEAVE(
		  2) "label=b\n" DATA(2) "\n" LEAVE(1) "label=a\n",
	  "6 2 " OPEN_INSIDE(5) },
	{ "a region that is left with a wrong number is left",
	  BEGIN ENTER(1) "label=a\n" ENTER(2) "label=b\n" ENTER(3) "label=c\n" LEAVE(
		  1) "label=c\n" LEAVE(2) "label=b\n" LEAVE(2) "label=a\n" DATA(1) "\n",
	  "6 1 stream.region.nesting: the region was entered with nesting 3\n"
	  "8 2 stream.region.nesting: the region was entered with nesting 1\n" },
	{ "a region that is not open is not left",
	  BEGIN ENTER(1) "label=a\n" LEAVE(2) "label=b\n" LEAVE(
		  0) "label=b\n" DATA(2) "\n" LEAVE(1) "label=a\n",
	  "4 2 " NOT_OPEN "5 0 " NOT_OPEN },
};

static const struct story_row names[] = {
	{ "category, label and repository are compared, in this order",
	  BEGIN ENTER(1) "category=a label=b\n" LEAVE(1) "category=b label=a\n" ENTER(
		  1) "category=a label=b\n" LEAVE(1) "category=a label=a\n"
						     "def_repo repo=1\n" ENTER(1) "category=a label=b repo=1\n" LEAVE(
							     1) "category=a label=b\n",
	  "4 \"b\" " MATCH("category", 3) "6 \"a\" " MATCH(
		  "label", 5) "9 \"region_leave\" " MATCH("repo", 8) },
	{ "repository 0 is another than none",
	  BEGIN ENTER(1) "repo=0\n" LEAVE(1) "\n",
	  "4 \"region_leave\" " MATCH("repo", 3) },
	{ "git leaves two regions otherwise than it entered them",
	  BEGIN ENTER(1) "category=merge label=a\n" LEAVE(1) "category=merge label=b\n" ENTER(
		  1) "category=negotiation_v2 label=a\n" LEAVE(1) "category=negotiation_v2 label=b\n",
	  "4 \"b\" " KNOWN("label", 3) "6 \"b\" " KNOWN("label", 5) },
	{ "and no others",
	  BEGIN ENTER(1) "category=merges label=a\n" LEAVE(1) "category=merges label=b\n" ENTER(
		  1) "category=a label=a\n" LEAVE(1) "category=- label=a\n",
	  "4 \"b\" " MATCH("label", 3) "6 \"region_leave\" " MATCH("category",
								   5) },
	{ "nor does any other program",
	  "version sid=a\nstart sid=a\nregion_enter sid=a category=merge\n"
	  "region_leave sid=a category=merge label=b\n",
	  "4 \"b\" " MATCH("label", 3) },
};

static const struct story_row times[] = {
	{ "a region takes no less than the longest thing inside",
	  BEGIN ENTER(1) "\n" DATA(2) "t_rel=0.1\n" DATA(2) "t_rel=0.5\n" DATA(
		  2) "t_rel=0.2\n" LEAVE(1) "t_rel=0.3\n",
	  "7 0.3 " SHORTER(3) },
	{ "but for a microsecond",
	  BEGIN ENTER(1) "\n" DATA(2) "t_rel=0.500001\n" LEAVE(1) "t_rel=0.5\n" ENTER(
		  1) "\n" DATA(2) "t_rel=0.500002\n" LEAVE(1) "t_rel=0.5\n",
	  "8 0.5 " SHORTER(6) },
	{ "what a region has inside is inside the one around it",
	  BEGIN ENTER(1) "\n" ENTER(2) "\n" LEAVE(2) "t_rel=0.5\n" LEAVE(
		  1) "t_rel=0.4\n",
	  "6 0.4 " SHORTER(3) },
	{ "but not if its time is wrong itself",
	  BEGIN ENTER(1) "\n" ENTER(2) "\n" DATA(3) "t_rel=0.6\n" LEAVE(
		  2) "t_rel=0.5\n" LEAVE(1) "t_rel=0.4\n",
	  "6 0.5 " SHORTER(4) },
	{ "what was inside one region is not inside the next",
	  BEGIN ENTER(1) "\n" DATA(2) "t_rel=0.5\n" LEAVE(
		  1) "t_rel=0.5\n" ENTER(1) "\n" LEAVE(1) "t_rel=0.1\n",
	  "" },
	{ "a region without a time took none",
	  BEGIN ENTER(1) "\n" ENTER(2) "\n" DATA(3) "t_rel=0.5\n" LEAVE(
		  2) "\n" LEAVE(1) "t_rel=0\n",
	  "" },
	{ "a region takes a second more than its events are apart at most",
	  TIMED ENTER(1) "at=1\n" LEAVE(1) "at=1.5 t_rel=1.5\n" ENTER(
		  1) "at=2\n" LEAVE(1) "at=2.5 t_rel=1.500001\n",
	  "6 1.500001 " LONGER(5) },
	{ "if both have a time",
	  TIMED ENTER(1) "file=a line=1\n" LEAVE(1) "at=1 t_rel=9\n" ENTER(
		  1) "at=1\n" LEAVE(1) "file=a line=1 t_rel=9\n",
	  "" },
};

static const struct story_row open_ones[] = {
	{ "regions that are open at the end are told from the innermost",
	  BEGIN ENTER(1) "\n" ENTER(2) "\nexit\natexit\n",
	  "6 \"atexit\" " OPEN(4) "6 \"atexit\" " OPEN(3) },
	{ "those of a thread when it exits",
	  BEGIN "thread_start thread=t\n" ENTER(1) "thread=t\n" ENTER(
		  1) "\n"
		     "thread_exit thread=t\nexit\natexit\n",
	  "6 \"thread_exit\" " OPEN(4) "8 \"atexit\" " OPEN(5) },
	{ "those of a thread whose nesting is wrong are not",
	  BEGIN ENTER(2) "\nexit\natexit\n", "3 2 " NESTING(1, 2) },
};

int main(void)
{
	check_stories(nestings);
	check_stories(leaves);
	check_stories(names);
	check_stories(times);
	check_stories(open_ones);
	return tap_done();
}
