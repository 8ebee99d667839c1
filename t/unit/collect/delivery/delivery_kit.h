/*
 * delivery_kit.h - an output that writes files, whose clocks a test moves, and
 * which is called as a delivery does it, without a thread.
 */
#ifndef UNIT_DELIVERY_DELIVERY_KIT_H
#define UNIT_DELIVERY_DELIVERY_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>

#include "collect/delivery/delivery.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"

#define DAY "20260114"
#define LAST_SECOND 1768435199 /* of the first of these days, in UTC */
#define FIRST "out/" DAY "-000001.log"

static struct tr2_journal journal = { .dir = "spool" };
static struct tr2_delivery delivery;

static inline void begin_output(const char *target)
{
	set_time(LAST_SECOND);
	mkdir("spool", 0700);
	delivery = (struct tr2_delivery){
		.target = target,
		.kind = &tr2_kind_files,
		.id = "id",
		.reader = { .journal = &journal },
		.file_size = 8,
		.fresh = true,
		.fd = -1,
	};
	delivery.position_fd =
		open("spool/position", O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static inline int open_output(void)
{
	return delivery.kind->open(&delivery);
}

/* As a delivery does, which counts whole lines. Returns how much was taken. */
static inline int write_text(const char *text)
{
	ssize_t done = delivery.kind->write(&delivery, text, strlen(text));

	delivery.fresh = done > 0 && text[done - 1] == '\n';
	if (delivery.fresh)
		delivery.position.size += (uint64_t)done;
	return (int)done;
}

#endif
