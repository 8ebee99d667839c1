#include "lib/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "lib/common/memory.h"

bool tr2_text_is_one(const char *bytes, size_t len, const char *const *words)
{
	while (*words && !tr2_text_is(bytes, len, *words))
		words++;
	return *words;
}

static bool fits_form(char byte, char form)
{
	if (form == 'x')
		return tr2_text_is_digit(byte) || (byte >= 'a' && byte <= 'f');
	return form == '0' ? tr2_text_is_digit(byte) : byte == form;
}

bool tr2_text_has_form(const char *bytes, size_t len, const char *form)
{
	size_t at = 0;

	while (form[at] && at < len && fits_form(bytes[at], form[at]))
		at++;
	return !form[at];
}

bool tr2_text_is_among(const char *bytes, size_t len, const char *words)
{
	size_t size;

	for (; *words; words += size + (words[size] == ' ')) {
		size = strcspn(words, " ");
		if (size == len && !memcmp(bytes, words, len))
			return true;
	}
	return false;
}

size_t tr2_text_count_word(const char *bytes, size_t len, const char *more)
{
	size_t count = 0;

	while (count < len && (tr2_ascii_alpha(bytes[count]) ||
			       tr2_ascii_digit(bytes[count]) ||
			       (bytes[count] && strchr(more, bytes[count]))))
		count++;
	return count;
}

const char *tr2_text_find(const char *bytes, size_t len, const char *wanted)
{
	const char *end = bytes + len;

	for (; (bytes = memchr(bytes, *wanted, (size_t)(end - bytes))); bytes++)
		if (tr2_text_starts(bytes, (size_t)(end - bytes), wanted))
			return bytes;
	return NULL;
}

unsigned long tr2_text_count_lines(const char *bytes, size_t len)
{
	const char *lf, *end = bytes + len;
	unsigned long count = 0;

	for (; bytes < end; bytes = lf + 1, count++) {
		lf = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!lf)
			lf = end;
	}
	return count;
}

const char *tr2_text_find_end(const char *bytes, size_t len)
{
	if (!memchr(bytes, '\n', len))
		return NULL;
	while (bytes[len - 1] != '\n')
		len--;
	return bytes + len;
}

size_t tr2_text_cut(const char *bytes, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)bytes[most] & 0xc0) == 0x80)
		most--;
	return most;
}

__attribute__((format(printf, 2, 0))) static void
put_formatted(struct tr2_buf *out, const char *fmt, va_list ap)
{
	va_list again;
	size_t len;

	va_copy(again, ap);
	len = (size_t)vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len >= out->room - out->len && tr2_buf_grow(out, len + 1))
		return;
	vsnprintf(out->bytes + out->len, len + 1, fmt, ap);
	out->len += len;
}

void tr2_text_put(struct tr2_buf *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_formatted(out, fmt, ap);
	va_end(ap);
}

char *tr2_text_print(const char *fmt, ...)
{
	struct tr2_buf text = TR2_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	put_formatted(&text, fmt, ap);
	va_end(ap);
	tr2_must_end(&text);
	return text.bytes;
}

static bool ends_with_exe(const char *path, size_t len)
{
	static const char exe[] = ".exe";

	if (len <= 4)
		return false;
	for (size_t i = 0; i < 4; i++)
		if ((path[len - 4 + i] | (exe[i] & 0x20)) != exe[i])
			return false;
	return true;
}

/* A backslash separates directories only there. */
static bool is_of_windows(const char *path, size_t len)
{
	return ends_with_exe(path, len) || (len > 1 && path[1] == ':') ||
	       !memchr(path, '/', len);
}

const char *tr2_text_program(const char *path, size_t len, size_t *name_len)
{
	bool windows = is_of_windows(path, len);
	size_t at = len;

	while (at && path[at - 1] != '/' && !(windows && path[at - 1] == '\\'))
		at--;
	if (ends_with_exe(path + at, len - at))
		len -= 4;
	*name_len = len - at;
	return path + at;
}

bool tr2_text_takes_value(const char *option, size_t len)
{
	return tr2_text_is_among(
		option, len,
		"-C -c --git-dir --work-tree --namespace --config-env "
		"--super-prefix --attr-source --shallow-file");
}

size_t tr2_text_spell(char *out, unsigned long code)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t len = code < 0x80      ? 1
		     : code < 0x800   ? 2
		     : code < 0x10000 ? 3
				      : 4;

	for (size_t i = len; --i > 0; code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(lead[len] | code);
	return len;
}
