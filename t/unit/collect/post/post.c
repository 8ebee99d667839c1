/*
 * One POST, with a libcurl of the test's own: what it is asked to do, and what
 * becomes of its answer.
 */
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "host/host.h"
#include "read/json/tokens.h"
#include "collect/post/curl_kit.h"

static struct tr2_post post;
static struct tr2_answer answer;
static struct tr2_host host;

/*
 * ---- The begin
 */

static const char *find_url(const char *base)
{
	static char url[128];

	tr2_post_begin(&post, base);
	snprintf(url, sizeof(url), "%s", curl.url);
	tr2_post_release(&post);
	return url;
}

static void test_urls(void)
{
	tap_str(find_url("http://a"), "http://a/v1/traces",
		"a post goes to the path of OTLP");
	tap_str(find_url("http://a:4318//"), "http://a:4318/v1/traces",
		"slashes at the end of a URL do not count");
	tap_str(find_url("https://a/b"), "https://a/b/v1/traces",
		"a receiver may have a path of its own");
	tap_str(find_url("http://a/v1/traces"), "http://a/v1/traces",
		"a URL may have the path already");
	tap_str(find_url("http://a/v1/traces/"), "http://a/v1/traces",
		"also with a slash after it");
	tap_str(find_url("http://a/v1/traced"), "http://a/v1/traced/v1/traces",
		"another path that looks like it is a receiver's own");
}

static void test_options(void)
{
	const struct curl_slist *list;

	curl.follows = 1;
	tr2_post_begin(&post, "http://a");
	tr2_post_add_header(&post, "A: b");
	list = post.list;
	tap_int(curl.post, 1, "it is a POST");
	tap_int(curl.follows, 0, "a token goes to no other server");
	tap_int(curl.no_signal, 1, "no signal of the process is used");
	tap_int(curl.connect_ms, 5000, "a connection may take 5 s");
	tap_int(curl.answer_ms, 30000, "an answer may take 30 s");
	tap_int(curl.no_progress, 0, "it can be stopped");
	tap_str(curl.agent, "trace2-collect", "a receiver sees who posts");
	tap_str(list->data, "Content-Type: application/json",
		"what is posted is JSON");
	tap_str(list->next->data, "Expect:", "it does not wait for a go-ahead");
	tap_str(list->next->next->data, "A: b", "headers are added");
	tap_ok(!list->next->next->next, "and there are no others");
	tr2_post_release(&post);
	tap_int(curl.handles, 0, "the connection is closed in the end");
}

/*
 * ---- One POST
 */

static struct tr2_buf json;

static void send_text(const char *text)
{
	tr2_buf_reset(&json);
	tr2_buf_str(&json, text);
	tr2_post_send(&post, &json, NULL, NULL, &answer);
}

static void begin_post(void)
{
	memset(&curl, 0, sizeof(curl));
	curl.answer = "";
	tr2_post_begin(&post, "http://a");
}

static void end_post(void)
{
	tr2_post_release(&post);
	tr2_answer_release(&answer);
	memset(&answer, 0, sizeof(answer));
}

/* More than is kept: the rest is not waited for, as it may never end. */
static void test_long_answer(void)
{
	char padding[TR2_TOKENS_PADDING] = "";
	size_t most = (size_t)64 << 10;

	begin_post();
	curl.status = 200;
	curl.fill = 100000;
	send_text("{}");
	tap_int((intmax_t)answer.body.len,
		(intmax_t)(most + TR2_TOKENS_PADDING),
		"64 KiB of an answer are kept");
	tap_bytes(answer.body.bytes + most, sizeof(padding), padding,
		  sizeof(padding), "and can be parsed");
	tap_ok(curl.kept <= most, "no more of it is read");
	tap_int(answer.status, 200, "which does not change what it says");
	end_post();
}

/* A transfer that failed: what is there of an answer decides. */
static void test_half_answers(void)
{
	static const struct {
		CURLcode code;
		long status, wanted;
	} rows[] = {
		{ CURLE_OPERATION_TIMEDOUT, 200, 200 },
		{ CURLE_PARTIAL_FILE, 200, 200 },
		{ CURLE_RECV_ERROR, 400, 400 },
		{ CURLE_OPERATION_TIMEDOUT, 503, 503 },
		{ CURLE_OPERATION_TIMEDOUT, 100, 0 },
		{ CURLE_GOT_NOTHING, 0, 0 },
	};
	int i, wrong = 0;

	for (i = 0; i < (int)(sizeof(rows) / sizeof(rows[0])); i++) {
		begin_post();
		curl.code = rows[i].code;
		curl.status = rows[i].status;
		send_text("{}");
		wrong += answer.status != rows[i].wanted;
		end_post();
	}
	tap_int(wrong, 0, "a status counts although its body never ends");
}

static void test_redirection(void)
{
	char place[] = "file:///etc/passwd";

	begin_post();
	curl.status = 302;
	curl.place = place;
	send_text("{}");
	tap_str(answer.place, place, "the place of a redirection can be told");
	curl.place = NULL;
	send_text("{}");
	tap_str(answer.place, "", "and is forgotten afterwards");
	end_post();
}

static int stops_after; /* so many questions */

static bool stop_later(void *context)
{
	return *(int *)context == 7 && !stops_after--;
}

static void test_stop(void)
{
	int seven = 7;

	begin_post();
	tr2_buf_str(&json, "{}");
	curl.asks = 5;
	stops_after = 2;
	tr2_post_send(&post, &json, stop_later, &seven, &answer);
	tap_int(curl.stopped, 1, "a post is stopped when its owner wants that");
	tap_str(answer.why, "stopped", "which is the reason then");
	stops_after = 100;
	tr2_post_send(&post, &json, stop_later, &seven, &answer);
	tap_int(curl.stopped, 0, "otherwise it goes on");
	tr2_post_send(&post, &json, NULL, NULL, &answer);
	tap_int(curl.stopped, 0, "an owner need not be asked");
	end_post();
}

/*
 * ---- No memory
 */

static int fails; /* that call for memory */

static void *fail_realloc(void *old, size_t size)
{
	return fails && !--fails ? NULL : realloc(old, size);
}

static void begin_alone(void)
{
	tr2_post_begin(&post, "http://a");
}

static void add_header(void)
{
	tr2_post_add_header(&post, "A: b");
}

static void send_empty(void)
{
	send_text("{}");
}

/* Returns the exit status of a child that does this. */
static int run_child(void (*part)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		tap_need(freopen("/dev/null", "w", stderr));
		part();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_no_memory(void)
{
	begin_post();
	send_text("{}");
	curl.has_none = 1;
	tap_int(run_child(begin_alone), 3,
		"a connection without memory ends the command");
	tap_int(run_child(add_header), 3, "so does a header");
	curl.has_none = 0;
	fails = 1;
	tap_int(run_child(begin_alone), 3, "so does a URL");
	post.gzip = true;
	tap_int(run_child(send_empty), 3, "so does a compressed text");
	post.gzip = false;
	tr2_answer_release(&answer);
	tap_int(run_child(send_empty), 3, "so does an answer");
	fails = 0;
	tap_int(run_child(send_empty), 0, "with memory nothing ends it");
	end_post();
}

int main(void)
{
	host = *tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	install_fake();
	tap_run(test_urls, test_options, test_long_answer, test_half_answers,
		test_redirection, test_stop, test_no_memory);
	tr2_buf_release(&json);
	return tap_done();
}
