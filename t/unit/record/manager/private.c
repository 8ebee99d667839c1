#define _GNU_SOURCE
/*
 * A private manager: its place, its socket, and its end. A private manager
 * that can't be started, and what is left of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "kit/tap.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"
#include "record/record_part.h"
#include "trace/provider/message.h"

/*
 * ---- Private
 */

static const struct tr2_record_options options = { .answer_ms = 1000 };

/* Returns the directory of a place, which is made and removed again. */
static const char *find_place(const char *tmp)
{
	static char path[128];
	struct tr2_whole_dir place = { 0 };

	if (tmp)
		setenv("TMPDIR", tmp, 1);
	else
		unsetenv("TMPDIR");
	if (tr2_record_make_place(&place))
		return "";
	snprintf(path, sizeof(path), "%s", place.partial);
	if (find_mode(path) != 0700)
		return "not a directory of the user alone";
	tr2_whole_dir_drop(&place);
	if (has_file(path))
		return "a directory that is not removed";
	*strrchr(path, '/') = '\0';
	return path;
}

static void test_places(void)
{
	char longest[80];

	tap_str(find_place(directory_path), directory_path,
		"a place is in TMPDIR");
	tap_str(find_place(NULL), "/tmp", "without it in /tmp");
	tap_str(find_place("."), "/tmp", "which a relative one counts as");
	tap_str(find_place(""), "/tmp", "and so does an empty one");
	memset(longest, 'd', sizeof(longest));
	memcpy(longest, directory_path, strlen(directory_path));
	longest[strlen(directory_path)] = '/';
	longest[64] = '\0';
	mkdir(longest, 0700);
	tap_str(find_place(longest), longest,
		"a long one is used if it has room");
	rmdir(longest);
	strcat(longest, "d");
	mkdir(longest, 0700);
	tap_str(find_place(longest), "/tmp", "and not if it lacks a byte");
	rmdir(longest);
	tap_str(find_place("/no/such"), "", "one that is missing fails");
}

static void test_manager(void)
{
	const int before = count_descriptors();
	struct tr2_private *own;
	char path[100];
	int fd;

	setenv("TMPDIR", directory_path, 1);
	own = tr2_private_start(&options);
	tap_ok(own != NULL, "a private manager is started");
	snprintf(path, sizeof(path), "%s", tr2_private_socket(own));
	tap_ok(!strncmp(path, directory_path, strlen(directory_path)),
	       "its socket is in a place of its own");
	fd = tr2_message_connect(path);
	tap_ok(fd >= 0, "and programs may connect");
	close(fd);
	tr2_private_stop(own);
	tap_str(list_names("."), "", "its end leaves no file");
	tap_int(count_descriptors(), before, "and leaves no descriptor open");
	tr2_private_stop(NULL);
	setenv("TMPDIR", "/no/such", 1);
	errno = 0;
	tap_ok(!tr2_private_start(&options) && errno == ENOENT,
	       "without a place there is none, which errno tells");
	tap_int(count_descriptors(), before, "and nothing stays open");
	setenv("TMPDIR", directory_path, 1);
}

static void run_private(void)
{
	enter_directory();
	tap_run(test_places, test_manager);
	leave_directory();
}

/*
 * ---- Private fails
 */

static int before; /* how many descriptors were open */

/* Is there no manager, for this reason, and nothing is left? */
static void test_failure(int error, const char *why)
{
	char name[96];
	struct tr2_private *own;

	errno = 0;
	own = tr2_private_start(&options);
	snprintf(name, sizeof(name), "there is no manager %s", why);
	tap_int(own ? 0 : errno, error, name);
	if (own)
		tr2_private_stop(own);
}

static void test_left(const char *why)
{
	char name[96];

	snprintf(name, sizeof(name), "no file is left %s", why);
	tap_str(list_names("."), "", name);
	snprintf(name, sizeof(name), "no descriptor is left %s", why);
	tap_int(count_descriptors(), before, name);
}

/* The next descriptors that are free: none, one and so on. */
static void test_descriptors(void)
{
	char why[48];
	int free_one = dup(1);

	close(free_one);
	for (int count = 0; count < 2; count++) {
		limit_files((rlim_t)(free_one + count));
		snprintf(why, sizeof(why), "where %d descriptors are free",
			 count);
		test_failure(EMFILE, why);
		limit_files(0);
		test_left(why);
	}
}

#ifdef __SANITIZE_THREAD__

/* The sanitizer's own threads call calloc(3) before they are ready. */
static void test_memory(void)
{
	tap_skip("there is no manager if memory is missing",
		 "thread sanitizer");
}

#else

static int fails_at; /* that call of calloc(3) fails; 0: none */

/* In the place of the C library's. */
void *calloc(size_t count, size_t size)
{
	void *memory;

	if (fails_at && !--fails_at) {
		errno = ENOMEM;
		return NULL;
	}
	memory = malloc(count * size);
	return memory ? memset(memory, 0, count * size) : NULL;
}

static void test_memory(void)
{
	char why[48];

	for (int call = 1; call <= 2; call++) {
		fails_at = call;
		snprintf(why, sizeof(why), "if memory %d is missing", call);
		test_failure(ENOMEM, why);
		fails_at = 0;
		test_left(why);
	}
}

#endif

static void test_threads(void)
{
	limit_threads(1);
	test_failure(EAGAIN, "without threads");
	limit_threads(0);
	test_left("without threads");
}

/* Some programs are started without standard input. */
static void test_first_descriptor(void)
{
	int input = dup(0);
	struct tr2_private *own;

	close(0);
	own = tr2_private_start(&options);
	tap_ok(own != NULL, "a manager may have the first descriptor");
	tap_ok(fcntl(0, F_GETFD) & FD_CLOEXEC,
	       "which the command does not get");
	tr2_private_stop(own);
	tap_int(fcntl(0, F_GETFD), -1, "and closes it");
	dup2(input, 0);
	close(input);
	test_left("of the first descriptor");
}

/* Does it go on until it is to stop? */
static void test_life(void)
{
	struct tr2_private *own = tr2_private_start(&options);
	int fd = tr2_message_connect(tr2_private_socket(own));
	const trace_provider_packet_t hello = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	static struct tr2_message message;
	struct pollfd polls = { .fd = fd, .events = POLLIN };

	tr2_message_send(fd, &hello, "one", 3, -1);
	poll(&polls, 1, 30000);
	tap_ok(tr2_message_receive(fd, &message) > 0 &&
		       message.packet.request == TRACE_REGISTERED,
	       "a manager answers programs");
	tr2_private_stop(own);
	tap_int(tr2_message_receive(fd, &message), 0,
		"until it is stopped, which it tells them");
	close(fd);
	test_left("of a manager with a program");
}

static void run_private_fails(void)
{
	enter_directory();
	list_names("."); /* so that the C library has its memory */
	setenv("TMPDIR", directory_path, 1);
	before = count_descriptors();
	/* valgrind has limits and memory of its own. */
	if (!getenv("TEST_UNDER_VALGRIND")) {
		test_descriptors();
		test_threads();
		test_memory();
	}
	tap_run(test_first_descriptor, test_life);
	leave_directory();
}

int main(void)
{
	tap_run(run_private, run_private_fails);
	return tap_done();
}
