#include "views/otlp/process.h"

#include <sha2.h>
#include <string.h>
#include <sys/types.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"

#define FORM "00-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx"

static void hash_text(uint8_t *digest, const char *text, size_t len)
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, (const uint8_t *)text, len);
	SHA256Final(digest, &context);
}

static void hash_span(unsigned char *span, const char *text, size_t len)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	hash_text(digest, text, len);
	memcpy(span, digest + 16, TR2_OTLP_SPAN);
}

/* Returns where the last component begins. */
static size_t find_last(const char *sid, size_t len)
{
	while (len && sid[len - 1] != '/')
		len--;
	return len;
}

/* Returns the length of the SID without components that repeat the last one. */
static size_t skip_repeated(const char *sid, size_t len)
{
	size_t last = find_last(sid, len), size = len - last, before;

	while (last) {
		before = find_last(sid, last - 1);
		if (last - 1 - before != size ||
		    memcmp(sid + before, sid + last, size) != 0)
			break;
		len = last - 1;
		last = before;
	}
	return len;
}

static bool occurs_before(const char *sid, size_t len, size_t last)
{
	size_t end = last, at;

	while (end) {
		at = find_last(sid, end - 1);
		if (end - 1 - at == len - last &&
		    !memcmp(sid + at, sid + last, len - last))
			return true;
		end = at;
	}
	return false;
}

static void find_span(unsigned char *span, const char *sid, size_t len)
{
	size_t last = find_last(sid, len);

	if (occurs_before(sid, len, last))
		hash_span(span, sid, len);
	else
		hash_span(span, sid + last, len - last);
}

/* The ids of the process with this SID. */
static void find_ids(struct tr2_otlp_ids *ids, const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);
	uint8_t digest[SHA256_DIGEST_LENGTH];
	size_t last;

	hash_text(digest, sid, slash ? (size_t)(slash - sid) : len);
	memcpy(ids->trace, digest, TR2_OTLP_TRACE);
	len = skip_repeated(sid, len);
	find_span(ids->span, sid, len);
	last = find_last(sid, len);
	ids->has_parent = last > 0;
	ids->joined = false;
	if (last)
		find_span(ids->parent, sid, skip_repeated(sid, last - 1));
}

void tr2_otlp_inner_id(unsigned char *span, const char *sid, size_t len,
		       uint64_t number)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, (const uint8_t *)sid, len);
	for (len = 0; len < sizeof(number); len++, number >>= 8)
		SHA256Update(&context, &(uint8_t){ number & 0xff }, 1);
	SHA256Final(digest, &context);
	memcpy(span, digest, TR2_OTLP_SPAN);
}

