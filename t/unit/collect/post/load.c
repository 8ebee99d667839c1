/* libcurl when it is needed first: which library, and what it may lack. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "kit/tap.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "collect/post/curl.h"
#include "collect/post/post.h"

#define CURL_NAME "libcurl.so.4"
#define GNUTLS_NAME "libcurl-gnutls.so.4"

static char asked[256];	       /* for these libraries */
static const char *first_name; /* what the first name stands for */
static const char *other_name; /* and each other one */

/* In the place of the C library's. */
void *dlopen(const char *name, int how)
{
	void *(*call)(const char *, int);
	void *found = dlsym(RTLD_NEXT, "dlopen");

	memcpy(&call, &found, sizeof(found));
	if (!name || strncmp(name, "libcurl", 7) != 0)
		return call(name, how);
	snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s ",
		 name);
	name = strcmp(name, CURL_NAME) != 0 ? other_name : first_name;
	return name ? call(name, how) : NULL;
}

static const char *load_from(const char *first, const char *other)
{
	asked[0] = '\0';
	first_name = first;
	other_name = other;
	return tr2_post_load();
}

/* Returns a name under which the library is installed, or NULL. */
static const char *find_installed(void)
{
	static const char *const names[] = { CURL_NAME, GNUTLS_NAME };
	void *library;
	size_t i;

	for (i = 0; i < 2; i++) {
		first_name = other_name = names[i];
		library = dlopen(CURL_NAME, RTLD_NOW | RTLD_LOCAL);
		if (library) {
			dlclose(library);
			return names[i];
		}
	}
	return NULL;
}

static void test_missing(void)
{
	tap_str(load_from(NULL, NULL),
		"libcurl is not installed (Debian: libcurl4)",
		"a library that is missing is told with its package");
	tap_str(asked, CURL_NAME " " GNUTLS_NAME " ",
		"both names of it are tried");
	tap_str(load_from("libc.so.6", NULL), "libcurl lacks a function",
		"so is one that lacks something");
}

static void test_loaded(const char *name)
{
	tap_str(load_from(NULL, name), NULL, "the second name is as good");
	tap_str(asked, CURL_NAME " " GNUTLS_NAME " ", "if the first has none");
	tap_ok(tr2_curl.easy_init && tr2_curl.slist_free_all,
	       "then its functions can be called");
	tap_str(load_from(NULL, NULL), NULL, "it stays loaded");
	tap_str(asked, "", "and no library is looked for again");
}

int main(void)
{
	const char *name;

	test_missing();
	name = find_installed();
	if (name)
		test_loaded(name);
	else
		tap_skip("the second name is as good", "needs libcurl");
	return tap_done();
}
