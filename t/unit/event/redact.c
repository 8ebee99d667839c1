/* Which bytes of a text are a secret: the rules of event/redact.h. */
#include "event/redact.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kit/tap.h"

/* `*` stands for `<REDACTED>` in what is expected. */
struct example {
	const char *name;
	const char *text;
	const char *expected; /* NULL: the text as it is */
};

/* clang-format off */
static const struct example passwords[] = {
	{ "a password of a URL", "https://u:p@h/", "https://u:*@h/" },
	{ "of any scheme", "X://u:p@h", "X://u:*@h" },
	{ "after other text", "--o=x://u:p@h", "--o=x://u:*@h" },
	{ "an empty password", "x://u:@h", "x://u:*@h" },
	{ "without a user", "x://:p@h", "x://:*@h" },
	{ "no password without an @", "x://u:p", NULL },
	{ "no password without a colon", "x://u@h", NULL },
	{ "no password after a path", "x://h/u:p@h", NULL },
	{ "a port and a path with an @", "x://h:80/a@b", "x://h:*@b" },
	{ "a port, a path, and an @ in another word", "x://h:80/a b@c", NULL },
	{ "an @ that ends a word after a path",
	  "x://h:80/a\x7f" "b@c", NULL },
	{ "a password with a blank", "x://u:a b@h", "x://u:*@h" },
	{ "a password with an @", "x://u:a@b@h", "x://u:*@h" },
	{ "an @ of the next word", "x://u:a@h b@c", "x://u:*@h b@c" },
	{ "an @ after a control character",
	  "x://u:a@h\x1f@c", "x://u:*@h\x1f@c" },
	{ "an @ after a DEL", "x://u:a@h\x7f@c", "x://u:*@h\x7f@c" },
	{ "an @ after a !, which is no blank",
	  "x://u:a@h!@c", "x://u:*@c" },
	{ "an @ after a byte of UTF-8",
	  "x://u:a@h\xc3\xa9@c", "x://u:*@c" },
	{ "two URLs", "x://u:p@h y://v:q@i", "x://u:*@h y://v:*@i" },
	{ "three URLs", "x://u:p@h,y://v:q@i z://w:r@j",
	  "x://u:*@i z://w:*@j" },
	{ "the colon of the next URL", "x://h y://u:p@i", "x://h y://u:*@i" },
	{ "a URL inside a URL", "x://hy://u:p@i", "x://hy:*@i" },
	{ "a colon with one slash", "x:/u:p@h", NULL },
	{ "no URL", "u:p@h //u:p@h", NULL },
};

static const struct example values[] = {
	{ "a token", "x://h?token=a&b=c", "x://h?token=*&b=c" },
	{ "a value before a fragment", "x://h?secret=a#b", "x://h?secret=*#b" },
	{ "a value before a blank", "x://h?secret=a b", "x://h?secret=* b" },
	{ "a value before a quote", "x://h?secret=a\"b", "x://h?secret=*\"b" },
	{ "a value with a slash", "x://h?secret=a/b", "x://h?secret=*" },
	{ "an empty value", "x://h?token=&token=a", "x://h?token=&token=*" },
	{ "an empty value at the end", "x://h?token=", NULL },
	{ "a name that ends in one", "x://h?my-token=a", "x://h?my-token=*" },
	{ "a name that begins with one", "x://h?tokens=a", NULL },
	{ "a name in upper case", "x://h?TOKEN=a", "x://h?TOKEN=*" },
	{ "a name with a -", "x://h?Api-Key=a", "x://h?Api-Key=*" },
	{ "each name",
	  "x://h?signature=a&password=b&passwd=c&passphrase=d&credential=e"
	  "&apikey=f&api_key=g",
	  "x://h?signature=*&password=*&passwd=*&passphrase=*&credential=*"
	  "&apikey=*&api_key=*" },
	{ "a name with a %70", "x://h?%70assword=a", "x://h?%70assword=*" },
	{ "a long name of which each byte is written so",
	  "x://h?%70%61%73%73%70%68%72%61%73%65=a",
	  "x://h?%70%61%73%73%70%68%72%61%73%65=*" },
	{ "upper case and a - written so",
	  "x://h?%41PI%2DKEY=a&%41PI%2dKEY=b",
	  "x://h?%41PI%2DKEY=*&%41PI%2dKEY=*" },
	{ "sig after a letter that is written so", "x://h?%7Asig=a", NULL },
	{ "sig after a % that is written so", "x://h?%25sig=a",
	  "x://h?%25sig=*" },
	{ "a name that is written so twice", "x://h?%2570assword=a", NULL },
	{ "a name after a % that no digits follow",
	  "x://h?%7token=a&%token=b&%zztoken=c",
	  "x://h?%7token=*&%token=*&%zztoken=*" },
	{ "a name before a %", "x://h?token%=a&token%4=b&token%20=c", NULL },
	{ "a = that is written so", "x://h?token%3Da", NULL },
	{ "a name with a %00", "x://h?token%00=a&tok%00en=b", NULL },
	{ "a value that is written so, and a name after it",
	  "x://h?token=%26secret=a&b=c", "x://h?token=*&b=c" },
	{ "sig alone", "x://h?sig=a", "x://h?sig=*" },
	{ "sig after a -", "x://h?x-sig=a", "x://h?x-sig=*" },
	{ "sig after a letter", "x://h?zsig=a", NULL },
	{ "sig after a digit", "x://h?9sig=a", NULL },
	{ "another name", "x://h?sign=a&key=b", NULL },
	{ "a name after the URL", "x://h token=a", NULL },
	{ "a name after the URL's quote", "x://h\"token=a", NULL },
	{ "a name after a DEL", "x://h\x7ftoken=a", NULL },
	{ "a name in a second URL",
	  "x://h token=a y://h?token=b", "x://h token=a y://h?token=*" },
	{ "a name before any URL", "token=a x://h", NULL },
	{ "a value after a password",
	  "x://u:p@h?token=a", "x://u:*@h?token=*" },
	{ "a value before a password",
	  "x://h?token=a y://u:p@i", "x://h?token=* y://u:*@i" },
	{ "a value in which a password begins",
	  "x://h?token=y://u:p@i&z=1", "x://h?token=*&z=1" },
	{ "a password in which a value begins",
	  "x://u:?token=a@h", "x://u:*@h" },
};

