/* The tracepoints of the kernel, as tracefs describes them. */
#include <errno.h>
#include <stdio.h>

#include "record/kernel/record.h"

/* Where tracefs is mounted: today, and by older systems. */
static const char *const places[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
	NULL,
};

static int read_point(const char *place, const char *name, const char *field,
		      const char *another, struct tr2_kernel_point *point)
{
	char path[128], text[4096];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s/events/%s/format", place, name);
	file = fopen(path, "re");
	if (!file)
		return errno;
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return tr2_kernel_read_format(text, field, another, point) ? EINVAL : 0;
}

static int read_place(const char *place, struct tr2_kernel_reader *reader,
		      bool calls)
{
	int error = read_point(place, "sched/sched_waking", "pid", "target_cpu",
			       &reader->waking);

	if (!error && calls)
		error = read_point(place, "raw_syscalls/sys_enter", "id", NULL,
				   &reader->enter);
	if (!error && calls)
		error = read_point(place, "raw_syscalls/sys_exit", "id", "ret",
				   &reader->exit);
	return error;
}

int tr2_kernel_find_points(struct tr2_kernel_reader *reader, bool calls)
{
	int error = ENOENT;
	size_t i;

	for (i = 0; error == ENOENT && places[i]; i++)
		error = read_place(places[i], reader, calls);
	return error;
}
