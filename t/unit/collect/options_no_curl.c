/* Receivers where libcurl is not installed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>

#include "collect/options_kit.h"

#define NEEDED "--spool p -l af_unix:stream:s "

static int searched; /* for how many names of it */

/* In the place of the C library's. */
void *dlopen(const char *name, int how)
{
	void *(*call)(const char *, int);
	void *found = dlsym(RTLD_NEXT, "dlopen");

	if (name && !strncmp(name, "libcurl", 7)) {
		searched++;
		return NULL;
	}
	memcpy(&call, &found, sizeof(found));
	return call(name, how);
}

static void test_receiver(void)
{
	tap_str(read_words(NEEDED "-o stdout -o otlp:http://h"),
		"trace2 collect: libcurl is not installed (Debian: libcurl4): "
		"otlp:http://h\nTry 'trace2 collect --help'.\n",
		"a receiver without libcurl is refused with its package");
	tap_int(exit_status, COLLECT_USAGE, "as a wrong command line");
	tap_ok(searched > 0, "libcurl is looked for then");
	tap_int((intmax_t)options.output_count, 1,
		"the outputs before it are not concerned");
}

static void test_others(void)
{
	searched = 0;
	tap_str(read_words(NEEDED "-o stdout -o files:d"), "read",
		"other outputs need no libcurl");
	tap_str(read_words(NEEDED "-o otlp:h"),
		"trace2 collect: expected http://HOST:PORT or https://HOST, "
		"not: h\nTry 'trace2 collect --help'.\n",
		"a wrong URL is told before libcurl is missed");
	tap_int(searched, 0, "for neither of them it is looked for");
}

int main(void)
{
	enter_directory();
	test_receiver();
	test_others();
	forget_options();
	leave_directory();
	return tap_done();
}
