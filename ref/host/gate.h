/*
 * gate.h - a lock that its own thread is never kept waiting for.
 *
 * A signal handler or an allocator's hook may interrupt a call that has the
 * lock, and make the same call. It is turned away, because the lock can't
 * become free meanwhile.
 *
 * A child that was made while a thread of its parent's had the lock finds it
 * free, also where no handler of fork(2) was registered yet.
 */
#ifndef TR2_HOST_GATE_H
#define TR2_HOST_GATE_H

#include <stdint.h>

#include "host/cancel.h"
#include "host/generation.h"

/* Those with a lock are in the order in which a thread takes them. */
enum tr2_gate {
	TR2_GATE_TRACING = 1, /* the tracing objects */
	TR2_GATE_AGENT = 2,
	TR2_GATE_ENGINE = 4,
	TR2_GATE_LOCKS = 7,
	TR2_GATE_FIRST = 8,   /* begins with the first event; has no lock */
	TR2_GATE_WRITER = 16, /* gets a writer; has no lock */
	TR2_GATE_OLDER = 32,  /* prints a line; has no lock */
	TR2_GATE_OWN = 64     /* a thread of the library, until its end */
};

struct tr2_gate_lock {
	pthread_mutex_t mutex;
	/* Takes what it protects from a child that inherited it; or NULL. */
	void (*forget)(void);
	uint32_t home; /* atomic: the process whose threads it keeps apart */
};

#define TR2_GATE_LOCK_INIT(forget)                   \
	{                                            \
		PTHREAD_MUTEX_INITIALIZER, forget, 0 \
	}

void tr2_gate_give(struct tr2_gate_lock *lock, uint32_t process);

/* Give this process the lock of its parent. The thread is inside the gate. */
static inline void tr2_gate_renew(struct tr2_gate_lock *lock)
{
	const uint32_t ours = tr2_generation();

	if (__atomic_load_n(&lock->home, __ATOMIC_ACQUIRE) != ours)
		tr2_gate_give(lock, ours);
}

/*
 * 1: the lock is held, until pthread_mutex_unlock(3). 0: another thread has it,
 * or none of this process had it yet.
 */
static inline int tr2_gate_lock_now(struct tr2_gate_lock *lock)
{
	return __atomic_load_n(&lock->home, __ATOMIC_ACQUIRE) ==
		       tr2_generation() &&
	       !pthread_mutex_trylock(&lock->mutex);
}

/* The gates that this thread is inside of, or about to enter or leave. */
extern __thread unsigned tr2_gates __attribute__((tls_model("initial-exec")));

/*
 * 1: the lock is held, and the thread is not cancelled; `cancel` is for
 * leaving. 0: this thread is inside already, or it has a later lock, for which
 * the thread that has this one may wait.
 */
static inline int tr2_gate_enter(enum tr2_gate gate, struct tr2_gate_lock *lock,
				 int *cancel)
{
	if (tr2_gates & TR2_GATE_LOCKS & -(unsigned)gate)
		return 0;
	tr2_gates |= (unsigned)gate;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*cancel = tr2_cancel_forbid();
	tr2_gate_renew(lock);
	pthread_mutex_lock(&lock->mutex);
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

/* For handlers of fork(2): the child is inside of nothing. */
static inline void tr2_gate_adopt(enum tr2_gate gate,
				  struct tr2_gate_lock *lock)
{
	tr2_gates |= (unsigned)gate;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tr2_gate_renew(lock);
	tr2_gate_open(gate);
}

static inline void tr2_gate_leave(enum tr2_gate gate,
				  struct tr2_gate_lock *lock, int cancel)
{
	tr2_cancel_unlock(&lock->mutex, cancel);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tr2_gates &= ~(unsigned)gate;
}

#endif
