/* Command lines: which words are shown. */
#include "redact/redactor/redactor_kit.h"

/* The words of an argv, as JSON without quotes and brackets. */
static const char *redact_words(unsigned hide, const char *kind,
				const char *words)
{
	static char line[1024];
	char *end =
		line + sprintf(line, "{\"event\":\"%s\",\"argv\":[\"", kind);
	const char *got;
	size_t i, out = 0;

	for (; *words; words++)
		end += sprintf(end, *words == ' ' ? "\",\"" : "%c", *words);
	strcpy(end, "\"]}");
	got = redact_line(hide, line);
	got = got ? strchr(got, '[') + 1 : "";
	for (i = 0; got[i] && got[i] != ']'; i++)
		if (got[i] != '"')
			line[out++] = got[i] == ',' ? ' ' : got[i];
	line[out] = '\0';
	return line;
}

static const struct {
	unsigned hide;
	const char *words, *shown;
} starts[] = {
	/* Which programs are git? */
	{ ALL, "git status", "git status" },
	{ ALL, "git.exe status", "git.exe status" },
	{ ALL, "git.exx status", "<text> <text>" },
	{ ALL, "git.dll status", "<text> <text>" },
	{ ALL, "gitk status", "<text> <text>" },
	{ ALL, "git-log.exe log", "git-log.exe <text>" },
	{ ALL, "git-mine log", "<text> <text>" },
	{ ALL, "/git status", "/git status" },
	{ ALL, "//git status", "<path>/git status" },
	/* Wherever it is, and however its system spells it */
	{ ALL, "/opt/my\\u0020tools/git merge", "<text>/git merge" },
	{ ALL, "/opt/git\\u0020gui/git-merge x", "<text>/git-merge <text>" },
	{ ALL, "./my\\u0020git/git gc", "<text>/git gc" },
	{ ALL, "C:\\\\Program\\u0020Files\\\\Git\\\\git.exe gc",
	  "<text>\\\\git.exe gc" },
	{ ALL, "C:\\\\Git\\\\git.exe merge", "<path>\\\\git.exe merge" },
	{ ALL, "C:/Git/cmd/git.exe merge", "<path>/git.exe merge" },
	{ ALL, "c:\\\\a/b\\\\GIT-GC.EXE merge", "<path>\\\\GIT-GC.EXE <text>" },
	{ ALL, "\\\\\\\\h\\\\s\\\\Git.Exe push", "<path>\\\\Git.Exe push" },
	{ ALL, "/opt/my\\u0020tools/tig merge", "<path>/<text> <text> <text>" },
	{ ALL, "GIT merge", "<text> <text>" },
	{ ALL, "bash status", "bash <text>" },
	{ ALL, "bash.exe status", "bash.exe <text>" },
	{ ALL, "sed.exe status", "<text> <text>" },
	/* A program with a blank has its arguments in one word. */
	{ ALL, "sh\\u0020x status", "sh <text> <text>" },
	{ ALL, "sh\\u0020 status", "sh\\u0020 <text>" },
	{ ALL, "git\\tlog status", "git\\t<text> status" },
	{ ALL, "a\\u0000/git", "<text>\\u0000<text>" },
	/* An argument is hidden by its shape, or whatever its shape. */
	{ P, "git log me@host.example word", "git log me@host.example <text>" },
	{ A, "git log me@host.example /a", "git log <user>@<host> <path>" },
	{ H, "git log me@host.example /a", "git log me@<host> /a" },
	/* Commands, and values of git's own options */
	{ ALL, "git -C status push", "git -C <text> push" },
	{ ALL, "git -C --all push", "git -C <text> push" },
	{ ALL, "git -c -x --git-dir -x log",
	  "git -c <text> --git-dir <text> log" },
	{ ALL, "git log -C --all", "git log -C --all" },
	{ ALL, "git x -C --all status", "git <text> -C --all <text>" },
	{ ALL, "curl -C --all status", "<text> -C --all <text>" },
	{ ALL, "git status status", "git status <text>" },
	{ ALL, "git x status", "git <text> <text>" },
	{ ALL, "curl status", "<text> <text>" },
	{ ALL, "git  status", "git  <text>" },
	/* Long options */
	{ ALL, "git log --a1-B=x --=x --a --",
	  "git log --a1-B=<text> <text> --a --" },
	{ ALL, "git log --a.b --a:b=1 --a=1", "git log <text> <text> --a=1" },
	{ ALL, "git log -- --all", "git log -- <text>" },
	{ ALL, "git -- status", "git -- status" },
	/* Short options */
	{ ALL, "git log - -x -ab -abc -abcd",
	  "git log - -x -ab -abc -a<text>" },
	{ ALL, "git log -=x -a=b -=", "git log -<text> -a<text> -<text>" },
	{ ALL, "git -ab log", "git -ab log" },
	{ ALL, "git log -1 -n1 -1k -1x", "git log -1 -n1 -1k -<text>" },
	{ ALL, "tig - -x -ab -= -1", "<text> - -x -a<text> -<text> -1" },
	{ ALL, "curl x -ab", "<text> <text> -a<text>" },
};

static void test_starts(void)
{
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		const char *got =
			redact_words(starts[i].hide, "start", starts[i].words);

		if (strcmp(got, starts[i].shown)) {
			tap_str(got, starts[i].shown, "a word is hidden");
			printf("# of %s by %u\n", starts[i].words,
			       starts[i].hide);
		}
	}
	tap_ok(i > 30, "each word of a command line shows what it may");
}

/* What is shown of an argv, with its placeholders. */
static const char *redact_whole(const char *argv)
{
	static char copy[256];
	char line[128];
	struct tr2_redactor *redactor =
		tr2_redactor_open(ALL, key, sizeof(key));
	size_t len = (size_t)snprintf(line, sizeof(line),
				      "{\"event\":\"start\",\"argv\":[%s]}",
				      argv);
	const char *got = tr2_redactor_line(redactor, line, &len);

	strcpy(copy, strchr(got, '['));
	tr2_redactor_close(redactor);
	return copy;
}

/* What follows a program in its word is hidden like a word of its own. */
static void test_rest(void)
{
	char wanted[64] = "[\"sh ";
	const char *got = redact_whole("\"git\",\"log\",\"-abcde\"");

	memcpy(wanted + 5, strchr(got, '<'), strlen("<text-0123456789abcdef>"));
	strcat(wanted, "\"]}");
	tap_str(redact_whole("\"sh bcde\""), wanted,
		"the same text after a program and after an option");
}

int main(void)
{
	test_rest();
	test_starts();
	return tap_done();
}
