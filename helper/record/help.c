/* The options and the help text of `trace2 record`. */
#include "record/options.h"
#include "record/record_part.h"

static const struct tr2_cli_option table[] = {
	{ "answer", NULL, TR2_CLI_FLAG(struct tr2_record_options, answer),
	  .help = "say where COMMAND's time went on standard error (default: "
		  "if that is a terminal)" },
	{ "buffering-mode", "MODE", TR2_RECORD_MODE,
	  .help = "what happens when a program's buffer is full:\n"
		  "oneshot: the program stops recording\n"
		  "circular: new records replace the oldest ones\n"
		  "streaming: the buffer is saved (default)" },
	{ "buffer-size", "SIZE", TR2_RECORD_BUFFER_SIZE,
	  .help = "buffer of each program, 4K to 4G (default: 4M)" },
	{ "categories", "A,B", TR2_CLI_LIST(tr2_record_add_category),
	  .help = "record only these categories (default: all)" },
	{ "duration", "SECONDS", TR2_CLI_SET(tr2_record_set_duration),
	  .help = "stop after this time, although COMMAND goes on (default: "
		  "record until COMMAND ends, or until SIGINT or SIGTERM)" },
	{ "kernel", NULL, TR2_RECORD_KERNEL,
	  .help = "also record when programs get and lose a CPU, and who wakes "
		  "them; needs root or CAP_PERFMON" },
	{ "output", "FILE", TR2_RECORD_OUTPUT, .letter = 'o',
	  .help = "write to FILE, whose name chooses the format: an EVENT log "
		  "if it ends in .event, the page of 'trace2 report' if it "
		  "ends in .html, Chrome's JSON if it ends in .json, otherwise "
		  "an archive; - means standard output (default: trace.event "
		  "for Trace2 events, trace.fxt for trace points). Until the "
		  "record is complete it is FILE.partial" },
	{ "quiet", NULL, TR2_CLI_FLAG(struct tr2_record_options, quiet),
	  .letter = 'q', .help = "do not say where COMMAND's time went" },
	{ "socket", "PATH", TR2_RECORD_SOCKET,
	  .help = "the trace manager's socket (default: TRACE_MANAGER or "
		  "$XDG_RUNTIME_DIR/trace-manager; with COMMAND, a manager of "
		  "its own)" },
	{ "syscalls", NULL, TR2_RECORD_SYSCALLS,
	  .help = "also record the system calls of programs; implies "
		  "--kernel" },
	{ "timeout", "SECONDS", TR2_CLI_SET(tr2_record_set_timeout),
	  .help = "leave out a program of COMMAND that takes longer than this "
		  "to answer (default: 5)" },
	{ .name = NULL },
};

const struct tr2_cli tr2_record_cli = {
	.name = "record",
	.about =
		"usage: trace2 record [OPTION]... [-- COMMAND [ARGUMENT]...]\n"
		"\n"
		"Record what programs do. With COMMAND, record the Trace2 events of git and\n"
		"of all other programs that COMMAND runs in an EVENT log, and the trace\n"
		"points of those that link libtrace2 in an archive of the Fuchsia trace\n"
		"format, which Perfetto can open; without it, trace all programs that are\n"
		"registered with the trace manager.\n",
	.options = table,
	.notes =
		"Where the record is, one line for each program with trace points, and a\n"
		"summary go to standard error. Without COMMAND, programs need a trace\n"
		"provider (<trace-provider/provider.h>), or the variable TRACE_MANAGER when\n"
		"they start.\n"
		"\n"
		"Exit status: that of COMMAND if it is not 0 (128 + N after signal N);\n"
		"otherwise 0, or 1 if the recording failed, nothing was recorded, or a\n"
		"program could not be traced; 2 if the command line was wrong; 126 if\n"
		"COMMAND could not be run, 127 if it was not found.\n",
	.stops = true,
};
