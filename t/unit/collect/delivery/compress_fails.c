/*
 * Compressed files whose disk or library fails, and sizes at which the last
 * bytes could be lost.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall(), RTLD_NEXT */
#endif
#include "kit/tap.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <zlib.h>
#include <zstd.h>

#include "collect/delivery/delivery.h"
#include "kit/directory.h"

#define MOST ((size_t)500 << 10)

static char text[MOST], back[MOST + 1], packed[2 * MOST];
static size_t packed_len;
static enum tr2_compress format;

/*
 * ---- A disk and libraries that fail when they are asked to
 */

static struct {
	int read_at, write_at; /* that call fails, once */
	int error;	       /* with this errno value */
	int sync_error, close_error;
	bool no_file;	 /* zlib has no memory for a file */
	bool takes_none; /* zlib writes nothing, and has no reason */
	bool no_context; /* Zstandard has no memory */
	bool is_wrong;	 /* Zstandard fails */
	int inherited;	 /* descriptors that other programs would get */
} disk;

static void look_at(int fd)
{
	disk.inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static bool fails_now(int *at)
{
	if (!*at || --*at)
		return false;
	errno = disk.error;
	return true;
}

ssize_t read(int fd, void *bytes, size_t len)
{
	look_at(fd);
	return fails_now(&disk.read_at) ? -1
					: syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	look_at(fd);
	return fails_now(&disk.write_at) ? -1
					 : syscall(SYS_write, fd, bytes, len);
}

int fsync(int fd)
{
	look_at(fd);
	errno = disk.sync_error;
	return disk.sync_error ? -1 : 0;
}

int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	if (!disk.close_error)
		return result;
	errno = disk.close_error;
	return -1;
}

/* What the library itself has under this name. */
static void find_call(const char *name, void *call)
{
	void *found = dlsym(RTLD_NEXT, name);

	tap_need(found);
	memcpy(call, &found, sizeof(found));
}

gzFile gzdopen(int fd, const char *mode)
{
	gzFile (*call)(int, const char *);

	find_call("gzdopen", &call);
	if (!disk.no_file)
		return call(fd, mode);
	errno = ENOMEM;
	return NULL;
}

int gzwrite(gzFile file, voidpc bytes, unsigned len)
{
	int (*call)(gzFile, voidpc, unsigned);

	find_call("gzwrite", &call);
	return disk.takes_none ? 0 : call(file, bytes, len);
}

ZSTD_CCtx *ZSTD_createCCtx(void)
{
	ZSTD_CCtx *(*call)(void);

	find_call("ZSTD_createCCtx", &call);
	return disk.no_context ? NULL : call();
}

size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *out,
			    ZSTD_inBuffer *in, ZSTD_EndDirective end)
{
	size_t (*call)(ZSTD_CCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *,
		       ZSTD_EndDirective);

	find_call("ZSTD_compressStream2", &call);
	return disk.is_wrong ? (size_t)-1 : call(context, out, in, end);
}

/*
 * ---- Files
 */

/* Bytes that can't become fewer. */
static void fill_text(void)
{
	uint64_t state = 1;
	size_t i;

	for (i = 0; i < MOST; i++) {
		state = state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		text[i] = (char)(state >> 56);
	}
}

static void make_plain(size_t len)
{
	FILE *out = fopen("plain", "w");

	tap_need(out && fwrite(text, 1, len, out) == len);
	fclose(out);
}

static bool holds_zstd(size_t len)
{
	FILE *in = fopen("packed", "r");

	packed_len = in ? fread(packed, 1, sizeof(packed), in) : 0;
	if (in)
		fclose(in);
	return packed_len &&
	       ZSTD_decompress(back, sizeof(back), packed, packed_len) == len;
}

static bool holds_gzip(size_t len)
{
	gzFile in = gzopen("packed", "r");
	int got = in ? gzread(in, back, sizeof(back)) : -1;
	bool is_gzip = in && !gzdirect(in);

	if (in)
		gzclose(in);
	return is_gzip && got == (int)len;
}

static bool holds_text(size_t len)
{
	return (format == TR2_COMPRESS_ZSTD ? holds_zstd(len)
					    : holds_gzip(len)) &&
	       !memcmp(text, back, len);
}

/* Returns the error, and removes the file if there is one. */
static int compress_once(void)
{
	int error = tr2_collect_compress("plain", "packed", format);

	memset(&disk, 0, sizeof(disk));
	if (error && has_file("packed"))
		return -1;
	unlink("packed");
	return error;
}

static void test_sizes(void)
{
	static const size_t sizes[] = {
		0, 1, 65535, 65536, 65537, (256 + 100) << 10, MOST,
	};
	size_t i, wrong = 0;
	int inherited = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		make_plain(sizes[i]);
		memset(&disk, 0, sizeof(disk));
		wrong += tr2_collect_compress("plain", "packed", format) != 0;
		inherited += disk.inherited;
		wrong += !holds_text(sizes[i]);
	}
	tap_int((intmax_t)wrong, 0, "a file of each size keeps all its bytes");
	if (format == TR2_COMPRESS_ZSTD)
		tap_ok(ZSTD_findFrameCompressedSize(packed, packed_len) ==
			       packed_len,
		       "a file of Zstandard is one frame");
	tap_int(inherited, 0,
		"no other program gets a file while it is compressed");
	unlink("packed");
}

static void test_read(void)
{
	make_plain(MOST);
	disk.read_at = 2;
	disk.error = EIO;
	tap_int(compress_once(), EIO, "a file that can't be read is reported");
	disk.read_at = 1;
	disk.error = ESTALE;
	tap_int(compress_once(), ESTALE, "the reason is the disk's own");
}

static void test_write(void)
{
	make_plain(MOST);
	disk.write_at = 2;
	disk.error = ENOSPC;
	tap_int(compress_once(), ENOSPC,
		"a disk that was full for a moment spoils the file");
	disk.write_at = 1;
	disk.error = ENOSPC;
	disk.sync_error = EIO;
	tap_int(compress_once(), ENOSPC, "the first failure is reported");
	disk.write_at = 1;
	disk.error = ENOSPC;
	disk.close_error = EIO;
	tap_int(compress_once(), ENOSPC,
		"a failure of the close after it is not");
	make_plain(100);
	disk.write_at = 1;
	disk.error = EDQUOT;
	tap_int(compress_once(), EDQUOT,
		"a disk may be full when the last bytes are written");
}

static void test_library(void)
{
	errno = ENOENT;
	if (format == TR2_COMPRESS_GZIP) {
		disk.no_file = true;
		tap_int(compress_once(), ENOMEM, "zlib may have no memory");
		disk.takes_none = true;
		tap_int(compress_once(), EIO,
			"a failure of zlib without a reason is one");
	} else {
		disk.no_context = true;
		tap_int(compress_once(), ENOMEM,
			"Zstandard may have no memory");
		disk.is_wrong = true;
		tap_int(compress_once(), EIO, "Zstandard may fail");
	}
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	fill_text();
	for (format = TR2_COMPRESS_GZIP; format < TR2_COMPRESS_COUNT;
	     format++) {
		printf("# %s\n", tr2_compress_names[format]);
		test_sizes();
		test_read();
		test_write();
		test_library();
	}
	tap_int(count_descriptors(), before,
		"no file stays open after a failure");
	leave_directory();
	return tap_done();
}
