/*
 * rooms_kit.h - the rooms of the validator that the command calls, and that
 * wait for others or run beside it: a listener to whom one process speaks, a
 * clock. They note what they are asked to do.
 */
#ifndef UNIT_VALIDATE_ROOMS_KIT_H
#define UNIT_VALIDATE_ROOMS_KIT_H

#include "kit/validate.h"

#include <fcntl.h>
#include <unistd.h>

#include "validate/report/report.h"
#include "read/bytes/follow.h"
#include "validate/listen.h"
#include "validate/progress.h"

/* What the rooms were asked to do, in few words. */
static char asked[512];

static inline void note_request(const char *word, const char *more)
{
	snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s%s%s",
		 *asked ? " " : "", word, more);
}

void tr2_follow(const char *path, tr2_inputs_fn *fn, void *context)
{
	int fd = open(path, O_RDONLY);

	note_request("follow:", path);
	fn(context, path, fd);
	close(fd);
}

bool tr2_follow_wait(const char *path, int fd)
{
	(void)fd;
	note_request("wait:", path);
	return false;
}

static const char *not_listening; /* why, or NULL */
static unsigned long dropped;
static enum tr2_level heard;

const char *tr2_listen_begin(struct tr2_socket *socket)
{
	note_request("socket:", socket->address.sun_path);
	return not_listening;
}

/* A process, and a finding of that level. */
unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *live)
{
	const struct tr2_finding finding = { .level = heard,
					     .id = "input.json",
					     .file = socket->address.sun_path,
					     .line = 1,
					     .column = 1,
					     .message = "heard" };

	live->totals.files = 1;
	tr2_sids_enter(&live->checker.stream.sids, "s", 1);
	tr2_report_finding(&live->report, &finding);
	return dropped;
}

/* Each time a second later. */
uint64_t tr2_progress_now(void)
{
	static uint64_t now;

	return now += 1000000;
}

void tr2_progress_begin(struct tr2_progress *progress, char **paths)
{
	(void)progress;
	for (; *paths; paths++)
		note_request("size:", *paths);
}

void tr2_progress_step(struct tr2_progress *progress,
		       const struct tr2_totals *totals, uint64_t more)
{
	(void)progress, (void)totals, (void)more;
}

void tr2_progress_end(struct tr2_progress *progress)
{
	(void)progress;
	note_request("end", "");
}

#endif
