/* Which processes were posted: on disk, after a restart and a full disk. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "collect/delivery/spans.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"

#define LIST "./name.posted"
#define HASH(digit) "000000000000000" digit
#define LINE(hash, at) HASH(hash) " " HASH(at) "\n"

static struct tr2_posted posted;
static int write_error; /* of the next pwrite(2) */

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	errno = write_error;
	write_error = 0;
	return errno ? -1 : syscall(SYS_pwrite64, fd, bytes, len, at);
}

/* Returns how many are known. The memory was another's before. */
static int open_list(uint64_t kept)
{
	memset(&posted, 0x5a, sizeof(posted));
	tap_need(!tr2_posted_open(&posted, ".", "name", kept));
	return (int)posted.items.count;
}

static int reopen_list(uint64_t kept)
{
	tr2_posted_close(&posted);
	return open_list(kept);
}

static void end_list(void)
{
	tr2_posted_close(&posted);
	tap_need(posted.fd == -1);
	memset(&posted, 0, sizeof(posted)); /* nothing points at its memory */
	unlink(LIST);
}

static void test_forgotten(void)
{
	open_list(0);
	tr2_posted_add(&posted, 10, 5);
	tr2_posted_add(&posted, 11, 6);
	tr2_posted_commit(&posted, 0);
	tr2_posted_add(&posted, 12, 7);
	tr2_posted_commit(&posted, 6);
	tap_int((intmax_t)posted.items.count, 2,
		"what will not be read again is forgotten");
	tap_str(kit_text(LIST), LINE("a", "5") LINE("b", "6") LINE("c", "7"),
		"the file need not become shorter at once");
	tr2_posted_add(&posted, 13, 9);
	tr2_posted_commit(&posted, 8);
	tap_str(kit_text(LIST), LINE("d", "9"),
		"it does when nothing of before is left");
	tr2_posted_commit(&posted, 10);
	tap_str(kit_text(LIST), "", "nor is there anything else");
	tr2_posted_add(&posted, 14, 11);
	tr2_posted_add(&posted, 15, 9);
	tr2_posted_commit(&posted, 10);
	tap_str(kit_text(LIST), LINE("e", "b"),
		"what ended before that place is not written");
	end_list();
}

/* One old process is always there, and many are forgotten. */
static void test_long_list(void)
{
	struct stat st;
	uint64_t i;
	int longest = 0;

	open_list(0);
	tr2_posted_add(&posted, 1, UINT64_MAX);
	tr2_posted_commit(&posted, 0);
	for (i = 1; i < 5000; i++) {
		tr2_posted_add(&posted, 2, i);
		tr2_posted_commit(&posted, i);
		if (posted.written > (uint32_t)longest)
			longest = (int)posted.written;
	}
	stat(LIST, &st);
	tap_ok(longest > 4000 && longest < 4200,
	       "some 4000 lines may be out of date");
	tap_int(st.st_size % 34, 0, "the file has whole lines");
	tap_ok(st.st_size / 34 < 1000, "it was made anew then");
	tap_int(reopen_list(4999), 2, "with those that count");
	end_list();
}

/* Standard input is closed, so that the list gets its descriptor. */
static void test_standard_input(void)
{
	int before = dup(0);

	close(0);
	open_list(0);
	tr2_posted_add(&posted, 10, 5);
	tr2_posted_commit(&posted, 0);
	tap_int(posted.fd, 0, "the first descriptor may be free for a list");
	tap_str(kit_text(LIST), LINE("a", "5"), "a list is kept there, too");
	end_list();
	tap_ok(fcntl(0, F_GETFD) < 0, "and the list is closed");
	dup2(before, 0);
	close(before);
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_forgotten, test_long_list, test_standard_input);
	tap_int(count_descriptors(), before, "no list of processes stays open");
	leave_directory();
	return tap_done();
}
