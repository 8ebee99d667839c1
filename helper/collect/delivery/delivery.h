/*
 * delivery.h - passes the journal on to one output, in a thread of its own.
 *
 * If the output fails, this is reported once, and is tried again each second,
 * from the first line that it did not get. An output that accepts nothing is
 * waited for as long as the service runs. After the end of the journal it has
 * TR2_DELIVERY_LAST ms without progress until it is given up; what it did not
 * get stays in the journal.
 *
 * Nothing in this room is shared by two outputs but the journal; a slow or
 * dead one delays no other.
 *
 *	files.c, stream.c, otlp.c  the kinds of outputs
 *	compress.c  a complete file as a compressed one
 *	limit.c	    the total limit of an output's files
 *	otlp.c	    an output that posts to a receiver of OpenTelemetry
 *	spans.h	    what it posts
 */
#ifndef TR2_DELIVERY_DELIVERY_H
#define TR2_DELIVERY_DELIVERY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/journal/journal.h"

struct tr2_otlp_place;

/*
 * otlp.c: an output that posts spans to a receiver of OTLP/HTTP. It posts
 * when it has a MiB, or a second after the first span.
 *
 * A POST that fails is repeated for as long as the service runs, unless the
 * receiver says that it will always fail; its spans are counted then. While
 * it is repeated, this output reads nothing, and events wait in the spool.
 * Spans may be posted twice, with the same ids: after a POST without an
 * answer. A list of what was posted prevents that after a restart.
 */
#define TR2_OTLP_HEADERS 16
#define TR2_OTLP_WAIT 600	   /* s; see spans.h */
#define TR2_OTLP_REST 1		   /* s */
#define TR2_OTLP_WAIT_MOST 1000000 /* s */

/* Of all such outputs. */
struct tr2_otlp_settings {
	const char *headers[TR2_OTLP_HEADERS];
	uint32_t header_count;
	uint64_t wait, rest; /* s */
	bool gzip;
};

/* Returns the URL of an output's name, or NULL if it is of another kind. */
const char *tr2_otlp_find_url(const char *target);

#define TR2_DELIVERY_RETRY 1000
#define TR2_DELIVERY_LAST 2000

/* A complete file as a compressed one. */
enum tr2_compress {
	TR2_COMPRESS_OFF,
	TR2_COMPRESS_GZIP,
	TR2_COMPRESS_ZSTD,
	TR2_COMPRESS_COUNT
};

/* What names the format, and what its files end in. */
extern const char *const tr2_compress_names[TR2_COMPRESS_COUNT + 1];
extern const char *const tr2_compress_suffixes[TR2_COMPRESS_COUNT];

/*
 * Write what the file `from` has to the file `to`, in this format, and see it
 * to the disk. A file `to` that was begun before is written anew. 0, or an
 * errno value: then there is no file `to`.
 */
int tr2_collect_compress(const char *from, const char *to,
			 enum tr2_compress format);

struct tr2_delivery {
	const char *target; /* as the user named it */
	const struct tr2_output_kind *kind;
	uint64_t file_size;	    /* of files, when the next one begins */
	enum tr2_compress compress; /* files that are complete */
	uint64_t files_limit;  /* bytes of complete files, or 0: no limit */
	atomic_ullong removed; /* files, because of this limit */
	const struct tr2_otlp_settings *otlp;
	uint64_t files_age;	      /* seconds that they stay, or 0 */
	uint64_t aged;		      /* when they were looked at, in ns */
	atomic_ullong refused;	      /* spans, by their receiver, */
	atomic_ullong refused_events; /* and the events of these posts */
	atomic_ullong failures;	      /* of writes */
	atomic_ullong unread;  /* answers that tell not whether all is taken */
	atomic_ullong outside; /* lines that are in no span */
	void *state;	       /* of the kind */
	char id[17];	       /* the name of its files in the spool */
	struct tr2_journal_reader reader;
	struct tr2_position position;
	int position_fd;
	pthread_t thread;
	int fd;	     /* of the kind; -1: it is not open */
	char day[9]; /* of the present file */
	bool fresh;  /* the next byte is the first of a line */
	bool harmed; /* a file is not as it should be, and this was told */
	bool complained;
	uint64_t line;	  /* lines before its place when it began */
	uint64_t end;	  /* of the spool then; a file has no more of it */
	uint64_t told;	  /* lines that were missed in earlier runs */
	uint64_t stalled; /* since when there is no progress after the end */
	bool lost;	  /* the position could not be written */
};

/* Open the position. NULL, or the reason why not. */
const char *tr2_delivery_open(struct tr2_delivery *delivery,
			      struct tr2_journal *journal);
/* Start the thread, after all outputs were opened. The same. */
const char *tr2_delivery_begin(struct tr2_delivery *delivery,
			       struct tr2_journal *journal);

/* Wait for its end, and report what it missed and what it did not get. */
void tr2_delivery_end(struct tr2_delivery *delivery);

/*
 * Tell which outputs of earlier runs are not among these, which have begun, and
 * what they miss.
 */
void tr2_delivery_tell_left(const struct tr2_journal *journal,
			    const struct tr2_delivery *outputs, uint32_t count);

/* For kinds: write the position, after a change of `file` and `size`. */
void tr2_delivery_save(struct tr2_delivery *delivery);

/* For kinds: report on standard error what happens to this output. */
void tr2_delivery_report(const struct tr2_delivery *delivery, const char *what);

/* For kinds: is it time to give up? */
bool tr2_delivery_must_stop(struct tr2_delivery *delivery);

/*
 * The kinds of outputs. A kind receives runs of bytes, which begin
 * and end anywhere in a line, and tells how much it has accepted. It runs in
 * the thread of its delivery, and may wait for a while, but must look at
 * tr2_delivery_must_stop() meanwhile.
 */
struct tr2_output_kind {
	/* Does the text name such an output? */
	bool (*matches)(const char *text);
	/*
	 * Begin, or begin again after a failure; the next byte is the first
	 * of a line. 0, or an errno value.
	 */
	int (*open)(struct tr2_delivery *delivery);
	/* Returns how many bytes were accepted, or -1 and errno. */
	ssize_t (*write)(struct tr2_delivery *delivery, const char *bytes,
			 size_t len);
	/* There is nothing to write; called about twice a second. Or NULL. */
	void (*tick)(struct tr2_delivery *delivery);
	/* The journal has ended: pass on what it still has. Or NULL. */
	void (*finish)(struct tr2_delivery *delivery);
	/* After a failure, or at the end. */
	void (*close)(struct tr2_delivery *delivery, bool failed);
	/*
	 * How far this output is done with the journal, if that is less than
	 * it has accepted. Or NULL.
	 */
	struct tr2_otlp_place (*find_done)(struct tr2_delivery *delivery);
	bool final; /* there is no second attempt after a failure */
};

extern const struct tr2_output_kind tr2_kind_files, tr2_kind_stdout,
	tr2_kind_socket, tr2_kind_otlp;

/* Returns the kind of this output, or NULL. */
const struct tr2_output_kind *tr2_kind_find(const char *text);

/*
 * limit.c: remove the oldest complete files of the directory, by their names,
 * while all have more bytes than the limit, and those beyond their age; the last
 * one stays. Counts them.
 */
void tr2_limit_files(struct tr2_delivery *delivery, const char *directory);

#endif
