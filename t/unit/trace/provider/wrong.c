/*
 * A trace provider whose manager, played by the test, violates the protocol, or
 * that has no room.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "kit/short.h"
#include "kit/trace/manager.h"
#include "trace/event.h"
#include "trace/engine/writer.h"
#include "trace/provider/private.h"

static char path[64];
static int listener = -1;
static int writes; /* 'e': fail after it, 'h': hold one back; atomic */

/*
 * The host
 */

static struct {
	int fd;
	trace_provider_packet_t packet;
} held;

static ssize_t odd_write(int fd, const void *bytes, size_t len)
{
	switch (__atomic_load_n(&writes, __ATOMIC_ACQUIRE)) {
	case 'h':
		held.fd = fd;
		memcpy(&held.packet, bytes, len);
		return (ssize_t)len;
	case 'e':
		usual->write(fd, bytes, len);
		errno = EAGAIN;
		return -1;
	}
	return usual->write(fd, bytes, len);
}

static void set_writes(int how)
{
	__atomic_store_n(&writes, how, __ATOMIC_RELEASE);
}

/*
 * The manager
 */

static void listen_as(uid_t user)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	strcpy(address.sun_path, path);
	unlink(path);
	tap_need(
		!bind(listener, (struct sockaddr *)&address, sizeof(address)) &&
		!seteuid(user) && !listen(listener, 4) && !seteuid(getuid()));
}

static struct trace_provider *create_provider(unsigned wait_ms)
{
	const struct trace_provider_options options = {
		.name = "",
		.socket = path,
		.wait_ms = wait_ms,
	};

	return trace_provider_create_with_options(&options);
}

static void await_input(int fd)
{
	struct pollfd wanted = { fd, POLLIN, 0 };

	poll(&wanted, 1, 10000);
}

/* The provider's next message, -1 where it hung up. */
static int hear_message(int fd)
{
	await_input(fd);
	return kit_hear(fd);
}

static int meet_provider(void)
{
	int fd;

	await_input(listener);
	fd = accept(listener, NULL, NULL);
	tap_need(hear_message(fd) == TRACE_REGISTER);
	return fd;
}

static char home[] = "/tmp/provider-XXXXXX";

static void install_host(void)
{
	short_install();
	host.write = odd_write;
	tap_need(mkdtemp(home));
	snprintf(path, sizeof(path), "%s/manager", home);
}

static void leave_place(void)
{
	close(listener);
	unlink(path);
	rmdir(home);
}

/*
 * ---- What a manager says
 */

#define SIZE (1 << 20)

/* A message of the manager; `size` is for INITIALIZE. */
struct words {
	const char *name;
	unsigned request[3];
	size_t payload;
	off_t size; /* of what is passed; 0: nothing is passed */
	uint64_t said;
	int mode;
	int seals;
	int fails; /* the provider's call for memory */
	int start_mode;
};

static int make_buffer(off_t size, int seals)
{
	int fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, size < 0 ? 0 : size) ||
	    fcntl(fd, F_ADD_SEALS, seals))
		abort();
	return fd;
}

#define INIT TRACE_INITIALIZE
#define FIRM F_SEAL_SHRINK
#define BIG ((off_t)TRACE_BUFFER_MAX + SIZE)

/* A buffer of that size, of which another one is said, with these seals. */
#define WITH(of, said_size, with_seals)                         \
	.request = { INIT }, .size = (of), .said = (said_size), \
	.seals = (with_seals)
#define PASSED(of) .size = (of), .said = (of), .seals = FIRM

static const struct words wrong[] = {
	{ "says what nobody knows", .request = { 0x3ff } },
	{ "starts before it initializes", .request = { TRACE_START } },
	{ "stops what runs not", .request = { TRACE_STOP } },
	{ "passes no buffer", WITH(0, SIZE, 0) },
	{ "may shrink the buffer", WITH(SIZE, SIZE, 0) },
	{ "lies about its size", WITH(SIZE, 2 * SIZE, FIRM) },
	{ "passes too large a buffer", WITH(BIG, BIG, FIRM) },
	{ "passes an empty buffer", WITH(-1, 0, FIRM) },
	{ "wants an unknown mode", WITH(SIZE, SIZE, FIRM), .mode = 9 },
	{ "ends no category", WITH(SIZE, SIZE, FIRM), .payload = 1 },
	{ "meets no memory", WITH(SIZE, SIZE, FIRM), .fails = 1 },
	{ "initializes twice", .request = { INIT, INIT }, PASSED(SIZE) },
	{ "starts twice", .request = { INIT, TRACE_START, TRACE_START },
	  PASSED(SIZE), .start_mode = TRACE_START_CLEAR_ENTIRE_BUFFER },
	{ "sends less than a packet", .request = { 0 } },
};

static void say_words(int fd, const struct words *words)
{
	int buffer = words->size ? make_buffer(words->size, words->seals) : -1;
	int i;

	if (!words->request[0] && send(fd, "x", 1, 0) != 1)
		abort();
	for (i = 0; i < 3 && words->request[i]; i++)
		kit_say(fd, words->request[i],
			(unsigned)(words->request[i] == TRACE_START
					   ? words->start_mode
					   : words->mode),
			0, words->said, "x", words->payload,
			words->request[i] == INIT ? buffer : -1);
	if (buffer >= 0)
		close(buffer);
}

