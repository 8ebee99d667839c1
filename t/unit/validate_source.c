/* The bytes of logs, plain or compressed, and the files that there are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include "validate_kit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "log_kit.h"
#include "validate/inputs.h"
#include "validate/source.h"

static char got[1 << 20];
static size_t got_len;

/* Read all, up to `room` bytes at once. Gives the error, or NULL. */
static const char *read_followed(int fd, const char *path, size_t room)
{
	struct tr2_source *source = tr2_source_open(fd);
	const char *error = NULL;
	ssize_t len;

	tr2_source_follow(source, path);
	for (got_len = 0;; got_len += (size_t)len) {
		if (room > sizeof(got) - got_len)
			room = sizeof(got) - got_len;
		len = tr2_source_read(source, got + got_len, room, &error);
		if (len <= 0 || (size_t)len > room)
			break;
	}
	if (len > 0 || len < -1 || !len != !error || !kit_is_whole(source))
		error = "neither bytes nor the end nor an error";
	else if (!len && tr2_source_read(source, got + got_len, 1, &error))
		error = "there is more behind the end";
	tr2_source_close(source);
	close(fd);
	return error;
}

static const char *read_all(int fd, size_t room)
{
	return read_followed(fd, NULL, room);
}

static bool is_read(int fd, size_t room, size_t len)
{
	return !read_all(fd, room) && got_len == len &&
	       !memcmp(got, given, len);
}

static void test_plain(void)
{
	static const size_t rooms[] = { 1000, 1 << 16, 100000, 1 << 20 };
	size_t i, wrong = 0;
	int pipes[2];

	for (i = 0; i < 4; i++)
		wrong += !is_read(file_of(given, 300000), rooms[i], 300000);
	for (i = 0; i < 6; i++)
		wrong += !is_read(file_of(given, i), 1 + i % 2, i);
	wrong += !is_read(file_of(given, 1 << 16), 1 << 16, 1 << 16);
	tap_int((intmax_t)wrong, 0, "plain bytes are read as they are");
	tap_str(read_all(-1, 10), strerror(EBADF), "a read error has its word");
	if (pipe(pipes))
		abort();
	if (write(pipes[1], "\x1f\x8b", 2) != 2)
		abort();
	close(pipes[1]);
	tap_str(read_all(pipes[0], 10), "the compressed data end too early",
		"a head may be all that there is");
}

/* What compresses badly, and then what does so well. */
static void fill_given(void)
{
	uint32_t i, seed = 1;

	for (i = 0; i < sizeof(given); i++) {
		seed = seed * 1664525 + 1013904223;
		given[i] = i < 300000 ? (char)(seed >> 24) : 'x';
	}
	given[0] = 'x';
}

static size_t gzip(char *out, size_t room, size_t len)
{
	z_stream z = { 0 };

	deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (unsigned char *)given;
	z.avail_in = (unsigned)len;
	z.next_out = (unsigned char *)out;
	z.avail_out = (unsigned)room;
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return z.total_out;
}

static size_t zstd(char *out, size_t room, size_t len)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	len = ZSTD_compress2(context, out, room, given, len);
	ZSTD_freeCCtx(context);
	return len;
}

static const struct packer {
	const char *name;
	size_t (*pack)(char *out, size_t room, size_t len);
	size_t magic;
} packers[] = { { "gzip", gzip, 2 }, { "zstd", zstd, 4 } };

static void test_packed(const struct packer *packer)
{
	const size_t half = 1 << 19;
	size_t len = packer->pack(packed, sizeof(packed), half), more, i, end;
	size_t wrong = 0;
	char name[96];

	snprintf(name, sizeof(name), "%s is read", packer->name);
	tap_ok(is_read(file_of(packed, len), 1 << 20, half) &&
		       is_read(file_of(packed, len), 5000, half),
	       name);
	snprintf(name, sizeof(name), "%s that ends early is told",
		 packer->name);
	for (i = 0; i < 3; i++) {
		end = i == 0 ? len - 1 : i == 1 ? len / 2 : packer->magic;
		wrong += read_all(file_of(packed, end), 1 << 17) == NULL;
		wrong += strcmp(read_all(file_of(packed, end), 1 << 17),
				"the compressed data end too early") != 0;
		wrong += got_len > half || memcmp(got, given, got_len) != 0;
	}
	tap_int((intmax_t)wrong, 0, name);
	memcpy(packed + len, packed, 100);
	snprintf(name, sizeof(name), "%s with half a member is told",
		 packer->name);
	tap_str(read_all(file_of(packed, len + 100), 1 << 20),
		"the compressed data end too early", name);
	memset(packed + len, 'x', 100);
	snprintf(name, sizeof(name), "%s with other bytes is told",
		 packer->name);
	tap_str(read_all(file_of(packed, len + 100), 1 << 20),
		"the compressed data are broken", name);
	more = packer->pack(packed + len, sizeof(packed) - len, 1000);
	snprintf(name, sizeof(name), "%s may have two members", packer->name);
	tap_ok(!read_all(file_of(packed, len + more), 1 << 20) &&
		       got_len == half + 1000 && !memcmp(got, given, half) &&
		       !memcmp(got + half, given, 1000),
	       name);
	packed[len / 2] ^= 1;
	packed[len / 2 + 1] ^= 7;
	packed[12] ^= 7;
	snprintf(name, sizeof(name), "%s that is broken is told", packer->name);
	tap_str(read_all(file_of(packed, len), 1 << 20),
		"the compressed data are broken", name);
	len = packer->pack(packed, sizeof(packed), 0);
	snprintf(name, sizeof(name), "%s of nothing is empty", packer->name);
	tap_ok(is_read(file_of(packed, len), 100, 0), name);
}

