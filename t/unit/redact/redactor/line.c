/* A line of a log: what is hidden in it by which kinds. */
#include "redact/redactor/redactor_kit.h"

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define HEAD "\"sid\":\"" SID "\",\"thread\":\"main\""

/*
 * ---- Fields
 */

#define NAME16 "abcdefghijklmnop"
#define NAME64 NAME16 NAME16 NAME16 NAME16

static const struct {
	unsigned hide;
	const char *line, *shown;
} fields[] = {
	{ ALL, "{\"event\":\"start\",\"argv\":[\"git\",\"push\",\"push\"]}",
	  "{\"event\":\"start\",\"argv\":[\"git\",\"push\",\"<text>\"]}" },
	{ ALL,
	  "{\"event\":\"start\",\"argv\":[\"/b/git.exe\",\"-C\",\"log\","
	  "\"log\",\"-am\",\"-n5\",\"-mword\",\"--x=word\",\"--x\",\"-\","
	  "\"--\",\"--x\"]}",
	  "{\"event\":\"start\",\"argv\":[\"<path>/git.exe\",\"-C\","
	  "\"<text>\",\"log\",\"-am\",\"-n5\",\"-m<text>\",\"--x=<text>\","
	  "\"--x\",\"-\",\"--\",\"<text>\"]}" },
	{ H, "{\"event\":\"start\",\"argv\":[\"/b/less\",\"-R\",\"-ab\"]}",
	  "{\"event\":\"start\",\"argv\":[\"/b/<text>\",\"-R\","
	  "\"-a<text>\"]}" },
	{ A,
	  "{\"event\":\"exec\",\"exe\":\"/b/git\",\"argv\":[\"git\","
	  "\"x\",\"/a\",\"https://h/r\"]}",
	  "{\"event\":\"exec\",\"exe\":\"<path>/git\",\"argv\":[\"git\","
	  "\"<text>\",\"<path>\",\"https://<host>/<repository>\"]}" },
	{ H,
	  "{\"event\":\"start\",\"argv\":[\"git\",\"-10\",\"--a_b\","
	  "\"--a_b=1\",\"-\"]}",
	  "{\"event\":\"start\",\"argv\":[\"git\",\"-10\",\"<text>\","
	  "\"<text>\",\"-\"]}" },
	{ ALL,
	  "{\"event\":\"child_start\",\"argv\":[\"git-upload-pack\","
	  "\"git-x\"],\"cd\":\"a\"}",
	  "{\"event\":\"child_start\",\"argv\":[\"git-upload-pack\","
	  "\"<text>\"],\"cd\":\"<path>\"}" },
	{ ALL, "{\"event\":\"child_start\",\"argv\":[\"sh -c word\",\"/\"]}",
	  "{\"event\":\"child_start\",\"argv\":[\"sh <text>\",\"<path>\"]}" },
	{ ALL, "{\"event\":\"child_start\",\"argv\":[\"\",\"sh \",\"\"]}",
	  "{\"event\":\"child_start\",\"argv\":[\"\",\"<text>\",\"\"]}" },
	{ ALL,
	  "{\"event\":\"alias\",\"alias\":\"st\",\"argv\":[\"status\","
	  "\"status\"]}",
	  "{\"event\":\"alias\",\"alias\":\"<text>\",\"argv\":[\"status\","
	  "\"<text>\"]}" },
	{ ALL,
	  "{\"event\":\"cmd_ancestry\",\"ancestry\":[\"git\",\"bash\","
	  "\"git-lfs\",\"word\"]}",
	  "{\"event\":\"cmd_ancestry\",\"ancestry\":[\"git\",\"bash\","
	  "\"git-lfs\",\"<text>\"]}" },
	{ ALL,
	  "{\"event\":\"def_param\",\"param\":\"remote.word.url\","
	  "\"value\":\"word\"}",
	  "{\"event\":\"def_param\",\"param\":\"remote.<text>.url\","
	  "\"value\":\"<text>\"}" },
	{ ALL,
	  "{\"event\":\"def_param\",\"value\":\"me\","
	  "\"param\":\"user.Name\"}",
	  "{\"event\":\"def_param\",\"value\":\"<user>\","
	  "\"param\":\"user.Name\"}" },
	{ H,
	  "{\"event\":\"def_param\",\"param\":\"credential.a.userName\","
	  "\"value\":\"me\"}",
	  "{\"event\":\"def_param\",\"param\":\"credential.<text>.userName\","
	  "\"value\":\"me\"}" },
	{ H,
	  "{\"event\":\"def_param\",\"param\":\"HOSTNAME\","
	  "\"value\":\"a b\"}",
	  "{\"event\":\"def_param\",\"param\":\"HOSTNAME\","
	  "\"value\":\"<host>\"}" },
	{ H, "{\"event\":\"def_param\",\"param\":\"a b\",\"value\":\"1\"}",
	  "{\"event\":\"def_param\",\"param\":\"<text>\",\"value\":\"1\"}" },
	{ H, "{\"event\":\"def_param\",\"param\":7,\"value\":\"word\"}",
	  "{\"event\":\"def_param\",\"param\":7,\"value\":\"<text>\"}" },
	{ ALL, "{\"event\":\"error\",\"msg\":\"no x\",\"fmt\":\"no %s\"}",
	  "{\"event\":\"error\",\"msg\":\"<text>\",\"fmt\":\"no %s\"}" },
	{ ALL, "{\"event\":\"error\",\"fmt\":\"can't open '/a/b'\"}",
	  "{\"event\":\"error\",\"fmt\":\"<text>\"}" },
	{ ALL, "{\"event\":\"error\",\"fmt\":\"%s/%s: me@host\"}",
	  "{\"event\":\"error\",\"fmt\":\"<text>\"}" },
	{ ALL, "{\"event\":\"error\",\"fmt\":\"see http://%s\"}",
	  "{\"event\":\"error\",\"fmt\":\"<text>\"}" },
	{ ALL, "{\"event\":\"error\",\"fmt\":\"no C:\\\\a, ~/a\"}",
	  "{\"event\":\"error\",\"fmt\":\"<text>\"}" },
	{ ALL, "{\"event\":\"error\",\"fmt\":\"/%s, @{u} and/or a:b\"}",
	  "{\"event\":\"error\",\"fmt\":\"/%s, @{u} and/or a:b\"}" },
	{ ALL,
	  "{\"event\":\"version\",\"file\":\"/a/b.c\",\"evt\":\"x\","
	  "\"time\":\"then\",\"exe\":\"me@host\"}",
	  "{\"event\":\"version\",\"file\":\"<path>\",\"evt\":\"<text>\","
	  "\"time\":\"<text>\",\"exe\":\"me@host\"}" },
	{ ALL, "{\"event\":\"version\",\"file\":\"a/b.c\",\"evt\":\"4\"}",
	  "{\"event\":\"version\",\"file\":\"a/b.c\",\"evt\":\"4\"}" },
	{ ALL,
	  "{\"event\":\"data_json\",\"value\":{\"a_b\":[1,null,\"w\","
	  "[\"w\"],[],{}],\"/a\":{\"a b\":true}}}",
	  "{\"event\":\"data_json\",\"value\":{\"a_b\":[1,null,\"<text>\","
	  "[\"<text>\"],[],{}],\"<text>\":{\"<text>\":true}}}" },
	{ ALL, "{\"event\":\"start\",\"argv\":\"git log\",\"more\":\"w\"}",
	  "{\"event\":\"start\",\"argv\":\"<text>\",\"more\":\"<text>\"}" },
	{ ALL, "{\"event\":\"start\",\"argv\":[[\"git\"],1,\"git\"]}",
	  "{\"event\":\"start\",\"argv\":[[\"<text>\"],1,\"git\"]}" },
	{ ALL, "{\"event\":\"new\",\"name\":\"w\",\"thread\":\"main\"}",
	  "{\"event\":\"new\",\"name\":\"<text>\",\"thread\":\"main\"}" },
	{ ALL, "{\"event\":\"cmd_name\",\"name\":\"w\",\"name\":\"w\"}",
	  "{\"event\":\"cmd_name\",\"name\":\"<text>\",\"name\":\"<text>\"}" },
	{ P, "{\"event\":\"exit\"," HEAD "}", "{\"event\":\"exit\"," HEAD "}" },
	{ ALL, "{\"event\":\"exit\",\"sid\":\"my host/\"}",
	  "{\"event\":\"exit\",\"sid\":\"<host>/\"}" },
	{ ALL,
	  "{\"event\":\"exit\",\"sid\":\"20260114T093042.112358Z-Localhost-"
	  "P00001f40/repo-20261121T054055Z-P000031e7\"}",
	  "{\"event\":\"exit\",\"sid\":\"20260114T093042.112358Z-Localhost-"
	  "P00001f40/repo-20261121T054055Z-P000031e7\"}" },
	{ ALL, "{}", "{}" },
	/* Keys that no schema has */
	{ ALL, "{\"event\":\"exit\",\"/home/me\":1,\"a-b\":2,\"code\":3}",
	  "{\"event\":\"exit\",\"<text>\":1,\"a-b\":2,\"code\":3}" },
	{ H, "{\"me@host\":{\"a b\":\"/a\"}}",
	  "{\"<text>\":{\"<text>\":\"/a\"}}" },
	{ 0, "{\"me@host\":1}", "{\"me@host\":1}" },
	{ ALL, " { \"event\" : \"printf\" , \"msg\" : \"w\" } ",
	  " { \"event\" : \"printf\" , \"msg\" : \"<text>\" } " },
	{ ALL, "{\"event\":\"printf\",\"m\\u0073g\":\"\\u0031\"}",
	  "{\"event\":\"printf\",\"m\\u0073g\":\"\\u0031\"}" },
	{ 0, "{\"event\":\"printf\",\"msg\":\"https://u:p@h/x /a/b\"}",
	  "{\"event\":\"printf\",\"msg\":\"https://u:<REDACTED>@h/x /a/b\"}" },
	{ U, "{\"event\":\"printf\",\"msg\":\"https://u:p@h/x\"}",
	  "{\"event\":\"printf\",\"msg\":"
	  "\"https://<user>:<REDACTED>@h/<repository>\"}" },
	{ 0, "{\"event\":\"printf\",\"msg\":\"https:\\/\\/u:p@h\\/x\"}",
	  "{\"event\":\"printf\",\"msg\":\"https:\\/\\/u:<REDACTED>@h\\/x\"}" },
	{ 0, "\xef\xbb\xbf{\"event\":\"printf\"}\r",
	  "\xef\xbb\xbf{\"event\":\"printf\"}\r" },
	{ ALL, "{\"event\":\"data_json\",\"value\":{\"a\":\"w\",\"b\":\"/a\"}}",
	  "{\"event\":\"data_json\",\"value\":{\"a\":\"<text>\","
	  "\"b\":\"<path>\"}}" },
	{ ALL, "{\"event\":\"cmd_name\",\"name\":\"log\",\"name\":1}",
	  "{\"event\":\"cmd_name\",\"name\":\"<text>\",\"name\":1}" },
	/* Times, sources and names of any writer, and no other text */
	{ ALL, "{\"event\":\"exit\",\"time\":\"x0:00\",\"file\":\"9a-b.c\"}",
	  "{\"event\":\"exit\",\"time\":\"<text>\",\"file\":\"9a-b.c\"}" },
	{ ALL, "{\"event\":\"exit\",\"time\":\"2026-01-14T09:30:42.112358Z\"}",
	  "{\"event\":\"exit\",\"time\":\"2026-01-14T09:30:42.112358Z\"}" },
	{ ALL, "{\"event\":\"exit\",\"time\":\"2026-01-14T09:30:42+01:00\"}",
	  "{\"event\":\"exit\",\"time\":\"2026-01-14T09:30:42+01:00\"}" },
	{ ALL, "{\"event\":\"exit\",\"file\":\"%a/b.c\"}",
	  "{\"event\":\"exit\",\"file\":\"<path>\"}" },
	{ ALL, "{\"event\":\"exit\",\"file\":\"\\\\a\"}",
	  "{\"event\":\"exit\",\"file\":\"<path>\"}" },
	{ ALL, "{\"event\":\"exit\",\"file\":\"/\"}",
	  "{\"event\":\"exit\",\"file\":\"<path>\"}" },
	{ ALL, "{\"event\":\"exit\",\"file\":\"a\\\\b.c\"}",
	  "{\"event\":\"exit\",\"file\":\"a\\\\b.c\"}" },
	{ ALL,
	  "{\"event\":\"data_json\",\"value\":{\"a\":{\"b\":\"w\"},"
	  "\"c\":\"/a\",\"d\":[{\"e\":\"w\"},\"/a\"]},\"more\":\"w\"}",
	  "{\"event\":\"data_json\",\"value\":{\"a\":{\"b\":\"<text>\"},"
	  "\"c\":\"<path>\",\"d\":[{\"e\":\"<text>\"},\"<path>\"]},"
	  "\"more\":\"<text>\"}" },
	{ ALL, "{\"event\":\"data_json\",\"value\":[[[\"x y\"],\"HEAD\"]]}",
	  "{\"event\":\"data_json\",\"value\":[[[\"<text>\"],\"HEAD\"]]}" },
	{ ALL, "{\"event\":\"exit\",\"time\":\"0\\u0000\"}",
	  "{\"event\":\"exit\",\"time\":\"<text>\"}" },
	{ ALL, "{\"event\":\"exit\",\"file\":\"a\\u0000.c\"}",
	  "{\"event\":\"exit\",\"file\":\"<text>\"}" },
	{ ALL, "{\"event\":\"exit\",\"time\":\"\",\"file\":\"\"}",
	  "{\"event\":\"exit\",\"time\":\"\",\"file\":\"\"}" },
	{ ALL,
	  "{\"event\":\"data_json\",\"value\":{\"AZaz09_-\":1,\"a{\":2,"
	  "\"a\\u0000\":3,\"@\":4}}",
	  "{\"event\":\"data_json\",\"value\":{\"AZaz09_-\":1,"
	  "\"<text>\":2,\"<text>\":3,\"<text>\":4}}" },
	{ ALL, "{\"event\":\"data_json\",\"value\":{\"" NAME64 "\":1}}",
	  "{\"event\":\"data_json\",\"value\":{\"" NAME64 "\":1}}" },
	{ ALL, "{\"event\":\"data_json\",\"value\":{\"" NAME64 "a\":1}}",
	  "{\"event\":\"data_json\",\"value\":{\"<text>\":1}}" },
	{ ALL, "{\"event\":\"exit\",\"sid\":[\"a\"]}",
	  "{\"event\":\"exit\",\"sid\":[\"<text>\"]}" },
	{ ALL,
	  "{\"event\":\"def_param\",\"param\":\"user.name\","
	  "\"value\":\"me\",\"more\":\"/a\"}",
	  "{\"event\":\"def_param\",\"param\":\"user.name\","
	  "\"value\":\"<user>\",\"more\":\"<path>\"}" },
	/* A password as long as what replaces it */
	{ 0, "{\"event\":\"printf\",\"msg\":\"x://u:1234567890@h\"}",
	  "{\"event\":\"printf\",\"msg\":\"x://u:<REDACTED>@h\"}" },
	{ ALL, "", "" },
	{ ALL, " \t\r", " \t\r" },
	{ ALL, " \t\r\v", NULL },
	{ 0, "{\"value\":{\"x://u:a@h\":1,\"x://u:b@h\":{}}}", NULL },
	{ ALL, "{\"value\":{\"x://u:a@h\":1,\"x://u:b@h\":{}}}", NULL },
	{ 0, "{\"a\":1,\"a\":{\"x://u:a@h\":1,\"x://v:b@h\":{}}}",
	  "{\"a\":1,\"a\":{\"x://u:<REDACTED>@h\":1,"
	  "\"x://v:<REDACTED>@h\":{}}}" },
	{ 0, "\"event\"", NULL },
	{ 0, "{\"event\":\"printf\"", NULL },
	{ 0, "{\"event\":\"printf\"}{}", NULL },
	{ 0, "{\"event\":\"\xff\"}", NULL },
	{ ALL, "word https://u:p@h", NULL },
};

