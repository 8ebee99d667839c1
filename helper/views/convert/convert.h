/*
 * convert.h - `trace2 convert`: turn archives and EVENT logs into another
 * format.
 *
 * The room converts in one pass, and its memory grows with what is open at a
 * time (processes, threads, slices), not with the input:
 *
 *	convert.c   the command: files in, formats, exit status
 *	sorter.c    records to Chrome's JSON, in the order of threads
 *	perfetto.c  records to packets of Perfetto
 *	options.c   the command line
 *	profile.c   stacks of owners, folded, or in speedscope's JSON
 *
 * helper/views/archive turns EVENT logs into records of an archive,
 * helper/views/otlp into spans of OpenTelemetry, and helper/model/account into
 * stacks, which need memory for each time that another span is on top.
 * helper/lib/whole makes the output. Only the command's table and `record` may
 * use this room.
 *
 * It never changes OUT before the result is complete and on disk, and it
 * never drops a line or a value silently: each is reported or counted.
 */
#ifndef TR2_CONVERT_CONVERT_H
#define TR2_CONVERT_CONVERT_H

/* argv[0] is "convert". Returns the exit status. */
int tr2_convert_main(char **argv);

enum tr2_convert_target {
	TR2_TO_NOTHING,
	TR2_TO_FXT,
	TR2_TO_CHROME,
	TR2_TO_PERFETTO,
	TR2_TO_SPEEDSCOPE,
	TR2_TO_FOLDED,
	TR2_TO_OTLP
};

/* `trace2 convert --to FORMAT IN OUT`. Returns the exit status. */
int tr2_convert_to(enum tr2_convert_target target, const char *in,
		   const char *out);

#endif
