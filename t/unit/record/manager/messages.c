/* Each message of the manager, with all its fields, and what it refuses. */
#define _GNU_SOURCE
#include "kit/directory.h"
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider one, two;

/*
 * Is this the next message there? It never carries a descriptor; the only one
 * that does is INITIALIZE.
 */
static int is_next(int fd, unsigned request, unsigned data16, uint32_t data32,
		   uint64_t data64)
{
	const trace_provider_packet_t *packet = &kit_message.packet;

	return kit_hear(fd) == (int)request && packet->data16 == data16 &&
	       packet->data32 == data32 && packet->data64 == data64 &&
	       kit_message.fd < 0 && !kit_message.fd_count;
}

static int has_text(const void *text, size_t len)
{
	return kit_message.len == len &&
	       !memcmp(kit_message.payload, text, len);
}

/* The client asks, and reads no answer. */
static void ask_for(unsigned request, unsigned data16)
{
	kit_say(kit.client, request, data16, 0, 0, NULL, 0, -1);
	tr2_manager_step(kit.manager, -1, 0);
	tr2_manager_step(kit.manager, -1, 0);
	kit_drain(&kit);
}

static void say_words(const struct kit_provider *provider, unsigned request,
		      uint32_t data32, uint64_t data64)
{
	kit_say(provider->fd, request, 0, data32, data64, NULL, 0, -1);
	tr2_manager_step(kit.manager, -1, 0);
	kit_drain(&kit);
	tr2_manager_step(kit.manager, -1, 0);
}

static void check_lists(void)
{
	kit_come(&kit, &one, "one");
	tr2_manager_step(kit.manager, -1, 0);
	tap_ok(is_next(one.fd, TRACE_REGISTERED, 0, 1, 0) && has_text("", 0),
	       "a registration is answered with the first id");
	one.id = 1;
	kit_say(one.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "io\0disk", 7, -1);
	ask_for(TRACE_GET_PROVIDERS, 0);
	tap_ok(is_next(kit.client, TRACE_PROVIDER_IS, 0, 1,
		       (uint64_t)getpid()) &&
		       has_text("one", 3),
	       "a list has the id, the process and the name of a provider");
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0) && has_text("", 0),
	       "an answer without more ends it");
	ask_for(TRACE_GET_CATEGORIES, 0);
	tap_ok(is_next(kit.client, TRACE_CATEGORY_IS, 0, 1, 0) &&
		       has_text("io\0disk", 7),
	       "a list of categories has the id and both texts");
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "and is ended in the same way");
}

static void check_start(void)
{
	kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, KIT_SIZE, NULL, 0);
	tap_ok(kit_hear(one.fd) == TRACE_INITIALIZE && kit_message.fd >= 0 &&
		       kit_message.packet.data16 ==
			       TRACE_BUFFERING_MODE_STREAMING &&
		       !kit_message.packet.data32 &&
		       kit_message.packet.data64 == KIT_SIZE,
	       "a provider is told of its buffer");
	kit_map(&one);
	ask_for(TRACE_START_TRACING, TRACE_START_CLEAR_NONDURABLE_BUFFER);
	tap_ok(is_next(one.fd, TRACE_START, TRACE_START_CLEAR_NONDURABLE_BUFFER,
		       0, 0),
	       "and to start, in the mode that the client wants");
	kit_format(&one);
	say_words(&one, TRACE_PROVIDER_STARTED, 1, 0);
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "which the client is told when it has");
	kit_come(&kit, &two, "two");
	tr2_manager_step(kit.manager, -1, 0);
	tap_ok(is_next(two.fd, TRACE_REGISTERED, 1, 2, 0),
	       "who comes later is told that a tracing runs");
	tap_int(kit_hear(two.fd), TRACE_INITIALIZE, "and gets a buffer");
	kit_map(&two);
	tap_ok(is_next(two.fd, TRACE_START, TRACE_START_CLEAR_ENTIRE_BUFFER, 0,
		       0),
	       "which is to be cleared");
	kit_format(&two);
	two.id = 2;
	say_words(&two, TRACE_PROVIDER_STARTED, 1, 0);
}

