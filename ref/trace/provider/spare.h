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

/* Is there one, perhaps of the parent? */
int tr2_provider_has_spare(void);

/* In a forked child: make one if the parent has one. */
void tr2_provider_renew_spare(void);

#endif
