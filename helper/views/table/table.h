/*
 * table.h - `trace2 table`: EVENT logs as flat rows, for engines of SQL.
 *
 * The room turns events into rows whose columns never change their names,
 * types or units. A row of `processes` is a command as a person sees it: its
 * process, joined with all processes that it ran. All other rows are single
 * events, or an enter and its leave.
 *
 *	table.c     the command
 *	event.c     an event to its process
 *	rows.c      the row of a process and what joined it, and of an event
 *	span.c      an enter and its leave, a start and its end
 *	process.c   a process while its events come, and which of them are one
 *		    row, and when it is complete
 *	select.c    a filter file, and what it selects
 *
 * The forest of helper/model/account tells which processes are one row and how
 * long they lasted; helper/views/summary reads the logs, and helper/views/flat
 * has the columns and writes the rows. Memory depends on the processes that are
 * open; of each that ended, 8 bytes and what the forest keeps stay until the
 * input ends, and the rest waits in a file without a name. The output appears
 * only when it is complete. Only the command's table may use the room.
 */
#ifndef TR2_TABLE_TABLE_H
#define TR2_TABLE_TABLE_H

/* argv[0] is "table". Returns the exit status. */
int tr2_table_main(char **argv);

#endif
