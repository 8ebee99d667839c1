/*
 * host.h - a world in which every run writes the same bytes.
 *
 * If TEST_TOOL_FAKE_HOST is set, test-tool gives the library a host table of
 * its own: fixed clocks, pids, host name, time zone and ancestors. Files,
 * environment and memory are real. TEST_TOOL_FAKE_CLOCK sets the time at
 * which the scenario begins (microseconds since the epoch).
 *
 * All processes of a scenario, forked or executed, share one world: there is
 * one clock, and it never goes back. It moves only in fake_tick(), by the
 * next prime number of microseconds, and in fake_sleep(). Processes have the
 * numbers 1000, 1001, ... in the order in which they are announced.
 *
 * TEST_TOOL_FAIL makes calls of the host fail, with or without the rest: see
 * fake/fault.h.
 *
 * Without TEST_TOOL_FAKE_HOST each function here does nothing, or what the
 * system does.
 */
#ifndef TR2_FAKE_HOST_H
#define TR2_FAKE_HOST_H

#include <stdint.h>
#include <sys/types.h>

/* Call it first in main(): installs what the environment asks for. */
void fake_host_install(const char *program);

/*
 * Call it before a traced call: waits for this thread's turn, and moves the
 * clock.
 */
void fake_tick(void);

/* Move the clock by this time. */
void fake_sleep(uint64_t ns);

/*
 * Returns the number of the process that is about to be forked, for both
 * sides; 0 without a fake world. The child then calls fake_child_enter().
 */
pid_t fake_child(void);
void fake_child_enter(pid_t pid);
/* What is executed from now on has this number; 0: that of this process. */
void fake_child_tell(pid_t pid);

/*
 * Threads that take turns: exactly one of them runs, and fake_tick() passes
 * the turn to the next one. Call fake_turns_open() before they are created;
 * places count from 0.
 */
#define FAKE_TURNS_MAX 128
void fake_turns_open(int count);
void fake_turns_enter(int place);
void fake_turns_leave(void);

#endif
