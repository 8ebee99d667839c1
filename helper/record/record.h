/*
 * record.h - the commands about tracing: `trace2 record`, `trace`, `manager`,
 * `list-providers`, `list-categories`. Each returns its exit status: 0
 * success, 1 failure, 2 wrong usage.
 *
 * The room knows options, files and the terminal. It talks to a trace manager
 * only through ref/trace/controller, even to its own, which `record --
 * COMMAND` starts on a thread. Only the command's table may use it. It never
 * replaces an archive before the new one is complete.
 */
#ifndef TR2_RECORD_H
#define TR2_RECORD_H

int tr2_record_main(char **argv);
int tr2_trace_main(char **argv);
int tr2_manager_main(char **argv);
int tr2_list_providers_main(char **argv);
int tr2_list_categories_main(char **argv);

#endif