static void test_wrong(const struct words *words)
{
	struct trace_provider *provider = create_provider(0);
	int fd = meet_provider(), heard;

	fail_from(words->fails);
	say_words(fd, words);
	while ((heard = hear_message(fd)) > 0)
		;
	fail_from(0);
	tap_int(heard, -1,
		kit_join("a provider leaves a manager that ", words->name));
	trace_provider_destroy(provider);
	close(fd);
}

static int is_unseen; /* atomic */

int kit_fstat(int fd, struct stat *st) __asm__("fstat");

int kit_fstat(int fd, struct stat *st)
{
	int failed = fstatat(fd, "", st, AT_EMPTY_PATH);

	/* What it talks and wakes by is seen. */
	return __atomic_load_n(&is_unseen, __ATOMIC_ACQUIRE) &&
			       S_ISREG(st->st_mode)
		       ? -1
		       : failed;
}

/*
 * An alert is sent at once, or while another thread sends one, is given to the
 * provider's thread by a pipe; meanwhile tracing may end.
 */

static int begin_channel(int fd)
{
	static const struct words words = {
		"", { INIT, TRACE_START },	    0, SIZE, SIZE, 0, FIRM,
		0,  TRACE_START_CLEAR_ENTIRE_BUFFER
	};

	say_words(fd, &words);
	return hear_message(fd);
}

static int end_channel(int fd)
{
	kit_say(fd, TRACE_STOP, 0, 0, 0, NULL, 0, -1);
	return hear_message(fd);
}

static void test_alerts(void)
{
	struct trace_provider *provider = create_provider(0);
	int fd = meet_provider();

	tap_int(begin_channel(fd), TRACE_PROVIDER_STARTED, "a provider starts");
	tap_bytes((char *)&kit_message.packet, sizeof(kit_message.packet),
		  "\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16,
		  "a packet has 16 bytes: request, zeros, data32 and data64");
	TRACE_ALERT("test", "");
	TRACE_ALERT("test", "a\tb\x7f\xc2\x85~\xff cut\xe4\xb8\x80");
	tap_int(hear_message(fd), TRACE_PROVIDER_ALERT,
		"an alert without a name is none");
	tap_bytes((char *)&kit_message.packet.data16, 14, "a?b???~? cut??", 14,
		  "others come without what a manager would refuse");
	set_writes('h');
	TRACE_ALERT("test", "last");
	tap_int(hear_message(fd), TRACE_PROVIDER_ALERT,
		"an alert comes without the help of the provider's thread");
	provider->is_sending = 1;
	TRACE_ALERT("test", "late");
	set_writes('e');
	errno = 77;
	TRACE_ALERT("test", "full");
	tap_int(errno, 77, "an alert that finds no room keeps errno");
	set_writes(0);
	provider->is_sending = 0;
	tap_int(hear_message(fd), TRACE_PROVIDER_ALERT,
		"an alert comes while another thread sends one");
	tap_int(end_channel(fd), TRACE_PROVIDER_STOPPED, "a provider stops");
	tap_bytes((char *)&kit_message.packet, sizeof(kit_message.packet),
		  "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16,
		  "what a packet does not use is zero");
	usual->write(held.fd, &held.packet, sizeof(held.packet));
	kit_say(fd, TRACE_TERMINATE, 0, 0, 0, NULL, 0, -1);
	tap_int(hear_message(fd), TRACE_TERMINATED,
		"an alert behind the end is lost");
	set_writes('e');
	trace_provider_destroy(provider);
	set_writes(0);
	tap_int(hear_message(fd), -1,
		"a provider ends though its pipe is full");
	close(fd);
}

/*
 * ---- No room
 */

static const char *known_of(char *text, size_t size)
{
	memset(text, 'k', size - 1);
	text[size - 1] = '\0';
	return text;
}

/* More than a socket holds if the other side does not read. */
static void test_many_categories(void)
{
	static struct trace_known_category known[64];
	static char text[16000];
	const struct trace_provider_options options = {
		.socket = path,
		.categories = known,
		.category_count = 64,
		.wait_ms = 10000,
	};
	struct trace_provider *provider;
	size_t i;

	for (i = 0; i < 64; i++)
		known[i].name = known_of(text, sizeof(text));
	provider = trace_provider_create_with_options(&options);
	tap_ok(provider && !provider->tracing,
	       "a provider leaves a manager that does not listen");
	trace_provider_destroy(provider);
	fail_from(2);
	tap_ok(!trace_provider_create_with_options(&options),
	       "there is no provider without memory for its categories");
	fail_from(0);
	close(accept(listener, NULL, NULL));
}

static bool is_idle(void)
{
	struct trace_provider *provider = create_provider(0);
	bool idle = provider && provider->wake.writer.fd < 0;

	limit_files(0);
	trace_provider_destroy(provider);
	return idle;
}

static void test_thread(void)
{
	limit_threads(1);
	tap_ok(is_idle(), "a provider whose stack has no room does nothing");
	limit_threads(0);
}

static void test_pauses(void)
{
	tap_int(tr2_provider_next_pause(0), 100, "the first pause is short");
	tap_int(tr2_provider_next_pause(100), 200, "the next is twice as long");
	tap_int(tr2_provider_next_pause(25600), 51200, "then twice that");
	tap_int(tr2_provider_next_pause(51200), 60000, "but a minute at most");
	tap_int(tr2_provider_next_pause(60000), 60000, "however often it is");
}

int main(void)
{
	size_t i;

	install_host();
	test_thread();
	listen_as(geteuid());
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		test_wrong(&wrong[i]);
	tap_run(test_alerts, test_many_categories, test_pauses);
	leave_place();
	return tap_done();
}
