/* A private trace manager for one recording. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "record/manager/manager.h"
#include "record/record_part.h"

struct tr2_private {
	struct tr2_manager *manager;
	pthread_t thread;
	int stop; /* an eventfd */
	struct tr2_record_place place;
	char socket[80];
};

static void *run_manager(void *context)
{
	struct tr2_private *own = context;

	tr2_manager_run(own->manager, own->stop);
	return NULL;
}

static void release_private(struct tr2_private *own)
{
	if (own->manager)
		tr2_manager_free(own->manager);
	if (own->stop >= 0)
		close(own->stop);
	tr2_record_place_remove(&own->place);
	free(own);
}

int tr2_private_refuse(const char *what, int error)
{
	char text[PATH_MAX + 128];
	const char *tmp = getenv("TMPDIR");

	if (!tmp || *tmp != '/' || !access(tmp, W_OK | X_OK))
		return tr2_record_fail(tr2_record_cli.name, what, error);
	snprintf(text, sizeof(text), "%s in TMPDIR '%s'", what, tmp);
	return tr2_record_fail(tr2_record_cli.name, text, error);
}

static int begin_private(struct tr2_private *own,
			 const struct tr2_manager_options *options)
{
	int error = tr2_record_place_make(&own->place);

	if (error)
		return error;
	snprintf(own->socket, sizeof(own->socket), "%s/manager",
		 own->place.path);
	own->stop = eventfd(0, EFD_CLOEXEC);
	if (own->stop < 0)
		return errno;
	own->manager = tr2_manager_new(options);
	if (!own->manager)
		return ENOMEM;
	error = tr2_manager_listen(own->manager, own->socket);
	return error ? error
		     : pthread_create(&own->thread, NULL, run_manager, own);
}

struct tr2_private *tr2_private_start(const struct tr2_record_options *options)
{
	static char name[] = "record";
	const struct tr2_manager_options manager = {
		.answer_ms = options->answer_ms,
		.crowded = tr2_record_tell_crowded,
		.context = name,
	};
	struct tr2_private *own = calloc(1, sizeof(*own));
	int error;

	if (!own)
		return NULL;
	own->stop = -1;
	error = begin_private(own, &manager);
	if (!error)
		return own;
	release_private(own);
	errno = error;
	return NULL;
}

const char *tr2_private_socket(const struct tr2_private *own)
{
	return own->socket;
}

void tr2_private_stop(struct tr2_private *own)
{
	if (!own)
		return;
	eventfd_write(own->stop, 1);
	pthread_join(own->thread, NULL);
	release_private(own);
}
