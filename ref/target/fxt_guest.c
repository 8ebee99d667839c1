#include "target/fxt_guest.h"

#include <errno.h>

#include "base/buf.h"
#include "fxt/append.h"
#include "fxt/engine.h"
#include "fxt/file.h"
#include "trace/agent.h"
#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/engine/session.h"

/* About the size of one write. */
#define WRITE_BYTES ((size_t)1 << 16)

static struct {
	struct tr2_agent_client *client; /* atomic; NULL: not a guest */
	struct tr2_fxt_file *file;
	const char *categories; /* a comma list, or NULL: all */
	int is_moving;		/* atomic */
	uint64_t lost;		/* atomic */

	/* Of the thread that passes on records. */
	struct tr2_buf waiting;
	uint64_t events; /* among what is waiting */
} guest;

static void count_lost(uint64_t events)
{
	__atomic_fetch_add(&guest.lost, events, __ATOMIC_RELAXED);
}

/*
 * The client
 */

static void write_out(void)
{
	if (guest.waiting.len &&
	    !tr2_fxt_append(guest.file, guest.waiting.bytes, guest.waiting.len))
		count_lost(guest.events);
	tr2_buf_reset(&guest.waiting);
	guest.events = 0;
}

static int is_event(const void *bytes)
{
	const enum fxt_record type = *(const uint64_t *)bytes & 15;

	return type == FXT_EVENT || type == FXT_LARGE;
}

/* A piece without memory is left out whole. */
static void take_bytes(void *context, const void *bytes, size_t len)
{
	(void)context;
	if (guest.waiting.len >= WRITE_BYTES)
		write_out();
	if (!tr2_buf_grow(&guest.waiting, len)) {
		tr2_buf_add(&guest.waiting, bytes, len);
		guest.events += (uint64_t)is_event(bytes);
		return;
	}
	guest.waiting.failed = 0;
	count_lost((uint64_t)is_event(bytes));
}

static void take_flush(void *context, uint64_t dropped)
{
	(void)context;
	(void)dropped;
	if (__atomic_load_n(&guest.is_moving, __ATOMIC_RELAXED)) {
		tr2_fxt_engine_judge(TR2_FXT_AGENT, guest.categories);
		__atomic_store_n(&guest.is_moving, 0, __ATOMIC_RELEASE);
	}
	write_out();
}

static struct tr2_agent_client *make_client(void)
{
	static const struct trace_agent_consumer consumer = {
		.format = TRACE_AGENT_FXT,
		.bytes = take_bytes,
		.flush = take_flush,
	};
	struct tr2_agent_client *client = tr2_agent_make_client(
		&consumer,
		guest.categories ? guest.categories : tr2_categories_all);

	__atomic_store_n(&guest.client, client, __ATOMIC_RELEASE);
	return client;
}

static void keep_file(struct tr2_fxt_file *file, const char *categories)
{
	guest.file = file;
	guest.categories = categories;
	guest.lost = 0;
}

/*
 * The agent came first
 */

int tr2_fxt_guest_is_needed(void)
{
	return tr2_agent_categories() != NULL;
}

int tr2_fxt_guest_begin(struct tr2_fxt_file *file, const char *categories)
{
	int error = ENOMEM;

	keep_file(file, categories);
	tr2_fxt_file_trim(file, 0);
	tr2_fxt_append_begin(file);
	tr2_fxt_engine_judge(TR2_FXT_AGENT, categories);
	if (make_client())
		error = tr2_agent_add(guest.client);
	if (error)
		tr2_fxt_guest_end();
	return error;
}

/*
 * The target came first
 */

/*
 * The agent asks, on the thread that adds its first client. Events in the
 * meantime are counted as lost.
 */
static int give_engine(void)
{
	if (!make_client())
		return 0;
	__atomic_store_n(&guest.is_moving, 1, __ATOMIC_SEQ_CST);
	if (tr2_fxt_file_state(guest.file) != TR2_FXT_WHOLE)
		tr2_fxt_file_give_up(guest.file);
	tr2_fxt_engine_end();
	count_lost(trace_engine_dropped());
	tr2_fxt_append_begin(guest.file);
	tr2_agent_add_guest(guest.client);
	tr2_trace_set_yield(NULL);
	return 1;
}

void tr2_fxt_guest_offer(struct tr2_fxt_file *file, const char *categories)
{
	keep_file(file, categories);
	tr2_trace_set_yield(give_engine);
}

/*
 * Both
 */

static int is_guest(void)
{
	return __atomic_load_n(&guest.client, __ATOMIC_ACQUIRE) != NULL;
}

int tr2_fxt_guest_loses(void)
{
	const int is_moving =
		__atomic_load_n(&guest.is_moving, __ATOMIC_ACQUIRE);

	if (is_moving)
		count_lost(1);
	return is_moving;
}

int tr2_fxt_guest_settle(const struct tr2_destination_options *destination)
{
	if (!is_guest())
		return 0;
	tr2_agent_flush();
	if (tr2_fxt_guest_lost())
		tr2_fxt_engine_warn(guest.file,
				    tr2_fxt_file_state(guest.file) ==
					    TR2_FXT_GONE,
				    destination);
	return 1;
}

uint64_t tr2_fxt_guest_lost(void)
{
	return __atomic_load_n(&guest.lost, __ATOMIC_RELAXED);
}

static void free_client(void)
{
	struct tr2_agent_client *client =
		__atomic_exchange_n(&guest.client, NULL, __ATOMIC_ACQ_REL);

	trace_agent_remove_client((struct trace_agent_client *)(void *)client);
}

/* A thread that moves the engine now has done it after the flush. */
int tr2_fxt_guest_end(void)
{
	tr2_trace_set_yield(NULL);
	tr2_agent_flush();
	if (!is_guest())
		return 0;
	free_client();
	tr2_buf_release(&guest.waiting);
	return 1;
}

/* The parent's thread may have been changing what waits. */
void tr2_fxt_guest_forget(void)
{
	guest.waiting = (struct tr2_buf)TR2_BUF_INIT;
	guest.events = 0;
	guest.is_moving = 0;
	guest.lost = 0;
	free_client();
}