/*
 * ---- Pipes, and what grows
 */

static int pipe_of(const char *bytes, size_t len, int *end)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], bytes, len) != (ssize_t)len)
		abort();
	*end = ends[1];
	return ends[0];
}

/* What is there, and no more. */
static bool is_read_at_once(const char *bytes, size_t len)
{
	struct tr2_source *source;
	const char *error = NULL;
	int end, fd = pipe_of(bytes, len, &end);
	ssize_t first, second;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	source = tr2_source_open(fd);
	first = tr2_source_read(source, got, 100, &error);
	second = tr2_source_read(source, got, 100, &error);
	tr2_source_close(source);
	close(fd);
	close(end);
	return first == (ssize_t)len && second == -1 &&
	       !strcmp(error, strerror(EAGAIN));
}

/* At the second signal, when it is waited for. */
static struct {
	int fd, signals;
	const char *bytes;
	size_t len;
	const char *from, *to; /* or a file takes another's place */
} later;

static void write_later(int number)
{
	int error = errno;

	(void)number;
	if (++later.signals == 2 &&
	    write(later.fd, later.bytes, later.len) != (ssize_t)later.len)
		abort();
	if (later.signals == 4 && later.to)
		rename(later.from, later.to);
	if (later.signals == 4)
		close(later.fd);
	errno = error;
}

static void begin_later(int fd, const char *bytes, size_t len)
{
	const struct sigaction action = { .sa_handler = write_later };
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };

	later.fd = fd;
	later.signals = 0;
	later.bytes = bytes;
	later.len = len;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void end_later(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	later.from = later.to = NULL;
}

static void test_pipes(void)
{
	const char *error;
	int fd, end;
	size_t len;

	tap_ok(is_read_at_once("abcd", 4) && is_read_at_once("abcde", 5),
	       "what comes is not waited for");
	fd = pipe_of(given, 3, &end);
	begin_later(end, given + 3, 65536);
	error = read_all(fd, 100000);
	end_later();
	tap_ok(!error && got_len == 65539 && !memcmp(got, given, got_len),
	       "a signal interrupts no reading");
	len = zstd(packed, sizeof(packed), 1000);
	fd = pipe_of(packed, 3, &end);
	begin_later(end, packed + 3, len - 3);
	error = read_all(fd, 1000);
	end_later();
	tap_ok(!error && got_len == 1000 && !memcmp(got, given, 1000),
	       "what a file is may be seen late");
	len = gzip(packed, sizeof(packed), 1000);
	fd = pipe_of(packed, len / 2, &end);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	tap_str(read_all(fd, 1000), strerror(EAGAIN),
		"an error within compressed bytes has its word");
	close(end);
	errno = EINTR;
	tap_ok(is_read(file_of(given, 9), 5, 9), "old errors do not matter");
}

static void test_followed(void)
{
	char path[] = "/tmp/validate-source-XXXXXX", other[64];
	const char *error;
	int fd = mkstemp(path), more;

	snprintf(other, sizeof(other), "%s-2", path);
	close(open(other, O_CREAT | O_WRONLY, 0600));
	if (fd < 0 || write(fd, given, 10) != 10 || lseek(fd, 0, SEEK_SET))
		abort();
	more = open(path, O_WRONLY | O_APPEND);
	later.from = other;
	later.to = path;
	begin_later(more, given + 10, 10);
	error = read_followed(fd, path, 100);
	end_later();
	unlink(path);
	tap_ok(!error && got_len == 20 && !memcmp(got, given, 20),
	       "what grows is read until another takes its place");
}

/*
 * ---- Memory: the decoders have none while there is none
 */

static bool no_decoders;