static void check_run(void)
{
	trace_provider_packet_t packet = { .request = TRACE_PROVIDER_ALERT };

	kit_event(&one, "a");
	kit_event(&one, "b");
	kit_event(&two, "c");
	kit_wrap(&one, 1);
	say_words(&one, TRACE_PROVIDER_SAVE_BUFFER, 0, 16);
	tap_ok(is_next(one.fd, TRACE_PROVIDER_BUFFER_SAVED, 0, 0, 16),
	       "a provider is told which part was saved");
	memcpy((char *)&packet + 2, "full", 4);
	tr2_message_send(two.fd, &packet, NULL, 0, -1);
	tr2_manager_step(kit.manager, -1, 0);
	tap_ok(is_next(kit.client, TRACE_ALERT_IS, 0, 2, 0) &&
		       has_text("full", 4),
	       "an alert has the id of its provider");
	kit_header(&two)->num_records_dropped = 3;
}

/* A result: the process, events and bytes, name and error. */
static int is_result(const char *texts, size_t len, uint64_t events)
{
	struct tr2_result_counts counts;

	memcpy(&counts, kit_message.payload, sizeof(counts));
	return kit_message.len == sizeof(counts) + len &&
	       !memcmp(kit_message.payload + sizeof(counts), texts, len) &&
	       counts.pid == (uint64_t)getpid() && counts.events == events &&
	       counts.bytes > events * 40;
}

static void check_end(void)
{
	ask_for(TRACE_STOP_TRACING, 0);
	tap_ok(is_next(one.fd, TRACE_STOP, 0, 0, 0) &&
		       is_next(two.fd, TRACE_STOP, 0, 0, 0),
	       "providers are told to stop");
	say_words(&one, TRACE_PROVIDER_STOPPED, 0, 0);
	say_words(&two, TRACE_PROVIDER_STOPPED, 0, 0);
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "when they have the client is told");
	ask_for(TRACE_TERMINATE_TRACING, 0);
	tap_ok(is_next(kit.client, TRACE_RESULT_IS, 0, 1, 0) &&
		       is_result("one\0", 4, 2),
	       "each has a result with what it wrote");
	tap_ok(is_next(kit.client, TRACE_RESULT_IS, 0, 2, 3) &&
		       is_result("two\0", 4, 1),
	       "and what it dropped");
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "then the client is told that this is all");
	tap_ok(is_next(one.fd, TRACE_TERMINATE, 0, 0, 0) &&
		       is_next(two.fd, TRACE_TERMINATE, 0, 0, 0),
	       "and providers that they may release their buffers");
}

static void test_tracing(void)
{
	kit_open(&kit, 60000, 0);
	check_lists();
	check_start();
	check_run();
	check_end();
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

/* The client asks in the same moment in which a provider goes. */
static void test_gone(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	kit_say(one.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "io\0disk", 7, -1);
	kit_run(&kit);
	close(kit.client);
	kit.client = kit_connect(&kit);
	kit_run(&kit);
	kit_say(kit.client, TRACE_GET_PROVIDERS, 0, 0, 0, NULL, 0, -1);
	kit_say(kit.client, TRACE_GET_CATEGORIES, 0, 0, 0, NULL, 0, -1);
	close(one.fd);
	tr2_manager_step(kit.manager, -1, 0);
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "a provider is not listed from the moment in which it goes");
	tap_ok(is_next(kit.client, TRACE_DONE, 0, 0, 0),
	       "and neither are its categories");
	kit_close(&kit);
}

/* The answer to INITIALIZE_TRACING with this output. */
static int try_output(int fd, uint32_t data32)
{
	kit.done = -1;
	kit_say(kit.client, TRACE_INITIALIZE_TRACING, 0, data32, KIT_SIZE, NULL,
		0, fd);
	kit_run(&kit);
	return kit.done;
}

