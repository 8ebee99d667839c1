/*
 * doomed.h - what a command has made and is not in its place yet: it is removed
 * when the process exits, has no memory left, or dies of a signal that can be
 * caught. The signal still ends the process. SIGKILL leaves everything.
 */
#ifndef TR2_FILES_DOOMED_H
#define TR2_FILES_DOOMED_H

/*
 * A file, or a directory that was made before what is in it. The text must live
 * until it is forgotten. Whoever makes it first blocks all signals, unless
 * nobody else can have something of this name.
 */
void tr2_doomed_add(char *path);

/* It is in its place, or was removed. */
void tr2_doomed_forget(const char *path);

#endif