static const struct example users[] = {
	{ "a user that begins as tokens do", "x://ghp_0a1b@h", "x://*@h" },
	{ "three bytes after the beginning", "x://ghp_0a1@h", NULL },
	{ "a token and a password", "x://ghp_0a1b:p@h", "x://*:*@h" },
	{ "a token as a host", "x://ghp_0a1b:80/", NULL },
	{ "a token after a slash", "x://h/ghp_0a1b@c", NULL },
	{ "a token before a path with an @", "x://ghp_0a1b/a@c", NULL },
	{ "a word that begins so", "x://npm_robot@h", NULL },
	{ "a token that begins as a word does", "x://npm_0a1B@h", "x://*@h" },
	{ "a long random user", "x://0aB1cD2eF3gH4iJ5kL6m@h", "x://*@h" },
	{ "one byte less", "x://0aB1cD2eF3gH4iJ5kL6@h", NULL },
	{ "a long user of words", "x://build-agent-2024-production@h", NULL },
	{ "32 hexadecimal digits",
	  "x://00000000aaaaaaaa00000000aaaaaaaa@h", "x://*@h" },
	{ "31 of them", "x://0000000aaaaaaaa00000000aaaaaaaa@h", NULL },
	{ "any user before x-oauth-basic", "x://u:x-oauth-basic@h", "x://*:*@h" },
	{ "another password that begins so",
	  "x://u:x-oauth-basics@h", "x://u:*@h" },
	{ "tokens of two URLs",
	  "x://ghp_0a1b@h y://ghs_0a1b@i", "x://*@h y://*@i" },
	{ "a token in a value", "x://h?token=y://ghp_0a&1b@i", "x://h?token=*" },
};

static const struct example escapes[] = {
	{ "an @ as a number after a token",
	  "a://ghp_0a1b\\u0040h", "a://*\\u0040h" },
	{ "slashes as escapes", "a:\\/\\/u:p@h", "a:\\/\\/u:*@h" },
	{ "one slash as an escape", "a:/\\/u:p@h", "a:/\\/u:*@h" },
	{ "slashes as numbers",
	  "a:\\u002f\\u002Fu:p@h", "a:\\u002f\\u002Fu:*@h" },
	{ "a colon as a number", "a://u\\u003ap@h", "a://u\\u003a*@h" },
	{ "an @ as a number", "a://u:p\\u0040h", "a://u:*\\u0040h" },
	{ "an @ as a number after more of them",
	  "a://u:p\\\\\\u0040h", "a://u:*\\\\\\u0040h" },
	{ "a letter outside of ASCII as a number",
	  "a://u:p/\\u0120@h", "a://u:*@h" },
	{ "a blank as a number", "a://h:8/p\\u0020@i", NULL },
	{ "a newline as an escape", "a://h:8/p\\n@i", NULL },
	{ "no newline after an escaped \\",
	  "a://h:8/p\\\\n@i", "a://h:*@i" },
	{ "what is no escape", "a://h:8/p\\k@i", "a://h:*@i" },
	{ "another letter before four digits",
	  "a://u:p\\x0020@h", "a://u:*@h" },
	{ "a number without four digits, before an @",
	  "a://u:p\\u@hosts", "a://u:*@hosts" },
	{ "a number whose last digit is none",
	  "a://u:p\\u004@hosts", "a://u:*@hosts" },
	{ "the % of a name as a number",
	  "a://h?\\u002570assword=a", "a://h?\\u002570assword=*" },
	{ "a quote as an escape ends a value",
	  "a://h?token=a\\\"b", "a://h?token=*\\\"b" },
	{ "a \\ at the end", "a://u:p@h\\", "a://u:*@h\\" },
	{ "a \\ in a password at the end", "a://u:p\\", NULL },
};

