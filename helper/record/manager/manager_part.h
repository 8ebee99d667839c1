/*
 * manager_part.h - what the files of the trace manager share.
 *
 *	manager.c  connections, and the loop over them
 *	peer.c     one connection: messages in and out
 *	registry.c messages of providers, and their FIFO packets
 *	tracing.c  a client's tracing, from its beginning to its end
 *	tracee.c   a provider in a tracing: buffer, start, stop
 *	tracing_kernel.c  the kernel in a tracing
 */
#ifndef TR2_MANAGER_PART_H
#define TR2_MANAGER_PART_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/files/socket.h"
#include "record/manager/manager.h"
#include "lib/common/vec.h"
#include "base/buf.h"
#include "trace/reader/archive.h"
#include "trace/engine.h"
#include "trace/provider/message.h"

/*
 * The reason for dropping a peer: a requirement's id, a colon, half a
 * sentence.
 */
typedef const char tr2_wrong;

enum tr2_role { TR2_PEER_NEW, TR2_PEER_PROVIDER, TR2_PEER_CLIENT };

/*
 * Bytes on their way to a client. Those from `start` on are still to be sent.
 */
struct tr2_outlet {
	int fd; /* -1: closed */
	struct tr2_buf buf;
	size_t start;
};

/* A connection. */
struct tr2_peer {
	struct tr2_manager *manager;
	int fd;	     /* -1: closed, and to be freed */
	int process; /* a pidfd, or -1 */
	pid_t pid;
	enum tr2_role role;

	/* These are used for a provider. */
	uint32_t id;
	char name[256];
	struct tr2_buf categories; /* for each: name, NUL, description, NUL */
	struct tr2_tracee *tracee; /* NULL: it is not traced */
	bool terminating;	   /* TERMINATED is still to come */
	uint64_t deadline;	   /* of an answer, in ns; 0: of none */

	/* These are used for a client. */
	struct tr2_outlet mail; /* messages that wait until it reads */
};

enum tr2_tracee_state {
	TR2_TRACEE_INITIALIZED,
	TR2_TRACEE_STARTING,
	TR2_TRACEE_STARTED,
	TR2_TRACEE_STOPPING,
	TR2_TRACEE_STOPPED,
	TR2_TRACEE_GONE, /* its process ended, or it was dropped */
};

/*
 * A provider in a tracing. It stays when the provider goes, because its
 * records and its result are still wanted.
 */
struct tr2_tracee {
	struct tr2_archive_source source;
	struct tr2_peer *peer; /* NULL: the provider has gone */
	pid_t pid;
	enum tr2_tracee_state state;
	void *buffer;
	tr2_wrong *wrong; /* or NULL */
	bool stop_early;  /* told to stop before its STARTED arrived */
	bool unread;	  /* do not read the buffer any more */
	bool finished;	  /* the archive has all its records */

	/* A SAVE_BUFFER that waits for its answer. */
	bool saving;
	uint32_t save_wrapped;
	uint64_t save_durable;
};

enum tr2_tracing_state {
	TR2_TRACING_NONE,
	TR2_TRACING_INITIALIZED,
	TR2_TRACING_STARTING,
	TR2_TRACING_STARTED,
	TR2_TRACING_STOPPING,
	TR2_TRACING_STOPPED,
	TR2_TRACING_ENDING,
};

/* A client's tracing. */
struct tr2_tracing {
	enum tr2_tracing_state state;
	struct tr2_peer *client;
	int mode;
	uint64_t size;	  /* of each buffer */
	char *categories; /* each one with its NUL */
	size_t categories_len;
	struct tr2_outlet output;
	struct tr2_archive archive;
	struct tr2_vec tracees; /* pointers */
	bool wants_kernel;
	bool wants_calls;	   /* system calls, too */
	struct tr2_kernel *kernel; /* or NULL */
	int kernel_refused;	   /* errno, or 0 */
	uint64_t kernel_next;	   /* time of the next look, in ns */
};

struct tr2_manager {
	struct tr2_manager_options options;
	struct tr2_socket socket; /* its `fd` is -1: it does not listen */
	bool crowded;		  /* no free descriptor: accept later */
	bool told_crowded;
	uint64_t retry; /* time to accept again, in ns, if it is crowded */
	struct tr2_vec peers; /* pointers */
	struct tr2_vec polls; /* struct pollfd; two for each peer, and more */
	uint32_t last_id;
	struct tr2_tracing tracing;
	struct tr2_message message; /* the present message */
};

