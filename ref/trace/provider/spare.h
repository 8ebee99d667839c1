/*
 * spare.h - a provider that the program did not make. The program's first
 * own provider for the same manager takes it over, with all records that it
 * has, and gives it its name and categories.
 */
#ifndef TR2_TRACE_PROVIDER_SPARE_H
#define TR2_TRACE_PROVIDER_SPARE_H

/*
 * Make the spare provider if TRACE_MANAGER is set, and wait until tracing
 * runs, as trace_provider_create() does. Returns 1, or 0 if there is none.
 */
int tr2_provider_begin_spare(void);

/* End it, unless the program has taken it over. */
void tr2_provider_end_spare(void);

/*
 * Does the environment name a manager, and has the program no provider of its
 * own yet?
 */
int tr2_provider_is_wanted(void);

/* In a forked child: it belongs to the parent. Frees nothing. */
void tr2_provider_forget_spare(void);

#endif
