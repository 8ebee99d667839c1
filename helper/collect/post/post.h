/*
 * post.h - the room that posts a text to an HTTP server, by libcurl, and tells
 * what the answer means to OTLP.
 *
 *	curl.c    libcurl, loaded when it is needed first
 *	post.c    a connection to one server, and a POST
 *	answer.c  what an answer means, and when to try again
 *
 * libcurl brings some thirty other libraries, which would make each start of
 * `trace2` several times as slow, so it is loaded at run time and is not
 * needed for anything else. The room knows nothing of logs, outputs or
 * options.
 */
#ifndef TR2_POST_POST_H
#define TR2_POST_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct tr2_post {
	void *curl, *list; /* of libcurl: a handle, and headers */
	struct tr2_buf url, zipped;
	bool gzip; /* compress what is posted */
};

/* What a server answered. */
struct tr2_answer {
	long status;   /* of HTTP; 0: there was no answer */
	uint64_t wait; /* s until the server wants another attempt, or 0 */
	struct tr2_buf
		body;	 /* the first 64 KiB, and TR2_TOKENS_PADDING bytes */
	char why[256];	 /* there was no answer */
	char place[256]; /* where the server sends us, which is not obeyed */
	bool is_unread;	 /* the body is cut, too long, or no JSON */
};

enum tr2_verdict {
	TR2_POST_TAKEN,	  /* some spans may have been refused */
	TR2_POST_AGAIN,	  /* try again later */
	TR2_POST_REFUSED, /* not to be tried again */
};

/*
 * Load libcurl. NULL, or the reason why that is not possible. The first call
 * comes before there are threads.
 */
const char *tr2_post_load(void);

/*
 * Can this be the URL of a server? NULL, or what was expected. A password in
 * it is refused, because URLs are shown.
 */
const char *tr2_post_check_url(const char *url);

/* Returns the bytes of the URL before what is added to it when it lacks it. */
size_t tr2_post_measure_url(const char *url);

/* "Name: value". NULL, or what was expected. */
const char *tr2_post_check_header(const char *text);

/*
 * Begin with the base URL of an OTLP receiver; its POSTs go to /v1/traces
 * there. libcurl is loaded. A post belongs to one thread at a time.
 */
void tr2_post_begin(struct tr2_post *post, const char *url);
void tr2_post_add_header(struct tr2_post *post, const char *text);
void tr2_post_release(struct tr2_post *post);

/*
 * Post the JSON, and wait for the answer for at most 30 s, or until `stop`
 * returns true, which is asked about once a second.
 */
void tr2_post_send(struct tr2_post *post, const struct tr2_buf *json,
		   bool (*stop)(void *context), void *context,
		   struct tr2_answer *answer);

/* The following is in answer.c. SPEC of OTLP/HTTP: "Failures". */
enum tr2_verdict tr2_answer_judge(const struct tr2_answer *answer);

/*
 * What a receiver says about spans that it did not take; `text` gets its
 * words, if there are any. Returns how many, 0 without a number.
 */
uint64_t tr2_answer_read(struct tr2_answer *answer, struct tr2_buf *text);

/*
 * The ns until attempt number `attempt`, from 1, with `random` as the source
 * of the jitter, so that many senders do not come back at once.
 */
uint64_t tr2_answer_wait(const struct tr2_answer *answer, unsigned attempt,
			 uint32_t random);

void tr2_answer_release(struct tr2_answer *answer);

#endif
