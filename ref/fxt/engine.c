#include "fxt/engine.h"

#include <errno.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/engine/session.h"
#include "host/host.h"
#include "base/list.h"
#include "destination/private.h"
#include "destination/value.h"
#include "fxt/file.h"
#include "fxt/guard.h"

static struct {
	int is_lost; /* atomic: another program has cut the file */
	struct tr2_fxt_file *file;
	struct trace_buffer_header header;
	const char *categories;	  /* a comma list, or NULL: all */
	enum tr2_fxt_judge judge; /* atomic, as the categories */
} engine;

_Static_assert(TR2_FXT_WINDOWS <= TR2_FXT_GUARDED,
	       "each window of the file can be guarded");

int tr2_fxt_wants_all;

/* ---- Categories ---- */

static int lists_category(const char *category)
{
	const char *categories =
		__atomic_load_n(&engine.categories, __ATOMIC_RELAXED);

	return !categories ||
	       tr2_list_has(categories, category, strlen(category));
}

void tr2_fxt_engine_judge(enum tr2_fxt_judge judge, const char *categories)
{
	const int wants_all = !categories && judge != TR2_FXT_MANAGER;

	__atomic_store_n(&engine.judge, judge, __ATOMIC_RELAXED);
	__atomic_store_n(&engine.categories, categories, __ATOMIC_RELAXED);
	__atomic_store_n(&tr2_fxt_wants_all, wants_all, __ATOMIC_RELAXED);
}

int tr2_fxt_asks_for(const char *category)
{
	const enum tr2_fxt_judge judge =
		__atomic_load_n(&engine.judge, __ATOMIC_RELAXED);

	if (judge != TR2_FXT_LIST && !trace_engine_category_enabled(category))
		return 0;
	return judge == TR2_FXT_AGENT || lists_category(category);
}

/* ---- The engine's handler ---- */

static bool is_category_enabled(struct trace_handler *handler,
				const char *category)
{
	(void)handler;
	return lists_category(category);
}

/*
 * The contents of the file are lost, and later records go nowhere.
 * `uncounted` lost records are those that no thread is writing now.
 * SPEC: fxt.target.file.cut
 */
static void lose_file(int uncounted)
{
	if (__atomic_exchange_n(&engine.is_lost, 1, __ATOMIC_ACQ_REL))
		return;
	tr2_fxt_file_give_up(engine.file);
	tr2_trace_abandon(uncounted);
}

/* Called in the handler of SIGBUS, inside a record. */
static void lose_mapping(void)
{
	lose_file(0);
}

static void guard_windows(void)
{
	size_t size;
	void *window;

	for (size_t which = 1;
	     (window = tr2_fxt_file_window(engine.file, which, &size)) != NULL;
	     which++)
		tr2_fxt_guard_add(which, window, size);
}

/* Without more, the writer of the record drops and counts it. */
static size_t grow_file(struct trace_handler *handler, size_t have)
{
	const size_t more = tr2_fxt_file_grow(engine.file, have);

	(void)handler;
	guard_windows();
	if (more)
		tr2_fxt_guard_widen(tr2_fxt_file_open_bytes(engine.file));
	else
		lose_file(-1);
	return more;
}

static void *place_chunk(struct trace_handler *handler, size_t at)
{
	(void)handler;
	return tr2_fxt_file_place(engine.file, at);
}

static void thread_begins(struct trace_handler *handler)
{
	(void)handler;
	tr2_fxt_guard_thread();
}

/* A thread that is still inside a record may write after the used part. */
static void trace_stopped(struct trace_handler *handler, int disposition,
			  size_t buffer_bytes_written)
{
	(void)handler;
	(void)buffer_bytes_written;
	if (disposition != ETIMEDOUT &&
	    !__atomic_load_n(&engine.is_lost, __ATOMIC_ACQUIRE))
		tr2_fxt_file_trim(engine.file,
				  engine.header.rolling_data_end[0]);
}

static const struct trace_handler_ops ops = {
	.is_category_enabled = is_category_enabled,
	.trace_stopped = trace_stopped,
	.grow = grow_file,
	.place = place_chunk,
	.thread_begins = thread_begins,
};
static struct trace_handler handler = { &ops };

/* ---- Its life ---- */

/* SPEC: fxt.target.machine */
int tr2_fxt_engine_is_there(const struct tr2_destination_options *destination)
{
	if (FXT_IS_SUPPORTED)
		return 1;
	if (tr2_destination_parse(destination->value).form != TR2_FORM_OFF) {
		errno = ENOTSUP;
		tr2_destination_warn_open(destination, "open",
					  destination->value);
	}
	return 0;
}

int tr2_fxt_engine_is_taken(void)
{
	return tr2_trace_handler() != NULL;
}

/*
 * 0, or an error: another part of the program owns the engine, or there is no
 * memory.
 */
static int start_engine(const struct tr2_fxt_file *file)
{
	int error = trace_engine_initialize_file(&handler, &engine.header,
						 file->space,
						 (size_t)file->have,
						 (size_t)file->max);

	if (error)
		return error;
	error = trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	if (error)
		trace_engine_terminate();
	return error;
}

int tr2_fxt_engine_begin(struct tr2_fxt_file *file)
{
	int error;

	engine.file = file;
	engine.is_lost = 0;
	tr2_fxt_guard_begin(file->map, tr2_fxt_file_open_bytes(file),
			    lose_mapping);
	error = start_engine(file);
	if (error)
		tr2_fxt_engine_forget(file);
	else if (file->is_full)
		lose_file(0);
	return error;
}

void tr2_fxt_engine_warn(struct tr2_fxt_file *file, int is_gone,
			 const struct tr2_destination_options *destination)
{
	if (!destination->debug)
		return;
	if (is_gone && !file->is_full) {
		tr2_host_warn("unable to write trace to '%s': "
			      "another program has cut, replaced or removed "
			      "the file, or its file system is full",
			      destination->variable);
		return;
	}
	errno = __atomic_exchange_n(&file->error, 0, __ATOMIC_RELAXED);
	if (errno)
		tr2_destination_warn_write(destination->variable);
}

/* A part to which nobody has written since may have been cut, too. */
void tr2_fxt_engine_settle(const struct tr2_destination_options *destination)
{
	if (tr2_fxt_file_state(engine.file) == TR2_FXT_GONE)
		lose_file(1);
	/* It may not have grown, but if that cost nothing, nobody is told. */
	if (trace_engine_dropped())
		tr2_fxt_engine_warn(engine.file,
				    __atomic_load_n(&engine.is_lost,
						    __ATOMIC_ACQUIRE),
				    destination);
}

void tr2_fxt_engine_end(void)
{
	trace_engine_stop(0);
	trace_engine_terminate();
}

void tr2_fxt_engine_forget(struct tr2_fxt_file *file)
{
	tr2_fxt_guard_end();
	tr2_fxt_file_forget(file);
}
