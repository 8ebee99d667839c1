/* Which process is this? */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "host/generation.h"
#include "host/system.h"
#include "kit/tap.h"

static uint32_t known;

static int is_other(void)
{
	const uint32_t now = tr2_generation();

	return now != known && now && now == tr2_generation();
}

static int child_says(pid_t pid)
{
	int status;

	if (!pid)
		_exit(!is_other());
	return waitpid(pid, &status, 0) == pid && !status;
}

static int is_early; /* in the handler, as the first */

static void look_early(void)
{
	is_early = is_other();
}

static int grandchild_differs(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		known = tr2_generation();
		_exit(!child_says(fork()));
	}
	return waitpid(pid, &status, 0) == pid && !status;
}

static void *ask_number(void *answer)
{
	*(uint32_t *)answer = tr2_generation();
	return NULL;
}

static void test_processes(void)
{
	pthread_t thread;
	uint32_t other = 0;
	pid_t pid;
	int status;

	errno = 77;
	known = tr2_generation();
	tap_ok(known && known == tr2_generation() && errno == 77,
	       "a process keeps its number, and errno");
	tap_need(!pthread_create(&thread, NULL, ask_number, &other) &&
		 !pthread_join(thread, NULL));
	tap_int(other, known, "all threads of a process have its number");
	tap_ok(child_says(fork()), "a forked child has another number");
	tap_ok(grandchild_differs(), "a child of it has another one again");
	tap_int(tr2_generation(), known, "a fork does not change the parent's");
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	tap_ok(child_says(pid), "so does a bare clone");
	pid = fork();
	if (!pid)
		_exit(!is_early);
	waitpid(pid, &status, 0);
	tap_int(status, 0, "a child differs before its handlers have run");
}

static void test_page(void)
{
	uint32_t *page = tr2_host_wiped_page();
	int status;
	pid_t pid;

	if (!page) {
		tap_skip("a page that a fork empties", "the system");
		return;
	}
	*page = 5;
	pid = fork();
	if (!pid)
		_exit(*page != 0);
	waitpid(pid, &status, 0);
	tap_ok(!status && *page == 5, "a fork empties the page in the child");
}

int main(void)
{
	pthread_atfork(NULL, NULL, look_early);
	test_processes();
	test_page();
	return tap_done();
}
