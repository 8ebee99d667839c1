/* When a destination looks at its descriptor, and what it finds. */
#include <signal.h>
#include <sys/resource.h>

#include "kit/destination.h"
#include "destination/look.h"

#define START 1000000000u

/* How many of `count` events, `gap` ns apart, are a reason to look. */
static int count_looks(struct tr2_destination_look *look,
		       struct tr2_destination_seen *seen, int count,
		       uint64_t gap)
{
	int i, looks = 0;

	for (i = 0; i < count; i++) {
		seen->now_ns += gap;
		looks += tr2_destination_is_due(look, seen);
	}
	return looks;
}

static void test_price(void)
{
	struct tr2_destination_look look = { 0 };
	struct tr2_destination_seen seen = { .now_ns = START };

	count_looks(&look, &seen, 2, 100);
	tap_int(count_looks(&look, &seen, 1000, 300), 1000,
		"a host that does a little is looked after at each event");
	tap_int(count_looks(&look, &seen, 100000, 300), 426,
		"then looks take half a percent of the time");
	seen.now_ns += (uint64_t)TR2_LOOK_CREDIT * TR2_LOOK_PRICE_NS;
	tap_int(count_looks(&look, &seen, 1000, 300), 1000,
		"after a rest there is credit again");
	tap_int(count_looks(&look, &seen, 1000, 101000), 1000,
		"a look each 100 us needs no credit");
}

/* A thread may have descriptors of its own. */
static void test_threads(void)
{
	struct tr2_destination_look look = { 0 };
	struct tr2_destination_seen seen = { .now_ns = START }, other;

	count_looks(&look, &seen, 1, 0);
	look.paid_ns = UINT64_MAX / 2; /* no credit is left */
	tap_int(count_looks(&look, &seen, 300, 1000), 3,
		"a thread looks every 100 us");
	other = (struct tr2_destination_seen){ .now_ns = seen.now_ns };
	tap_int(count_looks(&look, &other, 1, 0), 1,
		"another one looks for itself");
	tap_int(count_looks(&look, &other, 300, 1000), 3, "and no more often");
	look = (struct tr2_destination_look){ 0 };
	tap_int(count_looks(&look, &seen, 1, 0), 1,
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

static int write_later(unsigned seconds, const char *line)
{
	kit_seen.now_ns = kit_now() + (uint64_t)seconds * START;
	return tr2_destination_write(&dst, line, strlen(line), &kit_seen);
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
	if (!write_later(1, "two\n") || !dst.raises)
		return 2;
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (!write_later(2, "three\n") || dst.raises)
		return 3;
	limit.rlim_cur = 4;
	setrlimit(RLIMIT_FSIZE, &limit);
	return write_later(3, "four\n") || dst.dropped != 1 ? 4 : 0;
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
