#include <stdlib.h>

#include "views/archive/logs.h"
#include "lib/common/memory.h"
#include "read/value.h"

#define FRAME (2 * sizeof(uint16_t)) /* the lengths after both texts */
#define TEXT_MAX_KEPT 200
#define FIRST_ROOM ((size_t)64)

/* The table of runs is a hash table with chains; its room is a power of two. */
static struct tr2_run **bucket_of(const struct tr2_logs *logs, uint64_t key)
{
	return &logs->buckets[key >> 32 & (logs->room - 1)];
}

static void grow_buckets(struct tr2_logs *logs)
{
	struct tr2_run **old = logs->buckets, *run, *next, **bucket;
	size_t i, count = logs->room;

	logs->room = count ? 2 * count : FIRST_ROOM;
	logs->buckets = tr2_must_zeros(logs->room * sizeof(run));
	for (i = 0; i < count; i++)
		for (run = old[i]; run; run = next) {
			next = run->next;
			bucket = bucket_of(logs, run->self.key);
			run->next = *bucket;
			*bucket = run;
		}
	free(old);
}

/*
 * Add a process that has just been seen for the first time. Its main thread
 * has the same id as the process.
 */
static struct tr2_run *add_run(struct tr2_logs *logs, const char *sid,
			       size_t len)
{
	struct tr2_run *run = tr2_must_zeros(sizeof(*run)), **bucket;
	struct tr2_run_thread *thread;
	size_t i;

	if (logs->runs++ >= logs->room)
		grow_buckets(logs);
	tr2_timeline_begin(&run->timeline);
	tr2_tree_read_sid(&run->self, sid, len);
	for (i = 0; i < len; i++)
		if (sid[i] == '/') {
			run->depth++;
			run->parent_pid = tr2_sid_pid(sid, i);
		}
	bucket = bucket_of(logs, run->self.key);
	run->next = *bucket;
	*bucket = run;
	tr2_run_thread(logs, run, "main", 4);
	thread = tr2_run_thread_at(run, 0);
	run->process = thread->id.process = thread->id.thread;
	return run;
}

static struct tr2_run *find_run(const struct tr2_logs *logs, uint64_t key)
{
	struct tr2_run *run = logs->room ? *bucket_of(logs, key) : NULL;

	while (run && run->self.key != key)
		run = run->next;
	return run;
}

struct tr2_run *tr2_run_parent(const struct tr2_logs *logs,
			       const struct tr2_run *run)
{
	return run->self.has_parent ? find_run(logs, run->self.parent) : NULL;
}

/* Most events belong to the same process as the one before. */
struct tr2_run *tr2_run_find(struct tr2_logs *logs, const char *sid, size_t len)
{
	uint64_t key = tr2_hash(sid, len).a;

	if (!logs->latest || logs->latest->self.key != key)
		logs->latest = find_run(logs, key);
	if (!logs->latest)
		logs->latest = add_run(logs, sid, len);
	return logs->latest;
}

void tr2_run_reserve(struct tr2_buf *buf, size_t more)
{
	if (buf->room - buf->len >= more)
		return;
	buf->room = 2 * buf->len + more;
	buf->bytes = tr2_must_grow(buf->bytes, buf->room);
}

/*
 * A thread is known by its name's hash; its place may be reused after its
 * end.
 */
size_t tr2_run_thread(struct tr2_logs *logs, struct tr2_run *run,
		      const char *name, size_t len)
{
	struct tr2_hash hash = tr2_hash(name, len);
	struct tr2_fxt_text text = { name, len };
	struct tr2_run_thread *thread;
	size_t i = tr2_slots_find(&run->thread_names, hash.a);

	if (i != TR2_NO_SLOT)
		return i;
	i = tr2_slots_add(&run->thread_names, hash.a);
	thread = tr2_vec_renew(&run->threads, i, sizeof(*thread));
	thread->id.thread = ++logs->ids;
	thread->id.process = i ? run->process : thread->id.thread;
	tr2_fxt_name_thread(&logs->writer, &thread->id, text);
	return i;
}

void tr2_run_drop_thread(struct tr2_run *run, size_t number)
{
	struct tr2_run_thread *thread = tr2_run_thread_at(run, number);

	tr2_buf_release(&thread->open);
	memset(thread, 0, sizeof(*thread));
	tr2_slots_remove(&run->thread_names, number);
}

