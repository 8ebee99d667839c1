/* environment.h - a variable that a program sets again and again. */
#ifndef TR2_HOST_ENVIRONMENT_H
#define TR2_HOST_ENVIRONMENT_H

/*
 * As setenv(3), which keeps each text that a variable ever had. This has a few
 * places for each variable and uses them in turn, so a text that somebody got
 * from getenv(3) is valid for the next sets, too, and its memory for ever.
 * The texts are of malloc(3), so that a program may free one that it takes out
 * of the environment. `name` is not copied. Needs a lock, as setenv(3) does. 0
 * or -1.
 */
int tr2_environment_set(const char *name, const char *value);

#endif
