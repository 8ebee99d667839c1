/* options.h - the command line of `trace2 collect`. */
#ifndef TR2_COLLECT_OPTIONS_H
#define TR2_COLLECT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/options.h"
#include "collect/delivery/delivery.h"
#include "collect/intake/filter.h"
#include "collect/intake/watched.h"
#include "lib/files/socket.h"

/* The exit status. */
enum tr2_collect_exit {
	COLLECT_WHOLE,
	COLLECT_LOST,
	COLLECT_USAGE,
	COLLECT_FAILED,
};

#define TR2_COLLECT_SOCKETS 16
#define TR2_COLLECT_WATCHES 16
#define TR2_COLLECT_OUTPUTS 64

struct tr2_collect_options {
	const char *spool;
	uint64_t spool_limit, file_size, files_limit;
	int64_t spool_age, files_age; /* in microseconds; 0: no limit */
	uint64_t broken_limit;	      /* of the file of broken lines */
	enum tr2_filter_check line_check;
	bool redact;		   /* passwords */
	unsigned hide;		   /* more: bits of enum tr2_hide */
	const char *key_file;	   /* NULL: a file of the spool */
	struct tr2_buf attributes; /* a JSON object, without its end */
	struct tr2_otlp_settings otlp;
	enum tr2_compress compress;
	bool others;
	bool remove;	     /* files of watched directories */
	bool check, status;  /* do this, and run no service */
	const char *file;    /* the configuration file that is read, or NULL */
	unsigned long line;  /* in this file */
	struct tr2_buf text; /* its contents, of which settings are parts */
	struct tr2_socket sockets[TR2_COLLECT_SOCKETS];
	struct tr2_delivery outputs[TR2_COLLECT_OUTPUTS];
	struct tr2_watch watches[TR2_COLLECT_WATCHES];
	uint32_t socket_count, output_count, watch_count;
};

/* options.c: as tr2_cli_read(), TR2_CLI_GO_ON or an exit status. */
int tr2_collect_read_options(struct tr2_collect_options *options, char **argv);

/*
 * Set an option by its long name; its value is empty if there is none. 0, or
 * COLLECT_USAGE after a message.
 */
int tr2_collect_set(struct tr2_collect_options *options, const char *name,
		    char *value);

/* 0, or COLLECT_USAGE after a message: events would come for ever. */
int tr2_collect_check_loops(const struct tr2_collect_options *options);

/* loops.c: are these one place, or will they be? */
bool tr2_collect_is_same_place(const char *one, const char *other);
bool tr2_collect_is_same_output(const char *one, const char *other);

/* NULL, or what is wrong with a place. */
const char *tr2_collect_find_loop(const struct tr2_collect_options *options,
				  const char **place);

/*
 * config.c: read a file of lines that each have the long name of an option
 * and its value, after one or more blanks. Lines that are empty or begin with
 * `#` mean nothing.
 */
int tr2_collect_read_config(struct tr2_collect_options *options,
			    const char *file);

/*
 * Sockets that systemd passes to the service (LISTEN_FDS): it makes
 * them before the service runs, so that no event is lost meanwhile.
 */

/*
 * Returns how many descriptors this process was passed, but no more than one
 * beyond those that it can use.
 */
unsigned tr2_passed_count(void);

/*
 * Use the sockets that were passed. One that has the path of a socket of the
 * options takes its place. 0, or an exit status after a message.
 */
int tr2_passed_take(struct tr2_collect_options *options);

/* The secret key of placeholders. */
#define TR2_COLLECT_KEY_LEAST 16
#define TR2_COLLECT_KEY_MOST 4096

/*
 * Read the key from the file. If there is no name (NULL), it is `redact.key`
 * of the spool directory, which is made once, with random bytes, for its owner
 * only: placeholders agree with those before a restart. Returns the length of
 * the key, or 0 after a message; the file then does not have 16 to 4096 bytes,
 * or cannot be read or made.
 */
size_t tr2_collect_read_key(const char *file, const char *spool,
			    char key[TR2_COLLECT_KEY_MOST + 1]);

#endif
