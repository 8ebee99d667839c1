/* A complete file as a compressed one, and what stays if this fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "collect/delivery/delivery.h"

#define COUNT ((size_t)300 << 10) /* more than one read(2) */

static char text[COUNT];

static enum tr2_compress format;
static int sync_error;	 /* of the next ones */
static bool writes_half; /* and no more at once */

/* A disk may fail when it is asked for certainty. */
int fsync(int fd)
{
	(void)fd;
	errno = sync_error;
	return sync_error ? -1 : 0;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (writes_half && len > 1)
		len /= 2;
	return syscall(SYS_write, fd, bytes, len);
}

static void make_plain(void)
{
	unsigned long state = 1;
	FILE *out = fopen("plain", "w");
	size_t i;

	for (i = 0; i < COUNT; i++) {
		state = state * 6364136223846793005UL + 1442695040888963407UL;
		text[i] = (char)(state >> 56);
	}
	fwrite(text, 1, COUNT, out);
	fclose(out);
}

/* As a full disk does, a limit refuses a part of the bytes. */
static void test_full(void)
{
	struct rlimit limit, old;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 100 << 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_int(tr2_collect_compress("plain", "full", format), EFBIG,
		"a full disk is reported");
	setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(access("full", F_OK), "no half file stays");
	tap_ok(!access("plain", F_OK), "the file itself stays");
}

static void test_failed_sync(void)
{
	sync_error = EIO;
	tap_int(tr2_collect_compress("plain", "unsure", format), EIO,
		"a file that may not be on the disk is a failure");
	sync_error = 0;
	tap_ok(access("unsure", F_OK), "it is removed");
}

static void test_links(void)
{
	(void)!symlink("plain", "link");
	tap_int(tr2_collect_compress("link", "none", format), ELOOP,
		"what is compressed is no link");
	tap_int(tr2_collect_compress("plain", "link", format), EEXIST,
		"nor is what it becomes");
	tap_ok(!access("link", F_OK), "the link stays");
	unlink("link");
}

/* What only one of the formats has. */
static void test_details(void)
{
	struct stat st;
	char head[5] = "";
	FILE *in;

	umask(0);
	tr2_collect_compress("plain", "mode", format);
	stat("mode", &st);
	tap_int(st.st_mode & 0777, 0666, "the mask decides who may read it");
	in = fopen("mode", "r");
	(void)!fread(head, 1, sizeof(head), in);
	fclose(in);
	if (format == TR2_COMPRESS_ZSTD)
		tap_ok(head[4] & 4, "Zstandard has a checksum, too");
	unlink("mode");
}

/* All descriptors are taken but so many. */
static int compress_with(int spare)
{
	struct rlimit old, limit;
	int next = dup(0), error;

	close(next);
	getrlimit(RLIMIT_NOFILE, &old);
	limit = old;
	limit.rlim_cur = (rlim_t)(next + spare);
	setrlimit(RLIMIT_NOFILE, &limit);
	error = tr2_collect_compress("plain", "few", format);
	setrlimit(RLIMIT_NOFILE, &old);
	return error;
}

static void test_descriptors(void)
{
	tap_int(compress_with(0), EMFILE, "no descriptor to read is reported");
	tap_int(compress_with(1), EMFILE, "nor one to write");
	if (format == TR2_COMPRESS_GZIP) {
		tap_int(compress_with(2), EMFILE, "nor one for zlib");
		tap_ok(access("few", F_OK), "nothing stays of them");
	}
	tap_int(compress_with(3), 0, "three descriptors suffice");
}

int main(void)
{
	char dir[] = "/tmp/compress-XXXXXX";
	int next = dup(0);

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	close(next);
	make_plain();
	for (format = TR2_COMPRESS_GZIP; format < TR2_COMPRESS_COUNT;
	     format++) {
		printf("# %s\n", tr2_compress_names[format]);
		test_full();
		test_descriptors();
		test_failed_sync();
		test_links();
		test_details();
		unlink("whole");
		unlink("few");
	}
	tap_int(dup(0), next, "no descriptor of them stays open");
	unlink("plain");
	(void)!chdir("/");
	rmdir(dir);
	return tap_done();
}
