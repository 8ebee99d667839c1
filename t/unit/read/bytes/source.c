#define _GNU_SOURCE
/* The bytes of logs, plain or compressed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kit/validate.h"
#include <zlib.h>
#include <zstd.h>

#include "kit/log.h"
#include "kit/tap.h"
#include "read/bytes/source.h"

/*
 * ---- Source
 */

static char got[1 << 20];
static size_t got_len;

/* Read everything, up to `room` bytes at once. Returns the error, or NULL. */
static const char *read_all(int fd, size_t room)
{
	struct tr2_source *source = tr2_source_open(fd);
	const char *error = NULL;
	ssize_t len;

	for (got_len = 0;; got_len += (size_t)len) {
		if (room > sizeof(got) - got_len)
			room = sizeof(got) - got_len;
		len = tr2_source_read(source, got + got_len, room, &error);
		if (len <= 0)
			break;
		if ((size_t)len > room)
			return "more than there is room for";
	}
	if (!len && !error && tr2_source_read(source, got, 1, &error))
		error = "that was not the end";
	tr2_source_close(source);
	close(fd);
	return len < -1 || (len && !error) ? "not the promised error" : error;
}

static bool is_read(int fd, size_t room, size_t len)
{
	return !read_all(fd, room) && got_len == len &&
	       !memcmp(got, given, len);
}

static void test_plain(void)
{
	static const size_t rooms[] = { 1000, 1 << 16, 100000, 1 << 20 };
	size_t wrong = 0;
	int pipes[2];

	for (size_t i = 0; i < 4; i++)
		wrong += !is_read(file_of(given, 300000), rooms[i], 300000);
	for (size_t i = 0; i < 6; i++)
		wrong += !is_read(file_of(given, i), 1 + i % 2, i);
	wrong += !is_read(file_of(given, 1 << 16), 1 << 16, 1 << 16);
	tap_int((intmax_t)wrong, 0, "plain bytes are read as they are");
	tap_str(read_all(-1, 10), strerror(EBADF), "a read error has its word");
	tap_need(!pipe(pipes));
	tap_need(write(pipes[1], "\x1f\x8b", 2) == 2);
	close(pipes[1]);
	tap_str(read_all(pipes[0], 10), "the compressed data end too early",
		"a head may be all that there is");
}

/* What compresses badly, and then what does so well. */
static void fill_given(void)
{
	uint32_t seed = 1;

	for (uint32_t i = 0; i < sizeof(given); i++) {
		seed = seed * 1664525 + 1013904223;
		given[i] = i < 300000 ? (char)(seed >> 24) : 'x';
	}
	given[0] = 'x';
}

static size_t pack_gzip(char *out, size_t room, size_t len)
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

static size_t pack_zstd(char *out, size_t room, size_t len)
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
} packers[] = { { "gzip", pack_gzip, 2 }, { "zstd", pack_zstd, 4 } };

#define PACKERS (sizeof(packers) / sizeof(*packers))

/* A device has whole blocks, and a file that a crash cut may have them, too. */
static void test_filled(void)
{
	static const size_t fills[] = { 1, 65536, 100000 };
	const size_t half = 1 << 19;
	size_t len = pack_gzip(packed, sizeof(packed), half), wrong = 0;

	for (size_t i = 0; i < 3; i++) {
		memset(packed + len, 0, fills[i] + 1);
		wrong += !is_read(file_of(packed, len + fills[i]), 5000, half);
		packed[len + fills[i]] = 'x';
		wrong += !read_all(file_of(packed, len + fills[i] + 1), 5000);
	}
	tap_int((intmax_t)wrong, 0,
		"gzip may have zeros after it, and no more");
}

static void test_packed(const struct packer *packer)
{
	const size_t half = 1 << 19;
	size_t len = packer->pack(packed, sizeof(packed), half), more, end;
	size_t wrong = 0;
	char name[96];

	snprintf(name, sizeof(name), "%s is read", packer->name);
	tap_ok(is_read(file_of(packed, len), 1 << 20, half) &&
		       is_read(file_of(packed, len), 5000, half),
	       name);
	snprintf(name, sizeof(name), "%s that ends early is told",
		 packer->name);
	for (size_t i = 0; i < 3; i++) {
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
	len += packer->pack(packed + len, sizeof(packed) - len, 1000);
	snprintf(name, sizeof(name), "%s of nothing hides nothing",
		 packer->name);
	tap_ok(is_read(file_of(packed, len), 1 << 20, 1000), name);
}

static void run_tests_of_source(void)
{
	fill_given();
	test_plain();
	for (size_t i = 0; i < PACKERS; i++)
		test_packed(&packers[i]);
	test_filled();
}

int main(void)
{
	run_tests_of_source();
	return tap_done();
}
