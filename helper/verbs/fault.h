/*
 * fault.h - calls of the host that fail when they are told to.
 *
 * TEST_TOOL_FAIL=<member>:<k>:<error>[,...]: the k-th call (from 1) of that
 * member of struct tr2_host fails with that errno; with `k+` all from the
 * k-th on do. For write and send the error may be SHORT: half of the bytes
 * are written. A forked child goes on counting, an executed one begins
 * anew. Members: open, write, send, close, connect, mono_ns, wall_us,
 * utc_offset, hostname, process_stat, getenv, setenv, realloc, pages,
 * at_exit. Clocks and getenv know no errno: they give 0 and NULL.
 *
 * TEST_TOOL_FAIL_TOLD=<fd>: a byte is written there for each such failure.
 */
#ifndef FAULT_H
#define FAULT_H

/* Put the faults over the host in use, if TEST_TOOL_FAIL asks for some. */
void fault_install(void);

#endif
