/*
 * record_part.h - what the parts of the tracing commands share.
 *
 *	record.c   `trace2 record`
 *	options.c  what they are told
 *	command.c  the command that is recorded
 *	private.c  a manager of our own, for one recording
 *	tally.c	   progress and summary
 *	list.c	   `list-providers`, `list-categories`
 *	serve.c	   `trace2 manager`
 */
#ifndef TR2_RECORD_PART_H
#define TR2_RECORD_PART_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace-controller/controller.h"

#define EXIT_USAGE 2

struct tr2_record_options {
	struct trace_config config;
	const char **categories;
	int64_t duration_ms; /* -1: until something else ends it */
	const char *output;
	const char *socket; /* or NULL */
	unsigned answer_ms; /* of a manager; 0: its own choice */
	char **command;	    /* or NULL */
};

/* What a command takes, and says of itself. */
struct tr2_record_usage {
	const char *name;
	const char *
		takes; /* of "bcdkmost": first letters of options; "-": a command */
	const char *text;
};

/* -1 to go on, else the exit status. */
int tr2_record_options(struct tr2_record_options *options,
		       const struct tr2_record_usage *usage, int argc,
		       char **argv);
void tr2_record_options_release(struct tr2_record_options *options);

/* "trace2 NAME: WHAT: errno's text" on standard error; returns 1. */
int tr2_record_fail(const char *name, const char *what, int error);

/* A controller, or NULL with a message. */
struct trace_controller *tr2_record_connect(const char *name,
					    const char *socket);

/*
 * A descriptor that can be read when one of the signals that end us, or
 * SIGCHLD, has come; they are blocked from now on. -1 where that fails.
 */
int tr2_record_signals(sigset_t *old);
/* The signal that came, or 0. */
int tr2_record_signal(int fd);

/* The command, with TRACE_MANAGER set. */
struct tr2_command {
	pid_t pid;  /* 0: ended, or never begun */
	int status; /* as of a shell */
};

int tr2_command_start(struct tr2_command *command, char **argv,
		      const char *socket, const sigset_t *signals);
/* Look whether it ended; wait for that if asked to. */
void tr2_command_look(struct tr2_command *command, bool wait);

/* A manager on a thread of its own, at a socket that nobody else sees. */
struct tr2_private;
struct tr2_private *tr2_private_start(const struct tr2_record_options *options);
const char *tr2_private_socket(const struct tr2_private *own);
void tr2_private_stop(struct tr2_private *own);

struct tr2_tally {
	const char *name; /* of the command */
	int out;
	int error; /* of writing */
	/* The begin of a record whose end has not come yet. */
	char *held;
	size_t held_len, held_room;
	uint64_t whole; /* bytes of whole records that were written */
	bool refused;	/* a program could not be traced */
	bool shown;	/* progress, on a terminal */
	uint64_t start; /* ns */
	uint64_t bytes;
	uint64_t providers, events, dropped;
};

/*
 * As functions of struct trace_config. Whole records are written: if we are
 * killed, what is there can be read.
 */
int tr2_tally_archive(void *tally, const void *bytes, size_t len);
void tr2_tally_alert(void *tally, uint32_t provider, const char *name);
void tr2_tally_result(void *tally, const struct trace_provider_result *result);

void tr2_tally_progress(struct tr2_tally *tally);
void tr2_tally_clear(struct tr2_tally *tally);
void tr2_tally_summary(const struct tr2_tally *tally);
void tr2_tally_release(struct tr2_tally *tally);
uint64_t tr2_tally_now(void);

#endif
