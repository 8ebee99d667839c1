/*
 * One POST, with a libcurl of the test's own: what it is asked to do, what
 * becomes of its answer and what that means, and what a user may name. post.txt
 * has the cases.
 */
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "collect/post/curl_kit.h"
#include "host/host.h"
#include "kit/script.h"
#include "read/json/tokens.h"

#define MS UINT64_C(1000000)

static struct tr2_post post;
static struct tr2_answer answer;
static struct tr2_buf words, json;
static bool is_begun;

/*
 * ---- Answers
 */

static const char *judge_status(char **word)
{
	enum tr2_verdict verdict;

	answer.status = script_number(word[0], 0);
	verdict = tr2_answer_judge(&answer);
	return verdict == TR2_POST_TAKEN   ? "taken"
	       : verdict == TR2_POST_AGAIN ? "again"
					   : "refused";
}

/* How many spans were not taken, and the words. */
static const char *read_answer(char **word)
{
	uint64_t spans;

	tr2_buf_reset(&answer.body);
	tr2_buf_reset(&words);
	tr2_buf_str(&answer.body, word[0]);
	tr2_buf_fill(&answer.body, '\0', TR2_TOKENS_PADDING);
	spans = tr2_answer_read(&answer, &words);
	return script_say("%ju %.*s", (uintmax_t)spans, (int)words.len,
			  words.len ? words.bytes : "");
}

/* `wait TRY CHANCE SECONDS`: that the receiver asks for; in ms. */
static const char *find_wait(char **word)
{
	answer.wait = (uint64_t)script_number(word[2], 0);
	return script_say_number((
		intmax_t)(tr2_answer_wait(&answer,
					  (unsigned)strtoul(word[0], NULL, 10),
					  (uint32_t)script_number(word[1], 0)) /
			  MS));
}

static const char *check_url(char **word)
{
	const char *why = tr2_post_check_url(word[0]);

	return why ? why : "good";
}

static const char *check_header(char **word)
{
	const char *why = tr2_post_check_header(word[0]);

	return why ? why : "good";
}

/*
 * ---- A POST
 */

static const char *end_post(SCRIPT_NONE)
{
	if (is_begun)
		tr2_post_release(&post);
	is_begun = false;
	tr2_answer_release(&answer);
	memset(&answer, 0, sizeof(answer));
	return NULL;
}

static const char *begin_post(char **word)
{
	tr2_post_begin(&post, word[0]);
	is_begun = true;
	return NULL;
}

static const char *find_place(char **word)
{
	static char url[128];

	begin_post(word);
	snprintf(url, sizeof(url), "%s", curl.url);
	end_post(NULL);
	return url;
}

static const char *add_header(char **word)
{
	tr2_post_add_header(&post, word[0]);
	return NULL;
}

/* What libcurl was told. */
static const char *tell_options(SCRIPT_NONE)
{
	static char headers[256];
	const struct curl_slist *list = post.list;

	for (*headers = '\0'; list; list = list->next)
		strcat(strcat(headers, *headers ? "|" : ""), list->data);
	return script_say("%s, follows %ld, no signal %ld, %ld ms, %ld ms, "
			  "progress %d, %s: %s",
			  curl.post == 1 ? "POST" : "?", curl.follows,
			  curl.no_signal, curl.connect_ms, curl.answer_ms,
			  !curl.no_progress, curl.agent, headers);
}

static const char *count_handles(SCRIPT_NONE)
{
	return script_say_number(curl.handles);
}

/* `answers STATUS CODE FILL`: of libcurl; so many bytes more. */
static const char *set_answer(char **word)
{
	curl.status = script_number(word[0], 0);
	curl.code = (CURLcode)script_number(word[1], 0);
	curl.fill = (size_t)script_number(word[2], 0);
	return NULL;
}

static const char *set_place(char **word)
{
	static char place[64];

	snprintf(place, sizeof(place), "%s", word[0]);
	curl.place = *place ? place : NULL;
	return NULL;
}

static const char *tell_place(SCRIPT_NONE)
{
	return answer.place;
}

static const char *set_asks(char **word)
{
	curl.asks = (int)script_number(word[0], 0);
	return NULL;
}

static void send_with(bool (*stop)(void *), void *context)
{
	tr2_buf_reset(&json);
	tr2_buf_str(&json, "{}");
	tr2_post_send(&post, &json, stop, context, &answer);
}

static const char *send_text(SCRIPT_NONE)
{
	send_with(NULL, NULL);
	return curl.stopped ? "stopped" : script_say_number(answer.status);
}

static bool stop_later(void *left)
{
	return !(*(int *)left)--;
}

/* The owner wants it to stop after so many questions. */
static const char *send_stopping(char **word)
{
	int left = (int)script_number(word[0], 0);

	send_with(stop_later, &left);
	return curl.stopped ? answer.why : "goes on";
}

static const char *tell_body(SCRIPT_NONE)
{
	static const char padding[TR2_TOKENS_PADDING];
	const size_t most = (size_t)64 << 10;
	const bool is_padded =
		answer.body.len == most + TR2_TOKENS_PADDING &&
		!memcmp(answer.body.bytes + most, padding, sizeof(padding));

	return script_say("%zu KiB, %s, %s", answer.body.len >> 10,
			  is_padded ? "padded" : "bare",
			  curl.kept <= most ? "no more" : "more");
}

/*
 * ---- No memory
 */

static int fails; /* that call for memory */

static void *fail_realloc(void *old, size_t size)
{
	return fails && !--fails ? NULL : realloc(old, size);
}

static const char *fail_memory(char **word)
{
	fails = (int)script_number(word[0], 0);
	return NULL;
}

static const char *take_curl(char **word)
{
	curl.has_none = !*word[0];
	return NULL;
}

static const char *compress_posts(SCRIPT_NONE)
{
	post.gzip = true;
	return NULL;
}

/* The exit status of a child that does this. */
static const char *do_in_child(char **word)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		tap_need(freopen("/dev/null", "w", stderr));
		if (!strcmp(word[0], "begin"))
			tr2_post_begin(&post, "http://a");
		else if (!strcmp(word[0], "header"))
			tr2_post_add_header(&post, "A: b");
		else
			send_text(NULL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return script_say_number(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "status", judge_status }, { "read", read_answer },
	{ "wait", find_wait }, { "url", check_url }, { "header", check_header },
	{ "begin", begin_post }, { "end", end_post }, { "goes-to", find_place },
	{ "header-of", add_header }, { "told", tell_options },
	{ "handles", count_handles }, { "answers", set_answer },
	{ "place", set_place }, { "place-told", tell_place },
	{ "asks", set_asks }, { "send", send_text },
	{ "send-stopping", send_stopping }, { "body", tell_body },
	{ "fail-memory", fail_memory }, { "no-curl", take_curl },
	{ "gzip", compress_posts }, { "dies", do_in_child }, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	memset(&curl, 0, sizeof(curl));
	curl.answer = "";
	curl.follows = 1;
}

static void end_case(void)
{
	end_post(NULL);
	fails = 0;
	tr2_buf_release(&words);
	tr2_buf_release(&json);
}

int main(void)
{
	static struct tr2_host host;

	host = *tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	install_fake();
	return script_main(__FILE__, verbs, begin_case, end_case);
}
