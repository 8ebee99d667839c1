/*
 * journal.h - lines on disk, in the order in which they arrived. One thread
 * writes, any number of threads read, each at its own place.
 *
 * The journal is a sequence of segments. Each is a file of the spool
 * directory, whose name has the number of bytes and the number of lines
 * before it, as 16 hexadecimal digits each. The last one is mapped, and has
 * zero bytes at its end until it is full. Space on disk is reserved when a
 * segment begins, so that a full disk is noticed there.
 *
 * Somebody may cut or replace a segment at any time. What was in it is missed
 * by the readers that had not read it, who go on with the next one; the writer
 * begins a new one. Names that no journal can have are left alone.
 *
 * The journal only ever has whole lines, which end in LF. What follows the
 * last LF of the last segment is the rest of a line that was not complete
 * when the process died, and is removed when the journal is opened.
 *
 * This room knows bytes and lines, and nothing of events. No writer ever waits
 * here for a reader.
 *
 *	recover.c   the segments that an earlier process left behind
 *	mapped.c    the memory that is a file, also if that becomes shorter
 *	journal_read.c  the side of readers, and their places on disk
 */
#ifndef TR2_JOURNAL_JOURNAL_H
#define TR2_JOURNAL_JOURNAL_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "lib/common/vec.h"

#define TR2_JOURNAL_SEGMENT ((size_t)4 << 20) /* bytes of most segments */
struct tr2_journal_segment {
	uint64_t begin, line; /* bytes and lines before it */
	int fd;
};

struct tr2_journal {
	const char *dir;
	uint64_t limit; /* bytes of all segments together */
	uint64_t age;	/* seconds that events stay, or 0 */
	int lock;	/* a descriptor that holds the directory's lock */
	bool taken;	/* another service has, or had, the directory */
	time_t date; /* when it was opened, and the same by the other clock: */
	uint64_t opened; /* ns */

	/* Only the thread that writes uses these. */
	char *map; /* the last segment, or NULL */
	size_t used, room;
	uint64_t end, lines; /* bytes and lines that were committed */
	uint64_t refused;    /* until this time (ns) there is no space */
	size_t refused_room; /* for a segment of so many bytes or more */
	int refused_why;     /* an errno value; 0: there is space */
	uint64_t looked;     /* at the directory's lock (ns) */

	pthread_mutex_t mutex; /* guards the following */
	pthread_cond_t changed;
	struct tr2_vec segments; /* struct tr2_journal_segment */
	uint64_t shown_end, shown_lines;
	uint64_t errors; /* times that there was no space */
	uint64_t lost;	 /* a reader has missed lines before this place */
	uint64_t had;	 /* lines that there were, as outputs knew */
	struct tr2_journal_reader *readers;
	bool ended; /* nothing more will be written */
};

/* All members are private, except that `at` and so on may be read. */
struct tr2_journal_reader {
	struct tr2_journal *journal;
	struct tr2_journal_reader *next;
	uint64_t at;	 /* the next byte to read */
	uint64_t kept;	 /* bytes before this one are not needed again */
	uint64_t line;	 /* lines before `kept` */
	uint64_t ahead;	 /* lines that were read after them */
	uint64_t missed; /* lines that went before they were read */
	uint64_t shown;	 /* lines of the journal, when it was asked last */
	bool inside;	 /* is `at` inside of a line? */
	int fd;		 /* of the segment that it reads, or -1 */
	uint64_t begin;	 /* of this segment */
};

/*
 * Open the journal in a directory, which is made if it does not exist. NULL,
 * or the reason why not: for example, because another process has opened it.
 */
const char *tr2_journal_open(struct tr2_journal *journal, const char *dir,
			     uint64_t limit);

/*
 * Is what was written at this date older than so many seconds (0: never)? By
 * the clock of the moment when the journal was opened: if somebody sets it
 * forward later, nothing gets older. A clock that was ahead even then by more
 * than 100 days is not believed, either: what happened last in the directory
 * was just now.
 */
bool tr2_journal_is_old(const struct tr2_journal *journal, time_t date,
			uint64_t age);

/* Why the directory can't be used, or has no room: an errno value. */
const char *tr2_journal_explain(int error);

/* Call it when no thread reads or writes. Readers need not leave before. */
void tr2_journal_close(struct tr2_journal *journal);

/*
 * Returns room for so many bytes after the last line, which the caller may
 * fill; or NULL if the disk has none. The bytes belong to the journal only
 * after tr2_journal_commit(). Never waits for a reader.
 */
char *tr2_journal_room(struct tr2_journal *journal, size_t len);

/*
 * The first `len` bytes of the room are whole lines: keep them. False: the disk
 * has not taken what was written there since the room was made.
 */
bool tr2_journal_commit(struct tr2_journal *journal, size_t len,
			unsigned long lines);

