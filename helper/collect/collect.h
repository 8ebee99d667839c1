/*
 * collect.h - `trace2 collect`: a service between programs that write events
 * and those that read them.
 *
 *	programs --> sockets --> intake --> journal --> delivery --> output
 *	                                          \--> delivery --> output
 *
 * A writer never waits for an output. One thread, the intake, reads from all
 * sockets as soon as there is something, and puts whole lines into the
 * journal: files in the spool directory, which are mapped, so that what was
 * read is in a file at once. Each output has a thread of its own, its
 * delivery, which reads the journal at its own place. A slow or dead output
 * falls back in the journal and delays nobody.
 *
 * The journal has a limit. Beyond it the oldest lines are removed, also if an
 * output has not had them; the output then counts the lines that it missed.
 * When the disk is full, the intake still reads, and drops and counts lines.
 *
 * What survives which end:
 *
 *	SIGTERM	 What was written before it is read; outputs that accept it
 *		 get it; for the others it stays in the journal. Files are
 *		 complete.
 *	SIGKILL	 All whole lines that were read stay in the journal. A line of
 *		 which only a part was read is lost. The place of each output
 *		 is in a file next to the journal. Files get each line once;
 *		 other outputs may get those of the last write(2) again.
 *
 * Nothing here waits for a disk on purpose (fsync) while it reads, so a crash
 * of the machine may cost more.
 *
 * This room has the command line, the configuration and the counts:
 *
 *	options.h   the command line, and the configuration file
 *	passed.c    sockets that systemd made
 *	key.c	    the key of placeholders
 *	metrics.h   counts for --status and Prometheus
 *
 * intake/intake.h, journal/journal.h and delivery/delivery.h introduce the
 * other three.
 */
#ifndef TR2_COLLECT_COLLECT_H
#define TR2_COLLECT_COLLECT_H

/* argv[0] is "collect". Returns the exit status. */
int tr2_collect_main(char **argv);

#endif
