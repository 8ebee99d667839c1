/* How a command ends that has no memory, while other threads go on. */
#include "lib/common/memory.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"

/* Otherwise a sanitizer ends a program that asks for too much. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
#endif
#ifdef __SANITIZE_THREAD__
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1:die_after_fork=0";
}
#endif

static int ends[2]; /* what the child did */

static void note_step(const char *step)
{
	tap_need(write(ends[1], step, 1) == 1);
}

static void note_atexit(void)
{
	note_step("a");
}

static void note_clean_up(void)
{
	note_step("c");
}

static void run_out(void (*clean)(void))
{
	close(STDERR_FILENO);
	atexit(note_atexit);
	tr2_memory_before_out(clean);
	fputs("# what was printed is written\n", stdout);
	tr2_must_grow(NULL, SIZE_MAX / 2);
}

/* Returns its exit status, and its steps in `steps`. */
static int run_child(void (*clean)(void), char steps[8])
{
	int status;
	pid_t pid;

	tap_need(!pipe(ends));
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_out(clean);
	close(ends[1]);
	memset(steps, 0, 8);
	if (read(ends[0], steps, 7) < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	close(ends[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	char steps[8];

	tap_int(run_child(note_clean_up, steps), 3,
		"a command without memory exits with 3");
	tap_str(steps, "c", "it cleans up, and runs nothing of atexit");
	tap_int(run_child(NULL, steps), 3, "there may be nothing to clean up");
	tap_str(steps, "", "then nothing runs");
	return tap_done();
}
