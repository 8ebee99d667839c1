#include "collect/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST 3 /* as systemd defines it */
#define MOST (TR2_COLLECT_SOCKETS + 1)

static unsigned long read_number(const char *name)
{
	const char *text = getenv(name);
	char *end;
	unsigned long number = text ? strtoul(text, &end, 10) : 0;

	return text && *text >= '0' && *text <= '9' && !*end ? number : 0;
}

unsigned tr2_passed_count(void)
{
	unsigned long count = read_number("LISTEN_FDS");

	if (read_number("LISTEN_PID") != (unsigned long)getpid())
		return 0;
	return count < MOST ? (unsigned)count : MOST;
}

/* Returns the place of a socket: of the same one, or a new one, or NULL. */
static struct tr2_socket *find_place(struct tr2_collect_options *options,
				     const struct tr2_socket *passed)
{
	struct tr2_socket *place = options->sockets;
	uint32_t i;

	for (i = 0; i < options->socket_count; i++, place++)
		if (place->stream == passed->stream && !place->passed &&
		    tr2_collect_is_same_place(place->address.sun_path,
					      passed->address.sun_path))
			return place;
	if (i == TR2_COLLECT_SOCKETS)
		return NULL;
	options->socket_count++;
	return place;
}

static const char *take_descriptor(struct tr2_collect_options *options, int fd)
{
	struct tr2_socket passed, *place;
	const char *why = tr2_socket_adopt(&passed, fd);

	if (why)
		return why;
	place = find_place(options, &passed);
	if (!place)
		return "there can be 16 sockets at most";
	*place = passed;
	return NULL;
}

int tr2_passed_take(struct tr2_collect_options *options)
{
	int end = FIRST + (int)tr2_passed_count(), fd;
	const char *why;

	for (fd = FIRST; fd < end; fd++) {
		why = take_descriptor(options, fd);
		if (why) {
			fprintf(stderr,
				"trace2 collect: descriptor %d, which was "
				"passed: %s\n",
				fd, why);
			return COLLECT_FAILED;
		}
	}
	return fd > FIRST ? tr2_collect_check_loops(options) : 0;
}
