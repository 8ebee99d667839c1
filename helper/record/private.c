/*
 * A private trace manager for one recording. Directories of a recording below
 * TMPDIR: for the socket of its manager, and for the link to its EVENT log.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "lib/text/text.h"
#include "record/manager/manager.h"
#include "record/record_part.h"

#define TMP_MOST 64 /* bytes: the path of a socket is short */

/* Where others could replace the directory, they would get the trace. */
static int check_place(struct tr2_whole_dir *place)
{
	const int fd = tr2_own_enter(place->partial, TR2_OWN_PRIVATE);
	const int error = errno;

	if (fd < 0) {
		tr2_whole_dir_drop(place);
		return error;
	}
	close(fd);
	return 0;
}

static int make_below(struct tr2_whole_dir *place, const char *tmp)
{
	char *name = tr2_text_print("%s/trace2-rec", tmp);
	int error = strlen(tmp) > TMP_MOST
			    ? EPERM
			    : tr2_whole_dir_open(place, name, 0700);

	free(name);
	return error ? error : check_place(place);
}

/* A long TMPDIR is not used, nor one in which others could replace it. */
int tr2_record_make_place(struct tr2_whole_dir *place)
{
	const char *tmp = getenv("TMPDIR");
	int error = tmp && *tmp == '/' ? make_below(place, tmp) : EPERM;

	return error == EPERM ? make_below(place, "/tmp") : error;
}

struct tr2_private {
	struct tr2_manager *manager;
	pthread_t thread;
	int stop; /* an eventfd */
	struct tr2_whole_dir place;
	char socket[108];
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
	tr2_whole_dir_drop(&own->place);
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
	int error = tr2_record_make_place(&own->place);

	if (error)
		return error;
	snprintf(own->socket, sizeof(own->socket), "%s/manager",
		 own->place.partial);
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
