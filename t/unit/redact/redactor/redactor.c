/*
 * A redactor that gets no memory shows nothing, instead of a part.
 * Placeholders: the keyed hash is the one of RFC 2104, with SHA-256.
 */
#include "kit/validate.h"
#include "kit/tap.h"
#include "host/host.h"
#include "redact/redactor/line.h"
#include "lib/common/hash.h"
#include "redact/redactor/placeholder.h"

/*
 * ---- Memory
 */

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"

static const struct tr2_host *usual;
static int calls_left; /* before one that fails */

static void *grow_until(void *old, size_t size)
{
	return calls_left-- ? usual->realloc(old, size) : NULL;
}

static struct tr2_redactor *redactor;
static const char *line, *got;
static size_t got_len;

static void redact_once(void)
{
	got_len = strlen(line);
	got = tr2_redactor_line(redactor, line, &got_len);
}

/* Returns what is shown if the call after so many fails, or NULL. */
static const char *redact_poorly(unsigned hide, int calls)
{
	static char shown[1 << 14];
	struct tr2_host host = *usual;
	int out;

	redactor = tr2_redactor_open(hide, "0123456789abcdef", 16);
	host.realloc = grow_until;
	calls_left = calls;
	tr2_host = &host;
	out = kit_runs_out(redact_once);
	tr2_host = usual;
	if (!out && got)
		memcpy(shown, got, got_len + 1);
	tr2_redactor_close(redactor);
	return out ? NULL : got ? shown : "(left out)";
}

/* Each call for memory fails in turn. */
static void test_line(const char *text, unsigned hide, const char *says)
{
	char whole[1 << 14];
	const char *shown;
	int poor = 0, wrong = 0;

	line = text;
	snprintf(whole, sizeof(whole), "%s", redact_poorly(hide, -1));
	for (int calls = 0; calls < 30; calls++) {
		shown = redact_poorly(hide, calls);
		poor += !shown;
		wrong += shown && strcmp(shown, whole) != 0;
	}
	tap_ok(poor > 1 && poor < 30 && !wrong, says);
}

/* So long that each of several buffers has to grow. */
static const char *make_long(const char *before, const char *after)
{
	static char text[1 << 13];
	char words[3000];
	size_t i;

	for (i = 0; i < sizeof(words) - 1; i++)
		words[i] = i % 7 ? 'w' : ' ';
	words[i] = '\0';
	snprintf(text, sizeof(text), "%s%s%s", before, words, after);
	return text;
}

static void run_memory(void)
{
	usual = tr2_host;
	test_line("{\"event\":\"printf\",\"msg\":\"x://u:p@h/\"}", 0,
		  "a password is hidden in whole lines only");
	test_line("{\"event\":\"start\",\"sid\":\"" SID "\",\"argv\":["
		  "\"git\",\"a\\u0041\",\"x://u:p@h/\"]}",
		  TR2_HIDE_ALL, "words are hidden in whole lines only");
	test_line("{\"event\":\"def_param\",\"param\":\"user.name\","
		  "\"value\":\"bob\"}",
		  TR2_HIDE_ALL, "a setting is not taken for another one");
	test_line(make_long("{\"event\":\"printf\",\"msg\":\"", "\\u0041\"}"),
		  0, "a long line is copied as a whole");
	test_line(make_long("{\"event\":\"start\",\"argv\":[\"git\","
			    "\"--",
			    "\",\"x://u:p@h\"]}"),
		  TR2_HIDE_HOSTS, "a long word is hidden as a whole");
	test_line(make_long("{\"event\":\"version\",\"exe\":\"",
			    "\",\"file\":\"/a\"}"),
		  TR2_HIDE_PATHS, "a long line is put as a whole");
}

/*
 * ---- Placeholder
 */

static const char path[] = "/home/alice/x";

static const char *hash_path(size_t key_len, const char *word, unsigned digits)
{
	static char text[65];
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_placeholder key;
	char bytes[100];

	memset(bytes, 'k', sizeof(bytes));
	tr2_placeholder_init(&key, bytes, key_len);
	tr2_placeholder_digits(&key, &out, word, path, strlen(path), digits);
	text[out.len] = '\0';
	tr2_placeholder_release(&key);
	return text;
}

static void run_placeholder(void)
{
	char first[64];
	char text[64] = { 0 };
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_placeholder key;

	tap_str(hash_path(16, "path", 16), "05643084bc7fcee8",
		"a short key is padded");
	tap_str(hash_path(64, "path", 16), "7abfa89c1a229822",
		"a key may fill a block");
	tap_str(hash_path(65, "path", 16), "5ec9455a8f96a3ed",
		"a longer key is hashed");
	tap_str(hash_path(16, "host", 16), "94836fff0a86915c",
		"a word is a part of the value");
	tap_str(hash_path(0, "path", 16), "b37a183f565bc088",
		"a key may be empty");
	tap_str(hash_path(16, "path", 64),
		"05643084bc7fcee8af100bfcfd0d543b"
		"49f4b789ba8916819ebc3b081f4ac55e",
		"a hash has up to 64 digits");
	tr2_placeholder_init(&key, "kkkkkkkkkkkkkkkk", 16);
	tr2_placeholder_add(&key, &out, "path", path, strlen(path));
	strcpy(first, text);
	tap_str(text, "<path-05643084bc7fcee8>",
		"a placeholder has its word and 16 digits");
	out.len = 0;
	tr2_placeholder_add(&key, &out, "path", path, strlen(path));
	tap_str(text, first, "the second time a value has the same one");
	out.len = 0;
	tr2_placeholder_add(&key, &out, "host", path, strlen(path));
	tap_ok(strcmp(strchr(text, '-'), strchr(first, '-')),
	       "what was kept for a word is not taken for another");
	tr2_placeholder_release(&key);
}

int main(void)
{
	tap_run(run_memory, run_placeholder);
	return tap_done();
}