static unsigned read_digit(char digit)
{
	return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* Returns whether the id, which has digits alone, is not 0. */
static bool read_id(unsigned char *id, const char *text, size_t count)
{
	unsigned any = 0;

	for (; count; count--, text += 2) {
		*id = (unsigned char)(16 * read_digit(text[0]) +
				      read_digit(text[1]));
		any |= *id++;
	}
	return any;
}

/*
 * The process has this TRACEPARENT: it belongs to the same trace, and below
 * that span if it has no parent of its own. Nothing changes if the text does
 * not have the form of W3C's Trace Context, or is not the first one.
 */
static void join_ids(struct tr2_otlp_ids *ids, const char *text, size_t len)
{
	unsigned char trace[TR2_OTLP_TRACE], span[TR2_OTLP_SPAN];

	if (ids->joined || len != strlen(FORM) ||
	    !tr2_text_starts(text, len, "00-") ||
	    !tr2_text_has_form(text, len, FORM) ||
	    !read_id(trace, text + 3, sizeof(trace)) ||
	    !read_id(span, text + 36, sizeof(span)))
		return;
	memcpy(ids->trace, trace, sizeof(trace));
	if (!ids->has_parent)
		memcpy(ids->parent, span, sizeof(span));
	ids->has_parent = true;
	ids->joined = true;
}

#define SIGNO_MOST 127 /* its exit code is a byte */

/* "git:fetch#mode" */
static void put_name(struct tr2_buf *out, const struct tr2_otlp_name *name)
{
	tr2_otlp_put_all(out, &name->exe);
	if (name->verb.len)
		tr2_buf_byte(out, ':');
	tr2_otlp_put_all(out, &name->verb);
	if (name->mode.len)
		tr2_buf_byte(out, '#');
	tr2_otlp_put_all(out, &name->mode);
}

/*
 * OpenTelemetry wants a name for each service, and has this one for those whose
 * program is not known.
 */
static void put_service(struct tr2_buf *out, const struct tr2_otlp_name *name)
{
	struct tr2_buf text = TR2_BUF_INIT;

	put_name(&text, name);
	if (!text.len)
		tr2_buf_str(&text, "unknown_service");
	tr2_must_hold(&text);
	tr2_otlp_put_text(out, "service.name", text.bytes, text.len);
	tr2_buf_release(&text);
}

static void put_latest(struct tr2_buf *out,
		       const struct tr2_otlp_process *process, int from, int to)
{
	for (; from < to; from++) {
		if (out->len && process->latest[from].len)
			tr2_buf_byte(out, ',');
		tr2_otlp_put_all(out, &process->latest[from]);
	}
}

static void put_resource(struct tr2_buf *out,
			 const struct tr2_otlp_process *process)
{
	const struct tr2_buf *exe = &process->name.exe;

	if (!process->has_service)
		put_service(out, &process->name);
	tr2_otlp_put_text(out, "service.namespace", "trace2", 6);
	if (process->life.self.pid)
		tr2_otlp_put_integer(out, "process.pid",
				     process->life.self.pid);
	if (exe->len)
		tr2_otlp_put_text(out, "process.executable.name", exe->bytes,
				  exe->len);
	put_latest(out, process, TR2_OTLP_RESOURCE, TR2_OTLP_LATEST);
}

static void put_spans(struct tr2_otlp *otlp, struct tr2_otlp_process *process)
{
	struct tr2_buf out = TR2_BUF_INIT, resource = TR2_BUF_INIT;

	put_resource(&resource, process);
	tr2_buf_str(&out, "{\"resource\":{\"attributes\":[");
	tr2_otlp_put_all(&out, &resource);
	tr2_buf_str(&out, "]},\"scopeSpans\":[{\"scope\":"
			  "{\"name\":\"trace2\"},\"spans\":[");
	tr2_otlp_put_all(&out, &process->done);
	tr2_buf_str(&out, "]}]}");
	tr2_must_hold(&out);
	otlp->put(otlp->context, out.bytes, out.len);
	otlp->spans += process->done_count;
	otlp->events += process->events;
	process->done_count = process->events = 0;
	tr2_buf_release(&resource);
	tr2_buf_release(&out);
}

void tr2_otlp_end_span(struct tr2_otlp_process *process,
		       struct tr2_otlp_span *span, int64_t begin,
		       int64_t length)
{
	const struct tr2_timeline *timeline = &process->life.timeline;

	span->start = tr2_timeline_unix(timeline, begin);
	tr2_otlp_put_span(&process->done, span,
			  tr2_timeline_unix(timeline, begin + length));
	process->done_count++;
	tr2_otlp_span_release(span);
	*span = (struct tr2_otlp_span){ 0 };
}

void tr2_otlp_join_trace(struct tr2_otlp_process *process, const char *text,
			 size_t len)
{
	struct tr2_otlp_ids *ids = &process->span.ids;
	const unsigned char *trace = ids->trace;

	if (process->done.len)
		return;
	join_ids(ids, text, len);
	for (uint32_t i = 0; i < process->open.count; i++)
		memcpy(tr2_otlp_span_at(process, i)->ids.trace, trace,
		       TR2_OTLP_TRACE);
}

void tr2_otlp_release_process(struct tr2_life *life)
{
	struct tr2_otlp_process *process = (struct tr2_otlp_process *)life;

	while (process->open.count)
		tr2_otlp_span_release(
			tr2_otlp_span_at(process, --process->open.count));
	tr2_otlp_span_release(&process->span);
	tr2_buf_release(&process->sid);
	tr2_buf_release(&process->done);
	for (int which = 0; which < TR2_OTLP_LATEST; which++)
		tr2_buf_release(&process->latest[which]);
	tr2_map_release(&process->totals);
	tr2_buf_release(&process->name.exe);
	tr2_buf_release(&process->name.verb);
	tr2_buf_release(&process->name.mode);
	tr2_vec_release(&process->open);
}

void tr2_otlp_put_part(struct tr2_otlp *otlp, struct tr2_otlp_process *process)
{
	if (!process->done.len)
		return;
	put_spans(otlp, process);
	tr2_buf_release(&process->done);
}

/* The shells have it so: signals count from 128. */
static void keep_signal(struct tr2_otlp_span *span,
			const struct tr2_timeline *timeline)
{
	const int64_t number = timeline->has_code ? timeline->code : 0;

	if (number <= 0 || number > SIGNO_MOST) {
		tr2_otlp_fail(span, "signal", NULL);
		return;
	}
	tr2_otlp_put_digits(&span->attributes, "trace2.cmd.exit_code",
			    128 + number);
	tr2_otlp_fail(span, "signal ", &number);
}

static void keep_end(struct tr2_otlp_process *process)
{
	const struct tr2_timeline *timeline = &process->life.timeline;
	struct tr2_otlp_span *span = &process->span;

	if (timeline->ending == TR2_ENDING_SIGNAL)
		keep_signal(span, timeline);
	else if (timeline->has_code)
		tr2_otlp_keep_code(span, "trace2.cmd.exit_code",
				   timeline->code);
	else if (tr2_timeline_failed(timeline))
		tr2_otlp_fail(span, "no end after an error", NULL);
}

bool tr2_otlp_end_process(void *context, struct tr2_life *life)
{
	struct tr2_otlp *otlp = context;
	struct tr2_otlp_process *process = (struct tr2_otlp_process *)life;
	struct tr2_otlp_span *span = &process->span;

	keep_end(process);
	put_name(&span->name, &process->name);
	put_latest(&span->attributes, process, 0, TR2_OTLP_RESOURCE);
	tr2_otlp_put_text(&span->attributes, "trace2.cmd.sid",
			  process->sid.bytes, process->sid.len);
	tr2_otlp_put_text(&span->attributes, "trace2.span.type", "process", 7);
	tr2_otlp_end_span(process, span, 0,
			  tr2_timeline_length(&life->timeline));
	put_spans(otlp, process);
	return false;
}

void tr2_otlp_begin_process(void *otlp, struct tr2_life *life, const char *sid,
			    size_t len)
{
	struct tr2_otlp_process *process = (struct tr2_otlp_process *)life;

	process->first = ((struct tr2_otlp *)otlp)->place;
	tr2_buf_add(&process->sid, sid, len);
	tr2_must_hold(&process->sid);
	find_ids(&process->span.ids, sid, len);
	process->span.kind = TR2_OTLP_SERVER;
}
