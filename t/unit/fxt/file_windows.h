/*
 * file_windows.h - verbs about a file that is longer than what is mapped of it
 * at a time, and about the addresses that this takes.
 */
#ifndef UNIT_FXT_FILE_WINDOWS_H
#define UNIT_FXT_FILE_WINDOWS_H

#include <sys/resource.h>

#include "fxt/file_system.h"

static struct tr2_fxt_file file;

/* Until it grows no more, or has so much. */
static const char *grow_to(char **word)
{
	const uint64_t bytes = (uint64_t)bytes_of(word[0], 0);
	uint64_t before = 0, have = file.have;

	errno = EXDEV;
	while (have < bytes && have > before) {
		before = have;
		have = tr2_fxt_file_grow(&file, file.have);
	}
	return errno == EXDEV ? say_bytes(have) : "errno";
}

/* Is what is written to the mapping in the file, where it belongs? */
static bool is_at_its_place(uint64_t at)
{
	char got[8] = "";

	memcpy(tr2_fxt_file_place(&file, at), "a record", 8);
	return pread(file.fd, got, 8, file.start + PAGE + (off_t)at) == 8 &&
	       !memcmp(got, "a record", 8);
}

/* `places 64M+8 128M`: there, and in the last word before it. */
static const char *try_places(char **word)
{
	bool good = true;

	for (; **word; word++) {
		const uint64_t at = (uint64_t)bytes_of(*word, 0);

		good &= is_at_its_place(at - 8);
		good &= at == file.have || is_at_its_place(at);
	}
	return script_say_yes(good);
}

static const char *tell_window(char **word)
{
	size_t size = 0;

	return tr2_fxt_file_window(&file, (unsigned)script_number(word[0], 0),
				   &size)
		       ? say_bytes(size)
		       : "none";
}

/* Addresses that this process uses, in bytes. */
static uint64_t read_addresses(void)
{
	const char *at = strstr(file_text("/proc/self/status"), "VmSize:");

	tap_need(at);
	return strtoull(at + 7, NULL, 10) * 1024;
}

/* `mapped 66M`: are more addresses in use, than at the last `mapped`? */
static const char *compare_addresses(char **word)
{
	static uint64_t before;

	if (*word[0])
		return script_say_yes(read_addresses() - before >
				      (uint64_t)bytes_of(word[0], 0));
	before = read_addresses();
	return NULL;
}

static const char *limit_addresses(char **word)
{
	const rlim_t most =
		(rlim_t)read_addresses() + (rlim_t)bytes_of(word[0], 0);
	const struct rlimit limit = { most, most };

	tap_need(!setrlimit(RLIMIT_AS, &limit));
	return NULL;
}

static const char *allocate_bytes(char **word)
{
	void *volatile memory = malloc((size_t)bytes_of(word[0], 0));
	const bool has = memory;

	free(memory);
	return script_say_yes(has);
}

#define THREADS 48

static pthread_barrier_t all_are_there;

static void *grow_beyond(void *have)
{
	pthread_barrier_wait(&all_are_there);
	return (void *)tr2_fxt_file_grow(&file, *(uint64_t *)have);
}

/* How many of many threads get more than there was? */
static const char *grow_in_threads(SCRIPT_NONE)
{
	uint64_t have = file.have;
	pthread_t threads[THREADS];
	int enough = 0;
	void *more;

	pthread_barrier_init(&all_are_there, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, grow_beyond, &have);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &more);
		enough += (uint64_t)more > have;
	}
	return script_say("%d of %d", enough, THREADS);
}

/* clang-format off */
#define FILE_WINDOWS \
	{ "grow-to", grow_to }, { "places", try_places }, \
	{ "window", tell_window }, { "mapped", compare_addresses }, \
	{ "addresses", limit_addresses }, { "allocate", allocate_bytes }, \
	{ "grow-in-threads", grow_in_threads }, \
	{ "child", script_fork }, { "parent", script_join }
/* clang-format on */

#endif
