/* Settings, and formats of messages: what of them is shown. */
#include "redact/redactor/redactor_kit.h"

/* What the redactor shows of this key of an event. */
static const char *redact_field(unsigned hide, const char *line,
				const char *field)
{
	char start[32];
	const char *got = redact_line(hide, line);
	char *found;

	snprintf(start, sizeof(start), "\"%s\":\"", field);
	found = got ? strstr(shown, start) : NULL;
	if (!found)
		return "";
	found += strlen(start);
	found[strcspn(found, "\"")] = '\0';
	return found;
}

static const char *redact_setting(unsigned hide, const char *param,
				  const char *value, const char *field)
{
	static char line[512];

	snprintf(line, sizeof(line),
		 "{\"event\":\"def_param\",\"param\":\"%s\",\"value\":\"%s\"}",
		 param, value);
	return redact_field(hide, line, field);
}

static const struct {
	const char *param, *shown;
} params[] = {
	{ "alias.word", "alias.<text>" },
	{ "ALIAS.a b", "ALIAS.<text>" },
	{ "alias.", "alias." },
	{ "aliasx.b c", "<text>" },
	{ "core.abbrev", "core.abbrev" },
	{ "GIT_DIR", "GIT_DIR" },
	{ "a-1.b_2", "a-1.b_2" },
	{ "a.b.c", "a.<text>.c" },
	{ "a.b c.d.e", "a.<text>.e" },
	{ "a..c", "a..c" },
	{ "a.c.", "<text>" },
	{ ".a.c", "<text>" },
	{ "a b", "<text>" },
	{ "a:b", "<text>" },
	{ "a:b.c", "<text>" },
	{ "a.b:c", "<host>:<repository>" },
	{ "http.https://host.example/.proxy", "http.https://<host>/.proxy" },
};

static void test_params(void)
{
	size_t i;

	for (i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		const char *got =
			redact_setting(ALL, params[i].param, "1", "param");

		if (strcmp(got, params[i].shown)) {
			tap_str(got, params[i].shown, "a key is hidden");
			printf("# of %s\n", params[i].param);
		}
	}
	tap_ok(i > 10, "a setting's key shows what it may");
}

static const struct {
	unsigned hide;
	const char *param, *shown;
} values[] = {
	{ U, "user.name", "<user>" },
	{ U, "USER.Name", "<user>" },
	{ U, "user.nam", "<text>" },
	{ U, "user.names", "<text>" },
	{ U, "author.name", "<user>" },
	{ U, "committer.name", "<user>" },
	{ U, "github.user", "<user>" },
	{ U, "user", "<user>" },
	{ U, "LOGNAME", "<user>" },
	{ U, "USERNAME", "<user>" },
	{ U, "GIT_AUTHOR_NAME", "<user>" },
	{ U, "GIT_COMMITTER_NAME", "<user>" },
	{ U, "credential.https://h.username", "<user>" },
	{ U, ".username", "<text>" },
	{ U, "a.xusername", "<text>" },
	{ U, "sendemail.smtpUser", "<user>" },
	{ H, "sendemail.smtpserver", "<host>" },
	{ H, "HOSTNAME", "<host>" },
	{ H, "HOST", "<host>" },
	{ H, "COMPUTERNAME", "<host>" },
	{ H, "user.name", "a b" },
	{ U, "HOST", "a b" },
	{ H, "GIT_TRACE2_PARENT_SID", "<host>" },
	{ U, "GIT_TRACE2_PARENT_SID", "a b" },
	{ H, "GIT_TRACE2_PARENT", "<text>" },
};

static void test_values(void)
{
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const char *got = redact_setting(
			values[i].hide, values[i].param, "a b", "value");

		if (strcmp(got, values[i].shown)) {
			tap_str(got, values[i].shown, "a value is hidden");
			printf("# of %s by %u\n", values[i].param,
			       values[i].hide);
		}
	}
	tap_ok(i > 20, "a setting's value is hidden as what it is");
}

/* What has none of these is shown. */
static const char *const private_formats[] = {
	"a@b",	  "no a@b now", "(me@host)", "see ://",	  "%s://%s", "/ab",
	"no /ab", "~/a",	"~me",	     "'/ab'",	  "c:/",     "c:\\\\",
	"\\\\ab", "no\\t/ab",	"a,/ab;b",   "a=/ab",	  "a:/ab",   "[/ab]",
	"{~me}",  "x|/ab",	"/ab%s",     "dir=c:/ab", "a=/a/%s",
};
static const char *const public_formats[] = {
	"@b",	  "a@",	 "a @b", "%s@%s", "a@%s", "%s @b", "/a",    "~a",
	"/%s",	  "abc", "a/b",	 "ab/cd", "c:a",  "ab:/",  "a:b/",  "1:2",
	"a\\\\b", "",	 "a=/",	 "a=/%s", "/a%s", "~/%s",  "a-/ab", "%s:/%s",
};

static void test_formats(void)
{
	char line[128];
	size_t i;
	const char *got;

	for (i = 0; i < sizeof(private_formats) / sizeof(private_formats[0]);
	     i++) {
		snprintf(line, sizeof(line),
			 "{\"event\":\"error\",\"fmt\":\"%s\"}",
			 private_formats[i]);
		got = redact_field(ALL, line, "fmt");
		if (strcmp(got, "<text>"))
			tap_str(private_formats[i], "", "a format is hidden");
	}
	for (i = 0; i < sizeof(public_formats) / sizeof(public_formats[0]);
	     i++) {
		snprintf(line, sizeof(line),
			 "{\"event\":\"error\",\"fmt\":\"%s\"}",
			 public_formats[i]);
		got = redact_field(ALL, line, "fmt");
		if (strcmp(got, public_formats[i]))
			tap_str(got, public_formats[i], "a format is shown");
	}
	tap_ok(i > 10, "a format with a path, URL or address is hidden");
}

int main(void)
{
	tap_run(test_params, test_values, test_formats);
	return tap_done();
}
