/*
 * fake_host.h - a world in which every run writes the same bytes.
 *
 * With TEST_TOOL_FAKE_HOST set, test-tool gives the library a host table of
 * its own: fixed clocks, pids, host name, time zone and ancestors. Files,
 * environment and memory stay real. TEST_TOOL_FAKE_CLOCK sets the time at
 * which the scenario begins (microseconds since the epoch).
 *
 * One world is shared by all processes of a scenario, whether they were
 * forked or executed: there is one clock, and it never goes back. It stands
 * still but for fake_tick(), which moves it by the next prime number of
 * microseconds, and fake_sleep(). Processes are numbered 1000, 1001, ... in
 * the order in which they are announced.
 *
 * TEST_TOOL_FAIL, with or without the rest, makes calls of the host fail:
 * see verbs/fault.h.
 *
 * Without TEST_TOOL_FAKE_HOST each function here does nothing, or what the
 * system does.
 */
#ifndef TR2_VERBS_FAKE_HOST_H
#define TR2_VERBS_FAKE_HOST_H

#include <stdint.h>
#include <sys/types.h>

/* First thing in main(): install what the environment asks for. */
void fake_host_install(const char *program);

/* Before a traced call: it is this thread's turn, and some time passed. */
void fake_tick(void);

/* Spend that much time. */
void fake_sleep(uint64_t ns);

/*
 * A process about to be forked: its number, for both sides; 0 without a
 * fake world. The child says who it is with fake_child_enter().
 */
pid_t fake_child(void);
void fake_child_enter(pid_t pid);

/*
 * Threads that take turns: exactly one of them runs, and fake_tick() hands
 * on to the next. fake_turns_open() is called before they are created;
 * places count from 0.
 */
#define FAKE_TURNS_MAX 64
void fake_turns_open(int count);
void fake_turns_enter(int place);
void fake_turns_leave(void);

#endif
