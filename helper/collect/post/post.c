#include "collect/post/post.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "lib/common/memory.h"
#include "read/json/tokens.h"
#include "collect/post/curl.h"

#define PATH "/v1/traces"
#define CONNECT_MS 5000L
#define ANSWER_MS 30000L
#define BODY_MOST ((size_t)64 << 10)

/*
 * ---- What a user names
 */

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* Returns the part after "http://" or "https://", or NULL. */
static const char *skip_scheme(const char *url)
{
	if (!strncmp(url, "http://", 7))
		return url + 7;
	return strncmp(url, "https://", 8) ? NULL : url + 8;
}

const char *tr2_post_check_url(const char *url)
{
	const char *host = skip_scheme(url);
	size_t len;

	if (!host || !is_printable(url))
		return "expected http://HOST:PORT or https://HOST, not";
	len = strcspn(host, "/");
	if (!strcspn(host, "/:") || strpbrk(host, "?#"))
		return "expected http://HOST:PORT or https://HOST, not";
	if (memchr(host, '@', len))
		return "a password belongs into otlp-header, not into a URL";
	return NULL;
}

const char *tr2_post_check_header(const char *text)
{
	static const char expected[] = "expected NAME: VALUE after otlp-header";
	size_t len = strcspn(text, ":"), i;

	if (!len || !text[len])
		return expected;
	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_", text[i]))
			return expected;
	for (; text[i]; i++)
		if ((unsigned char)text[i] < ' ')
			return expected;
	return NULL;
}

/*
 * ---- The connection
 */

static size_t keep_body(char *bytes, size_t size, size_t count, void *context)
{
	struct tr2_answer *answer = context;
	size_t len = size * count, room = BODY_MOST - answer->body.len;

	if (len > room)
		len = room; /* which ends the transfer */
	tr2_buf_add(&answer->body, bytes, len);
	return len;
}

size_t tr2_post_measure_url(const char *url)
{
	size_t len = strlen(url), end = strlen(PATH);

	while (len && url[len - 1] == '/')
		len--;
	if (len >= end && !memcmp(url + len - end, PATH, end))
		len -= end;
	return len;
}

void tr2_post_begin(struct tr2_post *post, const char *url)
{
	CURL *curl = tr2_curl.easy_init();

	if (!curl)
		tr2_memory_out();
	*post = (struct tr2_post){ .curl = curl };
	tr2_buf_add(&post->url, url, tr2_post_measure_url(url));
	tr2_buf_str(&post->url, PATH);
	tr2_must_end(&post->url);
	tr2_curl.easy_setopt(curl, CURLOPT_URL, post->url.bytes);
	tr2_curl.easy_setopt(curl, CURLOPT_POST, 1L);
	/* A header may have a token, which is for this server only. */
	tr2_curl.easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	tr2_curl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	tr2_curl.easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	tr2_curl.easy_setopt(curl, CURLOPT_TIMEOUT_MS, ANSWER_MS);
	tr2_curl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_body);
	tr2_curl.easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	tr2_curl.easy_setopt(curl, CURLOPT_USERAGENT, "trace2-collect");
	tr2_post_add_header(post, "Content-Type: application/json");
	/* A body of 1 MiB would wait for a second answer without this. */
	tr2_post_add_header(post, "Expect:");
}

void tr2_post_add_header(struct tr2_post *post, const char *text)
{
	struct curl_slist *list = tr2_curl.slist_append(post->list, text);

	if (!list)
		tr2_memory_out();
	post->list = list;
}

void tr2_post_release(struct tr2_post *post)
{
	tr2_curl.easy_cleanup(post->curl);
	tr2_curl.slist_free_all(post->list);
	tr2_buf_release(&post->url);
	tr2_buf_release(&post->zipped);
}

/*
 * ---- One POST
 */

/* libcurl has the same pair of arguments, but with numbers between. */
struct stopper {
	bool (*stop)(void *context);
	void *context;
};

static int ask_stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c,
		    curl_off_t d)
{
	const struct stopper *stopper = context;

	(void)a, (void)b, (void)c, (void)d;
	return stopper->stop && stopper->stop(stopper->context);
}

/* Level 1: a fifth of the size in a third of the time of the default. */
static void zip_body(struct tr2_buf *zipped, const struct tr2_buf *json)
{
	z_stream stream = { .next_in = (Bytef *)json->bytes,
			    .avail_in = (uInt)json->len };
	uLong most;

	if (deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		tr2_memory_out();
	most = deflateBound(&stream, stream.avail_in);
	tr2_buf_reset(zipped);
	stream.next_out = (Bytef *)tr2_buf_take(zipped, most);
	stream.avail_out = (uInt)most;
	if (!stream.next_out || deflate(&stream, Z_FINISH) != Z_STREAM_END)
		tr2_memory_out();
	zipped->len = stream.total_out;
	deflateEnd(&stream);
}

/*
 * The bytes after the body let it be parsed. A status is an answer, even if the
 * body after it is too long or never ends: to post again would be to post
 * twice, each time.
 */
static void read_answer(struct tr2_post *post, CURLcode code,
			struct tr2_answer *answer)
{
	curl_off_t wait = 0;
	char *place = NULL;

	tr2_buf_fill(&answer->body, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(&answer->body);
	tr2_curl.easy_getinfo(post->curl, CURLINFO_RESPONSE_CODE,
			      &answer->status);
	if (code && answer->status < 200) {
		answer->status = 0;
		snprintf(answer->why, sizeof(answer->why), "%s",
			 tr2_curl.easy_strerror(code));
		return;
	}
	if (!tr2_curl.easy_getinfo(post->curl, CURLINFO_REDIRECT_URL, &place) &&
	    place)
		snprintf(answer->place, sizeof(answer->place), "%s", place);
	answer->is_unread = code != CURLE_OK;
	tr2_curl.easy_getinfo(post->curl, CURLINFO_RETRY_AFTER, &wait);
	answer->wait = wait > 0 ? (uint64_t)wait : 0;
}

void tr2_post_send(struct tr2_post *post, const struct tr2_buf *json,
		   bool (*stop)(void *context), void *context,
		   struct tr2_answer *answer)
{
	struct stopper stopper = { stop, context };
	const struct tr2_buf *body = json;
	CURL *curl = post->curl;

	if (post->gzip) {
		zip_body(&post->zipped, json);
		body = &post->zipped;
	}
	tr2_buf_reset(&answer->body);
	answer->status = 0;
	answer->wait = 0;
	*answer->place = '\0';
	tr2_curl.easy_setopt(curl, CURLOPT_HTTPHEADER, post->list);
	tr2_curl.easy_setopt(curl, CURLOPT_POSTFIELDS, body->bytes);
	tr2_curl.easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
			     (curl_off_t)body->len);
	tr2_curl.easy_setopt(curl, CURLOPT_WRITEDATA, answer);
	tr2_curl.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, ask_stop);
	tr2_curl.easy_setopt(curl, CURLOPT_XFERINFODATA, &stopper);
	read_answer(post, tr2_curl.easy_perform(curl), answer);
}
