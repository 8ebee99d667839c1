/* Names of redacted files: what is hidden of them, and what is kept. */
#include "redact/name.h"

#include "kit/tap.h"
#include "redact/redactor/line.h"

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define HIDDEN "****************"

static struct tr2_hider hider;

static struct tr2_buf name = TR2_BUF_INIT;

static const char *show_name(unsigned hide, const char *path)
{
	hider.hide = hide;
	tr2_buf_reset(&name);
	tr2_name_show(hide ? &hider : NULL, &name, path);
	return name.bytes;
}

/* Each digit of the words of 16 digits becomes a star. */
static const char *mask_name(const char *shown)
{
	static char masked[256];
	size_t at, run;

	snprintf(masked, sizeof(masked), "%s", shown);
	for (at = 0; masked[at]; at += run ? run : 1) {
		run = strspn(masked + at, "0123456789abcdef");
		if (run == strlen(HIDDEN))
			memcpy(masked + at, HIDDEN, run);
	}
	return masked;
}

static const struct {
	const char *says, *path, *shown;
} kept[] = {
	{ "and for zstd", "sub/.zst", "sub/.zst" },
};

static const struct {
	const char *says, *path, *shown;
} hidden[] = {
	{ "an address is hidden, though it has no letters", "10.1.2.3",
	  HIDDEN },
	{ "or what lacks its first number", "-.1.2.3", "-.1.2.3" },
	{ "or its last one", "1.2.3.-", "1.2.3.-" },
};

static void test_kept(void)
{
	size_t i;

	for (i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		tap_str(show_name(0, kept[i].path), kept[i].shown,
			kept[i].says);
}

static void test_hidden(void)
{
	size_t i;

	for (i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		tap_str(mask_name(show_name(TR2_HIDE_PATHS, hidden[i].path)),
			hidden[i].shown, hidden[i].says);
}

/* Its host gets other digits, and nothing else changes. */
static void test_sid(const char *ending, const char *says)
{
	char path[64], shown[64];

	snprintf(path, sizeof(path), "%s%s", SID, ending);
	snprintf(shown, sizeof(shown), "%s", show_name(TR2_HIDE_HOSTS, path));
	tap_ok(strlen(shown) == strlen(path) && !memcmp(shown, path, 25) &&
		       memcmp(shown + 25, path + 25, 8) != 0 &&
		       !strcmp(shown + 33, path + 33),
	       says);
}

int main(void)
{
	tr2_placeholder_init(&hider.key, "0123456789abcdef", 16);
	test_kept();
	test_hidden();
	test_sid("", "only the host of a SID is hidden");
	test_sid(".1", "so it is where git has numbered its file");
	test_sid(".event", "or the file has an ending");
	tr2_buf_release(&name);
	tr2_placeholder_release(&hider.key);
	return tap_done();
}
