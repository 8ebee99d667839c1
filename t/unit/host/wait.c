/* What a wait for a slow reader costs, and what it is given. */
#define _GNU_SOURCE /* ppoll() */
#include <fcntl.h>
#include <pthread.h>

#include "kit/poll.h"
#include "kit/tap.h"
#include "host/host.h"
#include "host/wait.h"

#define MS 1000000u
#define FULL TR2_WAIT_LIMIT_NS
#define REFUSED 8

static struct tr2_host kit_host;

/* A clock that a wait finds `took` further at its end, from 5 s on. */
static uint64_t took, clock_now;

static uint64_t moving_clock(void)
{
	uint64_t now = clock_now;

	clock_now += took;
	return now;
}

/* What is in the account after a wait that took so long, or REFUSED. */
static uint64_t account_after(int (*wait)(uint64_t *), uint64_t before,
			      uint64_t ns)
{
	uint64_t account = before;
	int result;

	took = ns;
	clock_now = 5000000000;
	kit_host.mono_ns = moving_clock;
	result = wait(&account);
	kit_host.mono_ns = tr2_host_system.mono_ns;
	return result == 1 ? account : REFUSED + (uint64_t)result;
}

static int wait_for_stdin(uint64_t *account)
{
	return tr2_wait_writable(account, STDIN_FILENO);
}

static void test_account(void)
{
	static const struct {
		int (*wait)(uint64_t *);
		uint64_t before, took, after;
		int timeout;
		const char *name;
	} cases[] = {
		{ wait_for_stdin, 0, 2 * MS, 2 * MS, 10,
		  "a wait costs what it took" },
		{ wait_for_stdin, 7, 500, 1007, 10, "a wait costs 1 us" },
		{ wait_for_stdin, 0, 20 * MS, 10 * MS, 10,
		  "a wait costs no more than its 10 ms" },
		{ wait_for_stdin, FULL - 3 * MS, 2 * MS, FULL - MS, 3,
		  "a wait takes what the account still has" },
		{ wait_for_stdin, FULL - 3 * MS - 5, 9 * MS, FULL - 5, 3,
		  "a wait takes whole ms" },
		{ wait_for_stdin, FULL - 1, 0, REFUSED, 99,
		  "a wait is refused where less than 1 ms is left" },
		{ wait_for_stdin, FULL, 0, REFUSED, 99,
		  "a wait is refused where nothing is left" },
		{ wait_for_stdin, FULL + 5 * MS, 0, REFUSED, 99,
		  "a wait is refused by an overdrawn account" },
		{ tr2_wait_moment, 0, 20 * MS, MS, 1, "a moment is 1 ms" },
	};

	polled.answers = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		polled.timeout = 99;
		tap_ok(account_after(cases[i].wait, cases[i].before,
				     cases[i].took) == cases[i].after &&
			       polled.timeout == cases[i].timeout,
		       cases[i].name);
	}
	tap_int(polled.fd, -1, "a moment polls nothing");
	account_after(wait_for_stdin, 0, 0);
	tap_int(polled.fd, STDIN_FILENO, "a wait polls its descriptor");
	tap_int(tr2_wait_moment(NULL), 0, "no account waits for nothing");
	polled.answers = 0;
	tap_int((intmax_t)account_after(tr2_wait_moment, 0, 500), MS,
		"a wait in vain costs all that it was given");
}

int main(void)
{
	kit_host = tr2_host_system;
	tr2_host = &kit_host;
	test_account();
	return tap_done();
}
