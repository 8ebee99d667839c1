/* A client's calls: what it asks, and what it hands on. */
#include "trace/controller/controller_kit.h"

static void test_connecting(void)
{
	char longest[108] = "";
	int ends[2], before;

	connected = -1;
	tap_ok(!trace_controller_connect(NULL) && errno == ENOENT,
	       "without a place there is no manager");
	tap_ok(!trace_controller_connect("/there") && errno == ECONNREFUSED &&
		       !strcmp(connected_to, "/there"),
	       "nor where none listens");
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
	before = open_count();
	memset(longest, 'p', 107);
	named = longest;
	connected = fcntl(ends[1], F_DUPFD_CLOEXEC, 20);
	controller = trace_controller_connect(NULL);
	tap_ok(controller && !strcmp(connected_to, named) &&
		       open_count() == before + 1,
	       "the environment may name it");
	trace_controller_close(controller);
	connected = fcntl(ends[1], F_DUPFD_CLOEXEC, 20);
	memory_fail(1);
	tap_ok(!trace_controller_connect(NULL), "there may be no memory");
	memory_fail(0);
	connected = fcntl(2, F_DUPFD_CLOEXEC, 20);
	tap_ok(!trace_controller_connect("/") && errno == EPERM,
	       "who is not known is no manager");
	tap_int(open_count(), before, "no connection stays open");
	connected = -1;
	trace_controller_close(NULL);
	close(ends[0]);
	close(ends[1]);
}

/*
 * Lists
 */

static void note_provider(void *into, const struct trace_provider_info *info)
{
	char line[64];

	snprintf(line, sizeof(line), "%u/%u/%s ", info->id, info->pid,
		 info->name);
	hear_text(into == heard ? line : "?");
}

static void note_category(void *into, const struct trace_category_info *info)
{
	char line[64];

	snprintf(line, sizeof(line), "%u/%s=%s ", info->provider, info->name,
		 info->description);
	hear_text(into == &request ? line : "?");
}

static void test_lists(void)
{
	begin_controller();
	say_packet(TRACE_PROVIDER_IS, 5, 77, "one", 3);
	say_packet(TRACE_CATEGORY_IS, 5, 0, "none", 4);
	say_packet(0x4f0, 0, 0, NULL, 0);
	say_packet(TRACE_PROVIDER_IS, 6, 78, "two", 3);
	answer_request(0);
	tap_int(trace_controller_get_providers(controller, note_provider,
					       heard),
		0, "the providers of an answer are listed");
	tap_str(take_heard(), "5/77/one 6/78/two ",
		"each with what is known of it");
	tap_ok(is_plain(TRACE_GET_PROVIDERS) && receive_request() == -1,
	       "they are asked for once");
	say_packet(TRACE_PROVIDER_IS, 5, 77, "one", 3);
	say_packet(TRACE_CATEGORY_IS, 5, 0, "io\0disk", 7);
	say_packet(TRACE_CATEGORY_IS, 6, 0, "net", 3);
	answer_request(EBUSY);
	tap_int(trace_controller_get_known_categories(controller, note_category,
						      &request),
		EBUSY, "what a manager refuses is told");
	tap_str(take_heard(), "5/io=disk 6/net= ",
		"categories are listed, and providers no more");
	tap_ok(is_plain(TRACE_GET_CATEGORIES), "they are asked for, too");
	say_packet(TRACE_CATEGORY_IS, 5, 0, "io", 2);
	answer_request(EPERM);
	tap_int(trace_controller_get_providers(controller, NULL, NULL), EPERM,
		"nobody need listen");
	tap_ok(!*take_heard() && timeouts[0] == -1 && others[0] == -1,
	       "what is asked for is waited for, and nothing else");
	end_controller();
}

static void test_descriptors(void)
{
	const trace_provider_packet_t packet = { .request = TRACE_PROVIDER_IS };
	int before, input;

	begin_controller();
	before = open_count();
	tr2_message_send(manager, &packet, "n", 1, 2);
	answer_request(0);
	trace_controller_get_providers(controller, NULL, NULL);
	tap_int(open_count(), before, "what nobody asked for is closed");
	tr2_message_send(manager, &packet, "n", 1, 2);
	answer_request(0);
	input = fcntl(0, F_DUPFD_CLOEXEC, 20);
	close(0);
	trace_controller_get_providers(controller, NULL, NULL);
	tap_int(open_count(), before, "whatever its number");
	dup2(input, 0);
	close(input);
	end_controller();
}

/*
 * Tracing
 */

static void test_initializing(void)
{
	struct trace_config config = config_of();
	int before;

	begin_controller();
	before = open_count();
	answer_request(EBUSY);
	tap_ok(trace_controller_initialize(controller, &config) == EBUSY &&
		       open_count() == before,
	       "tracing may be somebody else's");
	receive_request();
	tap_ok(request.packet.data16 == 2 && request.packet.data32 == 1 &&
		       request.packet.data64 == 4 << 20,
	       "the manager hears of the mode, and of four megabytes");
	tap_bytes(request.payload, request.len, "io\0net", 7,
		  "and of the categories");
	tap_int(request.fd_count, 1, "it gets an end of the archive");
	close(request.fd);
	config.buffer_size = 12345;
	config.kernel = false;
	tap_ok(!initialize_tracing(&config) && request.packet.data64 == 12345 &&
		       !request.packet.data32,
	       "a size may be given");
	trace_controller_close(controller);
	close(manager);
	close(request.fd);
	begin_controller();
	config.syscalls = true;
	tap_ok(!initialize_tracing(&config) && request.packet.data32 == 2,
	       "system calls may be asked for");
	tap_ok(trace_controller_initialize(controller, &config) == EINVAL &&
		       receive_request() == -1,
	       "one trace is made at a time");
	close(request.fd);
	end_controller();
	tap_int(open_count(), before - 2, "then both ends are closed");
}

