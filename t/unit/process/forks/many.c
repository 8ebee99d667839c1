/*
 * A host that forks again and again: nothing of a child stays in it, so that
 * the next fork costs no more than the first one.
 */
#include "process/hosts/host_kit.h"

#define FEW 10
#define MANY 60

static void fork_children(int count)
{
	pid_t pid;

	while (count--) {
		pid = fork();
		if (!pid) {
			say_events(1);
			_exit(0);
		}
		tap_need(pid >= 0 && waitpid(pid, NULL, 0) == pid);
	}
}

static int count_maps(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	int c, count = 0;

	tap_need(file);
	while ((c = getc(file)) != EOF)
		count += c == '\n';
	fclose(file);
	return count;
}

static int count_open(void)
{
	int fd, count = 0;

	for (fd = 0; fd < ALL; fd++)
		count += is_open(fd);
	return count;
}

static int with_children(void)
{
	int maps, descriptors;

	be_traced(target, value);
	say_events(1);
	fork_children(FEW);
	maps = count_maps();
	descriptors = count_open();
	fork_children(MANY);
	if (trace2_dropped())
		return 1;
	if (count_maps() - maps > FEW) /* the C library may make some */
		return 2;
	return count_open() != descriptors;
}

int main(void)
{
	static const char *const all[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
					   "GIT_TRACE2_EVENT", "GIT_TRACE2_FXT",
					   "GIT_TRACE2_CHROME" };
	size_t i;

	kit_begin();
	(void)events;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		target = all[i];
		value = path_of(1, "", target);
		tap_int(run_host(with_children), 0,
			name_of("children leave nothing in their parent",
				target));
	}
	return kit_done();
}
