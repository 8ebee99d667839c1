#include "collect/delivery/delivery.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/delivery/spans.h"
#include "collect/journal/journal.h"
#include "collect/post/post.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define PREFIX "otlp:"
#define FULL ((size_t)1 << 20)
#define SECOND UINT64_C(1000000000) /* ns */
#define NAP 50			    /* ms */

struct otlp_output {
	struct tr2_spans spans;
	struct tr2_post post;
	struct tr2_answer answer;
	struct tr2_otlp_place done; /* as soon as there is no body */
	unsigned attempts;	    /* to post the present body */
	uint64_t again;		    /* when to try again, in ns */
	uint64_t aged;		    /* when processes were let go, in ns */
	uint32_t random;
	unsigned complained; /* bits of verdicts */
};

const char *tr2_otlp_find_url(const char *target)
{
	size_t len = strlen(PREFIX);

	return strncmp(target, PREFIX, len) ? NULL : target + len;
}

static bool matches_otlp(const char *text)
{
	return tr2_otlp_find_url(text);
}

/* After a failure, too: what was accepted is read again then. */
static int open_otlp(struct tr2_delivery *delivery)
{
	const struct tr2_otlp_settings *settings = delivery->otlp;
	struct otlp_output *output = tr2_must_zeros(sizeof(*output));
	const struct tr2_otlp_place place = { .at = delivery->reader.kept,
					      .line = delivery->reader.line };

	tr2_post_begin(&output->post, tr2_otlp_find_url(delivery->target));
	for (uint32_t i = 0; i < settings->header_count; i++)
		tr2_post_add_header(&output->post, settings->headers[i]);
	if (settings->gzip)
		tr2_post_add_header(&output->post, "Content-Encoding: gzip");
	output->post.gzip = settings->gzip;
	tr2_spans_begin(&output->spans, place, settings->wait * SECOND);
	tr2_spans_set_rest(&output->spans, settings->rest * SECOND);
	output->done = tr2_spans_find_done(&output->spans);
	output->random = (uint32_t)tr2_clock_now();
	delivery->state = output;
	return 0;
}

static bool must_stop(void *context)
{
	return tr2_delivery_must_stop(context);
}

/*
 * Tell once what the receiver says with this verdict, until it takes spans
 * without a word.
 */
static void complain_once(struct tr2_delivery *delivery,
			  enum tr2_verdict verdict, const char *what,
			  struct tr2_buf *words)
{
	struct otlp_output *output = delivery->state;
	struct tr2_buf text = TR2_BUF_INIT;

	if (output->complained & 1U << verdict)
		return;
	output->complained |= 1U << verdict;
	tr2_buf_str(&text, what);
	if (words->len) {
		tr2_buf_str(&text, ": ");
		tr2_foreign_line(&text, words->bytes, words->len);
	}
	tr2_buf_byte(&text, '\0');
	if (!text.failed)
		tr2_delivery_report(delivery, text.bytes);
	tr2_buf_release(&text);
}

static void try_later(struct tr2_delivery *delivery, struct tr2_buf *words)
{
	struct otlp_output *output = delivery->state;
	char what[sizeof(output->answer.why) + 128];

	output->attempts++;
	output->random = output->random * 1103515245 + 12345;
	output->again = tr2_clock_now() + tr2_answer_wait(&output->answer,
							  output->attempts,
							  output->random >> 16);
	if (*output->answer.place) {
		snprintf(what, sizeof(what),
			 "the receiver answered %ld; trying again, but not at "
			 "the other place that it names",
			 output->answer.status);
		tr2_buf_reset(words);
		tr2_buf_str(words, output->answer.place);
	} else if (output->answer.status) {
		snprintf(what, sizeof(what),
			 "the receiver answered %ld; trying again",
			 output->answer.status);
	} else {
		snprintf(what, sizeof(what), "%s; trying again",
			 output->answer.why);
	}
	complain_once(delivery, TR2_POST_AGAIN, what, words);
}

/* So many spans of the body are not taken. */
static void count_refused(struct tr2_delivery *delivery, uint64_t refused)
{
	struct otlp_output *output = delivery->state;
	uint64_t spans = tr2_spans_count(&output->spans),
		 events = output->spans.otlp.events -
			  output->spans.events_before;

	if (refused > spans) /* a receiver may claim anything */
		refused = spans;
	delivery->refused += refused;
	if (refused < spans) /* nobody knows which ones */
		events = (uint64_t)((double)events * (double)refused /
				    (double)spans);
	delivery->refused_events += events + (refused && !events);
}

