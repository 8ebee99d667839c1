#include "session/ancestry.h"

#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/memory.h"

/*
 * /proc/<pid>/stat is `pid (comm) state ppid …`. comm has at most 15 bytes,
 * which may be anything, even parentheses: the last parenthesis ends it.
 */
static pid_t read_process(pid_t pid, char name[TR2_ANCESTRY_NAME])
{
	char text[512];
	ssize_t got = tr2_host->process_stat(pid, text, sizeof(text) - 1);
	const char *open, *close;
	size_t len;

	if (got <= 0)
		return -1;
	text[got] = '\0';
	open = strchr(text, '(');
	close = open ? strrchr(open, ')') : NULL;
	if (!close || strlen(close) < 4)
		return -1;
	len = (size_t)(close - open - 1);
	if (len >= TR2_ANCESTRY_NAME)
		len = TR2_ANCESTRY_NAME - 1;
	memcpy(name, open + 1, len);
	name[len] = '\0';
	return (pid_t)strtol(close + 4, NULL, 10);
}

static int read_names(struct tr2_ancestry *ancestry)
{
	char own[TR2_ANCESTRY_NAME];
	pid_t parent = read_process(0, own);
	int count = 0;

	while (parent > 0 && count < TR2_ANCESTRY_MAX) {
		parent = read_process(parent, ancestry->text[count]);
		if (parent < 0)
			break;
		ancestry->names[count] = ancestry->text[count];
		count++;
	}
	ancestry->names[count] = NULL;
	return count;
}

struct tr2_ancestry *tr2_ancestry_read(void)
{
	struct tr2_ancestry *ancestry =
		tr2_memory_realloc(NULL, sizeof(*ancestry));

	if (ancestry && read_names(ancestry))
		return ancestry;
	tr2_host->free(ancestry);
	return NULL;
}
