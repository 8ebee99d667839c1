/*
 * Texts with secrets in buffers of any size, and the quick look at a text.
 * What is a secret is in t/library/targets/secrets.tsv.
 */
#include "event/redact.h"

#include "base/buf.h"
#include "kit/tap.h"

typedef void add_fn(struct tr2_buf *out, const char *text);
typedef int wanted_fn(const char *text);

static const char *const texts[] = {
	"x://u:p@h y://v:q@i", "x://u:a@b@h!@c",
	"x://h?token=a&b=c",   "x://h?%70assword=a#b",
	"x://ghp_0a1b:p@h",    "a:\\u002f\\u002Fu:p\\u0040h",
	"a://h:8/p\\\\n@i",
};

static const char *const json[] = {
	"\"a\\u003a//u:p@h\"",
	"[\"a://u:p@h\",{\"b://v:q@i\":1}]",
	"\"a://u:p\\\"q@h\"",
	"\"x://ghp_0a1b@h\"",
};

/* Of the buffers in which the result has no room, those that do not fail. */
static int count_wrong_rooms(const char *text, add_fn *add)
{
	struct tr2_buf whole = TR2_BUF_INIT;
	char bytes[512];
	int wrong = 0;

	add(&whole, text);
	for (size_t room = 0; room < whole.len; room++) {
		struct tr2_buf out = { bytes, 0, room, 1, 0 };

		bytes[room] = '#';
		add(&out, text);
		wrong += !out.failed || bytes[room] != '#';
	}
	tr2_buf_release(&whole);
	return wrong;
}

static void test_texts(const char *const *rows, size_t count, add_fn *add,
		       wanted_fn *wanted)
{
	for (size_t i = 0; i < count; i++) {
		tap_int(count_wrong_rooms(rows[i], add), 0,
			"each buffer that is too small fails");
		tap_ok(wanted(rows[i]), "the quick look does not miss it");
	}
}

static void test_wanted(void)
{
	tap_int(tr2_redact_wanted(""), 0, "nothing holds no secret");
	tap_int(tr2_redact_wanted("a: b@c, d:/e@f"), 0,
		"a text without a URL holds no secret");
	tap_int(tr2_redact_wanted("a://b/c"), 0,
		"a URL with neither an @ nor a = holds no secret");
	tap_int(tr2_redact_wanted("a: b://c@"), 1, "a URL with an @ may");
	tap_int(tr2_redact_wanted("b://c="), 1, "a URL with a = may");
	tap_int(tr2_redact_wanted("a:/\\/b:c@d"), 1,
		"so may one with an escape between its slashes");
	tap_int(tr2_redact_wanted("@= b://c"), 0,
		"an @ before the URL does not count");
	tap_int(tr2_redact_wanted_json("\"a:b\""), 0,
		"JSON without a URL holds no secret");
	tap_int(tr2_redact_wanted_json("\"\\u003a\""), 1,
		"JSON with an escape may hold one");
}

int main(void)
{
	test_texts(texts, sizeof(texts) / sizeof(*texts), tr2_redact_add,
		   tr2_redact_wanted);
	test_texts(json, sizeof(json) / sizeof(*json), tr2_redact_add_json,
		   tr2_redact_wanted_json);
	test_wanted();
	return tap_done();
}
