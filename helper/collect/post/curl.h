/* curl.h - the functions of libcurl, which is loaded at run time. */
#ifndef TR2_POST_CURL_H
#define TR2_POST_CURL_H

#include <curl/curl.h>

struct tr2_curl {
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
	CURLcode (*easy_perform)(CURL *curl);
	CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
	void (*easy_cleanup)(CURL *curl);
	const char *(*easy_strerror)(CURLcode code);
	struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
	void (*slist_free_all)(struct curl_slist *);
};

/* After tr2_post_load(). */
extern struct tr2_curl tr2_curl;

#endif
