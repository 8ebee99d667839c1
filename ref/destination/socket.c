/* Unix sockets. SPEC: destination.socket */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "destination/private.h"
#include "host/host.h"
#include "host/wait.h"

static const struct socket_form {
	const char *prefix;
	int type;
	int fallback; /* for a listener of another type; 0: no fallback */
} forms[] = {
	{ "stream:", SOCK_STREAM, 0 },
	{ "dgram:", SOCK_DGRAM, 0 },
	{ "", SOCK_STREAM, SOCK_DGRAM },
};

/* The last form matches everything. */
static const struct socket_form *find_form(const char *value)
{
	const struct socket_form *form = forms;

	while (strncmp(value, form->prefix, strlen(form->prefix)))
		form++;
	return form;
}

static int is_socket_path(const char *path)
{
	return *path == '/' &&
	       strlen(path) < sizeof(((struct sockaddr_un *)0)->sun_path);
}

/* If the listener's queue is full, wait as long as the account allows. */
static int connect_within(uint64_t *waited_ns, int type, const char *path)
{
	int fd;

	do {
		fd = tr2_host->connect(type, path);
	} while (fd < 0 && errno == EAGAIN && tr2_wait_moment(waited_ns));
	return tr2_destination_lift(fd);
}

int tr2_destination_open_socket(const struct tr2_destination_options *options,
				const char *value)
{
	const struct socket_form *form = find_form(value);
	const char *path = value + strlen(form->prefix);
	int fd;

	if (!is_socket_path(path)) {
		if (options->debug)
			tr2_host_warn("trace2: invalid AF_UNIX %s '%s' for "
				      "'%s' tracing",
				      *path ? "path" : "value",
				      *path ? path : options->value,
				      options->variable);
		return -1;
	}
	fd = connect_within(options->waited_ns, form->type, path);
	if (fd < 0 && errno == EPROTOTYPE && form->fallback)
		fd = connect_within(options->waited_ns, form->fallback, path);
	if (fd < 0)
		tr2_destination_warn_open(options, "connect to socket", path);
	return fd;
}
