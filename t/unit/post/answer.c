/* What a receiver's answer means, and what a user may name. */
#include "kit/tap.h"

#include "json/tokens.h"
#include "post/post.h"

#define MS UINT64_C(1000000)

static struct tr2_answer answer;
static struct tr2_buf words;

static void test_verdicts(void)
{
	static const struct {
		long status;
		enum tr2_verdict verdict;
	} rows[] = {
		{ 200, TR2_POST_TAKEN },   { 202, TR2_POST_TAKEN },
		{ 0, TR2_POST_AGAIN },	   { 429, TR2_POST_AGAIN },
		{ 502, TR2_POST_AGAIN },   { 503, TR2_POST_AGAIN },
		{ 504, TR2_POST_AGAIN },   { 100, TR2_POST_REFUSED },
		{ 302, TR2_POST_REFUSED }, { 400, TR2_POST_REFUSED },
		{ 408, TR2_POST_REFUSED }, { 500, TR2_POST_REFUSED },
		{ 501, TR2_POST_REFUSED },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		answer.status = rows[i].status;
		tap_ok(tr2_answer_judge(&answer) == rows[i].verdict,
		       "the status has the meaning that OTLP gives it");
	}
}

static uint64_t read_answer(const char *body)
{
	tr2_buf_reset(&answer.body);
	tr2_buf_reset(&words);
	tr2_buf_str(&answer.body, body);
	tr2_buf_fill(&answer.body, '\0', TR2_TOKENS_PADDING);
	return tr2_answer_read(&answer, &words);
}

static const char *show_words(void)
{
	tr2_buf_byte(&words, '\0');
	return words.bytes;
}

static void test_words(void)
{
	tap_ok(read_answer("{\"partialSuccess\":{\"rejectedSpans\":\"12\","
			   "\"errorMessage\":\"a\\u0041\\n\"}}") == 12,
	       "spans that were not taken are a number in a text");
	tap_str(show_words(), "aA\n", "and have a reason");
	tap_ok(read_answer("{ \"x\": [1, {}], \"partialSuccess\" : "
			   "{\"errorMessage\":\"\",\"rejectedSpans\":7}}") == 7,
	       "or a number, after what nobody knows");
	tap_ok(!words.len, "without a reason");
	tap_ok(!read_answer("{\"code\":3,\"message\":\"bad\"}"),
	       "an error has no number");
	tap_str(show_words(), "bad", "but words");
}

static void test_other_bodies(void)
{
	static const char *const bodies[] = {
		"",
		"{}",
		"[]",
		"3",
		"{",
		"{\"partialSuccess\":[]}",
		"{\"partialSuccess\":{\"rejectedSpans\":{}}}",
		"{\"partialSuccess\":{\"rejectedSpans\":-1}}",
		"{\"message\":7}",
		"{} {}",
		"\xff",
	};
	size_t i;

	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		tap_ok(!read_answer(bodies[i]) && !words.len,
		       "another body says nothing");
}

static void test_waits(void)
{
	answer.wait = 0;
	tap_ok(tr2_answer_wait(&answer, 1, 0) == 125 * MS,
	       "the first wait is at least an eighth of a second");
	tap_ok(tr2_answer_wait(&answer, 1, 1023) < 375 * MS,
	       "and less than three of them");
	tap_ok(tr2_answer_wait(&answer, 3, 0) == 500 * MS, "each one doubles");
	tap_ok(tr2_answer_wait(&answer, 4000000000, 1023) < 45000 * MS,
	       "up to three quarters of a minute");
	answer.wait = 7;
	tap_ok(tr2_answer_wait(&answer, 1, 5) == 7000 * MS,
	       "what the receiver asks for comes first");
	answer.wait = 1000000;
	tap_ok(tr2_answer_wait(&answer, 1, 5) == 600000 * MS,
	       "but not for longer than ten minutes");
}

static void test_names(void)
{
	tap_ok(!tr2_post_check_url("http://localhost:4318"), "a URL");
	tap_ok(!tr2_post_check_url("https://host/path/@x"), "one with a path");
	tap_ok(tr2_post_check_url("http:///path") != NULL, "a host is needed");
	tap_ok(tr2_post_check_url("http://a\tb") != NULL, "a tab is refused");
	tap_ok(tr2_post_check_url("http://h\xc3\xa9") != NULL,
	       "and other bytes");
	tap_ok(tr2_post_check_url("http://me@host") != NULL, "and a user");
	tap_ok(tr2_post_check_url("file:///etc/passwd") != NULL, "and a file");
	tap_ok(!tr2_post_check_header("X-A_b: c: d"), "a header");
	tap_ok(!tr2_post_check_header("A:"), "one without a value");
	tap_ok(tr2_post_check_header("A: b\n") != NULL,
	       "a line end is refused");
	tap_ok(tr2_post_check_header("A b: c") != NULL,
	       "and a blank in a name");
	tap_ok(tr2_post_check_header("") != NULL, "and nothing");
}

int main(void)
{
	test_verdicts();
	test_words();
	test_other_bodies();
	test_waits();
	test_names();
	tr2_answer_release(&answer);
	tr2_buf_release(&words);
	return tap_done();
}
