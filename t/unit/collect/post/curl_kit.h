/* curl_kit.h - a libcurl of the test's own: what it was told, and its answers. */
#ifndef UNIT_POST_CURL_KIT_H
#define UNIT_POST_CURL_KIT_H

#include "kit/tap.h"

#include <stdarg.h>
#include <stdlib.h>
#include "collect/post/curl.h"
#include "collect/post/post.h"

typedef size_t take_bytes(char *bytes, size_t size, size_t count, void *taker);
typedef int ask_stop(void *context, curl_off_t, curl_off_t, curl_off_t,
		     curl_off_t);

/* What libcurl was told, and what it does when it posts. */
static struct {
	int handles; /* that are open */
	const char *url, *agent, *bytes;
	long post, follows, no_signal, connect_ms, answer_ms, no_progress;
	curl_off_t len;
	const struct curl_slist *headers;
	take_bytes *take;
	void *taker;
	ask_stop *stop;
	void *stop_context;

	const char *answer; /* a body, in pieces of 10 bytes */
	size_t fill;	    /* so many bytes after it */
	size_t kept;	    /* bytes that were not refused */
	bool refused;	    /* the transfer ends with a failure */
	char *place;	    /* where a redirection leads */
	CURLcode code;
	long status;
	curl_off_t wait;
	int asks; /* how often it asks whether to stop */
	int stopped;
	int has_none; /* memory */
} curl;

static inline CURL *init_fake(void)
{
	if (curl.has_none)
		return NULL;
	curl.handles++;
	return &curl;
}

static inline void cleanup_fake(CURL *handle)
{
	curl.handles -= handle == &curl;
}

static inline void set_pointer(CURLoption option, void *value)
{
	if (option == CURLOPT_URL)
		curl.url = value;
	else if (option == CURLOPT_USERAGENT)
		curl.agent = value;
	else if (option == CURLOPT_POSTFIELDS)
		curl.bytes = value;
	else if (option == CURLOPT_HTTPHEADER)
		curl.headers = value;
	else if (option == CURLOPT_WRITEDATA)
		curl.taker = value;
	else if (option == CURLOPT_XFERINFODATA)
		curl.stop_context = value;
}

static inline void set_number(CURLoption option, long value)
{
	if (option == CURLOPT_POST)
		curl.post = value;
	else if (option == CURLOPT_FOLLOWLOCATION)
		curl.follows = value;
	else if (option == CURLOPT_NOSIGNAL)
		curl.no_signal = value;
	else if (option == CURLOPT_CONNECTTIMEOUT_MS)
		curl.connect_ms = value;
	else if (option == CURLOPT_TIMEOUT_MS)
		curl.answer_ms = value;
	else if (option == CURLOPT_NOPROGRESS)
		curl.no_progress = value;
}

static inline CURLcode set_fake(CURL *handle, CURLoption option, ...)
{
	va_list args;

	if (handle != &curl)
		abort();
	va_start(args, option);
	if (option == CURLOPT_WRITEFUNCTION)
		curl.take = va_arg(args, take_bytes *);
	else if (option == CURLOPT_XFERINFOFUNCTION)
		curl.stop = va_arg(args, ask_stop *);
	else if (option == CURLOPT_POSTFIELDSIZE_LARGE)
		curl.len = va_arg(args, curl_off_t);
	else if (option < CURLOPTTYPE_OBJECTPOINT)
		set_number(option, va_arg(args, long));
	else
		set_pointer(option, va_arg(args, void *));
	va_end(args);
	return CURLE_OK;
}

static inline void give_bytes(char *bytes, size_t len)
{
	size_t part;

	for (; len && !curl.refused; bytes += part, len -= part) {
		part = len < 10 ? len : 10;
		curl.refused = curl.take(bytes, 1, part, curl.taker) != part;
		curl.kept += curl.refused ? 0 : part;
	}
}

static inline CURLcode perform_fake(CURL *handle)
{
	char text[256];

	(void)handle;
	curl.kept = 0;
	curl.refused = false;
	curl.stopped = 0;
	for (int i = 0; i < curl.asks && !curl.stopped; i++)
		curl.stopped = curl.stop(curl.stop_context, 0, 0, 0, 0);
	snprintf(text, sizeof(text), "%s", curl.answer);
	give_bytes(text, strlen(text));
	memset(text, 'x', sizeof(text));
	for (int i = 0; (size_t)i < curl.fill / 10; i++)
		give_bytes(text, 10);
	if (curl.refused)
		return CURLE_WRITE_ERROR;
	return curl.stopped ? CURLE_ABORTED_BY_CALLBACK : curl.code;
}

static inline CURLcode getinfo_fake(CURL *handle, CURLINFO info, ...)
{
	va_list args;

	(void)handle;
	va_start(args, info);
	if (info == CURLINFO_RESPONSE_CODE)
		*va_arg(args, long *) = curl.status;
	else if (info == CURLINFO_RETRY_AFTER)
		*va_arg(args, curl_off_t *) = curl.wait;
	else if (info == CURLINFO_REDIRECT_URL)
		*va_arg(args, char **) = curl.place;
	va_end(args);
	return CURLE_OK;
}

static inline const char *name_error(CURLcode code)
{
	return code == CURLE_ABORTED_BY_CALLBACK ? "stopped"
						 : "no server: 100 %s";
}

static inline struct curl_slist *append_fake(struct curl_slist *list,
					     const char *text)
{
	struct curl_slist *item = curl.has_none ? NULL : malloc(sizeof(*item)),
			  *last = list;

	if (!item)
		return NULL;
	*item = (struct curl_slist){ strdup(text), NULL };
	while (last && last->next)
		last = last->next;
	if (last)
		last->next = item;
	return list ? list : item;
}

static inline void free_fake(struct curl_slist *list)
{
	struct curl_slist *next;

	for (; list; list = next) {
		next = list->next;
		free(list->data);
		free(list);
	}
}

static inline void install_fake(void)
{
	tr2_curl = (struct tr2_curl){
		.easy_init = init_fake,
		.easy_setopt = set_fake,
		.easy_perform = perform_fake,
		.easy_getinfo = getinfo_fake,
		.easy_cleanup = cleanup_fake,
		.easy_strerror = name_error,
		.slist_append = append_fake,
		.slist_free_all = free_fake,
	};
}

#endif
