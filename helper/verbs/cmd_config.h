/*
 * cmd_config.h - commands of test-tool that show what the library reads
 * from outside, so that it can be compared with what git reads. They write
 * no events of their own.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

/*
 * gitconfig list: every value in every scope, written as `git config
 * --list --show-scope -z` does. gitconfig early: only what trace2.* keys
 * are read from. gitconfig params GLOBS: the interesting parameters.
 */
int cmd_gitconfig(int argc, const char **argv);

/* settings: each one as `name=value`, or `name` where it is not set. */
int cmd_settings(int argc, const char **argv);

/*
 * redact [-z] [--json] TEXT...: each text without its passwords, ended by
 * LF, or by NUL with -z.
 */
int cmd_redact(int argc, const char **argv);

#endif