/* What is known to be JSON, and what is known not to be, differs from that. */
static const struct example only_text[] = {
	{ "the colon of :// as a number", "a\\u003a//u:p@h", NULL },
	{ "no escapes after http://",
	  "http://h:8/p\\n@i", "http://h:*@i" },
	{ "no escapes after https://",
	  "https://h:8/p\\n@i", "https://h:*@i" },
	{ "escapes after another scheme", "httpx://h:8/p\\n@i", NULL },
	{ "escapes where https:// comes later",
	  "a https://h:8/p\\n@i", NULL },
	{ "a quote in a password", "a://u:p\"q@h", "a://u:*@h" },
};

static const struct example only_json[] = {
	{ "the colon of :// as a number",
	  "\"a\\u003a//u:p@h\"", "\"a\\u003a//u:*@h\"" },
	{ "escapes after https://", "\"https://h:8/p\\n@i\"", NULL },
	{ "a secret in each string",
	  "[\"a://u:p@h\",{\"b://v:q@i\":1}]",
	  "[\"a://u:*@h\",{\"b://v:*@i\":1}]" },
	{ "no secret across strings", "[\"a://u:p\",\"q@h\"]", NULL },
	{ "a quote as an escape in a password",
	  "\"a://u:p\\\"q@h\"", "\"a://u:*@h\"" },
	{ "a \\ before the quote that ends a string",
	  "[\"a://u:p\\\\\",\"q@h\"]", NULL },
	{ "a string without an end", "\"a://u:p@h", "\"a://u:*@h" },
};
/* clang-format on */

typedef void add_fn(struct tr2_buf *out, const char *text);
typedef int wanted_fn(const char *text);

/* The text with each `*` as the library spells it; the caller frees it. */
static char *spell_expected(const char *text)
{
	char *spelt = calloc(1, 10 * strlen(text) + 1);

	for (; *text; text++)
		if (*text == '*')
			strcat(spelt, "<REDACTED>");
		else
			strncat(spelt, text, 1);
	return spelt;
}

/* Count the buffers in which the result has no room, and which do not fail. */
static int count_wrong_rooms(const char *text, size_t len, add_fn *add)
{
	char bytes[512];
	int wrong = 0;

	for (size_t room = 0; room < len; room++) {
		struct tr2_buf out = { bytes, 0, room, 1, 0 };

		bytes[room] = '#';
		add(&out, text);
		wrong += !out.failed || bytes[room] != '#';
	}
	return wrong;
}

static void test_example(const struct example *one, add_fn *add,
			 wanted_fn *wanted)
{
	struct tr2_buf out = TR2_BUF_INIT;
	char *expected =
		spell_expected(one->expected ? one->expected : one->text);

	add(&out, one->text);
	tap_bytes(out.bytes, out.len, expected, strlen(expected) + 1,
		  one->name);
	if (count_wrong_rooms(one->text, out.len, add))
		tap_ok(0, "each buffer that is too small fails");
	if (one->expected && !wanted(one->text))
		tap_ok(0, "the quick test does not miss it");
	tr2_buf_release(&out);
	free(expected);
}

#define TEST(examples, add, wanted)                                         \
	for (size_t i = 0; i < sizeof(examples) / sizeof(*(examples)); i++) \
	test_example(&(examples)[i], (add), (wanted))

static void test_wanted(void)
{
	tap_int(tr2_redact_wanted(""), 0, "nothing holds no secret");
	tap_int(tr2_redact_wanted("a: b@c, d:/e@f"), 0,
		"a text without a URL holds no secret");
	tap_int(tr2_redact_wanted("a://b/c"), 0,
		"a URL with neither an @ nor a = holds no secret");
	tap_int(tr2_redact_wanted("a: b://c@"), 1, "a URL with an @ may");
	tap_int(tr2_redact_wanted("b://c="), 1, "a URL with a = may");
	tap_int(tr2_redact_wanted("@= b://c"), 0,
		"an @ before the URL does not count");
	tap_int(tr2_redact_wanted_json("\"a:b\""), 0,
		"JSON without a URL holds no secret");
	tap_int(tr2_redact_wanted_json("\"\\u003a\""), 1,
		"JSON with an escape may hold one");
}

int main(void)
{
	TEST(passwords, tr2_redact_add, tr2_redact_wanted);
	TEST(passwords, tr2_redact_add_json, tr2_redact_wanted_json);
	TEST(values, tr2_redact_add, tr2_redact_wanted);
	TEST(users, tr2_redact_add, tr2_redact_wanted);
	TEST(users, tr2_redact_add_json, tr2_redact_wanted_json);
	TEST(escapes, tr2_redact_add, tr2_redact_wanted);
	TEST(escapes, tr2_redact_add_json, tr2_redact_wanted_json);
	TEST(only_text, tr2_redact_add, tr2_redact_wanted);
	TEST(only_json, tr2_redact_add_json, tr2_redact_wanted_json);
	test_wanted();
	return tap_done();
}
