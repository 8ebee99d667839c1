/*
 * example.c - counts the lines of files, and tells Trace2 about it.
 *
 *	cc -o example example.c $(pkg-config --cflags --libs libtrace2)
 *	GIT_TRACE2_PERF=1 ./example FILE...
 */
#include <stdio.h>
#include <trace2.h>

static int count_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	int lines = 0;

	if (!file) {
		trace2_cmd_error("can't open %s", path);
		return -1;
	}
	trace2_region_enter("count", path, TRACE2_REPO_NONE);
	for (int c = getc(file); c != EOF; c = getc(file))
		lines += c == '\n';
	trace2_data_intmax("count", TRACE2_REPO_NONE, "lines", lines);
	trace2_region_leave("count", path, TRACE2_REPO_NONE);
	fclose(file);
	printf("%7d %s\n", lines, path);
	return 0;
}

int main(int argc, char **argv)
{
	int code = 0;

	trace2_initialize_clock();
	trace2_set_program("1.0");
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_cmd_name("count-lines");
	for (int i = 1; i < argc; i++)
		code |= count_lines(argv[i]) != 0;
	return trace2_cmd_exit(code);
}
