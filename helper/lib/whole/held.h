/*
 * held.h - files that show whether the process that made them still lives: it
 * holds a lock on each. The system takes the lock away when the process ends,
 * however it ends, and a number of a process that was used again means nothing.
 */
#ifndef TR2_WHOLE_HELD_H
#define TR2_WHOLE_HELD_H

/*
 * Hold the open file until it is closed. 0; or -1 and errno: EWOULDBLOCK if
 * another process holds it or has just removed it, and another value where
 * files cannot be held.
 */
int tr2_held_take(int fd);

/*
 * If nobody holds the file NAME.partial, its process was killed: give it a free
 * name NAME.N.partial, which the caller frees. NULL: it stays.
 */
char *tr2_held_move_away(const char *partial);

#endif
