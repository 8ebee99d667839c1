/*
 * commands.h - the commands of test-tool besides `trace2`: they show what the
 * library makes of settings, config files and texts, list its events, and use
 * <trace/tracing.h> as a program does.
 *
 * Each command has a file of its own. It may include headers of the library
 * that are not public, because tests compare what it prints with what the
 * specification says. No command knows another, or a verb.
 */
#ifndef HELPER_COMMANDS_COMMANDS_H
#define HELPER_COMMANDS_COMMANDS_H

/* `test-tool <name> ...`; argv[0] is the name. They return the exit code. */
int cmd_event_table(int argc, const char **argv);
int cmd_gitconfig(int argc, const char **argv);
int cmd_redact(int argc, const char **argv);
int cmd_settings(int argc, const char **argv);
int cmd_trace_events(int argc, const char **argv);

#endif
