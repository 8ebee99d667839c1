#include "redact/name.h"

#include <string.h>

#include "base/ascii.h"
#include "common/memory.h"

#define SID_LEN 43 /* 20260114T093042.112358Z-Hxxxxxxxx-Pxxxxxxxx */
#define EXTENSION_MOST 8

/* Returns the length of `.log` at the end, or 0. */
static size_t measure_extension(const char *name, size_t len)
{
	size_t i = len;

	while (i &&
	       (tr2_ascii_alpha(name[i - 1]) || tr2_ascii_digit(name[i - 1])))
		i--;
	return i > 1 && name[i - 1] == '.' && i < len &&
			       len - i <= EXTENSION_MOST
		       ? len - i + 1
		       : 0;
}

static bool has_letter(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!memchr("0123456789-_.:", name[i], 14))
			return true;
	return false;
}

/* Is it a SID with a host, such as git names its files? */
static bool is_sid(const char *name, size_t len)
{
	return len == SID_LEN && !memcmp(name + 22, "Z-H", 3) &&
	       !memcmp(name + 33, "-P", 2);
}

static void show_name(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *name, size_t len)
{
	size_t tail;

	if (len > SID_LEN && is_sid(name, SID_LEN))
		tail = measure_extension(name, len) == len - SID_LEN
			       ? len - SID_LEN
			       : 0;
	else
		tail = is_sid(name, len) ? 0 : measure_extension(name, len);
	len -= tail;
	if (!hider || !has_letter(name, len))
		tr2_buf_add(out, name, len);
	else if (is_sid(name, len))
		tr2_hide_sid(hider, out, name, len);
	else
		tr2_placeholder_digits(&hider->key, out, "name", name, len, 16);
	tr2_buf_add(out, name + len, tail);
}

static size_t drop_packing(const char *path, size_t len)
{
	if (len > 3 && !memcmp(path + len - 3, ".gz", 3))
		return len - 3;
	if (len > 4 && !memcmp(path + len - 4, ".zst", 4))
		return len - 4;
	return len;
}

void tr2_name_show(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *path)
{
	size_t len = drop_packing(path, strlen(path)), part;
	const char *slash;

	while ((slash = memchr(path, '/', len))) {
		part = (size_t)(slash - path);
		show_name(hider, out, path, part);
		tr2_buf_byte(out, '/');
		path += part + 1, len -= part + 1;
	}
	show_name(hider, out, path, len);
	tr2_buf_byte(out, '\0');
	if (out->failed)
		tr2_memory_out();
}
