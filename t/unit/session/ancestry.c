/*
 * The names of the processes above this one, out of /proc's lines: whole,
 * strange, cut and missing ones.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "session/ancestry.h"

static const char *lines[4]; /* of this process, and of pids 1, 2 and 19 */
static int endless;
static size_t asked;

static ssize_t fixed_stat(pid_t pid, char *text, size_t size)
{
	size_t len;

	if (endless)
		return snprintf(text, size, "7 (%d) S 7 ", (int)pid);
	asked = size;
	if (pid == 19)
		pid = 3;
	if (pid < 0 || pid > 3 || !lines[pid])
		return -1;
	len = strlen(lines[pid]);
	len = len < size ? len : size;
	memcpy(text, lines[pid], len);
	memset(text + len, ' ', size - len);
	return (ssize_t)len;
}

static struct tr2_ancestry *names;

/* Read the names again; their number. */
static int read_names(void)
{
	int count = 0;

	tr2_host->free(names);
	names = tr2_ancestry_read();
	while (names && names->names[count])
		count++;
	return count;
}

static int read_lines(const char *own, const char *one, const char *two)
{
	lines[0] = own;
	lines[1] = one;
	lines[2] = two;
	return read_names();
}

static void test_names(void)
{
	char long_name[128] = "1 (";

	tap_int(read_lines("9 (self) S 1 0", "1 (one) S 2 0", "2 (two) S 0 0"),
		2, "ancestors are counted up to the last one");
	tap_str(names->names[0], "one", "the parent is first");
	tap_str(names->names[1], "two", "the grandparent is second");
	read_lines("9 (a) (b) S 1 0", "1 (a) S 3 (b) S 0 0", NULL);
	tap_str(names->names[0], "a) S 3 (b", "a name may look like a line");
	read_lines("9 (self) S 1 0", "1 () S 0 0", NULL);
	tap_str(names->names[0], "", "a name may be empty");
	memset(long_name + 3, 'n', 64);
	strcpy(long_name + 3 + 63, ") S 0");
	read_lines("9 (self) S 1 0", long_name, NULL);
	tap_int((intmax_t)strlen(names->names[0]), 63, "a name may be long");
	memset(long_name + 3, 'n', 64);
	strcpy(long_name + 3 + 64, ") S 0");
	read_lines("9 (self) S 1 0", long_name, NULL);
	tap_int((intmax_t)strlen(names->names[0]), 63, "a longer name is cut");
	tap_int(read_lines("9 (self) S 1 0", "1 (one) S 2 0", NULL), 1,
		"an ancestor that is gone ends the list");
	tap_int(read_lines("9 (self) S 1 0", "1 (n) S 0", NULL), 1,
		"a line may end with the pid");
	tap_int(read_lines("9 (self) S 1 0", "1 (n) S ", NULL), 1,
		"a line may end before the pid");
	tap_int(read_lines("9 (self) S 1 0", "1 one S 0 0", NULL), 0,
		"a line without a name ends the list");
	lines[3] = "19 (far) S 0 0";
	tap_int(read_lines("9 (self) S 1 0", "1 (n) S 19 0", NULL), 2,
		"a pid may have more than one digit");
	tap_str(names->names[1], "far", "pids are decimal");
	lines[3] = NULL;
	tap_int((intmax_t)asked, 511, "511 bytes of a line are asked for");
}

static void test_depth(void)
{
	endless = 1;
	tap_int(read_names(), TR2_ANCESTRY_MAX,
		"ancestors beyond the 64th are left out");
	tap_str(names->names[TR2_ANCESTRY_MAX - 1], "7",
		"the last one is whole");
	tap_int(memory_breaches(), 0, "nothing stands behind them");
	memory_fail(1);
	tap_int(read_names(), 0, "without memory no ancestor is known");
	memory_fail(0);
	tap_int(memory_live, 0, "no memory is kept without them");
	endless = 0;
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	host.process_stat = fixed_stat;
	memory_install(&host);
	tap_run(test_names, test_depth);
	return tap_done();
}
