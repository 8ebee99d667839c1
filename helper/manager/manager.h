/*
 * manager.h - the trace manager: between programs that can be traced and
 * clients that want traces.
 *
 *	struct tr2_manager *manager = tr2_manager_new(&options);
 *
 *	if (tr2_manager_listen(manager, path))
 *		...
 *	tr2_manager_run(manager, stop_fd);
 *	tr2_manager_free(manager);
 *
 * It runs on one thread and never waits for any of them: whoever does not
 * read what it is sent, or does not answer in time, is dropped, alone.
 */
#ifndef TR2_MANAGER_H
#define TR2_MANAGER_H

#include <stddef.h>
#include <sys/types.h>

struct tr2_manager;

/* All zero is as good as none. */
struct tr2_manager_options {
	unsigned answer_ms; /* that a provider has to answer; 0: 5000 */
	size_t queue_bytes; /* of an archive, kept for its client; 0: 16 MiB */
	/*
	 * Tells of a connection that was dropped for what it did: the id of
	 * a requirement, a colon, half a sentence. `name` is "" before it
	 * registered.
	 */
	void (*dropped)(void *context, const char *name, pid_t pid,
			const char *wrong);
	void *context;
};

/* NULL where memory fails. */
struct tr2_manager *tr2_manager_new(const struct tr2_manager_options *options);

/* Closes all connections, and removes the socket that it listens at. */
void tr2_manager_free(struct tr2_manager *manager);

/*
 * Make the socket, for its owner alone, and for as long as it is there a
 * file `path`.lock beside it. One that is left over from a manager that is
 * gone is replaced. 0, or errno: EADDRINUSE where somebody listens already,
 * or is about to.
 */
int tr2_manager_listen(struct tr2_manager *manager, const char *path);

/* Serve a connection that was made in another way. 0, or errno. */
int tr2_manager_adopt(struct tr2_manager *manager, int fd);

/*
 * Do what there is to do; wait for it until `stop_fd` (-1: none) can be
 * read, at most `timeout_ms` (-1: without end). 1 if it can be, else 0.
 */
int tr2_manager_step(struct tr2_manager *manager, int stop_fd, int timeout_ms);

/* Step until stop_fd can be read. */
void tr2_manager_run(struct tr2_manager *manager, int stop_fd);

#endif
