#include "collect/post/curl.h"

#include <dlfcn.h>
#include <string.h>

#include "collect/post/post.h"

struct tr2_curl tr2_curl;

/* Both of Debian's libraries have these functions, with the same numbers. */
static void *open_library(void)
{
	void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

	return library ? library
		       : dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
}

/* dlsym() returns a pointer to data, which C can't convert to a function. */
static bool find_calls(void *library)
{
	static const struct {
		const char *name;
		void *call;
	} rows[] = {
		{ "curl_global_init", &tr2_curl.global_init },
		{ "curl_easy_init", &tr2_curl.easy_init },
		{ "curl_easy_setopt", &tr2_curl.easy_setopt },
		{ "curl_easy_perform", &tr2_curl.easy_perform },
		{ "curl_easy_getinfo", &tr2_curl.easy_getinfo },
		{ "curl_easy_cleanup", &tr2_curl.easy_cleanup },
		{ "curl_easy_strerror", &tr2_curl.easy_strerror },
		{ "curl_slist_append", &tr2_curl.slist_append },
		{ "curl_slist_free_all", &tr2_curl.slist_free_all },
	};
	void *found;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		found = dlsym(library, rows[i].name);
		if (!found)
			return false;
		memcpy(rows[i].call, &found, sizeof(found));
	}
	return true;
}

const char *tr2_post_load(void)
{
	static bool loaded;
	void *library;

	if (loaded)
		return NULL;
	library = open_library();
	if (!library)
		return "libcurl is not installed (Debian: libcurl4)";
	if (!find_calls(library))
		return "libcurl lacks a function";
	if (tr2_curl.global_init(CURL_GLOBAL_DEFAULT))
		return "libcurl cannot begin";
	loaded = true;
	return NULL;
}
