/* A complete file as a compressed one, and what stays if this fails. */
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "delivery/compress.h"

#define COUNT ((size_t)300 << 10) /* more than one read(2) */

static char text[COUNT], back[COUNT + 1];

static enum tr2_compress format;

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

static bool holds_gzip(const char *name)
{
	gzFile in = gzopen(name, "r");
	int got = in ? gzread(in, back, sizeof(back)) : -1;

	if (in)
		gzclose(in);
	return got == (int)COUNT;
}

static bool holds_zstd(const char *name)
{
	static char packed[2 * COUNT];
	FILE *in = fopen(name, "r");
	size_t len = in ? fread(packed, 1, sizeof(packed), in) : 0;

	if (in)
		fclose(in);
	return ZSTD_decompress(back, sizeof(back), packed, len) == COUNT;
}

static bool holds_text(const char *name)
{
	memset(back, 0, sizeof(back));
	return (format == TR2_COMPRESS_ZSTD ? holds_zstd(name)
					    : holds_gzip(name)) &&
	       !memcmp(text, back, COUNT);
}

static void test_whole(void)
{
	tap_int(tr2_collect_compress("plain", "whole", format), 0,
		"a file is compressed");
	tap_ok(holds_text("whole"), "and has the same bytes");
	(void)!truncate("whole", 1 << 20);
	tr2_collect_compress("plain", "whole", format);
	tap_ok(holds_text("whole"), "a file that was begun is written anew");
}

static void test_missing(void)
{
	tap_int(tr2_collect_compress("missing", "none", format), ENOENT,
		"a file that is not there is reported");
	tap_ok(access("none", F_OK), "and nothing is made");
	tap_int(tr2_collect_compress("plain", ".", format), EISDIR,
		"a name that cannot be written is reported");
	tap_int(tr2_collect_compress(".", "none", format), EISDIR,
		"a directory is no file");
	tap_ok(access("none", F_OK), "and nothing stays");
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

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	make_plain();
	for (format = TR2_COMPRESS_GZIP; format < TR2_COMPRESS_COUNT;
	     format++) {
		printf("# %s\n", tr2_compress_names[format]);
		test_whole();
		test_missing();
		test_full();
		test_descriptors();
		unlink("whole");
		unlink("few");
	}
	unlink("plain");
	(void)!chdir("/");
	rmdir(dir);
	return tap_done();
}