/* The receiver will never take these spans. */
static void drop_spans(struct tr2_delivery *delivery, struct tr2_buf *words)
{
	struct otlp_output *output = delivery->state;
	char what[64];

	snprintf(what, sizeof(what), "the receiver answered %ld",
		 output->answer.status);
	complain_once(delivery, TR2_POST_REFUSED, what, words);
	count_refused(delivery, tr2_spans_count(&output->spans));
}

static void take_part(struct tr2_delivery *delivery, uint64_t refused,
		      struct tr2_buf *words)
{
	struct otlp_output *output = delivery->state;

	if (output->answer.is_unread)
		refused = tr2_spans_count(&output->spans);
	if (refused)
		count_refused(delivery, refused);
	delivery->unread += output->answer.is_unread;
	if (output->answer.is_unread)
		complain_once(delivery, TR2_POST_TAKEN,
			      "the receiver's answer cannot be read; it may "
			      "not have taken all",
			      words);
	else if (refused || words->len)
		complain_once(delivery, TR2_POST_TAKEN,
			      "the receiver took not all", words);
	else
		output->complained = 0;
}

/* True: this body is done with. */
static bool judge_answer(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;
	struct tr2_buf words = TR2_BUF_INIT;
	uint64_t refused = tr2_answer_read(&output->answer, &words);
	enum tr2_verdict verdict = tr2_answer_judge(&output->answer);

	if (verdict == TR2_POST_AGAIN)
		try_later(delivery, &words);
	else if (verdict == TR2_POST_REFUSED)
		drop_spans(delivery, &words);
	else
		take_part(delivery, refused, &words);
	tr2_buf_release(&words);
	return verdict != TR2_POST_AGAIN;
}

/* Post the body if there is one. False: it has to be tried again. */
static bool post_body(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;

	if (output->spans.body.len) {
		if (tr2_clock_now() < output->again)
			return false;
		tr2_post_send(&output->post, &output->spans.body, must_stop,
			      delivery, &output->answer);
		if (!judge_answer(delivery))
			return false;
		tr2_spans_drop_body(&output->spans);
		output->attempts = 0;
		delivery->stalled = 0;
	}
	output->done = tr2_spans_find_done(&output->spans);
	return true;
}

static void age_spans(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;
	uint64_t now = tr2_clock_now();

	if (now - output->aged < SECOND / 2)
		return;
	output->aged = now;
	tr2_spans_let_go(
		&output->spans,
		tr2_journal_find_marks(delivery->reader.journal).first);
	delivery->outside = tr2_spans_count_outside(&output->spans);
}

/* True: more lines may be read. */
static bool post_if_due(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;
	const struct tr2_spans *spans = &output->spans;

	age_spans(delivery);
	if (spans->body.len && spans->body.len < FULL &&
	    tr2_clock_now() - spans->since < SECOND)
		return true;
	return post_body(delivery);
}

static void tick_otlp(struct tr2_delivery *delivery)
{
	post_if_due(delivery);
}

static ssize_t write_otlp(struct tr2_delivery *delivery, const char *bytes,
			  size_t len)
{
	struct otlp_output *output = delivery->state;
	const struct tr2_journal_reader *reader = &delivery->reader;
	const char *end = tr2_text_find_end(bytes, len);
	uint64_t number = reader->line + reader->ahead;

	if (!post_if_due(delivery)) {
		tr2_clock_sleep(NAP);
		return 0;
	}
	if (end)
		number -= tr2_text_count_lines(bytes, (size_t)(end - bytes));
	tr2_spans_read(&output->spans, reader->at - len, number, bytes, len);
	return (ssize_t)len;
}

static struct tr2_otlp_place find_done(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;

	if (!output->spans.body.len)
		output->done = tr2_spans_find_done(&output->spans);
	return output->done;
}

/* Post what is complete; the rest stays in the journal. */
static void finish_otlp(struct tr2_delivery *delivery)
{
	struct otlp_output *output = delivery->state;

	tr2_otlp_put_ended(&output->spans.otlp, UINT64_MAX); /* all */
	while (!post_body(delivery) && !tr2_delivery_must_stop(delivery))
		tr2_clock_sleep(NAP);
	delivery->outside = tr2_spans_count_outside(&output->spans);
}

static void close_otlp(struct tr2_delivery *delivery, bool failed)
{
	struct otlp_output *output = delivery->state;

	(void)failed;
	tr2_post_release(&output->post);
	tr2_spans_release(&output->spans);
	tr2_answer_release(&output->answer);
	free(output);
	delivery->state = NULL;
}

const struct tr2_output_kind tr2_kind_otlp = {
	.matches = matches_otlp,
	.open = open_otlp,
	.write = write_otlp,
	.tick = tick_otlp,
	.close = close_otlp,
	.finish = finish_otlp,
	.find_done = find_done,
};
