/*
 * Words as a shell reads them; and long texts with URLs, and their ends. What
 * is a secret is in t/library/targets/secrets.tsv.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "base/buf.h"
#include "base/quote.h"
#include "event/redact.h"

static void test_quotes(void)
{
	static const char *const cases[][2] = {
		{ "", "''" },
		{ "plain", "plain" },
		{ "+,./:=@_^-", "+,./:=@_^-" },
		{ "a b", "'a b'" },
		{ " ", "' '" },
		{ "a'b", "'a'\\''b'" },
		{ "'", "''\\'''" },
		{ "a!b!", "'a'\\!'b'\\!''" },
		{ "\xc3\xa9", "'\xc3\xa9'" },
	};
	static const char *const words[] = { "a", "", "b c", NULL };
	char bytes[64];
	struct tr2_buf out = TR2_BUF_FIXED(bytes);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tr2_buf_reset(&out);
		tr2_quote_word(&out, cases[i][0]);
		tap_bytes(bytes, out.len, cases[i][1], strlen(cases[i][1]),
			  cases[i][1]);
	}
	tr2_buf_reset(&out);
	tr2_quote_words(&out, words);
	tap_bytes(bytes, out.len, "a '' 'b c'", 10, "blanks are between words");
	tr2_buf_reset(&out);
	tr2_quote_words(&out, NULL);
	tap_int((intmax_t)out.len, 0, "no words are nothing");
}

static void test_end(void)
{
	char bytes[128], *end, *page = memory_page(&end);
	struct tr2_buf out = TR2_BUF_FIXED(bytes);

	(void)page;
	memcpy(end - 2, "\\", 2);
	tr2_redact_add_json(&out, end - 2);
	tap_str(bytes, "\\", "JSON may end with a backslash");
}

/* As many as there is room for; where they are looked for is far away. */
static void test_many_urls(void)
{
	static const char *const urls[][2] = {
		{ "x://u:/ ", "@" }, /* the next @ */
		{ "://a", " " },     /* the next blank */
	};
	static char url_text[(4 << 20) + 8];
	const size_t room = sizeof(url_text) - 8;
	size_t i, at, len;

	for (i = 0; i < 2; i++) {
		struct tr2_buf out = TR2_BUF_INIT;

		len = strlen(urls[i][0]);
		for (at = 0; at < room; at += len)
			memcpy(url_text + at, urls[i][0], len);
		strcpy(url_text + at, urls[i][1]);
		tr2_redact_add(&out, url_text);
		tap_ok(out.len == room + 2 &&
			       !memcmp(out.bytes, url_text, out.len),
		       i ? "nor do many whose next blank is"
			 : "many URLs whose @ is far away take no time");
		tr2_buf_release(&out);
	}
}

int main(void)
{
	tap_run(test_quotes, test_many_urls, test_end);
	return tap_done();
}
