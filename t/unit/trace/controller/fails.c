/* A client's calls: what goes wrong, and how long it waits. */
#include "trace/controller/controller_kit.h"

#include <sys/resource.h>

static void test_archive(void)
{
	struct trace_config config = config_of();

	begin_controller();
	initialize_tracing(&config);
	tap_need(write(request.fd, "a", 1) == 1);
	archive_fails = 1;
	tap_ok(trace_controller_wait(controller, -1, -1) == ECANCELED &&
		       !strcmp(take_heard(), "<a>"),
	       "a client may give up");
	tap_ok(send(request.fd, "b", 1, MSG_NOSIGNAL) < 0,
	       "its archive is cut off there");
	answer_request(0);
	tap_int(trace_controller_terminate(controller), ECANCELED,
		"that is told in the end, too");
	archive_fails = 0;
	close(request.fd);
	end_controller();
	begin_controller();
	config.archive = NULL;
	initialize_tracing(&config);
	late = request.fd;
	answer_request(0);
	tap_ok(!trace_controller_terminate(controller) && !*take_heard(),
	       "an archive may be nobody's");
	end_controller();
}

static void test_archive_errors(void)
{
	static const int passing[] = { EAGAIN, EINTR };
	struct trace_config config = config_of();
	int i, before;

	for (i = 0; i < 2; i++) {
		begin_controller();
		initialize_tracing(&config);
		receives_fail = passing[i];
		late = request.fd;
		answer_request(0);
		trace_controller_terminate(controller);
		tap_str(take_heard(), "<rest>",
			"what fails at first may not later");
		end_controller();
	}
	before = open_count();
	begin_controller();
	initialize_tracing(&config);
	close(request.fd);
	receives_fail = EIO;
	answer_request(0);
	tap_ok(!trace_controller_start(controller, 0) &&
		       open_count() == before + 2,
	       "an archive may end before the rest");
	end_controller();
	tap_int(open_count(), before, "then its end is closed");
	begin_controller();
	initialize_tracing(&config);
	answer_request(0);
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_terminate(controller), EPIPE,
		"or never, where the manager went");
	close(request.fd);
	end_controller();
}

static void test_gone(void)
{
	begin_controller();
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_stop(controller), EPIPE,
		"a manager may go instead of an answer");
	trace_controller_close(controller);
	close(manager);
	begin_controller();
	say_packet(TRACE_RESULT_IS, 0, 0, NULL, 0);
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_stop(controller), EPIPE,
		"a result is none, however short");
	close(manager);
	tap_int(trace_controller_stop(controller), EPIPE, "or before");
	trace_controller_close(controller);
	begin_controller();
	tap_need(send(manager, "abc", 3, 0) == 3);
	tap_int(trace_controller_stop(controller), EPROTO,
		"an answer has to make sense");
	end_controller();
	begin_controller();
	answer_request(3);
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_stop(controller), 3,
		"what was answered counts, whatever came then");
	tap_int(trace_controller_wait(controller, -1, -1), EPIPE,
		"and then this");
	end_controller();
	begin_controller();
	answer_request(0);
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_stop(controller), 0,
		"also if that was that all is well");
	end_controller();
}

static void test_deaf_manager(void)
{
	const trace_provider_packet_t packet = { .request = TRACE_DONE };
	static char longest[TRACE_PAYLOAD_MAX - 1];
	const char *const names[] = { longest };
	struct trace_config config = { .categories = names,
				       .category_count = 1 };
	const int small = 1;
	int ends[2];

	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
	manager = ends[0];
	while (!tr2_message_send(ends[1], &packet, NULL, 0, -1))
		;
	controller = trace_controller_adopt(ends[1]);
	tap_int(trace_controller_stop(controller), EPROTO,
		"a manager has to read");
	end_controller();
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
	manager = ends[0];
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	controller = trace_controller_adopt(ends[1]);
	memset(longest, 'x', sizeof(longest) - 1);
	tap_int(trace_controller_initialize(controller, &config), EPROTO,
		"and may take no message as long as that");
	end_controller();
}

/* As one that SIGSTOP has stopped. */
static void test_silent_manager(void)
{
	struct trace_config config = config_of();

	begin_controller();
	trace_controller_set_limit(controller, 7);
	tap_ok(trace_controller_get_providers(controller, NULL, NULL) ==
			       ETIMEDOUT &&
		       polls == 1 && timeouts[0] == 7,
	       "a manager may be silent for so long, and no longer");
	tap_int(trace_controller_wait(controller, -1, 5), ETIMEDOUT,
		"a wait tells it, too");
	end_controller();
	begin_controller();
	initialize_tracing(&config);
	trace_controller_set_limit(controller, 8);
	answer_request(0);
	tap_ok(trace_controller_terminate(controller) == ETIMEDOUT &&
		       timeouts[(polls - 1) & 7] == 8,
	       "an archive has to go on in that time");
	close(request.fd);
	end_controller();
}

