/* story_kit.h - the process of most stories: its begin, children and end. */
#ifndef UNIT_ACCOUNT_STORY_KIT_H
#define UNIT_ACCOUNT_STORY_KIT_H

#include "model/account/account_kit.h"

#define START(argv) "\"t_abs\":0.0,\"argv\":[" argv "]"
#define NAME(name) "\"name\":\"" name "\""
#define END(t_abs, code) "\"t_abs\":0.000" t_abs ",\"code\":" code
#define REGION(category, label) \
	"\"category\":\"" category "\",\"label\":\"" label "\""
#define REL(t_rel) "\"t_rel\":0.000" t_rel ","
#define CHILD_START(id, argv)                                              \
	"\"child_id\":" id ",\"child_class\":\"git\",\"use_shell\":false," \
	"\"argv\":[" argv "]"
#define CHILD_EXIT(id, pid, code) \
	"\"child_id\":" id ",\"pid\":" pid ",\"code\":" code

static inline void begin_git(unsigned us)
{
	tell_event(GIT, us, "version", "\"evt\":\"3\",\"exe\":\"2.55\"");
	tell_event(GIT, us, "start", START("\"git\",\"status\""));
}

static inline void end_git(unsigned us, const char *end)
{
	tell_event(GIT, us, "atexit", end);
}

#endif
