/* An output that posts spans: when it posts, and what an answer means. */
#include "collect/delivery/otlp_kit.h"

/*
 * ---- When it posts
 */

/* Is each brace and bracket of the JSON closed? */
static bool is_closed(const char *json)
{
	int depth = 0;

	for (; *json; json++)
		depth += (*json == '{' || *json == '[') -
			 (*json == '}' || *json == ']');
	return !depth;
}

static void test_times(void)
{
	begin_posts();
	delivery.kind->tick(&delivery);
	tap_int(receiver.posts, 0, "nothing is posted without a span");
	give_process("a");
	delivery.kind->tick(&delivery);
	give_process("b");
	tap_int(receiver.posts, 0, "a span waits for others");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 1, "for a second");
	tap_ok(!strncmp(receiver.head, "POST /v1/traces HTTP/1.1\r\n", 26),
	       "it is posted to the path of OTLP");
	tap_ok(strstr(receiver.head, "\r\nContent-Type: application/json\r\n"),
	       "as JSON");
	tap_ok(!strncmp(receiver.body, "{\"resourceSpans\":[{", 19) &&
		       !strcmp(receiver.body + receiver.len - 2, "]}"),
	       "with the others");
	tap_ok(is_closed(receiver.body), "as one whole text");
	tap_ok(!strstr(receiver.head, "Content-Encoding"),
	       "which is not compressed if nobody wants it");
	wait_and_tick(SECONDS(2));
	tap_int(receiver.posts, 1, "it is posted once");
	give_process("c");
	finish_posts();
	tap_int(receiver.posts, 2, "the end posts at once");
	tap_int((intmax_t)delivery.refused, 0, "nothing is refused");
	tap_str(end_posts(), "", "and nothing is said");
}

static void test_full_body(void)
{
	char sid[16];
	int i;

	begin_posts();
	for (i = 0; i < 10000 && !receiver.posts; i++) {
		snprintf(sid, sizeof(sid), "s%d", i);
		give_process(sid);
	}
	tap_int(receiver.posts, 1, "many spans do not wait");
	tap_ok(receiver.len >= 1 << 20 && receiver.len < 3 << 19,
	       "if they have a MiB");
	end_posts();
}

static void test_settings(void)
{
	begin_posts();
	delivery.kind->close(&delivery, false);
	settings.headers[0] = "A: 1";
	settings.headers[1] = "B: 2";
	settings.header_count = 1;
	settings.gzip = true;
	delivery.kind->open(&delivery);
	give_process("a");
	finish_posts();
	tap_ok(strstr(receiver.head, "\r\nA: 1\r\n") &&
		       !strstr(receiver.head, "\r\nB: 2\r\n"),
	       "a post has the headers that were set");
	tap_ok(strstr(receiver.head, "\r\nContent-Encoding: gzip\r\n") &&
		       !memcmp(receiver.body, "\x1f\x8b", 2),
	       "and may be compressed");
	end_posts();
}

/*
 * ---- Places
 */

static uint64_t find_place(void)
{
	return delivery.kind->find_done(&delivery).at;
}

static void test_outside(void)
{
	begin_posts();
	give_line("junk\n");
	tap_ok(find_place() == delivery.reader.at,
	       "what is in no span is done with");
	give_process("a");
	finish_posts();
	tap_int((intmax_t)delivery.outside, 1, "lines in no span are counted");
	give_event("error", "a");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.outside, 2, "now and then");
	end_posts();
}

/*
 * ---- Answers
 */

static void test_again(void)
{
	uint64_t begin;

	begin_posts();
	answer_with("503 Busy", "", "{\"message\":\"too \\u001b busy\"}");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 1, "a receiver may be busy");
	begin = clock_now();
	tap_ok(!give_event("start", "b"), "then nothing more is accepted");
	tap_ok(clock_now() - begin >= CLOCK_SECOND / 20,
	       "and an output that is asked takes a nap");
	delivery.kind->tick(&delivery);
	tap_int(receiver.posts, 1, "nor is a post tried again at once");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 2, "but it is soon after");
	answer_with("200 OK", "", "{}");
	wait_and_tick(SECONDS(2));
	tap_int(receiver.posts, 3, "until it is taken");
	tap_ok(strstr(receiver.body, "resourceSpans") != NULL,
	       "with the same spans");
	tap_ok(give_event("start", "b"), "then it goes on");
	tap_int((intmax_t)delivery.refused, 0, "nothing was refused");
	tap_str(end_posts(),
		"the receiver answered 503; trying again: too ? busy\n",
		"what it says is told once");
}