static void test_waiting(void)
{
	begin_controller();
	now = 1000000000;
	step = 1500000;
	tap_ok(!trace_controller_wait(controller, -1, 0) && !polls,
	       "who does not wait looks at nothing");
	step = 0;
	tap_ok(!trace_controller_wait(controller, -1, 5) && polls == 1 &&
		       timeouts[0] == 5,
	       "a wait ends where the clock stands still");
	polls = 0;
	step = 1500000;
	say_packet(TRACE_ALERT_IS, 0, 0, "alert", 5);
	trace_controller_wait(controller, manager, 5);
	tap_int(polls, 2, "whatever is said meanwhile");
	polls = 0;
	trace_controller_wait(controller, -1, 1);
	tap_int(polls, 1, "a millisecond ends, too");
	end_controller();
}

static void test_waiting_for_others(void)
{
	int ends[2];

	begin_controller();
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	tap_need(write(ends[0], "x", 1) == 1);
	polls = messages_asked = 0;
	interrupted = 1;
	tap_ok(!trace_controller_wait(controller, ends[1], -1) && polls == 2 &&
		       timeouts[0] == -1 && timeouts[1] == -1,
	       "or without end, until something else can be read");
	tap_int(messages_asked, 0, "and reads nothing else");
	close(ends[0]);
	close(ends[1]);
	end_controller();
}

/*
 * Giving up a manager that does not answer
 */

struct patience {
	int asked;
	int limit;
};

static bool lose_patience(void *context)
{
	struct patience *patience = context;

	return ++patience->asked >= patience->limit;
}

static int start_impatiently(struct patience *patience, int fd)
{
	trace_controller_set_interrupt(controller, fd, lose_patience, patience);
	return trace_controller_start(controller, 1);
}

static void test_giving_up(void)
{
	struct patience patience = { .limit = 1 };
	int ends[2];

	tap_need(!pipe(ends) && write(ends[1], "x", 1) == 1);
	begin_controller();
	answer_request(EBUSY);
	tap_int(start_impatiently(&patience, ends[0]), EBUSY,
		"an answer counts more than an interrupt");
	end_controller();
	begin_controller();
	patience = (struct patience){ .limit = 3 };
	tap_ok(start_impatiently(&patience, ends[0]) == EINTR &&
		       patience.asked == 3,
	       "a manager that does not answer is given up");
	answer_request(0);
	tap_int(trace_controller_stop(controller), EINTR,
		"and its late answer is not taken for another one");
	end_controller();
	close(ends[0]);
	close(ends[1]);
}

/* The host has closed all numbers, and has a file of its own on one. */
static void test_taken_socket(void)
{
	begin_controller();
	answer_request(0);
	taken_place = 0;
	tap_int(trace_controller_stop(controller), EPIPE,
		"a number that the host has taken is not read");
	tap_int(trace_controller_stop(controller), EPIPE, "nor written to");
	end_controller();
	tap_ok(fcntl(taken_fd, F_GETFD) >= 0, "nor closed");
	close(taken_fd);
}

static void test_taken_archive(void)
{
	const struct trace_config config = config_of();

	begin_controller();
	initialize_tracing(&config);
	tap_need(write(request.fd, "bytes", 5) == 5);
	taken_place = 1;
	tap_int(trace_controller_wait(controller, -1, -1), EPIPE,
		"an archive whose number the host has taken is not read");
	tap_str(take_heard(), "", "and nothing of it is heard");
	close(request.fd);
	end_controller();
	close(taken_fd);
}

/* Valgrind has a limit of its own. */
static void test_low_limit(void)
{
	static const char name[] = "numbers have to be above those of the host";
	const struct trace_config config = config_of();
	struct rlimit old, low;

	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip(name, "valgrind keeps descriptors");
		return;
	}
	begin_controller();
	getrlimit(RLIMIT_NOFILE, &old);
	low = old;
	low.rlim_cur = 10;
	setrlimit(RLIMIT_NOFILE, &low);
	tap_ok(trace_controller_initialize(controller, &config) == EMFILE &&
		       receive_request() == -1,
	       name);
	setrlimit(RLIMIT_NOFILE, &old);
	end_controller();
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_archive, test_archive_errors, test_gone, test_deaf_manager,
		test_silent_manager, test_waiting, test_waiting_for_others,
		test_giving_up, test_taken_socket, test_taken_archive,
		test_low_limit);
	tap_ok(!memory_live && !memory_broken,
	       "nothing is left of clients that failed");
	tap_int((intmax_t)receive_room, 65536,
		"an archive is read 64 kilobytes at a time");
	tap_ok(!empty_receives && !wrong_closes,
	       "only what is there is read, and closed");
	return tap_done();
}
