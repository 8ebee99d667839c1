/* What a receiver's answer means, and what a user may name. */
#include "kit/tap.h"

#include "read/json/tokens.h"
#include "collect/post/post.h"

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
		{ 302, TR2_POST_AGAIN },   { 400, TR2_POST_REFUSED },
		{ 408, TR2_POST_REFUSED }, { 500, TR2_POST_REFUSED },
		{ 501, TR2_POST_REFUSED }, { 299, TR2_POST_TAKEN },
		{ 199, TR2_POST_REFUSED }, { 300, TR2_POST_AGAIN },
		{ 399, TR2_POST_AGAIN },   { 505, TR2_POST_REFUSED },
		{ 430, TR2_POST_REFUSED },
	};
	size_t i;
	int wrong = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		answer.status = rows[i].status;
		if (tr2_answer_judge(&answer) == rows[i].verdict)
			continue;
		printf("# status %ld\n", rows[i].status);
		wrong++;
	}
	tap_int(wrong, 0, "each status has the meaning that OTLP gives it");
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
	tap_ok(read_answer("{\"partialSuccess\":{\"x\":1,\"rejectedSpans\":"
			   "\"18446744073709551615\",\"y\":2},\"z\":3}") ==
		       UINT64_MAX,
	       "the number may be the largest there is");
	read_answer("{\"message\":\"a\",\"partialSuccess\":{"
		    "\"errorMessage\":\"b\"},\"message\":\"c\"}");
	tap_str(show_words(), "ab", "an answer may have words of both kinds");
}

static void test_waits(void)
{
	answer.wait = 0;
	tap_ok(tr2_answer_wait(&answer, 1, 0) == 125 * MS,
	       "the first wait is at least an eighth of a second");
	tap_ok(tr2_answer_wait(&answer, 1, 1023) < 375 * MS,
	       "and less than three of them");
	tap_ok(tr2_answer_wait(&answer, 2, 0) == 250 * MS &&
		       tr2_answer_wait(&answer, 3, 0) == 500 * MS &&
		       tr2_answer_wait(&answer, 7, 0) == 8000 * MS,
	       "each wait is twice the one before");
	tap_ok(tr2_answer_wait(&answer, 1, 512) > 245 * MS &&
		       tr2_answer_wait(&answer, 1, 512) < 255 * MS,
	       "half of the chance is half of the span");
	tap_ok(tr2_answer_wait(&answer, 1, 1024) == 125 * MS,
	       "only ten bits of the chance count");
	tap_ok(tr2_answer_wait(&answer, 8, 0) == 15000 * MS &&
		       tr2_answer_wait(&answer, 9, 0) == 15000 * MS,
	       "the longest wait is half a minute, less a half");
	tap_ok(tr2_answer_wait(&answer, 4000000000, 1023) < 45000 * MS &&
		       tr2_answer_wait(&answer, 4000000000, 1023) > 44900 * MS,
	       "or nearly three quarters of a minute");
	answer.wait = 7;
	tap_ok(tr2_answer_wait(&answer, 1, 5) == 7000 * MS,
	       "what the receiver asks for comes first");
	answer.wait = 600;
	tap_ok(tr2_answer_wait(&answer, 1, 5) == 600000 * MS,
	       "for ten minutes, if it wants that");
	answer.wait = 1000000;
	tap_ok(tr2_answer_wait(&answer, 1, 5) == 600000 * MS,
	       "but not for longer than ten minutes");
}

static bool is_url(const char *url)
{
	return !tr2_post_check_url(url);
}

static void test_urls(void)
{
	static const char expected[] =
		"expected http://HOST:PORT or https://HOST, not";

	tap_ok(is_url("http://localhost:4318"), "a URL has a host and a port");
	tap_ok(is_url("https://h"), "the port may be the usual one");
	tap_ok(is_url("http://[::1]:4318"), "the host may be an address");
	tap_ok(is_url("https://host/path/@x"), "a URL may have a path");
	tap_ok(is_url("http://h~/!"), "a URL may have each printable byte");
	tap_str(tr2_post_check_url("http:///path"), expected,
		"a URL without a host is refused");
	tap_ok(!is_url("http://") && !is_url("https://"),
	       "so is one with nothing");
	tap_ok(!is_url("http://:4318"), "and one with a port alone");
	tap_ok(!is_url("http://a b") && !is_url("http://a\tb") &&
		       !is_url("http://a\x7f"),
	       "a URL has no blanks");
	tap_str(tr2_post_check_url("http://h\xc3\xa9"), expected,
		"nor bytes beyond ASCII");
	tap_ok(!is_url("http://h?a") && !is_url("http://h/p#a"),
	       "nor a query, nor a fragment");
	tap_str(tr2_post_check_url("http://me@host/"),
		"a password belongs into otlp-header, not into a URL",
		"a user in a URL is refused with advice");
	tap_ok(!is_url("file:///etc/passwd") && !is_url("httpx://h") &&
		       !is_url("https:/ab") && !is_url("http:/ab") &&
		       !is_url("h") && !is_url(""),
	       "another scheme is refused");
}

static bool is_header(const char *text)
{
	return !tr2_post_check_header(text);
}

static void test_headers(void)
{
	tap_ok(is_header("X-A_b9: c: d"), "a header has a name and a value");
	tap_ok(is_header("A:"), "the value may be empty");
	tap_ok(is_header("A: \xc3\xa9 ~"), "or have each printable byte");
	tap_str(tr2_post_check_header("A: b\n"),
		"expected NAME: VALUE after otlp-header",
		"a line end in a header is refused");
	tap_ok(!is_header("A: b\x1f"), "so is each control character");
	tap_ok(!is_header("A b: c") && !is_header("A\xc3: c") &&
		       !is_header("A/: c") && !is_header("/A: c"),
	       "and a blank or a sign in a name");
	tap_ok(!is_header(": c") && !is_header("A") && !is_header(""),
	       "a header without a name or a colon is refused");
}

int main(void)
{
	tap_run(test_verdicts, test_words, test_waits, test_urls, test_headers);
	tr2_answer_release(&answer);
	tr2_buf_release(&words);
	return tap_done();
}
