/*
 * The time of records, where the CPU's counter and the clock are the test's:
 * reading the counter traps.
 */
#define _GNU_SOURCE /* REG_RAX */
#include "kit/tap.h"
#include "trace/engine/ticks.h"

/* The thread sanitizer keeps signals back. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define MHZ_2 0x80000000u /* steep: two ticks a nanosecond */

static struct {
	uint64_t tick;
	uint64_t ns_of_0;
	unsigned cost[4]; /* ticks that it takes to read the clock, in turn */
	unsigned reads;	  /* of the clock */
	int shift;	  /* ns = ticks >> shift, or << -shift */
} world = { .tick = 5000000000, .ns_of_0 = 700, .shift = 1 };

static uint64_t ns_at(uint64_t tick)
{
	return world.ns_of_0 +
	       (world.shift < 0 ? tick << -world.shift : tick >> world.shift);
}

static uint64_t read_clock(void)
{
	const unsigned cost = world.cost[world.reads++ % 4];

	if (!cost) /* a signal may come here */
		return ns_at(world.tick);
	world.tick += cost;
	return ns_at(world.tick - cost + cost / 2);
}

static int is_constant = 1;

static int are_ticks_constant(void)
{
	return is_constant;
}

/* rdtsc has two bytes. */
static void read_counter(int signo, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signo;
	(void)info;
	registers[REG_RAX] = (greg_t)(world.tick & 0xffffffff);
	registers[REG_RDX] = (greg_t)(world.tick >> 32);
	registers[REG_RIP] += 2;
}

static void set_costs(unsigned a, unsigned b, unsigned c, unsigned d)
{
	world.cost[0] = a;
	world.cost[1] = b;
	world.cost[2] = c;
	world.cost[3] = d;
	world.reads = 0;
}

/* Floating-point exceptions are fatal from now on, also an inexact result. */
static void trap_numbers(void)
{
	__builtin_ia32_ldmxcsr(0);
}

/*
 * Does a process with such a counter use it? `cost`: ticks for each look at
 * the clock.
 */
static int clock_uses(int constant, int shift, unsigned cost)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		is_constant = constant;
		world.shift = shift;
		world.tick &= ~(uint64_t)0xfff;
		set_costs(cost, cost, cost, cost);
		trap_numbers();
		tr2_trace_ticks_start();
		_exit(tr2_trace_has_ticks);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_sources(struct tr2_host *host)
{
	tap_int(clock_uses(0, 1, 80), 0, "a counter that may stop is not used");
	host->has_constant_ticks = NULL;
	tap_int(clock_uses(1, 1, 80), 0, "nor one that nobody knows");
	host->has_constant_ticks = are_ticks_constant;
	tap_int(clock_uses(1, 1, 80), 1, "one that does not is");
	tap_int(clock_uses(1, 2, 80) + clock_uses(1, 0, 80), 2,
		"half as fast, or twice");
	tap_int(clock_uses(1, 3, 80) + clock_uses(1, -1, 80), 0,
		"but no slower or faster one");
	tap_int(clock_uses(1, 1, 0), 0,
		"a counter that stands still is not used and divides nothing");
}

static struct tr2_trace_clock start_clock;
static uint64_t first_tick;

/* 0.1 ms from the first time to the last. */
static void test_start(void)
{
	set_costs(200, 200, 200, 200);
	first_tick = world.tick + 100;
	tr2_trace_ticks_start();
	tap_int(world.reads, 1001,
		"it is measured for a tenth of a millisecond");
	tr2_trace_ticks_start();
	tap_int(world.reads, 1001, "and that a single time");
}

/* What the thread's clock is when it was drawn anew. */
static struct tr2_trace_clock draw_clock(struct tr2_trace_clock clock)
{
	const uint64_t told = tr2_trace_ticks_renew(&clock);

	if (told != clock.ns)
		printf("# told %llu, not %llu\n", (unsigned long long)told,
		       (unsigned long long)clock.ns);
	clock.lines += told != clock.ns;
	return clock;
}

static int is_line(struct tr2_trace_clock clock, uint64_t tick, uint64_t ns,
		   uint64_t steep, uint64_t limit)
{
	if (clock.tick == tick && clock.ns == ns && clock.steep == steep &&
	    clock.limit == limit)
		return 1;
	printf("# tick %+lld, ns %+lld, steep %llx, limit %lld (%+lld)\n",
	       (long long)(clock.tick - tick), (long long)(clock.ns - ns),
	       (unsigned long long)clock.steep, (long long)clock.limit,
	       (long long)(clock.limit - limit));
	return 0;
}