static inline struct tr2_peer *
tr2_manager_peer(const struct tr2_manager *manager, size_t i)
{
	return ((struct tr2_peer **)manager->peers.items)[i];
}

static inline struct tr2_tracee *
tr2_tracing_tracee(const struct tr2_tracing *tracing, size_t i)
{
	return ((struct tr2_tracee **)tracing->tracees.items)[i];
}

/* The time at which an answer is too late, in ns. */
uint64_t tr2_manager_deadline(const struct tr2_manager *manager);

/* peer.c */
/* Read its messages; if its process is dead, close it after the last one. */
void tr2_peer_read(struct tr2_peer *peer, bool dead);
/*
 * Send a message. A provider that does not read is dropped; for a client the
 * message waits.
 */
void tr2_peer_send(struct tr2_peer *peer, unsigned request, uint16_t data16,
		   uint32_t data32, uint64_t data64, const void *payload,
		   size_t len, int fd);
void tr2_peer_flush(struct tr2_peer *peer);
void tr2_peer_done(struct tr2_peer *client, int error, uint32_t data32);
/* Close the connection; NULL: it did nothing wrong. */
void tr2_peer_drop(struct tr2_peer *peer, tr2_wrong *wrong);
void tr2_peer_free(struct tr2_peer *peer);

/*
 * Has the text no control character, and, if it must be whole, nothing that is
 * not UTF-8?
 */
bool tr2_manager_is_plain(const char *text, size_t len, bool whole);

/* registry.c and peer.c: return NULL, or what is wrong with the message. */
tr2_wrong *tr2_registry_message(struct tr2_peer *peer,
				const struct tr2_message *message);

/* tracing.c */
/* Requests: 0 or an errno value, or -1 if the answer comes later. */
int tr2_tracing_begin(struct tr2_peer *client, struct tr2_message *message);
int tr2_tracing_start(struct tr2_peer *client, struct tr2_message *message);
int tr2_tracing_stop(struct tr2_peer *client, struct tr2_message *message);
int tr2_tracing_end(struct tr2_peer *client, struct tr2_message *message);
/* The client has gone, or the tracing is complete. */
void tr2_tracing_abandon(struct tr2_manager *manager);
/* If the provider is free, it takes part in the present tracing. */
void tr2_tracing_join(struct tr2_peer *peer);
/* Do what has become possible. Call it after each event. */
void tr2_tracing_step(struct tr2_manager *manager, uint64_t now);
bool tr2_tracing_runs(const struct tr2_manager *manager);
/* The client reads too slowly: put nothing more into its archive now. */
bool tr2_tracing_is_full(const struct tr2_manager *manager);
void tr2_tracing_tell(const struct tr2_tracing *tracing,
		      const struct tr2_archive_source *source, pid_t pid,
		      tr2_wrong *wrong);
/*
 * When to call tr2_tracing_step() at the latest, in ns; UINT64_MAX: no limit.
 */
uint64_t tr2_tracing_next(const struct tr2_manager *manager);

/* tracing_kernel.c */
void tr2_tracing_kernel_start(struct tr2_manager *manager);
void tr2_tracing_kernel_step(struct tr2_manager *manager, uint64_t now);
void tr2_tracing_kernel_tell(struct tr2_tracing *tracing);
void tr2_tracing_kernel_end(struct tr2_tracing *tracing);

/* tracee.c */
struct tr2_tracee *tr2_tracee_new(struct tr2_peer *peer,
				  const struct tr2_tracing *tracing);
void tr2_tracee_start(struct tr2_tracee *tracee, int start_mode);
void tr2_tracee_stop(struct tr2_tracee *tracee);
/* Put into the archive what waits to be saved. */
void tr2_tracee_save(struct tr2_tracee *tracee, struct tr2_archive *archive);
void tr2_tracee_finish(struct tr2_tracee *tracee, struct tr2_archive *archive);
void tr2_tracee_gone(struct tr2_tracee *tracee, tr2_wrong *wrong);
void tr2_tracee_free(struct tr2_tracee *tracee);
tr2_wrong *tr2_tracee_packet(struct tr2_tracee *tracee,
			     const trace_provider_packet_t *packet);

/* An archive's way to its client. */
int tr2_outlet_put(void *output, const void *bytes, size_t len);
/* Send as much as the client reads. Not 0: the client wants no more. */
int tr2_outlet_flush(struct tr2_outlet *output);
size_t tr2_outlet_waiting(const struct tr2_outlet *output);
void tr2_outlet_close(struct tr2_outlet *output);

#endif
