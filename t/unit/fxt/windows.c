/* A file that is longer than what is mapped of it at a time. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fxt/file.h"

#define MIB ((uint64_t)1 << 20)

static struct tr2_fxt_file file;
static char path[] = "/tmp/windows-XXXXXX";

/* Returns the bytes of addresses that this process uses, in KiB. */
static long read_addresses(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[200];
	long kib = -1;

	while (status && kib < 0 && fgets(line, sizeof(line), status))
		if (!strncmp(line, "VmSize:", 7))
			kib = strtol(line + 7, NULL, 10);
	if (status)
		fclose(status);
	return kib;
}

static void limit_addresses(uint64_t more)
{
	const rlim_t most = (rlim_t)read_addresses() * 1024 + more;
	const struct rlimit limit = { most, most };

	setrlimit(RLIMIT_AS, &limit);
}

static void begin_as(int is_child, uint64_t max)
{
	const int fd = open(path, O_RDWR | O_APPEND | O_TRUNC);

	if (!tr2_fxt_file_begin(&file, fd, getpid(), max, is_child))
		exit(2);
}

static void begin_file(uint64_t max)
{
	begin_as(0, max);
}

static uint64_t grow_to(uint64_t bytes)
{
	uint64_t before = 0, have = file.have;

	while (have < bytes && have > before) {
		before = have;
		have = tr2_fxt_file_grow(&file, file.have);
	}
	return have;
}

/* What is written to a chunk is in the file, where it belongs. */
static int is_at_its_place(uint64_t at)
{
	char got[8] = "";

	memcpy(tr2_fxt_file_place(&file, at), "a record", 8);
	return pread(file.fd, got, 8, file.start + 4096 + (off_t)at) == 8 &&
	       !memcmp(got, "a record", 8);
}

static void test_growing(void)
{
	const long before = read_addresses();
	size_t size = 0;

	begin_file(130 * MIB);
	tap_ok(read_addresses() - before < 66 * 1024,
	       "no more than 64 MiB of a file are mapped at once");
	tap_ok(!tr2_fxt_file_window(&file, 1, &size),
	       "a second window is mapped only when it is needed");
	tap_int((intmax_t)grow_to(64 * MIB), 64 * MIB,
		"the file grows to the end of its first window");
	tap_ok(is_at_its_place(64 * MIB - 8),
	       "the end of the first window can be written");
	tap_int((intmax_t)grow_to(130 * MIB), 130 * MIB,
		"the file grows to all that it may have");
	tap_ok(is_at_its_place(64 * MIB) && is_at_its_place(128 * MIB - 8) &&
		       is_at_its_place(128 * MIB) &&
		       is_at_its_place(130 * MIB - 8),
	       "each window can be written from its start to its end");
	tap_ok(tr2_fxt_file_window(&file, 2, &size) && size == 2 * MIB &&
		       !tr2_fxt_file_window(&file, 3, &size),
	       "the last window is as short as the rest of the file");
	tr2_fxt_file_forget(&file);
	tap_ok(read_addresses() - before < 1024,
	       "a file that is given up leaves no window mapped");
}

/* Many children end soon, without the function that cuts their file. */
static void test_child(void)
{
	uint64_t want = MIB / 16, have;

	begin_as(1, 4 * MIB);
	for (have = file.have; have == want && want < MIB; want *= 2)
		have = tr2_fxt_file_grow(&file, have);
	tap_int((intmax_t)have, MIB, "a child's file doubles up to a step");
	tap_ok(tr2_fxt_file_grow(&file, have) == 2 * MIB &&
		       grow_to(8 * MIB) == 4 * MIB &&
		       is_at_its_place(4 * MIB - 8),
	       "and grows by steps from then on, up to its limit");
	tr2_fxt_file_forget(&file);
}

/* As if many threads had appended before one of them opens what it has. */
static void test_leap(void)
{
	begin_file(200 * MIB);
	tap_ok(!ftruncate(file.fd, file.start + 4096 + (off_t)(190 * MIB)) &&
		       tr2_fxt_file_grow(&file, file.have) == 190 * MIB,
	       "a file may grow by several windows at once");
	tap_ok(is_at_its_place(2 * MIB) && is_at_its_place(64 * MIB - 8) &&
		       is_at_its_place(64 * MIB) &&
		       is_at_its_place(128 * MIB - 8) &&
		       is_at_its_place(190 * MIB - 8),
	       "all of them can be written");
	tr2_fxt_file_forget(&file);
}

#define THREADS 48

static pthread_barrier_t all_are_there;

static void *grow_beyond(void *have)
{
	pthread_barrier_wait(&all_are_there);
	return (void *)tr2_fxt_file_grow(&file, *(uint64_t *)have);
}

static void test_many_threads(void)
{
	pthread_t threads[THREADS];
	uint64_t have;
	int i, enough = 0;
	struct stat st;
	void *more;

	begin_file(200 * MIB);
	have = file.have;
	pthread_barrier_init(&all_are_there, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, grow_beyond, &have);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &more);
		enough += (uint64_t)more > have;
	}
	tap_int(enough, THREADS, "each of many threads gets more");
	fstat(file.fd, &st);
	tap_int((intmax_t)(st.st_size - file.start - 4096), 2 * MIB,
		"and one step is enough for all of them");
	tap_int(file.growing, 0, "nobody keeps the turn");
	file.growing = 1;
	tap_int((intmax_t)tr2_fxt_file_grow(&file, 2 * MIB), 3 * MIB,
		"a turn that never ends does not stop the others");
	tr2_fxt_file_forget(&file);
}

/* In a process of its own, because a limit can't be raised again. */
static int stops_at_a_window(void)
{
	begin_file(1024 * MIB);
	limit_addresses(32 * MIB);
	errno = EDOM;
	return grow_to(200 * MIB) == 64 * MIB && errno == EDOM &&
	       file.max == 64 * MIB && file.error == ENOMEM &&
	       is_at_its_place(64 * MIB - 8);
}

static int begins_with_few_addresses(void)
{
	limit_addresses(100 * MIB);
	begin_file(1024 * MIB);
	return file.max >= 4 * MIB && malloc(70 * MIB);
}

static int is_true_in_child(int (*run)(void))
{
	const pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(!run());
	return waitpid(pid, &status, 0) == pid && !status;
}

static void test_few_addresses(void)
{
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("few addresses", "valgrind takes some of them");
		return;
	}
	tap_ok(is_true_in_child(begins_with_few_addresses),
	       "a program with few addresses can trace, and still allocate");
	tap_ok(is_true_in_child(stops_at_a_window),
	       "a file stays as it is where no other window has room");
}

int main(void)
{
	const int fd = mkstemp(path);

	if (fd < 0)
		return 2;
	close(fd);
	test_growing();
	test_child();
	test_leap();
	test_many_threads();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)test_few_addresses;
	tap_skip("few addresses", "the sanitizer needs terabytes of them");
#else
	test_few_addresses();
#endif
	unlink(path);
	return tap_done();
}