/* Texts are cut to TEXT_MAX_KEPT bytes, so that 16 bits hold their lengths. */
static uint16_t put_frame_text(struct tr2_buf *open, struct tr2_fxt_text text)
{
	text = tr2_fxt_shorten(text, TEXT_MAX_KEPT);
	tr2_run_keep(open, text);
	return (uint16_t)text.len;
}

/*
 * No slice begins or ends before the last one: viewers would nest them wrongly.
 */
static uint64_t keep_order(struct tr2_run_thread *thread, uint64_t time)
{
	if (time < thread->last)
		time = thread->last;
	thread->last = time;
	return time;
}

void tr2_run_push(struct tr2_logs *logs, struct tr2_run_thread *thread,
		  uint64_t time, struct tr2_fxt_text category,
		  struct tr2_fxt_text name)
{
	uint16_t lens[2];

	time = keep_order(thread, time);
	lens[0] = put_frame_text(&thread->open, category);
	lens[1] = put_frame_text(&thread->open, name);
	tr2_run_reserve(&thread->open, FRAME);
	tr2_buf_add(&thread->open, lens, FRAME);
	thread->depth++;
	tr2_fxt_begin_event(&logs->writer, FXT_DURATION_BEGIN, time,
			    &thread->id, category, name);
}

/*
 * DevTools needs the name and category of a slice at its end, too, so they
 * come from the stack of open slices. The caller adds arguments and ends the
 * event.
 */
void tr2_run_pop(struct tr2_logs *logs, struct tr2_run_thread *thread,
		 uint64_t time)
{
	struct tr2_buf *open = &thread->open;
	struct tr2_fxt_text category, name;
	uint16_t lens[2];

	time = keep_order(thread, time);
	memcpy(lens, open->bytes + open->len - FRAME, FRAME);
	open->len -= FRAME + lens[0] + lens[1];
	category.bytes = open->bytes + open->len;
	category.len = lens[0];
	name.bytes = category.bytes + category.len;
	name.len = lens[1];
	thread->depth--;
	tr2_fxt_begin_event(&logs->writer, FXT_DURATION_END, time, &thread->id,
			    category, name);
}

/* The first name wins: viewers show only one. */
void tr2_run_name(struct tr2_logs *logs, struct tr2_run *run,
		  struct tr2_fxt_text name)
{
	if (run->title.len || !name.len)
		return;
	tr2_fxt_name_process(&logs->writer, run->process, name);
	tr2_run_keep(&run->title, name);
}

/*
 * Read the real pid at the end of the SID's last component: -P and hex
 * digits.
 */
static bool read_pid(const char *sid, size_t len, uint64_t *pid)
{
	static const char hex[] = "0123456789abcdef";
	const char *digit;
	unsigned shift = 0;

	for (*pid = 0; len && shift < 64; shift += 4) {
		digit = memchr(hex, sid[--len], sizeof(hex) - 1);
		if (!digit)
			break;
		*pid |= (uint64_t)(digit - hex) << shift;
	}
	return shift && len && sid[len] == 'P' && sid[len - 1] == '-';
}

static struct tr2_fxt_text text_of(const struct tr2_buf *buf)
{
	struct tr2_fxt_text text = { buf->bytes, buf->len };

	return text;
}

/* Write the begin of the process's slice except its end. */
static void push_process(struct tr2_logs *logs, struct tr2_run *run,
			 struct tr2_fxt_text sid)
{
	struct tr2_run_thread *first = tr2_run_thread_at(run, 0);
	struct tr2_fxt_writer *writer = &logs->writer;
	uint64_t pid;

	run->begun = true;
	first->floor = 1;
	run->start = tr2_run_time(run, 0);
	tr2_run_push(logs, first, run->start, tr2_fxt_text("process"),
		     run->command.len ? text_of(&run->command)
				      : tr2_fxt_text("process"));
	tr2_fxt_arg_text(writer, tr2_fxt_text("sid"), sid, false);
	if (read_pid(sid.bytes, sid.len, &pid))
		tr2_fxt_arg_uint(writer, tr2_fxt_text("pid"), pid);
	if (run->exe.len)
		tr2_fxt_arg_text(writer, tr2_fxt_text("exe"),
				 text_of(&run->exe), true);
	if (run->evt.len)
		tr2_fxt_arg_text(writer, tr2_fxt_text("evt"),
				 text_of(&run->evt), true);
}