static int has_base(struct tr2_trace_clock clock, uint64_t tick, uint64_t ns)
{
	return clock.base_tick == tick && clock.base_ns == ns;
}

/* Which of the readings is taken, and how many there are. */
static int clock_takes(unsigned before, unsigned middle, unsigned reads)
{
	struct tr2_trace_clock clock;
	const uint64_t tick = world.tick;

	world.reads = 0;
	clock = draw_clock(start_clock);
	if (clock.tick - tick == before + middle && world.reads == reads)
		return 1;
	printf("# %lld, %u reads\n", (long long)(clock.tick - tick),
	       world.reads);
	return 0;
}

static void test_readings(void)
{
	set_costs(200, 2, 2, 2);
	tap_ok(clock_takes(0, 100, 1),
	       "a clock that is read quickly is read once");
	set_costs(201, 300, 300, 300);
	tap_ok(clock_takes(0, 100, 4), "a slower one four times");
	set_costs(800, 600, 400, 300);
	tap_ok(clock_takes(1800, 150, 4), "the quickest of them counts");
	set_costs(800, 400, 600, 500);
	tap_ok(clock_takes(800, 200, 4), "wherever the quickest stands");
	set_costs(400, 400, 500, 400);
	tap_ok(clock_takes(0, 200, 4), "of two the first");
	set_costs(800, 100, 50, 50);
	tap_ok(clock_takes(800, 50, 2), "until one is quick");
}

/* A clock of that line, read at `tick`. */
static struct tr2_trace_clock set_tick(uint64_t tick,
				       struct tr2_trace_clock clock)
{
	set_costs(0, 0, 0, 0);
	world.tick = tick;
	return draw_clock(clock);
}

static void test_never_back(void)
{
	const uint64_t tick = first_tick + 50000000;
	struct tr2_trace_clock ahead = {
		.tick = tick,
		.ns = ns_at(tick) + 5000,
		.steep = MHZ_2,
		.limit = 3000,
		.base_tick = first_tick,
		.base_ns = ns_at(first_tick),
	};

	tap_int((intmax_t)set_tick(tick + 2000, ahead).ns,
		(intmax_t)ahead.ns + 1000, "time does not go back");
	tap_int((intmax_t)set_tick(tick + 4000, ahead).ns,
		(intmax_t)ahead.ns + 1500,
		"but waits for no longer than it has told");
	ahead.limit = 0;
	tap_int((intmax_t)set_tick(tick + 4000, ahead).ns, (intmax_t)ahead.ns,
		"without a line it stands");
	ahead.ns -= 5000;
	tap_int((intmax_t)set_tick(tick + 4000, ahead).ns,
		(intmax_t)ahead.ns + 2000, "behind the clock it follows that");
}

#define LONGEST_LINE (UINT64_C(1) << 31)
#define LONGEST_BASE (UINT64_C(1) << 33)

static void test_lengths(void)
{
	const uint64_t tick = first_tick + 50000;
	struct tr2_trace_clock clock = {
		.tick = tick + 10,
		.ns = ns_at(tick) + 5,
		.steep = MHZ_2,
		.limit = 100,
		.base_tick = tick,
		.base_ns = ns_at(tick),
	};
	struct tr2_trace_clock next;
	uint64_t now = tick + LONGEST_LINE;

	next = set_tick(now, clock);
	tap_ok(is_line(next, now, ns_at(now), MHZ_2, LONGEST_LINE) &&
		       has_base(next, tick, ns_at(tick)),
	       "a line may have its longest length");
	now = tick + LONGEST_BASE;
	next = set_tick(now, clock);
	tap_ok(is_line(next, now, ns_at(now), MHZ_2, LONGEST_LINE) &&
		       has_base(next, tick, ns_at(tick)),
	       "and no more, as long as it is measured");
	next = set_tick(now + 2, clock);
	tap_ok(has_base(next, tick + 10, ns_at(tick) + 5) &&
		       next.limit == LONGEST_LINE,
	       "what was measured too long ago is forgotten");
}

