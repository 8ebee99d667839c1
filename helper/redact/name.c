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

/*
 * Is it a SID with a host, such as git names its files? Any other name that
 * has its form would be shown where hosts are.
 */
static bool is_sid(const char *name, size_t len)
{
	static const char form[] =
		"00000000T000000.000000Z-Hxxxxxxxx-Pxxxxxxxx";
	size_t i;

	if (len != SID_LEN)
		return false;
	for (i = 0; i < len; i++)
		if (form[i] == '0'   ? !tr2_ascii_digit(name[i])
		    : form[i] == 'x' ? !memchr("0123456789abcdef", name[i], 16)
				     : name[i] != form[i])
			return false;
	return true;
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

/* Has the name at the end of the path more than this at its end? */
static bool has_ending(const char *path, size_t len, const char *ending)
{
	const size_t left = len - strlen(ending);

	return len > strlen(ending) && path[left - 1] != '/' &&
	       !memcmp(path + left, ending, strlen(ending));
}

static size_t drop_packing(const char *path, size_t len)
{
	if (has_ending(path, len, ".gz"))
		return len - 3;
	return has_ending(path, len, ".zst") ? len - 4 : len;
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
