/*
 * manager.h - the trace manager: it stands between programs that can be
 * traced and clients that want traces.
 *
 *	struct tr2_manager *manager = tr2_manager_new(&options);
 *
 *	if (tr2_manager_listen(manager, path))
 *		...
 *	tr2_manager_run(manager, stop_fd);
 *	tr2_manager_free(manager);
 *
 * Programs register with the manager. A client begins a tracing; the manager
 * then gives each program a buffer in shared memory, tells it to start and to
 * stop, and copies its records to the client's archive. There is one tracing
 * at a time. TRACING.md, "Providers", describes the messages; this room knows
 * them, sockets and shared memory. It uses ref/trace/reader to write
 * archives, and ref/trace/provider for the messages. Only helper/record may
 * use it.
 *
 * The manager runs on one thread and has no locks. It never waits for a peer:
 * a peer that does not read its messages or does not answer in time is
 * dropped, and the others do not notice. It trusts no peer: each message is
 * checked, a buffer is copied before it is read, and a program that breaks a
 * rule is dropped with the rule's id. It prints nothing.
 */
#ifndef TR2_MANAGER_H
#define TR2_MANAGER_H

#include <stddef.h>
#include <sys/types.h>

struct tr2_manager;

/* All zero means the defaults. */
struct tr2_manager_options {
	unsigned answer_ms; /* time for a provider's answer; 0: 5000 */
	size_t queue_bytes; /* bytes that wait for a client; 0: 16 MiB */
	/*
	 * Reports that a connection was dropped for what it did: the id of a
	 * requirement, a colon, half a sentence. `name` is "" if it had not
	 * registered yet.
	 */
	void (*dropped)(void *context, const char *name, pid_t pid,
			const char *wrong);
	/*
	 * Reports once that a connection has to wait, because there is no
	 * free descriptor.
	 */
	void (*crowded)(void *context);
	void *context;
};

/* NULL if memory fails. */
struct tr2_manager *tr2_manager_new(const struct tr2_manager_options *options);

/* Closes all connections, and removes the socket on which it listens. */
void tr2_manager_free(struct tr2_manager *manager);

/*
 * Make the socket, which only its owner can use, and a file `path`.lock next
 * to it for as long as it exists. A socket that an earlier manager left
 * behind is replaced. 0, or errno: EADDRINUSE if another manager listens
 * there, or is about to.
 */
int tr2_manager_listen(struct tr2_manager *manager, const char *path);

/* Serve a connection that was made in another way. 0, or errno. */
int tr2_manager_adopt(struct tr2_manager *manager, int fd);

/*
 * Do what is due. If nothing is due, wait until something is, or until
 * `stop_fd` (-1: none) can be read, or at most `timeout_ms` (-1: no limit).
 * Returns 1 if stop_fd can be read, else 0.
 */
int tr2_manager_step(struct tr2_manager *manager, int stop_fd, int timeout_ms);

/* Repeat tr2_manager_step() until stop_fd can be read. */
void tr2_manager_run(struct tr2_manager *manager, int stop_fd);

#endif
