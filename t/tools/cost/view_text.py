"""The files of a view, for the change that adds one."""

HEADER = """\
/*
 * walls.h - `trace2 walls`: the time of each command, a line each.
 *
 * helper/model/account says how long a process lasts; this room prints it.
 * Only the command's table may use it.
 */
#ifndef TR2_WALLS_WALLS_H
#define TR2_WALLS_WALLS_H

/* argv[0] is "walls". Returns the exit status. */
int tr2_walls_main(char **argv);

#endif
"""

CODE = """\
#include "views/walls/walls.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/options.h"
#include "lib/text/foreign.h"
#include "model/account/forest.h"
#include "read/read.h"
#include "walls_usage.h"

/* A tr2_forest_taker_fn. */
static void print_process(void *taker, const struct tr2_forest *forest,
			  const struct tr2_resolved *process)
{
	const char *name = tr2_rows_text(&forest->rows, process->command, NULL);

	(void)taker;
	printf("%" PRId64 " ", process->wall);
	tr2_foreign_print(stdout, name);
	putchar('\\n');
}

static int print_walls(char **paths)
{
	struct tr2_forest forest;
	struct tr2_reader reader;
	bool has_all;

	tr2_forest_begin(&forest);
	forest.take = print_process;
	tr2_reader_begin(&reader, "walls", TR2_READER_LOGS);
	reader.take = tr2_summary_event;
	reader.taker = &forest;
	for (; *paths; paths++)
		tr2_reader_visit(&reader, *paths);
	tr2_reader_end(&reader);
	tr2_forest_end(&forest);
	has_all = !reader.broken && !reader.unreadable && !reader.skipped;
	tr2_reader_release(&reader);
	tr2_forest_release(&forest);
	return has_all ? EXIT_CLEAN : EXIT_FINDINGS;
}

static const struct tr2_cli_option table[] = { { .name = NULL } };

static const struct tr2_cli cli = {
	.name = "walls",
	.help = WALLS_HELP,
	.options = table,
	.least = 1,
	.wants = "a log",
};

int tr2_walls_main(char **argv)
{
	int code = tr2_cli_read(&cli, NULL, argv);

	return code == TR2_CLI_GO_ON ? print_walls(argv + 1) : code;
}
"""

USAGE = """\
usage: trace2 walls FILE|DIR|-...

Print how many microseconds each command took, and its name.

[options]
"""

MANUAL = """\
.Dd November 28, 2026
.Dt TRACE2-WALLS 1
.Os
.Sh NAME
.Nm trace2-walls
.Nd show how long each command took
.Sh SYNOPSIS
.Nm trace2 Cm walls
.Ar file | directory ...
.Sh DESCRIPTION
.Nm
prints a line for each process: microseconds, and its command.
.Sh EXIT STATUS
.Bl -tag -width 1n
.It 0
All logs were read.
.It 1
Some lines or files could not be read.
.It 2
The command line was wrong.
.El
.Sh SEE ALSO
.Xr trace2-summary 1
"""

ROW = """\
	{ "walls", tr2_walls_main, 3, "show how long each command took" },
"""

ARROWS = """\
helper/views/walls       | the command `walls`: how long each command took | ref/base helper/lib/common helper/lib/text helper/cli helper/read/json helper/read/bytes helper/read helper/rules helper/model/totals helper/model helper/model/account
"""
