/* Findings in each of the formats, without the memory for them. */
#include "kit/memory.h"

#include <stdio.h>

#include "kit/tap.h"
#include "lib/common/memory.h"
#include "validate/report/report.h"

static const struct tr2_finding plain = {
	.level = TR2_WARNING,
	.id = "stream.unfinished",
	.file = "a%b:c,d",
	.line = 12,
	.column = 3,
	.width = 2,
	.message = "50%: a,b\x01",
};
static struct tr2_shown shown;
static struct tr2_totals totals;

static void *no_memory(void *old, size_t size)
{
	(void)old, (void)size;
	return NULL;
}

static void test_no_memory(void)
{
	static const char *const names[] = { "concise", "full",	 "json",
					     "jsonl",	"sarif", "github" };
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *tr2_host;
	char name[64];
	size_t i;

	shown.finding = &plain;
	host.realloc = no_memory;
	for (i = 0; i < 6; i++) {
		struct tr2_buf failed = TR2_BUF_INIT;

		tr2_host = &host;
		tr2_format_find(names[i])->finding(&failed, &shown);
		tr2_format_find(names[i])->end(&failed, &totals);
		tr2_host = before;
		snprintf(name, sizeof(name), "%s fails without memory",
			 names[i]);
		tap_ok(failed.failed, name);
		tr2_buf_release(&failed);
	}
}

static int fails_once(int call)
{
	struct tr2_buf buf = TR2_BUF_INIT;
	int failed;

	shown.finding = &plain;
	memory_fail(call);
	tr2_format_find("github")->finding(&buf, &shown);
	memory_fail(0);
	failed = buf.failed;
	tr2_buf_release(&buf);
	return failed;
}

static void test_less_memory(void)
{
	int call = 1, failed, live = memory_live;

	while ((failed = fails_once(call)) == 1)
		call++;
	tap_ok(!failed && call > 3, "a text that is missing is a failure");
	tap_int(memory_live, live, "the memory of texts is given back");
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	totals.of_rule =
		tr2_must_zeros(tr2_rules_count * sizeof(*totals.of_rule));
	tap_run(test_no_memory, test_less_memory);
	free(totals.of_rule);
	return tap_done();
}
