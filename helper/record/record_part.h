/*
 * record_part.h - what the files of the tracing commands share.
 *
 *	record.c   `trace2 record`
 *	options.c  its options and help text, and what command lines share
 *	command.c  the command that is recorded
 *	ending.c   the signals that end a recording
 *	private.c  a private manager for one recording; directories for
 *		   sockets and links
 *	tally.c	   the archive's way to its file, also as JSON; progress and
 *		   summary
 *	event_log.c  the EVENT log of the command
 *	copy.c	   a file that the command has removed
 *	trace.c	   `trace2 trace`
 *	list.c	   `list-providers`, `list-categories`
 *	serve.c	   `trace2 manager`
 */
#ifndef TR2_RECORD_PART_H
#define TR2_RECORD_PART_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "cli/options.h"
#include "lib/common/vec.h"
#include "lib/whole/whole_dir.h"
#include "lib/whole/whole_file.h"
#include "trace/controller/controller.h"

/* The exit status of env(1) and other programs that run a command. */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

struct tr2_record_options {
	struct trace_config config;
	struct tr2_vec categories; /* their names, for `config` */
	size_t buffer_size;	   /* for `config`; 0: not given */
	unsigned mode;		   /* the same: 1 and the mode */
	int64_t duration_ms;	   /* -1: no limit */
	const char *output;
	bool named;		    /* the user has named the output */
	const char *pattern;	    /* of the names of files, or NULL */
	unsigned long events;	    /* in a file, at most; 0: all */
#define TR2_RECORD_EVENTS ULONG_MAX /* nobody asks */
	const char *socket;	    /* or NULL */
	unsigned answer_ms; /* time for an answer; 0: the manager's default */
	bool quiet, answer; /* about the first lines of a summary */
	char **command;	    /* or NULL */
};

extern const struct tr2_cli tr2_record_cli;

/* What the options of several commands have, with help texts of their own. */
#define TR2_RECORD_SOCKET TR2_CLI_PATH(struct tr2_record_options, socket)
tr2_cli_set_fn tr2_record_add_category;
tr2_cli_set_fn tr2_record_set_timeout;

/* As tr2_cli_read(). */
int tr2_record_options_read(struct tr2_record_options *options,
			    const struct tr2_cli *cli, char **argv);
/* Do `record`'s options go together? 0, or after a message 2. */
int tr2_record_check(const struct tr2_record_options *options);
void tr2_record_options_release(struct tr2_record_options *options);

/*
 * Print "trace2 NAME: WHAT: errno's text" on standard error, or for ETIMEDOUT
 * that the manager does not answer. Returns 1.
 */
int tr2_record_fail(const char *name, const char *what, int error);

/* A function for struct tr2_manager_options; the context is the name. */
void tr2_record_tell_crowded(void *name);

/* Does the output's name ask for JSON? */
bool tr2_record_is_json(const char *output);
/* Can the open output become JSON, if it is to? 0, or after a message 1. */
int tr2_record_check_json(const struct tr2_whole_file *file,
			  const char *output);
/*
 * Convert the complete file to what the output's name asks for, and close it.
 * It stays if that fails; `what` says so. As tr2_convert_to().
 */
int tr2_record_convert(struct tr2_whole_file *file, const char *output,
		       const char *what);

/* Move what an earlier recording left away, and tell where it is. */
void tr2_record_tell_moved(const struct tr2_whole_file *file);
/*
 * If the command has removed the open file, make it again; `is_log`: an EVENT
 * log, to which others write. 0, or 1 after a message: it is lost.
 */
int tr2_record_find_file(struct tr2_whole_file *file, bool is_log);

/*
 * Give the file its name. 0; or 1 after a message, which tells with these words
 * where it is.
 */
int tr2_record_commit(struct tr2_whole_file *file, const char *name,
		      const char *what);
/* It cannot get its name: tell where it is. Returns 1. */
int tr2_record_leave(struct tr2_whole_file *file, const char *what);

/* Returns a controller, or NULL after a message. */
struct trace_controller *tr2_record_connect(const char *name,
					    const char *socket);

/*
 * The signals that end a recording. The first one ends it in order: what was
 * traced is still fetched and written. If nothing moves for a time after it,
 * because the manager does not answer or nobody reads the output, that is
 * given up. Before the recording has begun, the first one gives up at once.
 * A second signal does nothing: `timeout` and terminals send one twice.
 */
struct tr2_ending {
	int fd;		/* readable when such a signal has come */
	int all;	/* the same, and also after SIGCHLD */
	sigset_t old;	/* the mask of before */
	bool recording; /* there is something to lose */
	bool over;	/* give up what does not answer */
	int signo;	/* the first signal, or 0 */
	int news; /* the last one, if the command has not been told; or 0 */
	unsigned grace_ms;
	bool interrupted; /* by SIGINT, which has been forgotten */
};

/* Block the signals and SIGPIPE. `answer_ms` as in the options. */
void tr2_ending_begin(struct tr2_ending *ending, unsigned answer_ms);
/* Read the signals after `all` became readable. */
void tr2_ending_take(struct tr2_ending *ending);
/* Wait for one, or for the end of the command, which may take no SIGINT. */
void tr2_ending_await(struct tr2_ending *ending);
/* The same after `fd`, for a struct tr2_ending. Returns its `over`. */
bool tr2_ending_look(void *ending);
/* Something moved. */
void tr2_ending_prolong(const struct tr2_ending *ending);
/* Wait for the next signal as if there had been none. */
void tr2_ending_forget(struct tr2_ending *ending);
/* Die of the signal. Returns if whoever started us had blocked it. */
void tr2_ending_die(const struct tr2_ending *ending);

