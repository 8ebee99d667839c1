/* share_kit.h - lives and spans, whose pids may tell whose they are. */
#ifndef UNIT_ACCOUNT_SHARE_KIT_H
#define UNIT_ACCOUNT_SHARE_KIT_H

#include "model/account/account_kit.h"

static inline void tell_life(const char *sid, unsigned from, unsigned to,
			     const char *name)
{
	char rest[256];

	snprintf(rest, sizeof(rest), "\"t_abs\":0.0,\"argv\":[\"%s\"]", name);
	tell_event(sid, from, "start", rest);
	snprintf(rest, sizeof(rest), "\"t_abs\":0.%06u,\"code\":0", to - from);
	tell_event(sid, to, "atexit", rest);
}

static inline void begin_span(const char *sid, unsigned id, unsigned from)
{
	char rest[256];

	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"child_class\":\"?\",\"argv\":[\"s%u\"]", id,
		 id);
	tell_event(sid, from, "child_start", rest);
}

/* 0 is no pid. */
static inline void end_span(const char *sid, unsigned id, unsigned from,
			    unsigned to, unsigned pid)
{
	char rest[256];

	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"pid\":%u,\"code\":0,\"t_rel\":0.%06u", id,
		 pid, to - from);
	tell_event(sid, to, "child_exit", rest);
}

static inline void tell_span(const char *sid, unsigned id, unsigned from,
			     unsigned to, unsigned pid)
{
	begin_span(sid, id, from);
	end_span(sid, id, from, to, pid);
}

#endif
