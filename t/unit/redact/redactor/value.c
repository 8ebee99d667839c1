/* A text is hidden by its shape: a URL, an address, a path or another one. */
#include "redact/redactor/redactor_kit.h"

/* What is shown of the message of an event. */
static const char *redact_text(unsigned hide, const char *text)
{
	char line[512];
	const char *got, *start;
	char *end;

	snprintf(line, sizeof(line), "{\"event\":\"printf\",\"msg\":\"%s\"}",
		 text);
	got = redact_line(hide, line);
	if (!got)
		return NULL;
	start = strstr(got, "\"msg\":\"") + strlen("\"msg\":\"");
	end = shown + strlen(shown) - 2;
	*end = '\0';
	return start;
}

static const struct {
	unsigned hide;
	const char *text, *shown;
} shapes[] = {
	{ ALL, "", "" },
	{ ALL, "12", "12" },
	{ ALL, "-12", "-12" },
	{ ALL, "+1.5", "+1.5" },
	{ ALL, "2.39.5", "2.39.5" },
	{ ALL, "10.1.2.3", "<text>" },
	{ ALL, "10.", "<text>" },
	{ ALL, "-", "<text>" },
	{ ALL, "64k", "64k" },
	{ ALL, "64kb", "<text>" },
	{ ALL, "true", "true" },
	{ ALL, "truer", "<text>" },
	{ P, "word", "<text>" },
	{ A, "word", "<text>" },
	{ H, "two words", "<text>" },
	{ H, "tab\\tin /a/path", "<text>" },
	{ P, "/a/b", "<path>" },
	{ U, "/a/b", "<path>" },
	{ R, "a/b", "<path>" },
	{ H | A, "/a/b", "/a/b" },
	{ H, "//server/b", "<path>" },
	{ H, "\\\\\\\\server\\\\b", "<path>" },
	{ P, "C:\\\\a", "<path>" },
	{ H, "C:/a", "C:/a" },
	{ P, "./a", "<path>" },
	{ P, "~/a", "<path>" },
	{ H, "HEAD:a/b", "<text>" },
	{ H, "key=/a/b", "<text>" },
	{ H, "https://host.example/a/b", "https://<host>/a/b" },
	{ R, "https://host.example/a/b", "https://host.example/<repository>" },
	{ P, "https://host.example/a/b", "https://host.example/<repository>" },
	{ U, "https://me@host.example/a",
	  "https://<user>@host.example/<repository>" },
	{ ALL, "https://me@host.example:8443/a?b#c",
	  "https://<user>@<host>:8443/<repository>" },
	{ ALL, "https://host.example", "https://<host>" },
	{ ALL, "https://host.example/", "https://<host>/" },
	{ ALL, "https://host.example?a", "https://<host>?<repository>" },
	{ ALL, "https://:8443", "https://:8443" },
	{ ALL, "https://[::1]:80/", "https://<host>:80/" },
	{ ALL, "git+ssh://host.example/a", "git+ssh://<host>/<repository>" },
	{ ALL, "file:///a/b", "file://<path>" },
	{ H, "file:///a/b", "file:///a/b" },
	{ H, "file://server/b", "file://<host>/b" },
	{ A, "https://host.example/a", "https://host.example/a" },
	{ H, "see:https://host.example/a", "<text>" },
	{ H, "://host.example/a", "<text>" },
	{ ALL, "me@host.example", "<user>@<host>" },
	{ U, "me@host.example", "<user>@host.example" },
	{ H, "me@host.example", "me@<host>" },
	{ H, "git@host.example:a/b.git", "git@<host>:a/b.git" },
	{ ALL, "git@host.example:a/b.git", "<user>@<host>:<repository>" },
	{ R, "host.example:a", "host.example:<repository>" },
	{ H, "host:a", "<text>" },
	{ H, "@host.example", "<text>" },
	{ H, "me@", "<text>" },
	{ H, "host.example:", "<text>" },
	{ H, "a=me@host.example", "<text>" },
	{ ALL, "\\u00e9\\ud83d\\ude00", "<text>" },
	{ H, "a/b", "a/b" },
	{ H, "a//b", "a//b" },
	{ H, "/", "/" },
	{ H, "//", "<path>" },
	{ ALL, "k", "<text>" },
	{ ALL, "1x2", "<text>" },
	{ ALL, "50%", "50%" },
	{ H, " /a", "<text>" },
	{ H, "/a b", "<text>" },
	{ H, "/a!", "/a!" },
	{ H, "/a\\u007f", "<text>" },
	{ H, "h2://host.example/a", "h2://<host>/a" },
	{ H, "2h://host.example/a", "<text>" },
	{ H, "a.b://host.example/a", "a.b://<host>/a" },
	{ ALL, "https://:p@host.example", "https://:<REDACTED>@<host>" },
	{ H, "https://8443/", "https://<host>/" },
	{ H, "https://host1/", "https://<host>/" },
	{ H, "https://host:/", "https://<host>/" },
	{ ALL, "https://host\\\\a", "https://<host><repository>" },
	{ ALL, "x:///a", "x:///<repository>" },
	{ P, "1:/a", "<text>" },
	{ P, "C=/a", "<text>" },
	{ P, "C:/", "<path>" },
	{ R, "a.b:https://h/x", "<text>" },
	{ R, "a=b.c:d", "<text>" },
	{ ALL, "a=/b@c", "<text>" },
	/* A host in the path of another one */
	{ H, "https://a.example/https://b.example/c",
	  "https://<host>/<repository>" },
	{ H, "https://a.example?u=https://b.example/c",
	  "https://<host>?<repository>" },
	{ H, "https://a.example/me@b.example", "https://<host>/<repository>" },
	{ H, "https://a.example/@b/c", "https://<host>/@b/c" },
	{ H, "file:///a/https://b.example", "file://<path>" },
	{ H, "a.example:b@c", "<host>:<repository>" },
	{ H, "/a/me@b.example", "<path>" },
	{ H, "/a/@{0}", "/a/@{0}" },
	{ A, "/a/me@b.example", "/a/me@b.example" },
};

static void test_shapes(void)
{
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const char *got = redact_text(shapes[i].hide, shapes[i].text);

		if (!got || strcmp(got, shapes[i].shown)) {
			tap_str(got, shapes[i].shown, "a shape is hidden");
			printf("# of %s by %u\n", shapes[i].text,
			       shapes[i].hide);
		}
	}
	tap_ok(i > 50, "each shape is hidden by its kinds and by no other");
}

int main(void)
{
	test_shapes();
	return tap_done();
}
