/* When a destination looks at its descriptor, and what it finds. */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "kit/destination.h"
#include "destination/look.h"

#define START 1000000000u

/* How many of `count` events, `gap` ns apart, are a reason to look. */
static int count_looks(struct tr2_destination_look *look, uint64_t *now,
		       int count, uint64_t gap)
{
	int i, looks = 0;

	for (i = 0; i < count; i++) {
		*now += gap;
		looks += tr2_destination_is_due(look, *now);
	}
	return looks;
}

static void test_price(void)
{
	struct tr2_destination_look look;
	uint64_t now = START;

	tr2_destination_look_anew(&look);
	count_looks(&look, &now, 2, 100);
	tap_int(count_looks(&look, &now, 1000, 300), 1000,
		"a host that does a little is looked after at each event");
	tap_int(count_looks(&look, &now, 100000, 300), 426,
		"then looks take half a percent of the time");
	now += (uint64_t)TR2_LOOK_CREDIT * TR2_LOOK_PRICE_NS;
	tap_int(count_looks(&look, &now, 1000, 300), 1000,
		"after a rest there is credit again");
	tap_int(count_looks(&look, &now, 1000, 101000), 1000,
		"a look each 100 us needs no credit");
}

/* What another thread finds due at these times. */
static struct {
	struct tr2_destination_look *look;
	uint64_t at[2];
	int due[2];
} other;

static void *look_twice(void *unused)
{
	other.due[0] = tr2_destination_is_due(other.look, other.at[0]);
	other.due[1] = tr2_destination_is_due(other.look, other.at[1]);
	return unused;
}

/* A thread may have descriptors of its own. */
static void test_threads(void)
{
	struct tr2_destination_look look;
	uint64_t now = START;
	pthread_t thread;

	tr2_destination_look_anew(&look);
	look.paid_ns = UINT64_MAX / 2; /* no credit is left */
	count_looks(&look, &now, 300, 1000);
	other.look = &look;
	other.at[0] = now;
	other.at[1] = now + 1000;
	tap_need(!pthread_create(&thread, NULL, look_twice, NULL) &&
		 !pthread_join(thread, NULL));
	tap_int(other.due[0], 1, "a thread looks for itself");
	tap_int(other.due[1], 0, "and no more often than another one");
	tap_int(count_looks(&look, &now, 300, 1000), 3,
		"each thread looks every 100 us");
	tr2_destination_look_anew(&look);
	tap_int(tr2_destination_is_due(&look, now), 1,
		"a destination that is new is looked at");
}

static struct tr2_destination dst;

static void test_signal(void)
{
	int hosts = open("hosts", O_RDWR | O_CREAT | O_TRUNC, 0666), ours;

	kit_open(&dst, kit_path("file"));
	ours = dst.ours.fd;
	dup2(hosts, ours);
	tap_int(tr2_destination_write_signal(&dst, "x\n", 2), 0,
		"a signal handler looks each time");
	tap_str(kit_stderr(), "", "and does not warn");
	tap_str(kit_content("hosts"), "", "what it finds is left alone");
	close(ours);
	close(hosts);
}

/* The limit comes after the destination; it goes again, too. */
static int meet_limit(void)
{
	struct rlimit limit;

	unlink("limited");
	kit_open(&dst, kit_path("limited"));
	kit_write(&dst, "one\n");
	getrlimit(RLIMIT_FSIZE, &limit);
	if (dst.raises)
		return 1;
	limit.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (!tr2_destination_write(&dst, "two\n", 4, kit_now() + START) ||
	    !dst.raises)
		return 2;
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (!tr2_destination_write(&dst, "three\n", 6, kit_now() + 2 * START) ||
	    dst.raises)
		return 3;
	limit.rlim_cur = 4;
	setrlimit(RLIMIT_FSIZE, &limit);
	return tr2_destination_write(&dst, "four\n", 5,
				     kit_now() + 3 * START) ||
			       dst.dropped != 1
		       ? 4
		       : 0;
}

static int meet_limit_in_child(void)
{
	struct tr2_destination_options options =
		kit_options(kit_path("limited"));
	const struct rlimit limit = { 4, 4 };

	setrlimit(RLIMIT_FSIZE, &limit);
	tr2_destination_fork_child(&dst);
	if (!tr2_destination_reopen(&dst, &options))
		return 1;
	return kit_write(&dst, "four\n") || dst.dropped != 1 ? 2 : 0;
}

static void test_limit(void)
{
	tap_int(kit_in_child(meet_limit), 0,
		"a limit that is set late is seen, and that it goes");
	kit_open(&dst, kit_path("limited"));
	kit_write(&dst, "more\n");
	tap_int(kit_in_child(meet_limit_in_child), 0,
		"a child sees its own limit");
	kit_close(&dst);
	kit_stderr();
}

int main(void)
{
	kit_start();
	tap_run(test_price, test_threads, test_signal, test_limit);
	return kit_done();
}