static void test_long_categories(void)
{
	static char longest[TRACE_PAYLOAD_MAX + 1];
	const char *const names[] = { "a", longest };
	const char *const too_many[] = { longest, longest };
	struct trace_config config = config_of();

	begin_controller();
	memset(longest, 'x', TRACE_PAYLOAD_MAX);
	longest[TRACE_PAYLOAD_MAX - 2] = '\0';
	config.categories = too_many;
	tap_int(trace_controller_initialize(controller, &config), EINVAL,
		"nobody can name that many categories");
	config.categories = names;
	tap_ok(trace_controller_initialize(controller, &config) == EINVAL &&
		       receive_request() == -1,
	       "there may be more than a message takes");
	longest[TRACE_PAYLOAD_MAX - 3] = '\0';
	tap_ok(!initialize_tracing(&config) &&
		       request.len == TRACE_PAYLOAD_MAX &&
		       !memcmp(request.payload, "a\0xxx", 5),
	       "a message may be full of them");
	close(request.fd);
	end_controller();
	begin_controller();
	pairs_fail = EMFILE;
	tap_ok(trace_controller_initialize(controller, &config) == EMFILE &&
		       receive_request() == -1,
	       "there may be no descriptors");
	pairs_fail = 0;
	end_controller();
}

static void test_tracing(void)
{
	const struct tr2_result_counts counts = { 7, 8, 9 };
	struct trace_config config = config_of();
	char result[64];
	int archive;

	begin_controller();
	initialize_tracing(&config);
	archive = request.fd;
	answer_request(EINVAL);
	tap_int(trace_controller_start(controller, 2), EINVAL,
		"a start may be refused");
	tap_ok(receive_request() == TRACE_START_TRACING &&
		       request.packet.data16 == 2,
	       "it says what to keep");
	say_packet(TRACE_ALERT_IS, 5, 0, "now", 3);
	tap_need(write(archive, "b", 1) == 1);
	answer_request(0);
	tap_ok(!trace_controller_start(controller, 0) &&
		       receive_request() == TRACE_START_TRACING,
	       "or granted");
	tap_str(take_heard(), "<b>alert 5/now ",
		"what arrives meanwhile is handed on, the archive first");
	memcpy(result, &counts, sizeof(counts));
	memcpy(result + sizeof(counts), "p\0wrong", 8);
	say_packet(TRACE_RESULT_IS, 5, 6, result, sizeof(counts) + 7);
	say_packet(TRACE_RESULT_IS, 5, 6, result, sizeof(counts) + 1);
	say_packet(TRACE_RESULT_IS, 5, 6, result, sizeof(counts));
	say_packet(TRACE_RESULT_IS, 5, 6, result, sizeof(counts) - 1);
	late = archive;
	answers_left = 2;
	tap_int(trace_controller_terminate(controller), 0, "tracing ends");
	tap_ok(!answers_left && answered[1] == TRACE_STOP_TRACING &&
		       answered[0] == TRACE_TERMINATE_TRACING,
	       "it is stopped for that");
	tap_str(take_heard(),
		"5/7/p 8 9 6 wrong;5/7/p 8 9 6 ;5/7/ 8 9 6 ;<rest>",
		"results are told, but for what is too short for one");
	end_controller();
}

static void test_stopping(void)
{
	struct trace_config config = { 0 };
	int archive;

	begin_controller();
	initialize_tracing(&config);
	archive = request.fd;
	answer_request(0);
	trace_controller_start(controller, 0);
	receive_request();
	answer_request(EIO);
	tap_ok(trace_controller_terminate(controller) == EIO &&
		       is_plain(TRACE_STOP_TRACING) && receive_request() == -1,
	       "who can't be stopped does not end");
	answer_request(EIO);
	tap_ok(trace_controller_terminate(controller) == EIO &&
		       is_plain(TRACE_STOP_TRACING),
	       "however often");
	answer_request(0);
	tap_ok(!trace_controller_stop(controller) &&
		       is_plain(TRACE_STOP_TRACING),
	       "a stop may be asked for again");
	say_packet(TRACE_ALERT_IS, 5, 0, "now", 3);
	say_packet(TRACE_RESULT_IS, 5, 0, "0123456789012345678901234567", 28);
	answer_request(EPERM);
	tap_ok(trace_controller_terminate(controller) == EPERM &&
		       is_plain(TRACE_TERMINATE_TRACING) &&
		       receive_request() == -1,
	       "who is stopped is not stopped again");
	close(archive);
	end_controller();
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	memory_fail(1);
	tap_ok(!trace_controller_adopt(0), "a client needs memory");
	memory_fail(0);
	tap_run(test_connecting, test_lists, test_descriptors,
		test_initializing, test_long_categories, test_tracing,
		test_stopping);
	tap_ok(!memory_live && !memory_broken, "nothing is left of clients");
	return tap_done();
}