/* Draw a line, measured from a place where the clock was so much ahead. */
static struct tr2_trace_clock off_by(int64_t ns)
{
	const uint64_t tick = first_tick + 40000000;
	struct tr2_trace_clock clock = {
		.base_tick = tick,
		.base_ns = ns_at(tick) + (uint64_t)ns,
	};

	return set_tick(tick + 2000000, clock);
}

static void test_suspended(void)
{
	const uint64_t now = first_tick + 42000000;

	tap_int((intmax_t)off_by(-5000).limit, 2000000,
		"a clock may be a little fast");
	tap_ok(off_by(-5000).steep > MHZ_2 + 0xa00000 &&
		       off_by(5000).steep < MHZ_2 - 0xa00000,
	       "or slow, as its line is then");
	tap_int((intmax_t)off_by(5000).limit, 2000000, "and as long");
	tap_ok(is_line(off_by(-20000), now, ns_at(now), MHZ_2, 100000) &&
		       has_base(off_by(-20000), now, ns_at(now)),
	       "who was asleep begins anew");
	tap_ok(is_line(off_by(20000), now, ns_at(now), MHZ_2, 100000),
	       "as who was set back");
}

/* A signal after any instruction of drawing a line */

static struct tr2_trace_clock interrupted;
static volatile sig_atomic_t steps, interrupt_at;
static volatile int wrong;

#define TRAP_FLAG 0x100

static void step_clock(int signo, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t told;

	(void)signo;
	(void)info;
	if (++steps != interrupt_at)
		return;
	registers[REG_EFL] &= ~TRAP_FLAG;
	world.tick += 5000;
	told = tr2_trace_ticks_now(&interrupted);
	wrong |= told != ns_at(world.tick);
	world.tick += 5000;
}

static inline void set_trap(uint64_t flag)
{
	__asm__ volatile("subq $128, %%rsp\n\tpushfq\n\tandq $-257, (%%rsp)\n\t"
			 "orq %0, (%%rsp)\n\tpopfq\n\taddq $128, %%rsp"
			 :
			 : "r"(flag)
			 : "memory", "cc");
}

/* Is the clock sound, and has its time not gone back? */
static int is_sound(int at_step)
{
	const uint64_t tick = first_tick + 60000000;
	struct tr2_trace_clock *clock = &interrupted;

	set_costs(0, 0, 0, 0);
	world.tick = tick;
	*clock = start_clock;
	tr2_trace_ticks_renew(clock);
	world.tick += clock->limit;
	steps = 0;
	interrupt_at = at_step;
	set_trap(TRAP_FLAG);
	tr2_trace_ticks_now(clock);
	set_trap(0);
	return !wrong && clock->ns == ns_at(clock->tick) && clock->limit &&
	       clock->limit <= clock->tick - first_tick &&
	       clock->steep == MHZ_2 &&
	       has_base(*clock, first_tick, ns_at(first_tick));
}

#define MOST_TRAPS 4000

/* Each step is a trap, so not each of them is tried where there are many. */
static void test_signals(void)
{
	struct sigaction action = { .sa_sigaction = step_clock,
				    .sa_flags = SA_SIGINFO };
	int all, stride, sound = 1;

	sigaction(SIGTRAP, &action, NULL);
	is_sound(0);
	all = steps;
	if (all < 20) {
		tap_skip("a signal may come while time is measured",
			 "no single steps here");
		return;
	}
	stride = 1 + all * (all / 2) / MOST_TRAPS;
	for (int i = 1; i < all && sound; i += stride)
		sound = is_sound(i);
	/* Then the line is put there. */
	for (int i = all - 1; i > all * 3 / 4 && sound; i -= 1 + stride / 6)
		sound = is_sound(i);
	tap_ok(sound, "a signal may come while time is measured");
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = read_counter,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };
	struct tr2_host host = tr2_host_system;

	host.mono_ns = read_clock;
	host.has_constant_ticks = are_ticks_constant;
	tr2_host = &host;
	sigaction(SIGSEGV, &action, NULL);
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) ||
	    tr2_trace_ticks_read() != world.tick) {
		tap_skip("records have times", "the counter does not trap");
		return tap_done();
	}
	test_sources(&host);
	tap_run(test_start, test_readings, test_never_back, test_lengths,
		test_suspended, test_signals);
	return tap_done();
}

#else

int main(void)
{
	tap_skip("records have times", "no counter that traps here");
	return tap_done();
}

#endif