/* The receiver wants to be asked after 7 s. */
static void test_wanted_wait(void)
{
	begin_posts();
	answer_with("429 Slow", "Retry-After: 7\r\n", "");
	give_process("a");
	wait_and_tick(SECONDS(1));
	wait_and_tick(SECONDS(6));
	tap_int(receiver.posts, 1, "a receiver may tell when to try again");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 2, "then it is asked again");
	tap_str(end_posts(), "the receiver answered 429; trying again\n",
		"it need not say more");
}

static void test_refused(void)
{
	begin_posts();
	answer_with("400 Bad", "", "{\"message\":\"bad\"}");
	give_process("a");
	give_process("b");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.refused, 2, "spans may be refused");
	tap_ok(find_place() == delivery.reader.at, "then they are done with");
	wait_and_tick(SECONDS(60));
	tap_int(receiver.posts, 1, "and are not posted again");
	give_process("c");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.refused, 3, "each is counted once");
	tap_str(end_posts(), "the receiver answered 400: bad\n",
		"the reason is told once");
}

static void test_refused_in_part(void)
{
	begin_posts();
	answer_with("200 OK", "",
		    "{\"partialSuccess\":{\"rejectedSpans\":\"3\","
		    "\"errorMessage\":\"too old\"}}");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.refused, 1,
		"a receiver does not take more spans than it got");
	give_process("b");
	wait_and_tick(SECONDS(1));
	answer_with("200 OK", "", "{}");
	give_process("c");
	wait_and_tick(SECONDS(1));
	answer_with("200 OK", "",
		    "{\"partialSuccess\":{\"errorMessage\":\"take care\"}}");
	give_process("d");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.refused, 2, "a receiver may take all");
	answer_with("200 OK", "", "{\"partialSuccess\":{\"rejectedSpans\":1}}");
	give_process("e");
	wait_and_tick(SECONDS(1));
	tap_int((intmax_t)delivery.refused, 3,
		"a receiver may refuse without a word");
	tap_str(end_posts(),
		"the receiver took not all: too old\n"
		"the receiver took not all: take care\n",
		"it is told again after all were taken without a word");
}

static void test_no_receiver(void)
{
	uint64_t begin, waited;

	begin_posts();
	delivery.kind->close(&delivery, false);
	delivery.target = "otlp:http://127.0.0.1:1";
	delivery.kind->open(&delivery);
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_ok(find_place() == 0, "without a receiver all stays");
	tr2_journal_end(&journal);
	begin = clock_now();
	waited = clock_waited;
	finish_posts();
	tap_ok(clock_now() - begin > SECONDS(2), "the end waits 2 s for it");
	tap_ok(clock_waited - waited > SECONDS(1), "and sleeps meanwhile");
	tap_ok(clock_now() - begin < SECONDS(30), "and not much longer");
	tap_ok(find_place() == 0, "then all stays for the next run");
	tap_ok(strstr(end_posts(), "; trying again\n") != NULL,
	       "the failure is told");
}

/* The list of what was posted cannot be read. */
static void test_no_list(void)
{
	begin_posts();
	delivery.kind->close(&delivery, false);
	unlink("spool/id.posted");
	mkdir("spool/id.posted", 0700);
	tap_int(delivery.kind->open(&delivery), 0,
		"an output works without its list");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 1, "and posts");
	tap_str(end_posts(),
		"'spool/id.posted' is not a regular file; remove it\n",
		"but tells why it has none");
}

/* What was posted is read again after a restart. */
static void test_restart(void)
{
	begin_posts();
	give_event("start", "open");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 1, "a process is posted");
	delivery.kind->close(&delivery, false);
	delivery.reader.at = delivery.reader.ahead = 0;
	delivery.kind->open(&delivery);
	give_event("start", "open");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 1, "and not again after a restart");
	give_event("atexit", "open");
	wait_and_tick(SECONDS(1));
	tap_int(receiver.posts, 2, "as one is that was open");
	end_posts();
}

int main(void)
{
	int before = count_descriptors();

	setenv("no_proxy", "*", 1);
	enter_directory();
	if (tr2_post_load()) {
		tap_skip("spans are posted", "needs libcurl");
	} else {
		begin_receiver();
		test_times();
		test_full_body();
		test_settings();
		test_outside();
		test_again();
		test_wanted_wait();
		test_refused();
		test_refused_in_part();
		test_no_receiver();
		test_no_list();
		test_restart();
		end_receiver();
	}
	tap_int(count_descriptors(), before,
		"no output that posts leaves a descriptor open");
	leave_directory();
	return tap_done();
}
