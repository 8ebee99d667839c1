/* The socket of a trace manager: who may use it, and whose it is. */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

#include <sys/un.h>

#include "lib/files/socket.h"
#include "kit/directory.h"

static struct tr2_manager *manager;

static int begin_manager(const char *path)
{
	const struct tr2_manager_options options = { .answer_ms = 60000 };

	manager = tr2_manager_new(&options);
	return tr2_manager_listen(manager, path);
}

/* Makes a socket; with `listens` somebody listens on it. */
static int make_socket(const char *path, bool listens)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) ||
	    (listens && listen(fd, 1)))
		abort();
	return fd;
}

static void test_life(void)
{
	const int before = count_descriptors();
	int fd, left;

	umask(0);
	tap_int(begin_manager("s"), 0, "a manager makes its socket");
	tap_int(find_mode("s"), 0600, "only its owner can use it");
	tap_ok(has_file("s.lock"), "a lock file stands next to it");
	fd = tr2_message_connect("s");
	kit_say(fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, "x", 1, -1);
	for (left = 20; left && kit_hear(fd) != TRACE_REGISTERED; left--)
		tr2_manager_step(manager, -1, 100);
	tap_ok(left > 0, "who connects is served");
	close(fd);
	tr2_manager_free(manager);
	tap_ok(!has_file("s"), "its end removes the socket");
	tap_ok(!has_file("s.lock"), "its end removes the lock");
	tap_int(count_descriptors(), before, "its end closes all");
}

static void test_stale(void)
{
	close(make_socket("s", true));
	tap_int(begin_manager("s"), 0, "a socket that was left is replaced");
	tr2_manager_free(manager);
	close(make_socket("s", false));
	tap_int(begin_manager("s"), 0, "also one on which nobody listened");
	tr2_manager_free(manager);
}

/* Whatever another program has there, it keeps it. */
static void test_taken(const char *what)
{
	const int before = count_descriptors();
	char name[96];

	snprintf(name, sizeof(name), "%s is not replaced", what);
	tap_int(begin_manager("s"), EADDRINUSE, name);
	tr2_manager_free(manager);
	snprintf(name, sizeof(name), "%s stays", what);
	tap_ok(has_file("s"), name);
	snprintf(name, sizeof(name), "%s leaves no lock and nothing open",
		 what);
	tap_ok(!has_file("s.lock") && count_descriptors() == before, name);
	if (unlink("s"))
		rmdir("s");
}

static void test_others(void)
{
	int fd = make_socket("s", true);

	test_taken("a socket of another program");
	close(fd);
	close(open("s", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	test_taken("a file");
	mkdir("s", 0700);
	test_taken("a directory");
	tap_need(!symlink("none", "s"));
	test_taken("a link to nowhere");
}

static void test_names(void)
{
	struct sockaddr_un address;
	char path[sizeof(address.sun_path) + 1];

	memset(path, 'p', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	tap_int(begin_manager(path), ENAMETOOLONG,
		"a path that is too long for a socket is refused");
	tr2_manager_free(manager);
	path[sizeof(path) - 2] = '\0';
	tap_int(begin_manager(path), 0, "one byte less is not too long");
	tap_ok(has_file(path), "its name is whole");
	tr2_manager_free(manager);
	tap_int(begin_manager("no/such/s"), ENOENT,
		"a directory that is missing is told");
	tr2_manager_free(manager);
}

int main(void)
{
	enter_directory();
	tap_run(test_life, test_stale, test_others, test_names);
	leave_directory();
	return tap_done();
}