/* Let readers see what was committed. The caller holds the mutex. */
void tr2_journal_show(struct tr2_journal *journal);

/* The same, and there will be nothing more. */
void tr2_journal_end(struct tr2_journal *journal);

/*
 * Read from here on, `line` lines after the begin. What is not in the journal
 * any more counts as missed. With UINT64_MAX as `at`, begin with the first
 * line that is written from now on.
 */
void tr2_journal_join(struct tr2_journal *journal,
		      struct tr2_journal_reader *reader, uint64_t at,
		      uint64_t line);

/*
 * Read from the first line that there is. Call it before any line is written.
 */
void tr2_journal_join_first(struct tr2_journal *journal,
			    struct tr2_journal_reader *reader);

/*
 * Read at most so many bytes; waits for so many ms at most. Returns 0 if there
 * is nothing. Sets `ended` if there is nothing and never will be. A line of
 * which somebody cut the rest after its begin was read gets an LF, and counts
 * as missed.
 */
size_t tr2_journal_read(struct tr2_journal_reader *reader, char *bytes,
			size_t room, int timeout_ms, bool *ended);

/* Bytes before `at` are done with; there are so many lines before it. */
void tr2_journal_keep(struct tr2_journal_reader *reader, uint64_t at,
		      uint64_t line);

/*
 * Has somebody cut a file, so that lines are lost that a reader needs, or that
 * were just being written? Call it when no thread writes.
 */
bool tr2_journal_is_cut(struct tr2_journal *journal);

/* Places in the journal, in bytes. */
struct tr2_journal_marks {
	uint64_t first;	 /* what was before it is there no more */
	uint64_t needed; /* all readers are done with what is before it */
	uint64_t lost;	 /* the last place before which one has missed lines */
	uint64_t end;	 /* of what readers can have */
};

struct tr2_journal_marks tr2_journal_find_marks(struct tr2_journal *journal);

/*
 * Read again from the first byte that is still needed; or from the first one
 * that there still is, and count what is missed.
 */
void tr2_journal_rewind(struct tr2_journal_reader *reader);

/* Wait for so many ms, or until the journal has ended. True: it has. */
bool tr2_journal_pause(struct tr2_journal *journal, int timeout_ms);

/*
 * The segment that is written, as memory. If somebody cuts its file, or its disk
 * has no space after all, an access to the memory would end the process by
 * SIGBUS; instead there are zero bytes then. What is written there is lost.
 *
 * There is one such memory in a process at a time.
 */

/* Reserves so much of the file. Returns the memory, or NULL and errno. */
char *tr2_mapped_begin(int fd, size_t size);
void tr2_mapped_end(char *memory, size_t size);

/* Was there such an access since the begin? */
bool tr2_mapped_is_broken(void);

/*
 * The segments that an earlier process left behind, and their
 * names.
 */
#define TR2_SEGMENT_DIR 3900 /* the longest name of a spool directory */
#define TR2_SEGMENT_PATH (TR2_SEGMENT_DIR + 64)

/* Set the path of the segment after so many bytes and lines. */
void tr2_segment_name(char path[TR2_SEGMENT_PATH], const char *dir,
		      uint64_t begin, uint64_t line);

/* It is no part of the journal any more; its file stays. */
void tr2_segment_forget(struct tr2_journal *journal, uint32_t number);

/*
 * Find all segments, and where the last one ends. If one in the middle is
 * missing, the ones before it are still read. NULL, or the reason why not.
 */
const char *tr2_journal_recover(struct tr2_journal *journal);

/*
 * The place of an output in the journal, on disk. It is a
 * short text that is written by one write(2), so that it is never half new
 * after a SIGKILL: a line that is the place, and one that checks it by a hash,
 * for somebody, or a disk, may have changed it.
 */
struct tr2_position {
	uint64_t at, line;	 /* bytes and lines of the journal before it */
	uint64_t missed;	 /* lines that this output never got */
	uint64_t size;		 /* of its present file at this place */
	char file[NAME_MAX + 1]; /* this file; empty: there is none */
	uint64_t shown;		 /* lines of the journal when it was written */

	/* Not on disk. */
	bool lost; /* there was a position, which is gone or damaged */
};

/*
 * Open the file DIR/NAME.position, and read it. Returns a descriptor, or -1
 * and errno. If there is no such file yet, or if it is damaged, `at` is
 * UINT64_MAX. The file DIR/NAME.output tells that there was one.
 */
int tr2_position_open(struct tr2_position *position, const char *dir,
		      const char *name);

/*
 * Read the position of an output that is not named now. False: there is none,
 * or it was so before: then NAME.output is not empty.
 */
bool tr2_position_leave(struct tr2_position *position, const char *dir,
			const char *name);

/* 0, or an errno value. */
int tr2_position_write(int fd, const struct tr2_position *position);

#endif
