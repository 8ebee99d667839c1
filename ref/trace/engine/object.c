/* Records other than events, and functions that write no record. */
#include <errno.h>
#include <string.h>

#include "trace/engine/args.h"
#include "trace/event.h"
#include "trace/engine/session.h"

#define ALERT_BYTES ((size_t)14)

static int write_blob(struct tr2_trace_writer *writer, int type,
		      const char *name, const void *bytes, size_t size)
{
	struct fxt_text text;
	size_t words;
	uint64_t *at;

	if (size > FXT_BLOB_BYTES ||
	    !tr2_trace_new_literal(writer, name, &text))
		return 0;
	words = 1 + fxt_text_words(text) + fxt_words(size);
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	fxt_put_bytes(tr2_trace_put_text(at + 1, text), bytes, size);
	tr2_trace_writer_commit(writer,
				fxt_blob_header((enum fxt_blob)type, words,
						text.ref, size),
				words);
	return 1;
}

void trace_internal_blob(int type, const char *name, const void *bytes,
			 size_t size)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();

	if (!writer)
		return;
	if (!write_blob(writer, type, name, bytes, size))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

static int write_attachment(struct tr2_trace_writer *writer,
			    const char *category, const char *name,
			    const void *bytes, size_t size)
{
	struct fxt_text group, text;
	size_t words;
	uint64_t *at;

	if (size > FXT_BLOB_BYTES ||
	    !tr2_trace_literal(writer, category, &group) ||
	    !tr2_trace_literal(writer, name, &text))
		return 0;
	words = 3 + fxt_text_words(group) + fxt_text_words(text) +
		fxt_words(size);
	at = tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = fxt_format_header(group.ref, text.ref, 0, 0);
	at = tr2_trace_put_text(tr2_trace_put_text(at + 2, group), text);
	*at++ = size;
	fxt_put_bytes(at, bytes, size);
	tr2_trace_writer_commit(
		writer, fxt_large_blob_header(FXT_LARGE_ATTACHMENT, words),
		words);
	return 1;
}

void trace_internal_attachment(const char *category, const char *name,
			       const void *bytes, size_t size)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();

	if (!writer)
		return;
	if (!write_attachment(writer, category, name, bytes, size))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

/*
 * Names
 */

/* Find the name in `<pid> (<name>) ...`; the name may contain parentheses. */
static const char *name_in_stat(char *stat)
{
	char *open = strchr(stat, '(');
	char *close = open ? strrchr(open, ')') : NULL;

	if (!close)
		return NULL;
	*close = '\0';
	return open + 1;
}

const char *tr2_trace_system_name(uint64_t koid, char *stat, size_t size)
{
	ssize_t got = tr2_host->process_stat((pid_t)koid, stat, size - 1);

	if (got < 0)
		return NULL;
	stat[got] = '\0';
	return name_in_stat(stat);
}

int tr2_trace_name_object(struct tr2_trace_writer *writer, enum fxt_object type,
			  uint64_t koid, const char *name,
			  const struct trace_arg *given, size_t count)
{
	struct fxt_text text =
		fxt_inline(name, tr2_trace_cut(name, strlen(name), 255));
	struct tr2_trace_args args;
	uint64_t *at, header;
	int is_lasting;
	size_t words;

	tr2_trace_args_set(&args, given, count);
	if (!tr2_trace_args_resolve(writer, &args, tr2_trace_new_literal))
		return 0;
	words = 2 + fxt_text_words(text) + args.words;
	is_lasting = tr2_trace_may_last(words);
	at = is_lasting
		     ? tr2_trace_lasting_room(writer, words)
		     : tr2_trace_writer_room(writer, &tr2_trace.space, words);
	if (!at)
		return 0;
	at[1] = koid;
	tr2_trace_args_put(tr2_trace_put_text(at + 2, text), &args);
	header = fxt_kernel_object_header(type, words, args.count, text.ref);
	if (is_lasting)
		tr2_trace_lasting_commit(writer, at, header, words);
	else
		tr2_trace_writer_commit(writer, header, words);
	return 1;
}

/* `args` has room for one more argument, the process of a thread. */
static void name_object(struct tr2_trace_writer *writer, enum fxt_object type,
			uint64_t koid, const char *name, struct trace_arg *args,
			size_t count)
{
	if (type == FXT_OBJECT_THREAD) {
		args[count].name = "process";
		args[count++].value = TA_KOID(writer->thread.process);
	}
	if (!tr2_trace_name_object(writer, type, koid, name, args, count))
		tr2_trace_drop(writer);
	tr2_trace_end(writer);
}

/*
 * Is it a process? -1: no record would be written now. Asking comes before the
 * system is asked for a name, and outside of the record, for which a stop
 * would have to wait.
 */
static int is_process(uint64_t koid)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();
	int is_own;

	if (!writer)
		return -1;
	is_own = koid == writer->thread.process;
	tr2_trace_end(writer);
	return is_own;
}

/* The name in `stat`, or NULL. SPEC: engine.errno */
static const char *ask_name(uint64_t koid, char *stat, size_t size)
{
	int error = errno;
	const char *name = tr2_trace_system_name(koid, stat, size);

	errno = error;
	return name;
}

void trace_internal_kernel_object(uint64_t koid, const struct trace_arg *args,
				  size_t count)
{
	const int is_own = is_process(koid);
	struct trace_arg all[FXT_ARGS + 1];
	struct tr2_trace_writer *writer;
	char stat[512];
	const char *name = is_own < 0 ? NULL
				      : ask_name(koid, stat, sizeof(stat));

	writer = name ? tr2_trace_begin() : NULL;
	if (!writer)
		return;
	if (count > FXT_ARGS)
		count = FXT_ARGS;
	memcpy(all, args, count * sizeof(*args));
	name_object(writer, is_own ? FXT_OBJECT_PROCESS : FXT_OBJECT_THREAD,
		    koid, name, all, count);
}

void trace_name_process(const char *name)
{
	struct tr2_trace_writer *writer;

	writer = TRACE_ENABLED() ? tr2_trace_begin() : NULL;
	if (writer)
		name_object(writer, FXT_OBJECT_PROCESS, writer->thread.process,
			    name ? name : "", NULL, 0);
}

void trace_name_thread(const char *name)
{
	struct tr2_trace_writer *writer;
	struct trace_arg args[1];

	writer = TRACE_ENABLED() ? tr2_trace_begin() : NULL;
	if (writer)
		name_object(writer, FXT_OBJECT_THREAD, writer->thread.thread,
			    name ? name : "", args, 0);
}

/*
 * No records
 */

void trace_internal_alert(const char *name)
{
	struct tr2_trace_writer *writer = tr2_trace_begin();
	struct trace_handler *handler;
	char text[ALERT_BYTES + 1] = "";

	if (!writer)
		return;
	handler = tr2_trace_handler();
	memcpy(text, name, strnlen(name, ALERT_BYTES));
	if (handler && handler->ops->send_alert)
		handler->ops->send_alert(handler, text);
	tr2_trace_end(writer);
}

uint64_t trace_internal_nonce(void)
{
	static uint64_t last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
