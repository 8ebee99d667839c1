/* Calls of the host that fail on request, and requests that are wrong. */
#define _GNU_SOURCE
#include "tool/fake/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/command.h"
#include "kit/limits.h"

#define REFUSED "TEST_TOOL_FAIL: not understood\n"

/* In a child: returns its status. Faults stay once they are installed. */
static int run_faults(const char *faults, int (*use)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	kit_divert(2);
	pid = fork();
	if (!pid) {
		limit_cores();
		setenv("TEST_TOOL_FAIL", faults, 1);
		fault_install();
		_exit(use ? use() : 0);
	}
	waitpid(pid, &status, 0);
	kit_restore(2);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static const char *const wrong[] = {
	"write",	 "write:",
	"write:1",	 "write::EIO",
	"write:0:EIO",	 "write:0+:EIO",
	"write:-1:EIO",	 "write: 1:EIO",
	"write:x:EIO",	 "write:1EIO",
	"write:1:",	 "write:1:EI",
	"write:1:EIOX",	 "write:1++:EIO",
	"writ:1:EIO",	 "writes:1:EIO",
	":1:EIO",	 "open:1:SHORT",
	"close:1:SHORT", "write:1:EIO;send:1:EIO",
	"write:1:EIO,,",
};

static void test_wrong(void)
{
	size_t i, missed = 0;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (run_faults(wrong[i], NULL) != 125 ||
		    strcmp(kit_said[2], REFUSED) != 0) {
			printf("# accepted: %s\n", wrong[i]);
			missed++;
		}
	tap_int((int)missed, 0, "a fault that could never hit is refused");
	tap_int(run_faults("", NULL), 0, "no text is no fault");
}

/* How many there may be. */
static void test_many(void)
{
	char text[512] = "";
	int i;

	for (i = 0; i < 16; i++)
		strcat(text, "write:1:EIO,");
	tap_int(run_faults(text, NULL), 0, "sixteen faults are possible");
	strcat(text, "write:1:EIO");
	tap_int(run_faults(text, NULL), 125, "more are refused");
}

/* ---- What fails */

static int open_null(void)
{
	const int fd = tr2_host->open("/dev/null", O_WRONLY, 0);

	return fd == -1 ? errno : 0;
}

static int use_second(void)
{
	return !open_null() && open_null() == EMFILE && !open_null();
}

static int use_tenth(void)
{
	int i;

	for (i = 1; i < 10; i++)
		if (open_null())
			return 0;
	return open_null() == EMFILE && !open_null();
}

static int use_all_later(void)
{
	return !open_null() && open_null() == EMFILE && open_null() == EMFILE;
}

static int use_two(void)
{
	return open_null() == EACCES && open_null() == ENOENT &&
	       tr2_host->write(1, "", 0) < 0 && errno == ENOSPC;
}

static int use_short(void)
{
	char got[8];
	int ends[2];

	return !socketpair(AF_UNIX, SOCK_STREAM, 0, ends) &&
	       tr2_host->write(ends[1], "abcdef", 6) == 3 &&
	       tr2_host->send(ends[1], "ghij", 4, 0) == 2 &&
	       read(ends[0], got, sizeof(got)) == 5 && !memcmp(got, "abcgh", 5);
}

static int use_close(void)
{
	const int fd = dup(1);

	return tr2_host->close(fd) == -1 && errno == EIO &&
	       fcntl(fd, F_GETFD) < 0;
}

/* Half of the bytes are written only once. */
static int use_send(void)
{
	char got[32];
	int ends[2];

	return !socketpair(AF_UNIX, SOCK_STREAM, 0, ends) &&
	       tr2_host->send(ends[1], "abcdef", 6, 0) == 6 &&
	       tr2_host->send(ends[1], "ghij", 4, 0) == -1 && errno == EPIPE &&
	       tr2_host->send(ends[1], "klmn", 4, 0) == 2 &&
	       tr2_host->send(ends[1], "op", 2, 0) == 2 &&
	       tr2_host->write(ends[1], "qr", 2) == -1 && errno == EIO &&
	       tr2_host->write(ends[1], "st", 2) == 2 &&
	       read(ends[0], got, sizeof(got)) == 12 &&
	       !memcmp(got, "abcdefklopst", 12);
}

/* What the host knows about time: the offset of noon in 2026. */
static int use_offset(void)
{
	const struct tr2_host *system = &tr2_host_system;
	const uint64_t noon = UINT64_C(1768392000000000);

	setenv("TZ", "UTC-5:30", 1);
	return system->utc_offset(noon) == 19800 &&
	       !tr2_host->utc_offset(noon) &&
	       tr2_host->utc_offset(noon) == 19800;
}

/* The second clock passes through: both differ by far. */
static int use_own_clocks(void)
{
	uint64_t mono, wall;

	tr2_host->mono_ns();
	tr2_host->wall_us();
	mono = tr2_host->mono_ns();
	wall = tr2_host->wall_us();
	return wall - tr2_host_system.wall_us() + 1000000000 < 2000000000 &&
	       mono - tr2_host_system.mono_ns() + UINT64_C(1000000000000) <
		       UINT64_C(2000000000000);
}

static int use_setenv(void)
{
	return tr2_host->setenv("UNIT_A", "b") == -1 && !getenv("UNIT_A") &&
	       !tr2_host->setenv("UNIT_A", "b") && getenv("UNIT_A") &&
	       !strcmp(getenv("UNIT_A"), "b");
}

/* Registered the second time, it ends the process with another status. */
static void end_with_seven(int code)
{
	(void)code;
	_exit(7);
}

static int use_at_exit(void)
{
	if (tr2_host->at_exit(end_with_seven) != -1 ||
	    tr2_host->at_exit(end_with_seven))
		return 0;
	exit(0);
}

static int use_clocks(void)
{
	return !tr2_host->mono_ns() && tr2_host->mono_ns() &&
	       !tr2_host->wall_us() && tr2_host->wall_us() &&
	       !tr2_host->getenv("PATH") && tr2_host->getenv("PATH");
}

static int use_memory(void)
{
	int fails = !tr2_host->realloc(NULL, 8) && errno == ENOMEM;
	void *memory = tr2_host->realloc(NULL, 8);

	fails &= memory && !tr2_host->pages(4096) && tr2_host->pages(4096);
	tr2_host->free(memory);
	return fails;
}

static int use_others(void)
{
	char text[256];

	return tr2_host->hostname(text, sizeof(text)) == -1 &&
	       !tr2_host->hostname(text, sizeof(text)) &&
	       tr2_host->process_stat(0, text, sizeof(text)) == -1 &&
	       tr2_host->process_stat(0, text, sizeof(text)) > 0 &&
	       tr2_host->setenv("A", "b") < 0 && !tr2_host->setenv("A", "b") &&
	       tr2_host->connect(SOCK_STREAM, "x") == -1 && errno == EPIPE &&
	       tr2_host->at_exit(NULL) < 0;
}

static void test_hits(void)
{
	tap_int(run_faults("open:2:EMFILE", use_second), 1,
		"one call fails, and only this one");
	tap_int(run_faults("open:10:EMFILE", use_tenth), 1,
		"which may be the tenth");
	tap_int(run_faults("open:2+:EMFILE", use_all_later), 1,
		"or all from that one on");
	tap_int(run_faults("open:1:EACCES,open:2:ENOENT,write:1:ENOSPC",
			   use_two),
		1, "each fault has its own error");
	tap_int(run_faults("write:1:SHORT,send:1:SHORT,", use_short), 1,
		"half of the bytes are written");
	tap_int(run_faults("send:2:EPIPE,send:3:SHORT,write:1:EIO", use_send),
		1, "what does not fail is sent as it is");
	tap_int(run_faults("utc_offset:1:EIO", use_offset), 1,
		"an offset that fails is none");
	tap_int(run_faults("mono_ns:1:EIO,wall_us:1:EIO", use_own_clocks), 1,
		"each clock goes on as the host's own");
	tap_int(run_faults("setenv:1:ENOMEM", use_setenv), 1,
		"a variable that can't be set is not there");
	tap_int(run_faults("at_exit:1:EIO", use_at_exit), 7,
		"a call at the end may fail, or be made");
	tap_int(run_faults("close:1:EIO", use_close), 1,
		"what fails to close is closed");
	tap_int(run_faults("mono_ns:1:EIO,wall_us:1:EIO,getenv:1:EIO",
			   use_clocks),
		1, "clocks and variables fail without an error");
	tap_int(run_faults("realloc:1:ENOMEM,pages:1:ENOMEM", use_memory), 1,
		"memory fails");
	tap_int(run_faults("hostname:1:EIO,process_stat:1:EIO,setenv:1:EIO,"
			   "connect:1:EPIPE,at_exit:1:EIO",
			   use_others),
		1, "so does what the host knows");
}

static int use_told(void)
{
	open_null();
	open_null();
	return 0;
}

static void test_told(void)
{
	char number[16], got[4];
	int ends[2];

	tap_need(!pipe(ends));
	snprintf(number, sizeof(number), "%d", ends[1]);
	setenv("TEST_TOOL_FAIL_TOLD", number, 1);
	run_faults("open:2:EIO", use_told);
	unsetenv("TEST_TOOL_FAIL_TOLD");
	close(ends[1]);
	tap_int(read(ends[0], got, sizeof(got)), 1,
		"each failure is reported, and nothing else");
	tap_int(got[0], '!', "by one letter");
	close(ends[0]);
	setenv("TEST_TOOL_FAIL_TOLD", "77", 1);
	tap_int(run_faults("open:2:EIO", use_told), -SIGABRT,
		"a report that nobody can get stops the test");
	unsetenv("TEST_TOOL_FAIL_TOLD");
}

/* Nothing can be written there. */
static int use_input(void)
{
	dup2(open("/dev/null", O_RDONLY), 0);
	return use_told();
}

static void test_told_nowhere(void)
{
	setenv("TEST_TOOL_FAIL_TOLD", "", 1);
	tap_int(run_faults("open:2:EIO", use_input), 0,
		"without a descriptor nothing is reported");
	unsetenv("TEST_TOOL_FAIL_TOLD");
}

int main(void)
{
	tap_run(test_wrong, test_many, test_hits, test_told, test_told_nowhere);
	return tap_done();
}
