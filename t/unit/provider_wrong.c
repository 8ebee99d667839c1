/*
 * A trace provider whose manager, made by hand, says what it may not, and
 * whose host has no memory, descriptors or threads left.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "manager_kit.h"
#include "trace-provider/provider_private.h"
#include "trace/event.h"
#include "tr2_host.h"

#define SIZE (1 << 20)

static struct tr2_host host;
static const struct tr2_host *real;
static char path[64];
static int listener = -1;
static int fails_at; /* that call for memory; atomic */
static int writes;   /* 'e': fail behind it, 'h': hold one back; atomic */

/*
 * The host
 */

static void *fail_realloc(void *old, size_t size)
{
	int left = __atomic_load_n(&fails_at, __ATOMIC_ACQUIRE);

	if (left && !__atomic_sub_fetch(&fails_at, 1, __ATOMIC_ACQ_REL))
		return NULL;
	return real->realloc(old, size);
}

static void fail_from(int call)
{
	__atomic_store_n(&fails_at, call, __ATOMIC_RELEASE);
}

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
		real->write(fd, bytes, len);
		errno = EAGAIN;
		return -1;
	}
	return real->write(fd, bytes, len);
}

static void set_writes(int how)
{
	__atomic_store_n(&writes, how, __ATOMIC_RELEASE);
}

static void limit_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count ? count : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
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
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) ||
	    seteuid(user) || listen(listener, 4) || seteuid(getuid()))
		abort();
}

static struct trace_provider *create(unsigned wait_ms)
{
	const struct trace_provider_options options = {
		.name = "",
		.socket = path,
		.wait_ms = wait_ms,
	};

	return trace_provider_create_with_options(&options);
}

static void await(int fd)
{
	struct pollfd wanted = { fd, POLLIN, 0 };

	poll(&wanted, 1, 10000);
}

/* The provider's next message, -1 where it hung up. */
static int hear(int fd)
{
	await(fd);
	return kit_hear(fd);
}

static int meet(void)
{
	int fd;

	await(listener);
	fd = accept(listener, NULL, NULL);
	if (hear(fd) != TRACE_REGISTER)
		abort();
	return fd;
}

/* What a manager says; `size` with what INITIALIZE has. */
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

static const struct words wrong[] = {
	{ "says what nobody knows", { 0x3ff }, 0, 0, 0, 0, 0, 0, 0 },
	{ "starts before it initializes",
	  { TRACE_START },
	  0,
	  0,
	  0,
	  0,
	  0,
	  0,
	  0 },
	{ "stops what runs not", { TRACE_STOP }, 0, 0, 0, 0, 0, 0, 0 },
	{ "passes no buffer", { INIT }, 0, 0, SIZE, 0, 0, 0, 0 },
	{ "may shrink the buffer", { INIT }, 0, SIZE, SIZE, 0, 0, 0, 0 },
	{ "lies about its size", { INIT }, 0, SIZE, 2 * SIZE, 0, FIRM, 0, 0 },
	{ "passes too large a buffer", { INIT }, 0, BIG, BIG, 0, FIRM, 0, 0 },
	{ "passes an empty buffer", { INIT }, 0, -1, 0, 0, FIRM, 0, 0 },
	{ "wants an unknown mode", { INIT }, 0, SIZE, SIZE, 9, FIRM, 0, 0 },
	{ "ends no category", { INIT }, 1, SIZE, SIZE, 0, FIRM, 0, 0 },
	{ "meets no memory", { INIT }, 0, SIZE, SIZE, 0, FIRM, 1, 0 },
	{ "initializes twice", { INIT, INIT }, 0, SIZE, SIZE, 0, FIRM, 0, 0 },
	{ "starts twice",
	  { INIT, TRACE_START, TRACE_START },
	  0,
	  SIZE,
	  SIZE,
	  0,
	  FIRM,
	  0,
	  TRACE_START_CLEAR_ENTIRE_BUFFER },
	{ "sends less than a packet", { 0 }, 0, 0, 0, 0, 0, 0, 0 },
};

static void say(int fd, const struct words *words)
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
	struct trace_provider *provider = create(0);
	int fd = meet(), heard;

	fail_from(words->fails);
	say(fd, words);
	while ((heard = hear(fd)) > 0)
		;
	fail_from(0);
	tap_int(heard, -1,
		kit_text("a provider leaves a manager that ", words->name));
	trace_provider_destroy(provider);
	close(fd);
}

