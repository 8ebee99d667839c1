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
	{ "a name that is not hidden stays", "alice/bob.log", "alice/bob.log" },
	{ "the ending of a gzip file is dropped", "a.log.gz", "a.log" },
	{ "so is that of zstd", "a.log.zst", "a.log" },
	{ "only one of them is", "a.gz.zst", "a.gz" },
	{ "another letter is no such ending", "a.gzz", "a.gzz" },
	{ "nor is one in the midst", "a.gz/b", "a.gz/b" },
	{ "an ending needs a dot", "agz", "agz" },
	{ "a name of one letter has an ending", "b/a.gz", "b/a" },
	{ "a file that is but an ending keeps it", ".gz", ".gz" },
	{ "so it does below a directory", "sub/.gz", "sub/.gz" },
	{ "and for zstd", "sub/.zst", "sub/.zst" },
	{ "slashes stay", "/a//b/", "/a//b/" },
	{ "a name that is empty stays so", "", "" },
};

static const struct {
	const char *says, *path, *shown;
} hidden[] = {
	{ "the names of files and directories are hidden", "alice/bob.log",
	  HIDDEN "/" HIDDEN ".log" },
	{ "a name without letters is kept", "2026-01-14_09:30.1/..",
	  "2026-01-14_09:30.1/.." },
	{ "what was packed has its ending", "bob.event.gz", HIDDEN ".event" },
	{ "another word after a dot may be a name", "bob.smith", HIDDEN },
	{ "so may one of a directory", "bob.smith/x.log",
	  HIDDEN "/" HIDDEN ".log" },
	{ "or one that begins as an ending", "bob.logs", HIDDEN },
	{ "a number is an ending", "bob.12345678", HIDDEN ".12345678" },
	{ "but not a long one", "bob.123456789", HIDDEN },
	{ "an address is hidden, though it has no letters", "10.1.2.3",
	  HIDDEN },
	{ "so it is before an ending", "10.1.2.3.log", HIDDEN ".log" },
	{ "a number, too, may be one", "10.1.2.3.7", HIDDEN ".7" },
	{ "and among other numbers", "2026-10.1.2.34_1", HIDDEN },
	{ "three numbers are no address", "2.39.5", "2.39.5" },
	{ "nor are those with another byte between", "1.2-3.4", "1.2-3.4" },
	{ "or with two dots", "1.2..3.4", "1.2..3.4" },
	{ "or several shorter ones", "1.2-3.4-5.6", "1.2-3.4-5.6" },
	{ "or what lacks its first number", "-.1.2.3", "-.1.2.3" },
	{ "or its last one", "1.2.3.-", "1.2.3.-" },
	{ "its numbers may be short", "1.2.3.4", HIDDEN },
	{ "a name that is but an ending is hidden", ".log", HIDDEN },
	{ "a SID keeps no other ending", SID ".smith", HIDDEN },
	{ "a dot is no ending", "bob.", HIDDEN },
	{ "a name that begins with a dot has no ending", ".bob", HIDDEN },
	{ "nor has a name with other bytes behind its dot", "a.b~", HIDDEN },
	{ "a name may be one letter", "a.log", HIDDEN ".log" },
	{ "the last of several endings is kept", "a.log.txt", HIDDEN ".txt" },
	{ "a SID that lacks a digit is hidden",
	  "20260114T093042.112358Z-Hc4f2e1a9-P00001f4", HIDDEN },
	{ "what only has the dashes of a SID is hidden",
	  "our-secret-customer-BVZ-Hamsterda-Pmysecre", HIDDEN },
	{ "so is one with the length of a SID",
	  "our-secret-customer-BVZ-Hamsterdam-Pmysecre", HIDDEN },
	{ "and one with other letters than a host's",
	  "20260114T093042.112358Z-Hamsterda-P00001f40", HIDDEN },
	{ "or than a process id's",
	  "20260114T093042.112358Z-Hc4f2e1a9-Pmysecret", HIDDEN },
	{ "a SID with more behind it is hidden", SID "x", HIDDEN },
	{ "also if that ends like a file", SID "x.log", HIDDEN },
	{ "a slash after a directory stays", "a/", HIDDEN "/" },
	{ "a letter before digits is no number", "bob.x1", HIDDEN },
	{ "what only lacks the first digit of a SID is hidden",
	  "x0260114T093042.112358Z-Hc4f2e1a9-P00001f40", HIDDEN },
	{ "a name that is longer than a SID keeps its ending",
	  "our-secret-customer-of-the-year-in-Amsterdam-and-more.log",
	  HIDDEN ".log" },
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

static void test_same(void)
{
	char first[64];

	snprintf(first, sizeof(first), "%s", show_name(TR2_HIDE_PATHS, "bob"));
	tap_str(show_name(TR2_HIDE_USERS, "bob"), first,
		"a name has the same placeholder each time");
	tap_ok(strcmp(show_name(TR2_HIDE_PATHS, "rob"), first) != 0,
	       "another name has another one");
}

int main(void)
{
	tr2_placeholder_init(&hider.key, "0123456789abcdef", 16);
	test_kept();
	test_hidden();
	test_sid("", "only the host of a SID is hidden");
	test_sid(".1", "so it is where git has numbered its file");
	test_sid(".event", "or the file has an ending");
	test_same();
	tr2_buf_release(&name);
	tr2_placeholder_release(&hider.key);
	return tap_done();
}
