/* The name of a command, and what the process's children get of it. */
#include "process/process.h"

#include <string.h>

#include "host/host.h"
#include "host/wait.h"

static const char *append_name(struct tr2_thread *self, const char *name)
{
	const char *hierarchy;
	struct tr2_hold hold;

	if (!tr2_lock_threads(&hold))
		return name;
	hierarchy = tr2_session_name(&tr2_process.session, name, &self->text);
	tr2_unlock_threads(&hold);
	return hierarchy;
}

/*
 * An empty name counts as none; an old one would be wrong. The environment is
 * not read here: getenv(3) takes no lock, and another thread may change it.
 */
static void export_hierarchy(const char *hierarchy)
{
	const size_t len = strlen(hierarchy);

	if (len > TR2_SESSION_MOST)
		return;
	if (tr2_process.exported < TR2_SESSION_EXPORTS)
		tr2_process.exported += len;
	tr2_host->setenv("GIT_TRACE2_PARENT_NAME",
			 tr2_process.exported < TR2_SESSION_EXPORTS ? hierarchy
								    : "");
}

/*
 * The C library locks the environment, and fork(2) does not renew that lock in
 * the child. So no thread is in here during a fork: our own lock is taken
 * before it.
 * SPEC: event.cmd_name.export; a forked child has a new sid, too
 */
static void export_name(const char *hierarchy)
{
	struct tr2_hold hold;

	tr2_hold_begin_all(&hold);
	if (tr2_wait_lock(&tr2_process.export_lock, &tr2_process.forking,
			  &tr2_process.waited_ns)) {
		export_hierarchy(hierarchy);
		tr2_host->setenv("GIT_TRACE2_PARENT_SID",
				 tr2_process.session.sid);
		pthread_mutex_unlock(&tr2_process.export_lock);
	}
	tr2_hold_end(&hold, 0, 0);
}

const char *tr2_set_name(struct tr2_thread *self, const char *name)
{
	const char *hierarchy = append_name(self, name);

	export_name(hierarchy);
	return hierarchy;
}
