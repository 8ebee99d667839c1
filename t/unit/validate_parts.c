/* Parts of the validator that a whole run shows only after a while. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "validate/progress.h"

static char said[4096];

/* What the child says on standard error. */
static void run(void (*part)(void))
{
	int ends[2];
	ssize_t len;
	size_t used = 0;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends))
		abort();
	pid = fork();
	if (!pid) {
		dup2(ends[1], 2);
		part();
		exit(0);
	}
	close(ends[1]);
	while ((len = read(ends[0], said + used, sizeof(said) - 1 - used)) > 0)
		used += (size_t)len;
	said[used] = '\0';
	close(ends[0]);
	waitpid(pid, NULL, 0);
}

static uint64_t done, all;

static void show(void)
{
	const struct tr2_totals totals = { .files = 1 };
	struct tr2_progress progress = {
		.wanted = true,
		.all = all,
		.begun = tr2_progress_now() - 1000000,
	};

	tr2_progress_step(&progress, &totals, done);
	tr2_progress_step(&progress, &totals, done);
	tr2_progress_end(&progress);
}

static int is_said(const char *beginning)
{
	return !strncmp(said, beginning, strlen(beginning));
}

static void test_progress(void)
{
	all = 40000000;
	done = 10000000;
	run(show);
	tap_ok(is_said("\r\033[K[#######                       ] 1 files"),
	       "a quarter of the work is a quarter of the bar");
	done = 50000000;
	run(show);
	tap_ok(is_said("\r\033[K[##############################] 1 files"),
	       "a log that grew meanwhile fills the bar");
	all = 0;
	run(show);
	tap_ok(is_said("\r\033[K1 files, 50 MB"),
	       "without a size there is no bar");
}

int main(void)
{
	test_progress();
	return tap_done();
}
