/*
 * shared_kit.h - logs of a few lines, and their findings. They are written
 * with ' for ", a tab for a very long line's blanks, and a form feed at a
 * log's end.
 */
#ifndef UNIT_VALIDATE_SHARED_KIT_H
#define UNIT_VALIDATE_SHARED_KIT_H

#include <stdbool.h>

struct row {
	const char *name;
	const char *log;
	const char *said; /* and how many events, processes and errors */
	const char *ignored;
	unsigned evt;
	bool statistics, strict;
	const char *programs;
};

#define TIME "2026-01-01T00:00:00.000000Z"
#define COMMON "'thread':'main','time':'" TIME "','file':'a','line':1"
#define EVENT(event, sid, more) \
	"{'event':'" event "','sid':" sid "," COMMON more "}"
#define MET(sid, exe) \
	EVENT("version", "'" sid "'", ",'evt':'4','exe':'" exe "'")
#define VERSION_BY(sid, exe) MET(sid, exe) "\n"
#define VERSION(sid) VERSION_BY(sid, "x")
#define START(sid) EVENT("start", "'" sid "'", ",'t_abs':0.1,'argv':['a']")
#define ERROR(sid) EVENT("error", "'" sid "'", ",'msg':'m','fmt':'m'")
#define LEAVE(sid)                         \
	EVENT("region_leave", "'" sid "'", \
	      ",'nesting':1,'t_rel':0.1,'category':'c','label':'l'")
#define EXIT(sid) EVENT("exit", "'" sid "'", ",'t_abs':0.2,'code':0")
#define ATEXIT(sid) EVENT("atexit", "'" sid "'", ",'t_abs':0.3,'code':0")
#define BEGIN(sid) VERSION(sid) START(sid) "\n"
#define END(sid) EXIT(sid) "\n" ATEXIT(sid) "\n"
#define WHOLE(sid) BEGIN(sid) END(sid)
#define BEGIN_4 BEGIN("a") BEGIN("b") BEGIN("c") BEGIN("d")
#define LEAVE_4 LEAVE("a") "\n" LEAVE("b") "\n" LEAVE("c") "\n" LEAVE("d") "\n"
#define END_4 END("a") END("b") END("c") END("d")
#define BEGINS_3 "{'event':'{'event':'{'event':'"
#define BEGINS_9 BEGINS_3 BEGINS_3 BEGINS_3
#define BEGINS_63 BEGINS_9 BEGINS_9 BEGINS_9 BEGINS_9 BEGINS_9 BEGINS_9 BEGINS_9
#define UUID "01234567-89ab-cdef-0123-456789abcdef"

#endif
