#include "session/thread.h"

#include <string.h>

#include "host/host.h"
#include "base/json.h"
#include "host/memory.h"
#include "session/session.h"

__thread struct tr2_thread *tr2_thread_own;
__thread unsigned tr2_thread_inside;

/* SPEC: thread.name */
static void add_id(struct tr2_buf *name, unsigned id)
{
	tr2_buf_str(name, "th");
	if (id < 10)
		tr2_buf_byte(name, '0');
	tr2_buf_uint(name, id);
	tr2_buf_byte(name, ':');
}

void tr2_thread_name(struct tr2_thread *self, unsigned id, const char *base)
{
	struct tr2_buf name = TR2_BUF_FIXED(self->name);
	struct tr2_buf json = TR2_BUF_FIXED(self->name_json);
	size_t len;

	if (id)
		add_id(&name, id);
	/* SPEC: thread.name-cut */
	len = strnlen(base, TR2_THREAD_NAME - name.len);
	while (len && ((unsigned char)base[len] & 0xc0) == 0x80)
		len--;
	tr2_buf_add(&name, base, len);
	tr2_json_escape(&json, self->name, name.len);
	self->origin.thread_json_len = json.len;
	tr2_buf_byte(&name, '\0');
	tr2_buf_byte(&json, '\0');
	self->origin.number = id;
	self->origin.thread = self->name;
	self->origin.thread_json = self->name_json;
}

static void set_session(struct tr2_thread *self,
			const struct tr2_session *session)
{
	self->origin.sid_json = session->sid_json;
	self->origin.sid_json_len = session->sid_json_len;
	self->origin.depth = session->depth;
}

static void set_base(struct tr2_thread *self, uint64_t now_us)
{
	self->start_us = now_us;
	self->frames[0] = now_us;
	self->open = 1;
}

struct tr2_thread *tr2_thread_begin(const struct tr2_session *session,
				    unsigned id, const char *base,
				    uint64_t now_us)
{
	struct tr2_thread *self = tr2_memory_realloc(NULL, sizeof(*self));

	if (!self)
		return NULL;
	memset(self, 0, sizeof(*self));
	self->is_main = !id;
	self->frames = self->frames_inline;
	self->frames_room = TR2_REGIONS_INLINE;
	tr2_thread_name(self, id, base);
	set_session(self, session);
	set_base(self, now_us);
	tr2_thread_own = self;
	return self;
}

static void forget_shares(struct tr2_thread *self)
{
	for (size_t i = 0; i < TR2_METRIC_KIND_COUNT; i++) {
		tr2_host->free(self->shares[i].measure);
		self->shares[i] = (struct tr2_shares){ 0 };
	}
}

void tr2_thread_become_main(struct tr2_thread *self,
			    const struct tr2_session *session, uint64_t now_us)
{
	self->is_main = 1;
	self->started = 0;
	forget_shares(self);
	tr2_thread_name(self, 0, "main");
	set_session(self, session);
	set_base(self, now_us);
	/* The last store, because a signal may come meanwhile. */
	__atomic_store_n(&self->is_stale, 0, __ATOMIC_RELEASE);
}

void tr2_thread_end(struct tr2_thread *self)
{
	tr2_thread_own = NULL;
	if (self->frames != self->frames_inline)
		tr2_host->free(self->frames);
	tr2_buf_release(&self->memory.line);
	tr2_buf_release(&self->text);
	tr2_buf_release(&self->scratch);
	tr2_buf_release(&self->words);
	forget_shares(self);
	tr2_host->free(self);
}

static void grow_frames(struct tr2_thread *self)
{
	int is_inline = self->frames == self->frames_inline;
	size_t room = self->frames_room * 2;
	uint64_t *frames = tr2_memory_realloc(is_inline ? NULL : self->frames,
					      room * sizeof(*frames));

	if (!frames)
		return;
	if (is_inline)
		memcpy(frames, self->frames_inline,
		       sizeof(self->frames_inline));
	self->frames = frames;
	self->frames_room = room;
}

void tr2_thread_enter(struct tr2_thread *self, uint64_t now)
{
	if (self->open == self->frames_room)
		grow_frames(self);
	if (self->open < self->frames_room)
		self->frames[self->open] = now;
	self->open++;
}

uint64_t tr2_thread_in_region(const struct tr2_thread *self, uint64_t now)
{
	if (!self->open || self->open > self->frames_room)
		return 0;
	return now - self->frames[self->open - 1];
}

uint64_t tr2_thread_leave(struct tr2_thread *self, uint64_t now)
{
	uint64_t elapsed = tr2_thread_in_region(self, now);

	if (self->open)
		self->open--;
	return elapsed;
}

void tr2_thread_unwind(struct tr2_thread *self)
{
	self->open = 1;
}

unsigned tr2_thread_open_regions(const struct tr2_thread *self)
{
	return self->open ? self->open - 1 : 0;
}
