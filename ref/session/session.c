#include "session/session.h"

#include <sha1.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "host/host.h"
#include "base/json.h"
#include "host/memory.h"
#include "event/format.h"

static void add_hex(struct tr2_buf *out, uint32_t value)
{
	static const char hex[] = "0123456789abcdef";

	for (int shift = 28; shift >= 0; shift -= 4)
		tr2_buf_byte(out, hex[value >> shift & 15]);
}

/* `YYYYMMDDTHHMMSS.uuuuuuZ` */
static void add_time(struct tr2_buf *out, uint64_t wall_us)
{
	struct tr2_second utc = TR2_SECOND_INIT;

	tr2_second_set(&utc, wall_us / 1000000u);
	tr2_buf_add(out, utc.text, 4);
	tr2_buf_add(out, utc.text + 5, 2);
	tr2_buf_add(out, utc.text + 8, 5);
	tr2_buf_add(out, utc.text + 14, 2);
	tr2_buf_add(out, utc.text + 17, 3);
	tr2_buf_digits(out, (unsigned)(wall_us % 1000000u), 6);
	tr2_buf_byte(out, 'Z');
}

/* SPEC: session.component.host */
static void add_host(struct tr2_buf *out)
{
	uint8_t digest[SHA1_DIGEST_LENGTH];
	char name[256] = "";
	SHA1_CTX hash;

	if (tr2_host->hostname(name, sizeof(name))) {
		tr2_buf_str(out, "Localhost");
		return;
	}
	SHA1Init(&hash);
	SHA1Update(&hash, (const uint8_t *)name, strlen(name));
	SHA1Final(digest, &hash);
	tr2_buf_byte(out, 'H');
	add_hex(out, (uint32_t)digest[0] << 24 | (uint32_t)digest[1] << 16 |
			     (uint32_t)digest[2] << 8 | digest[3]);
}

/* SPEC: session.component */
static void add_component(struct tr2_buf *out)
{
	add_time(out, tr2_host->wall_us());
	tr2_buf_byte(out, '-');
	add_host(out);
	tr2_buf_str(out, "-P");
	add_hex(out, (uint32_t)tr2_host->getpid());
}

static unsigned count_slashes(const char *text)
{
	unsigned count = 0;

	for (; *text; text++)
		count += *text == '/';
	return count;
}

/*
 * Returns the buffer's text, which the caller owns; or NULL. Texts stay for
 * ever, so they take no more room than they need.
 */
static char *keep_text(struct tr2_buf *text)
{
	char *kept = NULL;

	tr2_buf_byte(text, '\0');
	if (!text->failed)
		kept = tr2_memory_copy(text->bytes);
	tr2_buf_release(text);
	return kept;
}

/*
 * Make room to keep the present texts, before they are replaced: an event of
 * another thread may still be reading them. They are kept for ever, since a
 * process sets its name, and forks, only a few times. 0 if memory fails.
 */
static int make_room(struct tr2_session *session, size_t texts)
{
	char **old = tr2_memory_grow(session->old, &session->old_room,
				     session->old_count + texts - 1,
				     sizeof(*old));

	if (old)
		session->old = old;
	return old != NULL;
}

static void retire_text(struct tr2_session *session, char *text)
{
	if (text)
		session->old[session->old_count++] = text;
}

/* SPEC: session.parent-long */
static const char *cut_parent(const char *parent_sid)
{
	const char *last;

	if (strlen(parent_sid) <= TR2_SESSION_MOST)
		return parent_sid;
	last = strrchr(parent_sid, '/');
	return last && strlen(last + 1) <= TR2_SESSION_MOST ? last + 1 : "";
}

/* SPEC: session.child */
static void add_parent(struct tr2_buf *sid, const char *parent_sid)
{
	if (!parent_sid)
		return;
	parent_sid = cut_parent(parent_sid);
	if (!*parent_sid)
		return;
	tr2_buf_str(sid, parent_sid);
	tr2_buf_byte(sid, '/');
}

/* The same text, if it is what JSON has; else the caller owns another one. */
static char *escape_text(char *text, size_t len)
{
	struct tr2_buf json = TR2_BUF_INIT;

	tr2_json_escape(&json, text, len);
	if (json.failed || json.len != len || memcmp(json.bytes, text, len))
		return keep_text(&json);
	tr2_buf_release(&json);
	return text;
}

static void free_texts(char *text, char *escaped)
{
	if (escaped != text)
		tr2_host->free(escaped);
	tr2_host->free(text);
}

static void retire_texts(struct tr2_session *session)
{
	if (session->sid_json != session->sid)
		retire_text(session, session->sid_json);
	retire_text(session, session->sid);
}

int tr2_session_begin(struct tr2_session *session, const char *parent_sid,
		      const char *parent_name)
{
	struct tr2_buf sid = TR2_BUF_INIT;
	char *text, *escaped, *name = NULL;
	size_t parent_len, len;

	add_parent(&sid, parent_sid);
	parent_len = sid.len;
	add_component(&sid);
	len = sid.len;
	text = keep_text(&sid);
	escaped = text ? escape_text(text, len) : NULL;
	if (!escaped || (session->sid && !make_room(session, 2))) {
		free_texts(text, escaped);
		return -1;
	}
	/* SPEC: event.cmd_name.parent-long */
	if (parent_name && *parent_name &&
	    strlen(parent_name) <= TR2_SESSION_MOST)
		name = tr2_memory_copy(parent_name);
	retire_texts(session);
	tr2_host->free(session->hierarchy);
	session->sid = text;
	session->sid_json = escaped;
	session->sid_json_len = strlen(escaped);
	session->component = text + parent_len;
	session->depth = count_slashes(text);
	session->hierarchy = name;
	session->is_named = 0;
	return 0;
}

/*
 * SPEC: event.cmd_name.parent, event.cmd_name.again, event.cmd_name.again-long
 */
static void add_hierarchy(struct tr2_buf *out,
			  const struct tr2_session *session, const char *name)
{
	size_t above = session->hierarchy ? strlen(session->hierarchy) : 0;

	if (session->hierarchy &&
	    (!session->is_named ||
	     above + 1 + strlen(name) <= TR2_SESSION_HIERARCHY)) {
		tr2_buf_add(out, session->hierarchy, above);
		tr2_buf_byte(out, '/');
	}
	tr2_buf_add(out, name, strlen(name) + 1);
}

const char *tr2_session_name(struct tr2_session *session, const char *name,
			     struct tr2_buf *out)
{
	char *hierarchy;

	tr2_buf_reset(out);
	add_hierarchy(out, session, name);
	if (out->failed) {
		tr2_buf_reset(out);
		return name;
	}
	hierarchy = tr2_memory_copy(out->bytes);
	if (hierarchy) {
		tr2_host->free(session->hierarchy);
		session->hierarchy = hierarchy;
		session->is_named = 1;
	}
	return out->bytes;
}
