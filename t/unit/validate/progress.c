/*
 * How far it got, on a terminal, where time passes when the test lets it.
 * progress.txt has the cases.
 */
#define _XOPEN_SOURCE 700 /* kit/command.h needs it */
#include <time.h>

#include "kit/command.h"
#include "kit/script.h"
#include "validate/progress.h"

#define BEGUN 7000000 /* microseconds */

static struct timespec passed;
static int is_file; /* standard error is no terminal */
static struct tr2_progress progress;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	tap_need(clock == CLOCK_MONOTONIC);
	*now = passed;
	return 0;
}

int isatty(int fd)
{
	return fd == STDERR_FILENO && !is_file;
}

static void pass_to(uint64_t us)
{
	passed.tv_sec = (time_t)((BEGUN + us) / 1000000);
	passed.tv_nsec = (long)((BEGUN + us) % 1000000 * 1000);
}

/* Of this many bytes in total. */
static const char *begin_progress(char **word)
{
	char *paths[] = { NULL };

	progress = (struct tr2_progress){ 0 };
	pass_to(0);
	tr2_progress_begin(&progress, paths);
	progress.all = (uint64_t)script_number(word[0], 0);
	return script_say_yes(progress.wanted);
}

/* `at US FILES BYTES`: what is shown so long after the begin. */
static const char *step_progress(char **word)
{
	const struct tr2_totals totals = {
		.files = (unsigned long)script_number(word[1], 1),
		.bytes = (uint64_t)script_number(word[2], 1) - 1,
	};

	pass_to((uint64_t)script_number(word[0], 0));
	kit_divert(2);
	tr2_progress_step(&progress, &totals, 1);
	kit_restore(2);
	return kit_said[2];
}

static const char *end_progress(SCRIPT_NONE)
{
	kit_divert(2);
	tr2_progress_end(&progress);
	kit_restore(2);
	return kit_said[2];
}

static const struct script_verb verbs[] = {
	{ "begin", begin_progress },
	{ "at", step_progress },
	{ "end", end_progress },
	{ "set", script_set },
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "file", &is_file },
	{ NULL, NULL },
};

static void end_case(void)
{
}

int main(void)
{
	kit_divert(2); /* so that the kit has its descriptors */
	kit_restore(2);
	script.values = values;
	return script_main(__FILE__, verbs, NULL, end_case);
}
