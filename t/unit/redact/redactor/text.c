/* Lines of NORMAL and PERF: a password leaves words that can be read again. */
#include "kit/tap.h"

#include "redact/redactor/redactor.h"

#define URL "https://u:p@h/x"
#define CLEAN "https://u:<REDACTED>@h/x"
#define WHEN "12:00:00.000000 "

static const struct {
	const char *line, *shown;
} normal[] = {
	{ "start git clone " URL, "start git clone '" CLEAN "'" },
	{ "start git " URL " " URL, "start git '" CLEAN "' '" CLEAN "'" },
	{ WHEN "a.c:1          start git " URL,
	  WHEN "a.c:1          start git '" CLEAN "'" },
	{ WHEN "a.c:1 printf " URL, WHEN "a.c:1 printf " CLEAN },
	{ "printf start " URL, "printf start " CLEAN },
	{ "x2:00:00.000000 a.c:1 start " URL,
	  "x2:00:00.000000 a.c:1 start " CLEAN },
	{ "12:00:00.00000x a.c:1 start " URL,
	  "12:00:00.00000x a.c:1 start " CLEAN },
	{ "12.00:00.000000 a.c:1 start " URL,
	  "12.00:00.000000 a.c:1 start " CLEAN },
	{ "start git '" URL "'", "start git '" CLEAN "'" },
	{ "start git '" URL " b' c", "start git '" CLEAN " b' c" },
	{ "start git 'a'\\''" URL " b' " URL,
	  "start git 'a'\\''" CLEAN " b' '" CLEAN "'" },
	{ "start git 'a'\\!'" URL " b' " URL,
	  "start git 'a'\\!'" CLEAN " b' '" CLEAN "'" },
	{ "start git 'a'" URL, "start git 'a''" CLEAN "'" },
	{ "start git 'a'\\", "start git 'a'\\" },
	{ "start git 'a'\\x", "start git 'a'\\x" },
	{ "start git 'a " URL, "start git 'a " CLEAN },
	{ "start git '' " URL, "start git '' '" CLEAN "'" },
	{ "start git 'a'\\b " URL, "start git 'a'\\b '" CLEAN "'" },
	{ "start git 'a'bc' " URL, "start git 'a'bc' '" CLEAN "'" },
	{ "start git 'a'\\''' " URL, "start git 'a'\\''' '" CLEAN "'" },
	{ "start  git  " URL "  a", "start  git  '" CLEAN "'  a" },
	{ "start", "start" },
	{ "start ", "start " },
	{ "starts " URL, "starts " CLEAN },
	{ "child_start[0] cd:" URL " git " URL,
	  "child_start[0] cd:'" CLEAN "' git '" CLEAN "'" },
	{ "exec[1] " URL, "exec[1] '" CLEAN "'" },
	{ "alias x -> " URL, "alias x -> '" CLEAN "'" },
	{ "worktree " URL, "worktree '" CLEAN "'" },
	{ "start git " URL "]", "start git '" CLEAN "]'" },
	{ "", "" },
};

#define HEAD "d0 | main | "
#define REST " | r1 | 0.1 | | | "

static const struct {
	const char *line, *shown;
} perf[] = {
	{ HEAD "start" REST "argv:[git " URL "]",
	  HEAD "start" REST "argv:[git '" CLEAN "']" },
	{ WHEN "a.c:1 | " HEAD "start " REST "argv:[" URL "]",
	  WHEN "a.c:1 | " HEAD "start " REST "argv:['" CLEAN "']" },
	{ HEAD "start" REST "argv:['" URL " b']",
	  HEAD "start" REST "argv:['" CLEAN " b']" },
	{ HEAD "child_start" REST "[ch0] argv:[a " URL " b]",
	  HEAD "child_start" REST "[ch0] argv:[a '" CLEAN "' b]" },
	{ HEAD "exec" REST "id:0 exe:x argv:[" URL "]",
	  HEAD "exec" REST "id:0 exe:x argv:['" CLEAN "']" },
	{ HEAD "alias" REST "alias:x argv:[" URL "]",
	  HEAD "alias" REST "alias:x argv:['" CLEAN "']" },
	{ HEAD "def_repo" REST "worktree:" URL,
	  HEAD "def_repo" REST "worktree:'" CLEAN "'" },
	{ HEAD "cmd_ancestry" REST "ancestry:[" URL " a]",
	  HEAD "cmd_ancestry" REST "ancestry:['" CLEAN "' a]" },
	{ HEAD "start" REST "argv:[" URL "] b]",
	  HEAD "start" REST "argv:['" CLEAN "]' b]" },
	{ HEAD "start" REST "argv:[ " URL " ]",
	  HEAD "start" REST "argv:[ '" CLEAN "' ]" },
	{ HEAD "printf" REST URL, HEAD "printf" REST CLEAN },
	{ HEAD "starts" REST URL, HEAD "starts" REST CLEAN },
	{ "dx | main | start | " URL, "dx | main | start | " CLEAN },
	{ "a | b | start | " URL, "a | b | start | " CLEAN },
	{ "d0 | " URL, "d0 | " CLEAN },
	{ "d0 " URL, "d0 " CLEAN },
	{ URL, CLEAN },
	{ "", "" },
};

static void check_line(const char *line, const char *wanted)
{
	char text[512];
	struct tr2_buf out = TR2_BUF_FIXED(text);
	struct tr2_redact_scratch scratch = { 0 };

	tr2_redact_add_text(&scratch, &out, line);
	tr2_redact_scratch_release(&scratch);
	text[out.len] = '\0';
	if (strcmp(text, wanted))
		tap_str(text, wanted, "a line has words");
}

int main(void)
{
	size_t i, count;

	count = sizeof(normal) / sizeof(normal[0]);
	for (i = 0; i < count; i++)
		check_line(normal[i].line, normal[i].shown);
	tap_ok(i == count, "a word of NORMAL with a password is quoted");
	count = sizeof(perf) / sizeof(perf[0]);
	for (i = 0; i < count; i++)
		check_line(perf[i].line, perf[i].shown);
	tap_ok(i == count, "a word of PERF with a password is quoted");
	return tap_done();
}
