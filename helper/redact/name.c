#include "redact/name.h"

#include <string.h>

#include "base/ascii.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

#define DIGITS_MOST 8
#define SID_LEN 43 /* 20260114T093042.112358Z-Hxxxxxxxx-Pxxxxxxxx */

static bool is_digits(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && tr2_ascii_digit(text[i]))
		i++;
	return i == len;
}

/* Any other word after a dot may be a part of a name. */
static bool is_ending(const char *text, size_t len)
{
	static const char *const endings[] = { "log",	"event", "normal",
					       "perf",	"trace", "trace2",
					       "jsonl", "json",	 "ndjson",
					       "txt",	"out",	 NULL };
	const char *const *ending;

	for (ending = endings; *ending; ending++)
		if (tr2_text_is(text, len, *ending))
			return true;
	return len && len <= DIGITS_MOST && is_digits(text, len);
}

/* Returns the length of `.log` or `.1` at the end, or 0. */
static size_t measure_extension(const char *name, size_t len)
{
	size_t i = len;

	while (i && name[i - 1] != '.')
		i--;
	return i > 1 && is_ending(name + i, len - i) ? len - i + 1 : 0;
}

/* Is `10.1.2.3` in it? A redactor takes it for the address of a host, too. */
static bool has_address(const char *name, size_t len)
{
	size_t i, dots = 0;

	for (i = 1; i + 1 < len && dots < 3; i++)
		if (name[i] == '.' && tr2_ascii_digit(name[i - 1]) &&
		    tr2_ascii_digit(name[i + 1]))
			dots++;
		else if (!tr2_ascii_digit(name[i]))
			dots = 0;
	return dots == 3;
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

/* How much of its end may be shown? */
static size_t measure_tail(const char *name, size_t len)
{
	size_t tail = measure_extension(name, len);

	if (len >= SID_LEN && is_sid(name, SID_LEN))
		return tail == len - SID_LEN ? tail : 0;
	return has_address(name, len) && !has_address(name, len - tail) ? 0
									: tail;
}

static void show_name(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *name, size_t len)
{
	size_t tail = measure_tail(name, len);

	len -= tail;
	if (!hider || (!has_letter(name, len) && !has_address(name, len)))
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
