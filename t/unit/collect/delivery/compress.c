/*
 * A complete file as a compressed one: at any size, and where the disk or the
 * library fails. compress.txt has the cases.
 */
#define _GNU_SOURCE /* syscall(), RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <zlib.h>
#include <zstd.h>

#include "collect/delivery/delivery.h"
#include "kit/script_system.h"

#define MOST ((size_t)500 << 10)

static char text[MOST], back[MOST + 1], packed[2 * MOST];
static enum tr2_compress format;

/*
 * ---- A disk and libraries that fail when they are asked to
 */

static struct {
	int read_at, write_at; /* that call fails, once */
	int error;	       /* with this errno value */
	int sync_error, close_error;
	bool writes_half; /* and no more at once */
	bool no_file;	  /* zlib has no memory for a file */
	bool takes_none;  /* zlib writes nothing, and has no reason */
	bool no_context;  /* Zstandard has no memory */
	bool is_wrong;	  /* Zstandard fails */
	int inherited;	  /* descriptors that other programs would get */
} disk;

static bool fails_now(int *at, int fd)
{
	disk.inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	if (!*at || --*at)
		return false;
	errno = disk.error;
	return true;
}

ssize_t read(int fd, void *bytes, size_t len)
{
	return fails_now(&disk.read_at, fd) ? -1
					    : syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (disk.writes_half && len > 1)
		len /= 2;
	return fails_now(&disk.write_at, fd)
		       ? -1
		       : syscall(SYS_write, fd, bytes, len);
}

int fsync(int fd)
{
	(void)fd;
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

/* `fail read 2 EIO`: that call fails, once, in what comes next. */
static const char *fail_call(char **word)
{
	const int at = (int)script_number(word[1], 0);
	const int error = script_value_of(*word[2] ? word[2] : "ENOSPC");

	if (!strcmp(word[0], "read"))
		disk.read_at = at, disk.error = error;
	else if (!strcmp(word[0], "write"))
		disk.write_at = at, disk.error = error;
	else if (!strcmp(word[0], "sync"))
		disk.sync_error = error;
	else if (!strcmp(word[0], "close"))
		disk.close_error = error;
	else if (!strcmp(word[0], "half"))
		disk.writes_half = true;
	else if (!strcmp(word[0], "memory"))
		disk.no_file = disk.no_context = true;
	else
		disk.takes_none = disk.is_wrong = true;
	return NULL;
}

/*
 * ---- Files
 */

/* Bytes that can't become fewer. */
static const char *make_plain(char **word)
{
	const size_t len = *word[0] ? (size_t)script_number(word[0], 0) : MOST;
	FILE *out = fopen("plain", "w");

	tap_need(out && fwrite(text, 1, len, out) == len);
	fclose(out);
	return NULL;
}

/* What `packed` holds: all of the text in one frame, or file of zlib. */
static const char *is_unpacked(char **word)
{
	const size_t len = *word[0] ? (size_t)script_number(word[0], 0) : MOST;
	const bool is_gzip = format == TR2_COMPRESS_GZIP;
	FILE *in = fopen("packed", "r");
	gzFile file = is_gzip ? gzopen("packed", "r") : NULL;
	size_t size = in ? fread(packed, 1, sizeof(packed), in) : 0, got;
	bool whole = size;

	if (is_gzip) {
		got = (size_t)gzread(file, back, sizeof(back));
		whole &= !gzdirect(file);
	} else {
		got = ZSTD_decompress(back, sizeof(back), packed, size);
		whole &= ZSTD_findFrameCompressedSize(packed, size) == size &&
			 packed[4] & 4; /* it has a checksum */
	}
	if (in)
		fclose(in);
	if (file)
		gzclose(file);
	return script_say_yes(whole && got == len && !memcmp(text, back, len));
}

static const char *compress_as(char **word)
{
	const char *from = *word[1] ? word[1] : "plain";
	const char *to = *word[2] ? word[2] : "packed";
	int error;

	format = !strcmp(word[0], "gzip") ? TR2_COMPRESS_GZIP
					  : TR2_COMPRESS_ZSTD;
	disk.inherited = 0;
	error = tr2_collect_compress(from, to, format);
	if (disk.inherited)
		return "other programs get it";
	memset(&disk, 0, sizeof(disk));
	return error ? strerror(error) : "done";
}

static const struct script_verb verbs[] = {
	{ "fail", fail_call },
	{ "plain", make_plain },
	{ "unpacks", is_unpacked },
	{ "compress", compress_as },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static void begin_case(void)
{
	uint64_t state = 1;

	for (size_t i = 0; i < MOST; i++) {
		state = state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		text[i] = (char)(state >> 56);
	}
	make_plain((char *[]){ (char[]){ "" } });
}

static void end_case(void)
{
	memset(&disk, 0, sizeof(disk));
	script_restore_system();
	remove_all("plain");
	remove_all("packed");
	remove_all("link");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