static void test_outputs(void)
{
	int datagrams[2], pipes[2], streams[2], before;

	kit_open(&kit, 60000, 0);
	tap_need(!socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) &&
		 !pipe(pipes) && !socketpair(AF_UNIX, SOCK_STREAM, 0, streams));
	kit_run(&kit);
	before = count_descriptors();
	tap_int(try_output(datagrams[0], 0), EINVAL,
		"a socket of datagrams is no output");
	tap_int(try_output(pipes[1], 0), EINVAL, "nor is a pipe");
	tap_int(try_output(streams[0], 3), EINVAL,
		"an unknown wish about the kernel is refused");
	tap_int(count_descriptors(), before, "what is refused is closed");
	tap_int(try_output(streams[0], 0), 0, "a stream is an output");
	tap_int(try_output(streams[1], 0), EBUSY, "there is one at a time");
	tap_int(count_descriptors(), before + 1, "the second one is closed");
	close(kit.client);
	kit.client = -1;
	kit_run(&kit);
	tap_int(count_descriptors(), before - 2,
		"the first one when its client goes");
	kit_close(&kit);
	for (before = 0; before < 2; before++) {
		close(datagrams[before]);
		close(pipes[before]);
		close(streams[before]);
	}
}

static void send_two_descriptors(int fd)
{
	const int passed[] = { 1, 2 };
	const trace_provider_packet_t packet = {
		.request = TRACE_INITIALIZE_TRACING,
		.data64 = KIT_SIZE,
	};
	struct iovec part = { (void *)&packet, sizeof(packet) };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(passed))];
	} control = { 0 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(passed));
	memcpy(CMSG_DATA(header), passed, sizeof(passed));
	sendmsg(fd, &message, MSG_NOSIGNAL);
}

/* SPEC: provider.message.descriptor */
static void test_descriptors(void)
{
	int before;

	kit_open(&kit, 60000, 0);
	before = count_descriptors();
	send_two_descriptors(kit.client);
	kit_run(&kit);
	tap_ok(strstr(kit.reason, "message.descriptor") != NULL,
	       "a client that sends two descriptors is dropped");
	tap_int(count_descriptors(), before - 1, "and they are closed");
	close(kit.client);
	kit.client = kit_connect(&kit);
	kit.reason[0] = '\0';
	before = count_descriptors();
	kit_say(kit.client, TRACE_GET_PROVIDERS, 0, 0, 0, NULL, 0, 1);
	kit_run(&kit);
	tap_ok(strstr(kit.reason, "message.descriptor") != NULL,
	       "so is one that sends one with a request for a list");
	tap_int(count_descriptors(), before - 1, "which is closed as well");
	kit_close(&kit);
}

static char dropped_name[256];
static pid_t dropped_pid;

static void note_dropped(void *context, const char *name, pid_t pid,
			 const char *wrong)
{
	(void)context;
	(void)wrong;
	snprintf(dropped_name, sizeof(dropped_name), "%s", name);
	dropped_pid = pid;
}

/* The manager need not tell anybody. */
static void test_told(void)
{
	const struct tr2_manager_options telling = { .dropped = note_dropped };
	const struct tr2_manager_options silent = { .answer_ms = 0 };

	memset(&kit, 0, sizeof(kit));
	kit.client = -1;
	kit.archive = -1;
	kit.manager = tr2_manager_new(&telling);
	kit_register(&kit, &one, "one");
	say_words(&one, 0x777, 0, 0);
	tap_str(dropped_name, "one", "who is dropped is told by name");
	tap_int(dropped_pid, getpid(), "and by process");
	close(one.fd);
	tr2_manager_free(kit.manager);
	kit.manager = tr2_manager_new(&silent);
	kit_register(&kit, &one, "one");
	say_words(&one, 0x777, 0, 0);
	tap_int(kit_was_hung_up(one.fd), 1, "also if nobody wants to know");
	close(one.fd);
	tr2_manager_free(kit.manager);
}

int main(void)
{
	tap_run(test_tracing, test_gone, test_outputs, test_descriptors,
		test_told);
	return tap_done();
}
