/* otlp_kit.h - an output that posts to the receiver of the kit. */
#ifndef UNIT_DELIVERY_OTLP_KIT_H
#define UNIT_DELIVERY_OTLP_KIT_H

#include "collect/delivery/receiver_kit.h"

#include "collect/delivery/delivery.h"
#include "read/json/tokens.h"
#include "collect/post/post.h"

#define SECONDS(count) ((count)*CLOCK_SECOND)

static struct tr2_otlp_settings settings;
static char target[64];
static char line[512];

/*
 * The output is called as its delivery calls it. What it says goes to a file
 * until it ends.
 */
static inline void begin_output_of(const char *name)
{
	mkdir("spool", 0700);
	receiver.posts = 0;
	answer_with("200 OK", "", "{}");
	delivery = (struct tr2_delivery){ .target = name,
					  .kind = &tr2_kind_otlp,
					  .id = "id",
					  .otlp = &settings };
	tr2_journal_open(&journal, "spool", 64 << 20);
	tr2_journal_join(&journal, &delivery.reader, 0, 0);
	divert_errors();
	delivery.kind->open(&delivery);
}

static inline void begin_posts(void)
{
	settings = (struct tr2_otlp_settings){ .wait = 600 };
	snprintf(target, sizeof(target), "otlp:http://127.0.0.1:%d",
		 receiver.port);
	begin_output_of(target);
}

/* Returns what was said, without the name of the output. */
static inline const char *end_posts(void)
{
	static char text[1024];
	const char *said;
	size_t used = 0;

	delivery.kind->close(&delivery, false);
	restore_errors();
	tr2_journal_close(&journal);
	remove_all("spool");
	text[0] = '\0';
	for (said = file_text("errors"); *said; said = strchr(said, '\n') + 1) {
		said = strstr(said, "': ") + 3;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%.*s", (int)strcspn(said, "\n") + 1,
					 said);
	}
	return text;
}

/* False: the output accepts nothing. */
static inline bool give_line(const char *text)
{
	static char bytes[1024];
	size_t len = strlen(text);
	struct tr2_journal_reader *reader = &delivery.reader;
	ssize_t done;

	memcpy(bytes, text, len + 1);
	reader->at += len;
	reader->ahead++;
	done = delivery.kind->write(&delivery, bytes, len);
	settle_receiver();
	if (done == (ssize_t)len)
		return true;
	reader->at -= len;
	reader->ahead--;
	return false;
}

static inline bool give_event(const char *event, const char *sid)
{
	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"main\","
		 "\"code\":0,\"time\":\"2026-01-14T10:00:00.000000Z\"}\n",
		 event, sid);
	return give_line(line);
}

/* A process of one span. */
static inline void give_process(const char *sid)
{
	give_event("start", sid);
	give_event("atexit", sid);
}

static inline void wait_and_tick(uint64_t ns)
{
	pass_time(ns);
	delivery.kind->tick(&delivery);
	settle_receiver();
}

static inline void finish_posts(void)
{
	delivery.kind->finish(&delivery);
	settle_receiver();
}

#endif