ZSTD_DStream *ZSTD_createDStream(void)
{
	return no_decoders ? NULL : ZSTD_createDCtx();
}

int inflateInit2_(z_streamp stream, int bits, const char *version, int size)
{
	int (*init)(z_streamp, int, const char *, int);

	*(void **)&init = dlsym(RTLD_NEXT, "inflateInit2_");
	return no_decoders ? Z_MEM_ERROR : init(stream, bits, version, size);
}

static int runs_out(size_t (*pack)(char *out, size_t room, size_t len))
{
	size_t len = pack(packed, sizeof(packed), 1000);
	static struct tr2_source *source;
	const char *error;
	int out;

	source = tr2_source_open(file_of(packed, len));
	no_decoders = true;
	kit_may_be_out = 1;
	out = setjmp(kit_out);
	if (!out)
		tr2_source_read(source, got, 1, &error);
	no_decoders = false;
	tr2_source_close(source);
	return out;
}

/*
 * ---- Files
 */

static char visited[512];

static void visit(void *context, const char *name, int fd)
{
	char byte = '?';
	size_t cut = strlen(context);

	if (strncmp(name, context, cut))
		cut = 0;
	if (fd >= 0 && read(fd, &byte, 1) != 1)
		byte = '-';
	snprintf(visited + strlen(visited), sizeof(visited) - strlen(visited),
		 "%s=%c%s ", name + cut, byte, fd < 0 ? strerror(errno) : "");
}

static const char *visits(const char *dir, const char *path)
{
	char whole[128];

	visited[0] = '\0';
	snprintf(whole, sizeof(whole), "%s%s", dir, path);
	errno = 0;
	tr2_inputs_visit(*path == '-' ? path : whole, visit, (void *)dir);
	return visited;
}

static void put_file(const char *dir, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void test_inputs(void)
{
	char dir[] = "/tmp/validate-lines-XXXXXX", path[128];
	int i;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	mkdir("d", 0700), mkdir("d/c", 0700), mkdir("d/e", 0700);
	mkdir("empty", 0700);
	put_file(dir, "d/b", "B");
	put_file(dir, "d/a", "A");
	put_file(dir, "d/.f", "F");
	put_file(dir, "d/...", "E");
	put_file(dir, "d/c/x", "X");
	put_file(dir, "one", "1");
	if (symlink("../one", "d/g") || symlink("../d", "d/h") ||
	    symlink("nowhere", "d/i") || symlink("d", "link") ||
	    mkfifo("d/fifo", 0600))
		abort();
	tap_str(visits(dir, "/d"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"regular files are visited in their order");
	tap_str(visits(dir, "/d/"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"a path may end with a slash");
	tap_str(visits(dir, "/d//"),
		"/d/...=E /d/.f=F /d/a=A /d/b=B /d/c/x=X /d/g=1 ",
		"or with more of them");
	tap_str(visits(dir, "/link"),
		"/link/...=E /link/.f=F /link/a=A "
		"/link/b=B /link/c/x=X /link/g=1 ",
		"a link that is asked for is followed");
	tap_str(visits(dir, "/one"), "/one=1 ", "a file is visited");
	tap_str(visits(dir, "/empty"), "", "a directory may be empty");
	snprintf(path, sizeof(path), "/two=?%s ", strerror(ENOENT));
	tap_str(visits(dir, "/two"), path, "a file that isn't there is told");
	if (freopen("one", "r", stdin))
		tap_str(visits(dir, "-"), "-=1 ", "standard input is visited");
	tap_ok(read(STDIN_FILENO, path, 1) == 0, "and stays open");
	i = open("/dev/null", O_RDONLY);
	close(i);
	visits(dir, "/d");
	tap_int(open("/dev/null", O_RDONLY), i, "files are closed");
	chdir("/tmp");
	snprintf(path, sizeof(path), "rm -r %s", dir);
	tap_int(system(path), 0, "nothing else is in the directory");
}

static void use_all(void)
{
	size_t len = gzip(packed, sizeof(packed), 300000);

	is_read(file_of(packed, len), 1 << 16, 300000);
	len = zstd(packed, sizeof(packed), 300000);
	is_read(file_of(packed, len), 1 << 16, 300000);
	visits("/usr/share", "/misc");
}

int main(void)
{
	fill_given();
	test_plain();
	test_packed(&packers[0]);
	test_packed(&packers[1]);
	test_pipes();
	test_followed();
	tap_ok(runs_out(gzip), "gzip needs memory");
	tap_ok(runs_out(zstd), "zstd needs memory");
	test_inputs();
	tap_ok(!kit_leaks(use_all), "logs that are read leave no memory");
	return tap_done();
}
