/* What the validator finds in lines that another command reads. */
#define _GNU_SOURCE

#include "base/buf.h"
#include "read/bytes/lines.h"
#include "validate/verdict.h"
#include "kit/validate.h"

static struct tr2_verdict *verdict;
static char judged[64 + TR2_TOKENS_PADDING];

static void tell_judge(const char *line, unsigned long number)
{
	struct tr2_line given = { .text = judged, .number = number };

	memset(judged, '7', sizeof(judged));
	given.len = strlen(line);
	memcpy(judged, line, given.len);
	tr2_verdict_line(verdict, &given);
}

static int count_words(const char *text, const char *word)
{
	int count = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		count++;
	}
	return count;
}

/* Returns what the page has of so many lines that are not JSON. */
static struct tr2_buf judge_lines(unsigned long lines)
{
	struct tr2_buf out = TR2_BUF_INIT;
	unsigned long i;

	verdict = tr2_verdict_begin();
	tr2_verdict_begin_log(verdict, "x.log");
	for (i = 1; i <= lines; i++)
		tell_judge("{odd}", i);
	tr2_verdict_end(verdict, &out);
	tr2_buf_byte(&out, '\0');
	tr2_verdict_release(verdict);
	return out;
}

static void test_judge_findings(void)
{
	struct tr2_buf out = judge_lines(2);

	tap_ok(!strncmp(out.bytes, "{\"findings\":[\n", 14),
	       "findings are an object");
	tap_int(count_words(out.bytes, "\"file\":\"x.log\",\"line\":"), 2,
		"each line that is no event is a finding");
	tap_ok(strstr(out.bytes, "\"error\":2"), "the findings are counted");
	tr2_buf_release(&out);
	out = judge_lines(1002);
	tap_int(count_words(out.bytes, "\"file\":\"x.log\",\"line\":"), 1000,
		"at most 1,000 findings are shown");
	tap_ok(strstr(out.bytes, "\"error\":1002"), "all of them are counted");
	tr2_buf_release(&out);
	out = judge_lines(0);
	tap_ok(strstr(out.bytes, "\"error\":0"), "there may be no finding");
	tr2_buf_release(&out);
}

static void judge_once(void)
{
	struct tr2_buf out = judge_lines(3);

	tr2_buf_release(&out);
	tr2_verdict_release(tr2_verdict_begin()); /* without an end */
}

static void test_judge_memory(void)
{
	struct tr2_buf out = judge_lines(1);
	int i;

	tap_ok(strstr(out.bytes, "\"line\":1,") != NULL,
	       "a judge can be used again");
	tr2_buf_release(&out);
	for (i = 0; i < 20; i++)
		judge_once();
}

int main(void)
{
	test_judge_findings();
	test_judge_memory();
	return tap_done();
}