static void test_fields(void)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *got = redact_line(fields[i].hide, fields[i].line);

		if (!got != !fields[i].shown ||
		    (got && strcmp(got, fields[i].shown))) {
			tap_str(got, fields[i].shown, "a field is hidden");
			printf("# of %s\n", fields[i].line);
		}
	}
	tap_ok(i > 40, "each field shows what it may");
}

/*
 * ---- Placeholders
 */

/* As a reader gives lines: with their tokens, or cut. */
static void test_given(void)
{
	/* With what a reader may read behind them. */
	static char text[128] = "{\"event\":\"printf\",\"msg\":\"m\"}";
	static char blanks[128] = " \t\r";
	struct tr2_redactor *redactor = tr2_redactor_open(0, key, sizeof(key));
	struct tr2_buf out = TR2_BUF_INIT;
	struct tr2_line line = { .text = text, .len = strlen(text) };

	line.cut = true;
	tap_ok(!tr2_redactor_add(redactor, &line, &out) && !out.len,
	       "a whole event that is the begin of a line is left out");
	line = (struct tr2_line){ .text = blanks, .len = 3 };
	tap_ok(tr2_redactor_add(redactor, &line, &out) && out.len == 3,
	       "a line of blanks alone is copied");
	blanks[1] = '\0';
	line = (struct tr2_line){ .text = blanks, .len = 2 };
	tap_ok(!tr2_redactor_add(redactor, &line, &out) && out.len == 3,
	       "a NUL is no blank");
	tr2_buf_release(&out);
	tr2_redactor_close(redactor);
}

int main(void)
{
	test_fields();
	test_given();
	return tap_done();
}
