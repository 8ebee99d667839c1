/*
 * SIGKILL of a program that writes to a buffer of its own: see kill_kit.h.
 * What reads the buffer here does what a manager would.
 */
#include "kit/trace/kill.h"

#include <fcntl.h>
#include <poll.h>

#include "kit/trace/trace.h"
#include "host/host.h"

#define LONGEST_NS 2000000u

struct full {
	uint32_t wrapped;
	uint64_t durable;
};

static char *buffer;
static int told[2], saved[2]; /* pipes: parts that are full, and saved */

/* Sizes of the buffer, by mode. */
static const size_t sizes[] = { 8 << 20, 512 << 10, 1 << 20 };

/* The process that is killed */

static void tell_engine(struct trace_handler *handler, uint32_t wrapped,
			uint64_t durable)
{
	struct full full = { wrapped, durable };
	ssize_t put;

	(void)handler;
	memset(&full, 0, sizeof(full));
	full.wrapped = wrapped;
	full.durable = durable;
	put = write(told[1], &full, sizeof(full));
	(void)put;
}

static void serve_for_ever(void)
{
	for (;;) {
		struct pollfd wanted = { .fd = saved[0], .events = POLLIN };
		struct full full;

		if (poll(&wanted, 1, trace_engine_service()) > 0 &&
		    read(saved[0], &full, sizeof(full)) == sizeof(full))
			trace_engine_mark_buffer_saved(full.wrapped,
						       full.durable);
	}
}

static void be_killed(void)
{
	static const struct trace_handler_ops ops = { .notify_buffer_full =
							      tell_engine };
	struct trace_handler handler = { &ops };

	trace_engine_initialize(&handler, kill_mode, buffer, sizes[kill_mode]);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	kill_trace_stale(20000);
	trace_engine_stop(0);
	trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	kill_reach(1);
	kill_start_threads();
	serve_for_ever();
}

/* The process that checks */

static struct {
	struct kit_archive archive;
	struct trace_buffer_header header;
	uint64_t durable; /* saved of it */
	uint32_t passes;  /* saved */
	int has_header;
} reader;

static void find_header(void)
{
	if (reader.has_header)
		return;
	memcpy(&reader.header, buffer, sizeof(reader.header));
	reader.has_header = 1;
}

static void save_durable(uint64_t to)
{
	int64_t end = trace_buffer_read_durable(&reader.header, buffer,
						reader.durable, to, kit_append,
						&reader.archive);

	if (end > 0)
		reader.durable = (uint64_t)end;
}

static void save_buffer(const struct full *full)
{
	ssize_t put;

	find_header();
	save_durable(full->durable);
	trace_buffer_read_rolling(&reader.header, buffer,
				  (int)(full->wrapped & 1), reader.passes,
				  kit_append, &reader.archive);
	reader.passes = full->wrapped + 1;
	put = write(saved[1], full, sizeof(*full));
	(void)put;
}

/* Wait until it runs, then some time more, and save what is full. */
static void wait_for_moment(uint64_t delay)
{
	struct pollfd wanted = { .fd = told[0], .events = POLLIN };
	uint64_t end = 0;
	struct full full;

	while (!end || tr2_host->mono_ns() < end) {
		if (!end && kill_has_reached(1))
			end = tr2_host->mono_ns() + delay;
		if (poll(&wanted, 1, 0) > 0 &&
		    read(told[0], &full, sizeof(full)) == sizeof(full))
			save_buffer(&full);
	}
}

static void read_rest(void)
{
	int older = (int)(reader.passes & 1);

	find_header();
	if (kill_mode == TRACE_BUFFERING_MODE_STREAMING) {
		save_durable(UINT64_MAX);
		trace_buffer_read_rolling(&reader.header, buffer, older,
					  reader.passes, kit_append,
					  &reader.archive);
		trace_buffer_read_rolling(&reader.header, buffer, !older,
					  reader.passes, kit_append,
					  &reader.archive);
		return;
	}
	trace_buffer_read(&reader.header, buffer, 0, kit_append,
			  &reader.archive);
}

static int run_killed(uint64_t delay)
{
	pid_t child;
	int good;

	buffer = kill_map_shared(sizes[kill_mode]);
	memset(&reader, 0, sizeof(reader));
	kit_begin_archive(&reader.archive);
	if (pipe(told) || pipe(saved))
		return 0;
	fcntl(saved[0], F_SETFL, O_NONBLOCK);
	fflush(stdout);
	child = fork();
	if (!child) {
		be_killed();
		_exit(0);
	}
	wait_for_moment(delay);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	read_rest();
	good = kill_judge(reader.archive.words, reader.archive.count * 8, 0);
	free(reader.archive.words);
	close(told[0]);
	close(told[1]);
	close(saved[0]);
	close(saved[1]);
	munmap(buffer, sizes[kill_mode]);
	return good;
}

int main(int argc, char **argv)
{
	return kill_in_all_ways(run_killed, argc, argv, LONGEST_NS, "");
}
