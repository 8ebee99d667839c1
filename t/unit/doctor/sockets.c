/* Sockets: does a program listen, and does it accept more? */
#define _GNU_SOURCE /* mkdtemp() */

#include <sys/socket.h>
#include <sys/un.h>

#include "doctor/doctor_kit.h"

#define NO_PATH                                                       \
	"broken: expected an absolute path of at most 107 bytes for " \
	"the socket"

static int listen_at(const char *name, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	strcpy(address.sun_path, name);
	tap_need(!bind(fd, (struct sockaddr *)&address, sizeof(address)));
	if (type != SOCK_DGRAM && listen(fd, 5))
		abort();
	return fd;
}

static const char *look_at_event(const char *before, const char *name)
{
	return look_at(TR2_DOCTOR_EVENT, path_of(before, name));
}

static void test_types(void)
{
	int stream = listen_at("s", SOCK_STREAM);
	int datagram = listen_at("d", SOCK_DGRAM);

	tap_str(look_at_event("af_unix:", "s"), "works: socket",
		"a stream socket works without its type");
	tap_str(look_at_event("af_unix:", "d"), "works: socket",
		"a datagram socket works without its type");
	tap_str(look_at_event("af_unix:stream:", "s"), "works: stream socket",
		"a stream socket works with its type");
	tap_str(look_at_event("af_unix:dgram:", "d"), "works: datagram socket",
		"a datagram socket works with its type");
	tap_str(look_at_event("af_unix:stream:", "d"),
		"broken: the socket is of another type -> leave out stream: "
		"or dgram:",
		"a datagram socket is no stream");
	tap_str(look_at_event("af_unix:dgram:", "s"),
		"broken: the socket is of another type -> leave out stream: "
		"or dgram:",
		"a stream socket takes no datagrams");
	close(stream);
	close(datagram);
	tap_str(look_at_event("af_unix:", "s"),
		"broken: the socket is dead: no program listens on it",
		"a socket dies with its program");
	tap_str(look_at_event("af_unix:", "none"),
		"broken: there is no such socket: no program listens",
		"a socket may be missing");
}

static void test_manager(void)
{
	int manager = listen_at("m", SOCK_SEQPACKET);

	tap_str(look_at(TR2_DOCTOR_MANAGER, path_of("", "m")),
		"works: trace manager", "a trace manager works");
	tap_str(look_at(TR2_DOCTOR_FXT, path_of("af_unix:", "m")),
		"works: trace manager", "FXT's socket is a trace manager");
	tap_str(look_at_event("af_unix:", "m"),
		"broken: the socket is of another type",
		"a type that was not given can't be left out");
	close(manager);
	tap_str(look_at(TR2_DOCTOR_MANAGER, "/none"),
		"broken: there is no such socket: no program listens -> "
		"trace2 manager --socket /none",
		"a trace manager that is missing can be started");
	tap_str(look_at(TR2_DOCTOR_FXT, "af_unix:/a b;c"),
		"broken: there is no such socket: no program listens -> "
		"trace2 manager --socket '/a b;c'",
		"the path of a trace manager is one word for the shell");
}

static void test_paths(void)
{
	static char long_path[8 + 109] = "af_unix:/";

	tap_str(look_at_event("af_unix:", "s") + strlen("broken: the socket "),
		"is dead: no program listens on it",
		"an absolute path is tried");
	tap_str(look_at(TR2_DOCTOR_EVENT, "af_unix:s"), NO_PATH,
		"a relative path is not tried");
	tap_str(look_at(TR2_DOCTOR_EVENT, "af_unix:"), NO_PATH,
		"an empty path is not tried");
	memset(long_path + 9, 'x', 106);
	tap_ok(strstr(look_at(TR2_DOCTOR_EVENT, long_path), "no such socket") !=
		       NULL,
	       "the doctor tries a path of 107 bytes");
	long_path[8 + 107] = 'x';
	tap_str(look_at(TR2_DOCTOR_EVENT, long_path), NO_PATH,
		"a path of 108 bytes is too long");
	tap_str(look_at(TR2_DOCTOR_MANAGER, long_path + 8), NO_PATH,
		"no manager can be started on a path that is too long");
	tap_str(look_at(TR2_DOCTOR_MANAGER, "m"), NO_PATH,
		"no manager can be started on a relative path");
	tap_str(look_at(TR2_DOCTOR_FXT, "af_unix:stream:/m"), NO_PATH,
		"a trace manager has no type");
}

static void test_socket_as_file(void)
{
	int ours = listen_at("file", SOCK_STREAM);
	char want[256];

	snprintf(want, sizeof(want),
		 "broken: it is a socket -> set it to af_unix:%s/file",
		 directory_path);
	tap_str(look_at_event("", "file"), want, "a socket needs its prefix");
	close(ours);
}

int main(void)
{
	const int next = count_descriptors();

	enter_directory();
	tap_run(test_types, test_manager, test_paths, test_socket_as_file);
	tap_int(count_descriptors(), next,
		"the doctor keeps no connection open");
	leave_directory();
	return tap_done();
}
