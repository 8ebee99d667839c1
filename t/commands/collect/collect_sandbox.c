/*
 * collect_sandbox.c - run a command in a sandbox that refuses system calls:
 *
 *	collect_sandbox ERRNO NUMBER... -- COMMAND...
 *
 * Exits with 77 if there can be no sandbox here.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define CALLS_MOST 100
#define NUMBER offsetof(struct seccomp_data, nr)

static struct sock_filter filter[2 * CALLS_MOST + 2];
static unsigned short count;

static void add_step(unsigned short code, unsigned k, unsigned char otherwise)
{
	filter[count++] =
		(struct sock_filter){ .code = code, .jf = otherwise, .k = k };
}

int main(int argc, char **argv)
{
	struct sock_fprog program = { .filter = filter };
	unsigned refuse;
	int i;

	if (argc < 2)
		return 2;
	refuse = SECCOMP_RET_ERRNO | (unsigned)atoi(argv[1]);
	add_step(BPF_LD | BPF_W | BPF_ABS, NUMBER, 0);
	for (i = 2; i < argc && i < CALLS_MOST && strcmp(argv[i], "--"); i++) {
		add_step(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[i]), 1);
		add_step(BPF_RET | BPF_K, refuse, 0);
	}
	add_step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0);
	program.len = count;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	execvp(argv[i + 1], argv + i + 1);
	return 78;
}
