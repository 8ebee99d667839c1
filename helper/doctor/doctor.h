/*
 * doctor.h - `trace2 doctor`: which targets are on, who set them, whether
 * they work, and what to type if they do not.
 *
 *	doctor.c    the command: options, order, result
 *	target.c    is a target alive: descriptors, files, directories, sockets;
 *		    and repairs
 *	note.c	    what the environment and git's files say, and what git ignores,
 *		    was mistyped, or hides from readers
 *
 * Only the command's table may use this room. It reads git's configuration
 * itself, so git need not be installed. It changes nothing unless it repairs,
 * and then prints each change; it never writes to a target, and never waits
 * for one.
 */
#ifndef TR2_DOCTOR_DOCTOR_H
#define TR2_DOCTOR_DOCTOR_H

/* argv[0] is "doctor". Returns the exit status. */
int tr2_doctor_main(char **argv);

#endif
