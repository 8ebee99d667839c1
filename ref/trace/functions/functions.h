/*
 * functions.h - calls of functions as durations, in programs that are
 * compiled with -finstrument-functions. It is a library of its own,
 * libtrace2-functions, which a program links before libtrace2, or which is
 * preloaded:
 *
 *	cc -finstrument-functions main.c -ltrace2-functions -ltrace2
 *	trace2 record -- ./a.out
 *
 * Each object (the program, a library) has a category: its file's name. Each
 * call is a duration `function` with the function's `address`. Before the
 * first of them, an instant `module` of the same category tells where the
 * object is: `path`, `build_id`, `base`, `from`, `to`. `trace2 dump` and
 * `trace2 convert` find the functions' names with these.
 *
 * The compiler calls the two functions at the begin and the end of each
 * function. While nothing is traced, they cost a call, a load and a branch.
 * They take no lock, except in the first call of an object, allocate nothing
 * and keep errno; a call inside them is not traced, so that a signal handler
 * may be instrumented, too. At most TR2_MODULES objects are known; functions
 * of others are left out.
 */
#ifndef TR2_TRACE_FUNCTIONS_FUNCTIONS_H
#define TR2_TRACE_FUNCTIONS_FUNCTIONS_H

#ifndef TR2_MODULES /* a test has fewer */
#define TR2_MODULES 256
#endif

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((visibility("default"), no_instrument_function)) void
__cyg_profile_func_enter(void *function, void *caller);
__attribute__((visibility("default"), no_instrument_function)) void
__cyg_profile_func_exit(void *function, void *caller);

#ifdef __cplusplus
}
#endif

#endif