/* The recorded command; TRACE_MANAGER is set in its environment. */
struct tr2_command {
	pid_t pid;  /* 0: it has ended, or was not started */
	int status; /* exit status as in a shell */
};

int tr2_command_start(struct tr2_command *command, char **argv,
		      const char *socket, const sigset_t *signals);
/* Check whether it has ended, and reap what it left behind. */
void tr2_command_look(struct tr2_command *command);
/* Is a process left that the command has started? */
bool tr2_command_has_rest(void);

/*
 * Make a directory below TMPDIR, for this user alone; tr2_whole_dir_drop()
 * removes it. 0, or an errno value.
 */
int tr2_record_make_place(struct tr2_whole_dir *place);

/* The EVENT log of the command. All members are zero if there is none. */
struct tr2_event_log {
	struct tr2_whole_file file; /* its descriptor is -1 if there is none */
	char *name;		    /* of the complete log */
	struct tr2_whole_dir place; /* which has a link: */
	char link[128];		    /* where the processes write */
	int full;     /* why nothing more fits, when it was looked at, or 0 */
	bool is_over; /* before the command; then it has so many bytes */
	off_t size;
};

/* Is the output an EVENT log, and nothing else? */
bool tr2_record_is_event(const char *output);
/* Is it an EVENT log, or the page of one? Nothing else is recorded then. */
bool tr2_record_is_log(const char *output);
/*
 * Begin a log of the name OUTPUT, or OUTPUT.event if this is another
 * format's name. 0, or 1 after a message.
 */
int tr2_event_log_open(struct tr2_event_log *log, const char *output);
/* Tell the command by its environment; not 0: no memory. */
int tr2_event_log_announce(const struct tr2_event_log *log);
bool tr2_event_log_is_empty(const struct tr2_event_log *log);
/* Tell why nothing at all was recorded of the command; returns 1. */
int tr2_event_log_refuse(struct tr2_event_log *log, const char *command,
			 bool timed_out);
/* Note whether its disk or the file is full, before something there makes room. */
void tr2_event_log_look(struct tr2_event_log *log);
/* What is written from now on is not in the log when the command has ended. */
void tr2_event_log_stop(struct tr2_event_log *log);
/* The command has ended. As tr2_record_find_file(). */
int tr2_event_log_end(struct tr2_event_log *log);
/* Say where the time went, before the log gets its name. */
void tr2_event_log_answer(const struct tr2_event_log *log,
			  const struct tr2_record_options *options);

/* Put the log in place, or turn it into OUTPUT. Returns the exit status. */
int tr2_event_log_commit(struct tr2_event_log *log);
int tr2_event_log_convert(struct tr2_event_log *log, const char *output);
/* Remove what is neither in place nor left on purpose. */
void tr2_event_log_release(struct tr2_event_log *log);
/* Print where the archive is. */
void tr2_record_tell_archive(const char *output);

/* A manager on a thread of its own, with a socket that nobody else knows. */
struct tr2_private;
struct tr2_private *tr2_private_start(const struct tr2_record_options *options);
/* Report that it can't be made, and TMPDIR if that is why. Returns 1. */
int tr2_private_refuse(const char *what, int error);
const char *tr2_private_socket(const struct tr2_private *own);
void tr2_private_stop(struct tr2_private *own);

struct tr2_tally {
	const char *name; /* the command's name */
	int out;
	struct tr2_ending *ending; /* or NULL */
	bool waits;		   /* for a reader, until `ending` is over */
	int error;		   /* of writing; EINTR: given up */
	/* The beginning of an incomplete record. */
	struct tr2_buf held;
	uint64_t whole;		  /* bytes of whole records in the file */
	bool refused;		  /* a program could not be traced */
	bool shown;		  /* show progress on a terminal */
	uint64_t start;		  /* ns */
	uint64_t received, bytes; /* of the archive, and in the file */
	uint64_t providers, events, dropped;
};

/* Write to this descriptor. `ending` decides when to give up its reader. */
void tr2_tally_write_to(struct tr2_tally *tally, int out,
			struct tr2_ending *ending);

/*
 * Functions for struct trace_config. Only whole records are written, so that
 * the file can be read even if we are killed.
 */
int tr2_tally_archive(void *tally, const void *bytes, size_t len);
void tr2_tally_alert(void *tally, uint32_t provider, const char *name);
void tr2_tally_result(void *tally, const struct trace_provider_result *result);

void tr2_tally_progress(struct tr2_tally *tally);
void tr2_tally_clear(struct tr2_tally *tally);
void tr2_tally_summary(const struct tr2_tally *tally);
/*
 * Tell what is lost because a signal came, and nobody took or sent it. Returns
 * 1.
 */
int tr2_tally_fail_ended(struct tr2_tally *tally, const char *output);
/* If no program could be traced, an old archive is not replaced. */
bool tr2_tally_is_useless(const struct tr2_tally *tally);
void tr2_tally_release(struct tr2_tally *tally);

#endif
