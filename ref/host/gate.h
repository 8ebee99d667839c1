/*
 * gate.h - a lock that its own thread is never kept waiting for.
 *
 * A signal handler or an allocator's hook may interrupt a call that has the
 * lock, and make the same call. It is turned away, because the lock can't
 * become free meanwhile.
 */
#ifndef TR2_HOST_GATE_H
#define TR2_HOST_GATE_H

#include "host/cancel.h"

enum tr2_gate {
	TR2_GATE_TRACING = 1, /* the tracing objects */
	TR2_GATE_AGENT = 2,
	TR2_GATE_ENGINE = 4,
	TR2_GATE_FIRST = 8,   /* begins with the first event; has no lock */
	TR2_GATE_WRITER = 16, /* gets a writer; has no lock */
	TR2_GATE_OLDER = 32,  /* prints a line; has no lock */
	TR2_GATE_OWN = 64     /* a thread of the library, until its end */
};

/* The gates that this thread is inside of, or about to enter or leave. */
extern __thread unsigned tr2_gates __attribute__((tls_model("initial-exec")));

/*
 * 1: the lock is held, and the thread is not cancelled; `cancel` is for
 * leaving. 0: this thread is inside already.
 */
static inline int tr2_gate_enter(enum tr2_gate gate, pthread_mutex_t *lock,
				 int *cancel)
{
	if (tr2_gates & (unsigned)gate)
		return 0;
	tr2_gates |= (unsigned)gate;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*cancel = tr2_cancel_lock(lock);
	return 1;
}

/* The same for a gate without a lock; 0: this thread is inside already. */
static inline int tr2_gate_try(enum tr2_gate gate)
{
	if (tr2_gates & (unsigned)gate)
		return 0;
	tr2_gates |= (unsigned)gate;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return 1;
}

static inline void tr2_gate_open(enum tr2_gate gate)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tr2_gates &= ~(unsigned)gate;
}

static inline void tr2_gate_leave(enum tr2_gate gate, pthread_mutex_t *lock,
				  int cancel)
{
	tr2_cancel_unlock(lock, cancel);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tr2_gates &= ~(unsigned)gate;
}

#endif
