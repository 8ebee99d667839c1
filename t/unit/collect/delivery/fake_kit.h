/*
 * fake_kit.h - a service with one output that does what a test wants, in the
 * thread of its delivery.
 */
#ifndef UNIT_DELIVERY_FAKE_KIT_H
#define UNIT_DELIVERY_FAKE_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include <errno.h>
#include <fcntl.h>

#include "collect/delivery/delivery.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"

#include "views/otlp/otlp.h"
#include "lib/text/text.h"

static struct tr2_journal journal = { .dir = "spool" };
static struct tr2_delivery delivery;

/* What the output does; a test writes these while its thread is held. */
static struct {
	int open_error;	   /* of the next ones */
	int opens;	   /* how often it was opened */
	int write_error;   /* of the next write, */
	int fails;	   /* and of so many after it, */
	size_t fail_after; /* when it has accepted so much */
	size_t most;	   /* bytes that a write accepts */
	int slow;	/* seconds before each write that accepts something */
	bool waited;	/* those of the next one */
	int long_write; /* seconds that a write which accepts something takes */
	bool stuck;	/* it accepts nothing */
	int stuck_error;		/* the errno value then */
	char fresh[64];			/* for each write: begins it a line? */
	uint64_t opened[4];		/* the times of the first ones, in ns */
	struct tr2_otlp_place done;	/* for one that is done with less */
	struct tr2_otlp_place finished; /* the same after its last call */
	char got[1 << 10];		/* what it accepted */
	char calls[256]; /* a letter for each call but write and tick */
} output;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int saved;

static inline void note_call(const char *letter)
{
	if (strlen(output.calls) < sizeof(output.calls) - 2)
		strcat(output.calls, letter);
}

static inline int open_fake(struct tr2_delivery *one)
{
	int error;

	pthread_mutex_lock(&lock);
	if (output.opens < 4)
		output.opened[output.opens] = clock_now();
	output.opens++;
	error = output.open_error;
	note_call(one->fd != -1 ? "?" : error ? "x" : "o");
	if (!error)
		one->fd = 1000; /* of the kind's own */
	pthread_mutex_unlock(&lock);
	return error;
}

static inline ssize_t write_fake(struct tr2_delivery *one, const char *bytes,
				 size_t len)
{
	ssize_t done = -1;

	pthread_mutex_lock(&lock);
	len = len > output.most ? output.most : len;
	if (output.write_error && strlen(output.got) >= output.fail_after) {
		errno = output.write_error;
		output.write_error = output.fails-- > 0 ? errno : 0;
	} else if (output.stuck || (output.slow && !output.waited)) {
		done = 0;
		output.waited = true;
	} else {
		strncat(output.got, bytes, len);
		if (strlen(output.fresh) < sizeof(output.fresh) - 1)
			strcat(output.fresh, one->fresh ? "1" : "0");
		done = (ssize_t)len;
		output.waited = false;
		pass_time((uint64_t)output.long_write * CLOCK_SECOND);
	}
	pthread_mutex_unlock(&lock);
	if (done)
		return done;
	errno = output.stuck_error;
	take_nap();
	pass_time(output.slow ? (uint64_t)output.slow * CLOCK_SECOND
			      : CLOCK_SECOND / 100);
	return 0;
}

/* Only what comes before the first line is noted: later it may be idle. */
static inline void tick_fake(struct tr2_delivery *one)
{
	(void)one;
	pthread_mutex_lock(&lock);
	if (!*output.got && !strchr(output.calls, 't'))
		note_call("t");
	pthread_mutex_unlock(&lock);
}

static inline void finish_fake(struct tr2_delivery *one)
{
	(void)one;
	pthread_mutex_lock(&lock);
	note_call("f");
	if (output.finished.at)
		output.done = output.finished;
	pthread_mutex_unlock(&lock);
}

static inline void close_fake(struct tr2_delivery *one, bool failed)
{
	(void)one;
	pthread_mutex_lock(&lock);
	note_call(failed ? "F" : "c");
	pthread_mutex_unlock(&lock);
}

static inline struct tr2_otlp_place find_fake(struct tr2_delivery *one)
{
	struct tr2_otlp_place done;

	(void)one;
	pthread_mutex_lock(&lock);
	done = output.done;
	pthread_mutex_unlock(&lock);
	return done;
}

static struct tr2_output_kind fake = { .open = open_fake,
				       .write = write_fake,
				       .close = close_fake };

/*
 * ---- A service with one output
 */

/* Standard error goes to a file until the service has ended. */
static inline void divert_errors(void)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	saved = dup(2);
	dup2(fd, 2);
	close(fd);
}

static inline void restore_errors(void)
{
	dup2(saved, 2);
	close(saved);
}

static inline void begin_service(void)
{
	memset(&output, 0, sizeof(output));
	output.most = sizeof(output.got);
	fake = (struct tr2_output_kind){ .open = open_fake,
					 .write = write_fake,
					 .close = close_fake };
	delivery = (struct tr2_delivery){ .target = "fake\x1b", .kind = &fake };
	tr2_journal_open(&journal, "spool", 64 << 20);
	divert_errors();
}

static inline void begin_delivery(void)
{
	delivery.told = delivery.line = 0;
	tap_need(!tr2_delivery_open(&delivery, &journal) &&
		 !tr2_delivery_begin(&delivery, &journal));
}

static inline void add_lines(const char *text)
{
	size_t len = strlen(text);
	char *room = tr2_journal_room(&journal, len);

	memcpy(room, text, len);
	tr2_journal_commit(&journal, len, tr2_text_count_lines(text, len));
	pthread_mutex_lock(&journal.mutex);
	tr2_journal_show(&journal);
	pthread_mutex_unlock(&journal.mutex);
}

/* Returns what the service has said. */
static inline const char *end_service(void)
{
	tr2_journal_end(&journal);
	tr2_delivery_end(&delivery);
	restore_errors();
	tr2_journal_close(&journal);
	return file_text("errors");
}

/* Wait until the output has this. */
static inline bool wait_for(const char *text)
{
	bool found = false;

	for (int i = 0; i < 10000 && !found; i++) {
		pthread_mutex_lock(&lock);
		found = !strcmp(output.got, text);
		pthread_mutex_unlock(&lock);
		if (!found)
			take_nap();
	}
	return found;
}

/* Wait until the output was called like this. */
static inline bool wait_for_calls(const char *calls)
{
	bool found = false;

	for (int i = 0; i < 10000 && !found; i++) {
		pthread_mutex_lock(&lock);
		found = strstr(output.calls, calls) != NULL;
		pthread_mutex_unlock(&lock);
		if (!found)
			take_nap();
	}
	return found;
}

static inline const char *read_position(void)
{
	char path[64];

	snprintf(path, sizeof(path), "spool/%s.position", delivery.id);
	return file_text(path);
}

#endif
