/* Runs PROGRAM under QEMU, by the name that we were called by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 4, sizeof(*words));

	if (!words)
		return 125;
	words[0] = QEMU;
	words[1] = "-0";
	words[2] = argv[0];
	words[3] = PROGRAM;
	memcpy(words + 4, argv + 1, (size_t)argc * sizeof(*argv));
	execv(QEMU, words);
	perror(QEMU);
	return 125;
}
