/*
 * options.h - the options of the commands about tracing. Several commands
 * have some of them, with help texts of their own.
 */
#ifndef TR2_RECORD_OPTIONS_H
#define TR2_RECORD_OPTIONS_H

#include "cli/options.h"
#include "record/record_part.h"
#include "trace/buffer.h"

extern const char *const tr2_record_modes[];

tr2_cli_set_fn tr2_record_add_category;
tr2_cli_set_fn tr2_record_set_timeout;

/* Rows of a table, for struct tr2_record_options. */
#define TR2_RECORD_OUTPUT TR2_CLI_PATH(struct tr2_record_options, output)
#define TR2_RECORD_PATTERN TR2_CLI_PATH(struct tr2_record_options, pattern)
#define TR2_RECORD_SOCKET TR2_CLI_PATH(struct tr2_record_options, socket)
#define TR2_RECORD_KERNEL TR2_CLI_FLAG(struct tr2_record_options, config.kernel)
#define TR2_RECORD_SYSCALLS \
	TR2_CLI_FLAG(struct tr2_record_options, config.syscalls)
#define TR2_RECORD_MODE \
	TR2_CLI_WORD(struct tr2_record_options, mode, tr2_record_modes, 1)
#define TR2_RECORD_BUFFER_SIZE                                                 \
	TR2_CLI_SIZE(struct tr2_record_options, buffer_size, TRACE_BUFFER_MIN, \
		     TRACE_BUFFER_MAX),                                        \
		.step = 8

#endif
