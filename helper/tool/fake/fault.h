/*
 * fault.h - calls of the host that fail on request.
 *
 * TEST_TOOL_FAIL=<member>:<k>:<error>[,...]: the k-th call (from 1) of this
 * member of struct tr2_host fails with this errno; with `k+` all calls from
 * the k-th on fail. For write and send the error may be SHORT: half of the
 * bytes are written. A forked child continues the count, an executed program
 * begins again. Members: open, write, send, close, connect, mono_ns, wall_us,
 * utc_offset, hostname, process_stat, getenv, setenv, realloc, pages,
 * at_exit. Clocks and getenv have no errno: they return 0 and NULL.
 *
 * TEST_TOOL_FAIL_TOLD=<fd>: each such failure writes a byte to this
 * descriptor.
 */
#ifndef TR2_FAKE_FAULT_H
#define TR2_FAKE_FAULT_H

/* Install the faults that TEST_TOOL_FAIL asks for over the present host. */
void fault_install(void);

#endif
