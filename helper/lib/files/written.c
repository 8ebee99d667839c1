#include "lib/files/written.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

struct output { /* `is_known` is false if it can't be an input. */
	bool is_known, was_empty;
	dev_t dev;
	ino_t ino;
};

enum { STANDARD, NOTED, ERRORS, OUTPUTS };

static struct output outputs[OUTPUTS];

static void note_output(struct output *output, int fd)
{
	struct stat st;

	*output = (struct output){ false, false, 0, 0 };
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
		return;
	*output = (struct output){
		.is_known = true,
		.was_empty = S_ISREG(st.st_mode) && !st.st_size,
		.dev = st.st_dev,
		.ino = st.st_ino,
	};
}

/* Before it gets the first byte. */
static void note_streams(void)
{
	static bool noted;

	if (noted)
		return;
	noted = true;
	note_output(&outputs[STANDARD], STDOUT_FILENO);
	note_output(&outputs[ERRORS], STDERR_FILENO);
	outputs[ERRORS].is_known &= outputs[ERRORS].was_empty;
}

void tr2_written_note(int fd)
{
	note_streams();
	note_output(&outputs[NOTED], fd);
}

enum tr2_written tr2_written_find(int fd)
{
	const struct output *output;
	struct stat st;

	note_streams();
	if (fstat(fd, &st))
		return TR2_WRITTEN_NOT;
	for (output = outputs; output < outputs + OUTPUTS; output++)
		if (output->is_known && output->dev == st.st_dev &&
		    output->ino == st.st_ino)
			return output->was_empty ? TR2_WRITTEN_NEW
						 : TR2_WRITTEN_OLD;
	return TR2_WRITTEN_NOT;
}
