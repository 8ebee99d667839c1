/*
 * rooms_kit.h - the rooms of the validator that the command calls, and that
 * wait for others or run beside it: a feed of one worker, a listener to whom
 * one process speaks, a clock. They note what they are asked to do.
 */
#ifndef UNIT_VALIDATE_ROOMS_KIT_H
#define UNIT_VALIDATE_ROOMS_KIT_H

#include "kit/validate.h"

#include <fcntl.h>
#include <unistd.h>

#include "validate/feed.h"
#include "log/follow.h"
#include "validate/listen.h"
#include "validate/progress.h"

/* What the rooms were asked to do, in few words. */
static char asked[512];

static inline void note_request(const char *word, const char *more)
{
	snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s%s%s",
		 *asked ? " " : "", word, more);
}

static struct tr2_worker worker;
static struct tr2_block block;
static unsigned jobs;

void tr2_feed_begin(struct tr2_feed *feed, const struct tr2_options *options,
		    unsigned number)
{
	(void)feed;
	jobs = number;
	tr2_worker_init(&worker, options);
	tr2_report_begin(&worker.report);
}

struct tr2_block *tr2_feed_take(struct tr2_feed *feed)
{
	(void)feed;
	return &block;
}

void tr2_feed_put(struct tr2_feed *feed, struct tr2_block *full)
{
	tr2_block_prepare(full, false);
	tr2_worker_take(&worker, full);
	tr2_feed_give_back(feed, full);
}

void tr2_feed_give_back(struct tr2_feed *feed, struct tr2_block *empty)
{
	(void)feed;
	tr2_block_clear(empty);
}

struct tr2_worker *tr2_feed_end(struct tr2_feed *feed)
{
	(void)feed;
	tr2_worker_end(&worker);
	return &worker;
}

void tr2_feed_release(struct tr2_feed *feed)
{
	(void)feed;
	tr2_block_release(&block);
	block = (struct tr2_block){ 0 };
	tr2_worker_release(&worker);
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

	kit_broken += !kit_is_whole(live);
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