static void test_pipe(void)
{
	struct trace_provider *provider = create(0);
	int fd = meet(), ends[2];

	if (pipe(ends))
		abort();
	kit_say(fd, INIT, 0, 0, SIZE, NULL, 0, ends[0]);
	tap_int(hear(fd), -1, "what is no memory is no buffer");
	trace_provider_destroy(provider);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

/*
 * An alert is given to the thread by a pipe; meanwhile tracing may end.
 */

static int begin(int fd)
{
	static const struct words words = {
		"", { INIT, TRACE_START },	    0, SIZE, SIZE, 0, FIRM,
		0,  TRACE_START_CLEAR_ENTIRE_BUFFER
	};

	say(fd, &words);
	return hear(fd);
}

static int end(int fd)
{
	kit_say(fd, TRACE_STOP, 0, 0, 0, NULL, 0, -1);
	return hear(fd);
}

static void test_alerts(void)
{
	struct trace_provider *provider = create(0);
	int fd = meet();

	tap_int(begin(fd), TRACE_PROVIDER_STARTED, "a provider starts");
	set_writes('h');
	TRACE_ALERT("test", "late");
	set_writes('e');
	errno = 77;
	TRACE_ALERT("test", "full");
	tap_int(errno, 77, "an alert that finds no room keeps errno");
	set_writes(0);
	tap_int(hear(fd), TRACE_PROVIDER_ALERT, "one that was written comes");
	tap_int(end(fd), TRACE_PROVIDER_STOPPED, "a provider stops");
	real->write(held.fd, &held.packet, sizeof(held.packet));
	kit_say(fd, TRACE_TERMINATE, 0, 0, 0, NULL, 0, -1);
	tap_int(hear(fd), TRACE_TERMINATED, "an alert behind the end is lost");
	set_writes('e');
	trace_provider_destroy(provider);
	set_writes(0);
	tap_int(hear(fd), -1, "a provider ends though its pipe is full");
	close(fd);
}

/*
 * Creation
 */

static const char *known_of(char *text, size_t size)
{
	memset(text, 'k', size - 1);
	text[size - 1] = '\0';
	return text;
}

/* More than a socket takes from who is not heard. */
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

static void test_creation(void)
{
	struct trace_provider *provider;
	char longer[200];
	const struct trace_provider_options far = {
		.socket = known_of(longer, sizeof(longer)),
	};
	bool started = true;

	provider = trace_provider_create_with_options(&far);
	tap_ok(provider && !*provider->path,
	       "a path that no socket may have is no manager");
	trace_provider_destroy(provider);
	fail_from(1);
	tap_ok(!trace_provider_create_synchronously(NULL, "a", &started),
	       "there is no provider without memory");
	tap_ok(!started, "and it has not started");
	fail_from(1);
	tap_ok(!create(0), "nor one at a manager that is known");
	fail_from(0);
	provider = create(1);
	tap_ok(provider && !provider->tracing,
	       "who waits for a manager that is slow goes on");
	trace_provider_destroy(provider);
	close(accept(listener, NULL, NULL));
}

static bool is_idle(void)
{
	struct trace_provider *provider = create(0);
	bool idle = provider && provider->wake[1] < 0;

	limit_files(0);
	trace_provider_destroy(provider);
	return idle;
}

static void test_descriptors(void)
{
	limit_files(3);
	tap_ok(is_idle(), "a provider without a pipe does nothing");
	limit_files(10);
	tap_ok(is_idle(), "so does one whose pipe stays too low");
	limit_files(11);
	tap_ok(is_idle(), "and one with half of a pipe");
}

static void test_thread(void)
{
	pthread_attr_t usual, huge;

	pthread_getattr_default_np(&usual);
	pthread_attr_init(&huge);
	pthread_attr_setstacksize(&huge, (size_t)1 << 46);
	pthread_setattr_default_np(&huge);
	tap_ok(is_idle(), "a provider without a thread does nothing");
	pthread_setattr_default_np(&usual);
	pthread_attr_destroy(&huge);
	pthread_attr_destroy(&usual);
}

static void test_strangers(void)
{
	struct trace_provider *provider;

	if (getuid()) {
		tap_skip("a provider refuses the manager of somebody else",
			 "not root");
		return;
	}
	close(listener);
	listen_as(65534);
	provider = create(10000);
	tap_ok(provider && !provider->tracing && provider->pause_ms,
	       "a provider refuses the manager of somebody else");
	trace_provider_destroy(provider);
}

static int destroy_in_child(struct trace_provider *provider)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (provider)
			trace_provider_destroy(provider);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void test_fork(void)
{
	struct trace_provider *provider = create(0);
	int fd = meet();

	tap_int(WEXITSTATUS(destroy_in_child(provider)), 3,
		"a child may destroy the provider of its parent");
	tap_int(begin(fd), TRACE_PROVIDER_STARTED, "which goes on there");
	trace_provider_destroy(provider);
	close(fd);
	tap_int(WEXITSTATUS(destroy_in_child(NULL)), 3,
		"a child has no provider where its parent has none");
}

static void test_pauses(void)
{
	tap_int(tr2_provider_next_pause(0), 100, "the first pause is short");
	tap_int(tr2_provider_next_pause(100), 200, "the next is twice as long");
	tap_int(tr2_provider_next_pause(51200), 60000, "but a minute at most");
	tap_int(tr2_provider_next_pause(60000), 60000, "however often it is");
}

int main(void)
{
	char place[] = "/tmp/provider-XXXXXX";
	size_t i;

	real = tr2_host;
	host = *real;
	host.realloc = fail_realloc;
	host.write = odd_write;
	tr2_host = &host;
	if (!mkdtemp(place))
		abort();
	snprintf(path, sizeof(path), "%s/manager", place);
	test_thread();
	listen_as(geteuid());
	test_descriptors();
	test_creation();
	test_many_categories();
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		test_wrong(&wrong[i]);
	test_pipe();
	test_alerts();
	test_fork();
	test_strangers();
	test_pauses();
	close(listener);
	unlink(path);
	rmdir(place);
	return tap_done();
}
