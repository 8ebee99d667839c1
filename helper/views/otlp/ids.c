#include "views/otlp/process.h"

#include <string.h>
#include <sys/types.h>

#include <sha2.h>

#define FORM "00-00000000000000000000000000000000-0000000000000000-00"

static void hash_text(uint8_t *digest, const char *text, size_t len)
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, (const uint8_t *)text, len);
	SHA256Final(digest, &context);
}

static void hash_span(unsigned char *span, const char *text, size_t len)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	hash_text(digest, text, len);
	memcpy(span, digest + 16, TR2_OTLP_SPAN);
}

/* Returns where the last component begins. */
static size_t find_last(const char *sid, size_t len)
{
	while (len && sid[len - 1] != '/')
		len--;
	return len;
}

/* Returns the length of the SID without components that repeat the last one. */
static size_t skip_repeated(const char *sid, size_t len)
{
	size_t last = find_last(sid, len), size = len - last, before;

	while (last) {
		before = find_last(sid, last - 1);
		if (last - 1 - before != size ||
		    memcmp(sid + before, sid + last, size) != 0)
			break;
		len = last - 1;
		last = before;
	}
	return len;
}

static bool occurs_before(const char *sid, size_t len, size_t last)
{
	size_t end = last, at;

	while (end) {
		at = find_last(sid, end - 1);
		if (end - 1 - at == len - last &&
		    !memcmp(sid + at, sid + last, len - last))
			return true;
		end = at;
	}
	return false;
}

static void find_span(unsigned char *span, const char *sid, size_t len)
{
	size_t last = find_last(sid, len);

	if (occurs_before(sid, len, last))
		hash_span(span, sid, len);
	else
		hash_span(span, sid + last, len - last);
}

void tr2_otlp_ids_of(struct tr2_otlp_ids *ids, const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);
	uint8_t digest[SHA256_DIGEST_LENGTH];
	size_t last;

	hash_text(digest, sid, slash ? (size_t)(slash - sid) : len);
	memcpy(ids->trace, digest, TR2_OTLP_TRACE);
	len = skip_repeated(sid, len);
	find_span(ids->span, sid, len);
	last = find_last(sid, len);
	ids->has_parent = last > 0;
	ids->joined = false;
	if (last)
		find_span(ids->parent, sid, skip_repeated(sid, last - 1));
}

void tr2_otlp_inner_id(unsigned char *span, const char *sid, size_t len,
		       uint64_t number)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, (const uint8_t *)sid, len);
	for (len = 0; len < sizeof(number); len++, number >>= 8)
		SHA256Update(&context, &(uint8_t){ number & 0xff }, 1);
	SHA256Final(digest, &context);
	memcpy(span, digest, TR2_OTLP_SPAN);
}

static int read_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* False: a digit is none, or all are 0. */
static bool read_hex(unsigned char *bytes, const char *text, size_t count)
{
	int high, low, any = 0;

	for (; count; count--, text += 2) {
		high = read_digit(text[0]);
		low = read_digit(text[1]);
		if (high < 0 || low < 0)
			return false;
		*bytes = (unsigned char)(16 * high + low);
		any |= *bytes++;
	}
	return any;
}

void tr2_otlp_ids_join(struct tr2_otlp_ids *ids, const char *text, size_t len)
{
	unsigned char trace[TR2_OTLP_TRACE], span[TR2_OTLP_SPAN];

	if (ids->joined || len != sizeof(FORM) - 1 ||
	    memcmp(text, FORM, 3) != 0 || text[35] != '-' || text[52] != '-' ||
	    !read_hex(trace, text + 3, sizeof(trace)) ||
	    !read_hex(span, text + 36, sizeof(span)) ||
	    read_digit(text[53]) < 0 || read_digit(text[54]) < 0)
		return;
	memcpy(ids->trace, trace, sizeof(trace));
	if (!ids->has_parent)
		memcpy(ids->parent, span, sizeof(span));
	ids->has_parent = true;
	ids->joined = true;
}
