/*
 * lines_kit.h - events of a few lines, written with ' for ".
 */
#ifndef UNIT_VALIDATE_LINES_KIT_H
#define UNIT_VALIDATE_LINES_KIT_H

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

#endif
