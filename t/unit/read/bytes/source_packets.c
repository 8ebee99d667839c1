/* The bytes of a log that comes in packets. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kit/tap.h"
#include "read/bytes/source.h"

static char got[1 << 17];

/* A packet at a time: the first one is too short to tell the compression. */
static void test_room(void)
{
	const size_t room = 65536;
	const char *error = NULL;
	struct tr2_source *source;
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) &&
		 write(ends[1], "ab", 2) + write(ends[1], got, room) >= 3);
	source = tr2_source_open(ends[0]);
	tap_int(tr2_source_read(source, got, room, &error), (int)room,
		"no more is read than there is room for");
	tr2_source_close(source);
}

int main(void)
{
	test_room();
	return tap_done();
}
