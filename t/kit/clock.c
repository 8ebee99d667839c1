/*
 * Loaded before a program, this shows it another time: CLOCK_DAY is the
 * second of the epoch at which the program finds itself to begin, CLOCK_US
 * the microseconds after it, and CLOCK_SPEED how many times quicker than the
 * machine's its clocks are. With CLOCK_BACK the time of day goes backwards.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define SECOND 1000000000LL

static int (*real)(clockid_t, struct timespec *);
static long long day, start, speed = 1, begun[2];
static int back;

static long long read_real(clockid_t clock)
{
	struct timespec now;

	real(clock, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("CLOCK_DAY");

	if (real)
		return;
	real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT,
							    "clock_gettime");
	day = text ? atoll(text) : 0;
	text = getenv("CLOCK_US");
	start = day * SECOND + (text ? atoll(text) * 1000 : 0);
	text = getenv("CLOCK_SPEED");
	speed = text ? atoll(text) : 1;
	back = !!getenv("CLOCK_BACK");
	begun[0] = read_real(CLOCK_REALTIME);
	begun[1] = read_real(CLOCK_MONOTONIC);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	long long time;
	int day_clock = clock == CLOCK_REALTIME ||
			clock == CLOCK_REALTIME_COARSE;

	begin();
	if (clock == CLOCK_PROCESS_CPUTIME_ID ||
	    clock == CLOCK_THREAD_CPUTIME_ID)
		return real(clock, now);
	time = read_real(clock);
	time += (time - begun[!day_clock]) *
		((day_clock && back ? -speed : speed) - 1);
	if (day && day_clock)
		time += start - begun[0];
	now->tv_sec = time / SECOND;
	now->tv_nsec = time % SECOND;
	return 0;
}

/* What is left until then takes as long as it would without us. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
		    struct timespec *rest)
{
	struct timespec now, wait = *until;
	long long left;

	if (flags & TIMER_ABSTIME) {
		clock_gettime(clock, &now);
		left = (until->tv_sec - now.tv_sec) * SECOND + until->tv_nsec -
		       now.tv_nsec;
		left = left > 0 ? left : 0;
		wait.tv_sec = left / SECOND;
		wait.tv_nsec = left % SECOND;
	}
	return nanosleep(&wait, rest) ? errno : 0;
}

int gettimeofday(struct timeval *now, void *zone)
{
	struct timespec time;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &time);
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *now)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	if (now)
		*now = time.tv_sec;
	return time.tv_sec;
}
