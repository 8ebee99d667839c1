/* How many threads this program has, before and after its first event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace/event.h>

static int count_threads(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[200];
	int count = 0;

	while (status && !count && fgets(line, sizeof(line), status))
		if (!strncmp(line, "Threads:", 8))
			count = atoi(line + 8);
	if (status)
		fclose(status);
	return count;
}

int main(void)
{
	printf("%d ", count_threads());
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
	printf("%d\n", count_threads());
	return 0;
}