/* The texts are not needed any more. */
static void end_begin(struct tr2_logs *logs, struct tr2_run *run)
{
	tr2_fxt_end_event(&logs->writer, 0);
	tr2_buf_release(&run->text);
	tr2_buf_release(&run->exe);
	tr2_buf_release(&run->evt);
}

void tr2_run_begin(struct tr2_logs *logs)
{
	struct tr2_run *run = logs->run;
	struct tr2_fxt_text sid;

	sid.bytes = tr2_record_text(logs->record, TR2_KEY_SID, &sid.len);
	push_process(logs, run, sid);
	if (logs->record->is == TR2_IS_START)
		tr2_logs_args(logs, TR2_KEY_BIT(TR2_KEY_T_ABS));
	end_begin(logs, run);
	run->self.words = tr2_tree_read_words(logs->record);
}

/* All slices end with the process, but the last one of the main thread. */
static void end_slices(struct tr2_logs *logs, struct tr2_run *run, size_t least)
{
	uint64_t end = tr2_run_time(run, tr2_timeline_length(&run->timeline));
	struct tr2_run_thread *thread = run->threads.items;
	uint32_t i;

	for (i = 0; i < run->threads.count; i++, thread++)
		while (thread->depth > (i ? 0 : least)) {
			tr2_run_pop(logs, thread, end);
			tr2_fxt_end_event(&logs->writer, 0);
		}
}

static void forget_run(struct tr2_logs *logs, struct tr2_run *run)
{
	struct tr2_run **at = bucket_of(logs, run->self.key);
	struct tr2_run_thread *threads = run->threads.items;
	struct tr2_run_child *children = run->children.items;
	uint32_t i;

	while (*at != run)
		at = &(*at)->next;
	*at = run->next;
	logs->runs--;
	if (logs->latest == run)
		logs->latest = NULL;
	for (i = 0; i < run->threads.count; i++)
		tr2_buf_release(&threads[i].open);
	for (i = 0; i < run->children.count; i++)
		tr2_buf_release(&children[i].name);
	tr2_timeline_release(&run->timeline);
	tr2_slots_release(&run->thread_names);
	tr2_slots_release(&run->child_numbers);
	tr2_vec_release(&run->threads);
	tr2_vec_release(&run->children);
	tr2_vec_release(&run->calls);
	tr2_vec_release(&run->open_calls);
	tr2_buf_release(&run->command);
	tr2_buf_release(&run->title);
	tr2_buf_release(&run->last);
	free(run);
}

bool tr2_run_read_last(struct tr2_logs *logs, struct tr2_run *run)
{
	struct tr2_buf *last = &run->last;

	if (!last->len ||
	    tr2_record_read(&logs->again, last->bytes,
			    last->len - TR2_TOKENS_PADDING) != TR2_RECORD_OK)
		return false;
	logs->record = &logs->again;
	return true;
}

/*
 * The keys of its last atexit become arguments. A process without a name gets
 * its command's. One that has only `version` events, because it was killed or
 * ran on, has not begun.
 */
void tr2_run_end(struct tr2_logs *logs, struct tr2_run *run)
{
	struct tr2_run_thread *first = tr2_run_thread_at(run, 0);

	if (!run->begun) {
		push_process(logs, run, text_of(&run->text));
		end_begin(logs, run);
	}
	end_slices(logs, run, 1);
	if (first->depth) {
		tr2_run_pop(logs, first,
			    tr2_run_time(run,
					 tr2_timeline_length(&run->timeline)));
		if (tr2_run_read_last(logs, run))
			tr2_logs_args(logs, TR2_KEY_BIT(TR2_KEY_T_ABS));
		tr2_fxt_end_event(&logs->writer, 0);
	}
	tr2_run_name(logs, run, text_of(&run->command));
	tr2_run_name(logs, run, tr2_fxt_text("process"));
	tr2_flow_end_process(logs, run);
	forget_run(logs, run);
}
