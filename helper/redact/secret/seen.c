#include "redact/secret/secret.h"

#include "redact/secret/bytes.h"
#include "redact/secret/view.h"

struct seen_text {
	const char *text;
	size_t len, done;
	struct tr2_view_place place;
};

/* Is the byte spelled that is seen here? */
static bool is_spelled(struct seen_text *text, size_t seen)
{
	size_t size;
	char c;

	tr2_view_move(&text->place, text->text, text->len, seen);
	while (text->place.text < text->len) {
		size = tr2_view_measure(text->text, text->len, text->place.text,
					&c);
		if (c || !size) /* a NUL stands for itself */
			return size;
		text->place.text += size;
	}
	return false;
}

static bool ends_plainly(char c)
{
	return (unsigned char)c <= ' ' || c == '&' || tr2_secret_quote(c);
}

/*
 * A secret ends before a byte that is spelled only if what comes before it is
 * spelled, too: in `%70assword=a%26b` the `%26` is of the value.
 */
static size_t end_seen(struct seen_text *text,
		       const struct tr2_secret_span *found, bool spelled)
{
	size_t at;

	if (!is_spelled(text, found->end) || spelled)
		return text->place.text;
	for (at = text->place.text; at < text->len; at++)
		if (ends_plainly(text->text[at]) &&
		    !tr2_view_measure(text->text, text->len, at, &(char){ 0 }))
			break;
	return at;
}

static void hide_seen(struct seen_text *text,
		      const struct tr2_secret_span *found, struct tr2_buf *out)
{
	const bool spelled = found->start && is_spelled(text, found->start - 1);
	size_t end;

	tr2_view_move(&text->place, text->text, text->len, found->start);
	if (text->place.text >= text->done) {
		tr2_buf_add(out, text->text + text->done,
			    text->place.text - text->done);
		tr2_buf_str(out, TR2_SECRET_GONE);
	}
	end = end_seen(text, found, spelled);
	if (end > text->done)
		text->done = end;
}

/* `scan` has what is seen of the text. */
static void walk_seen(struct tr2_secret_scan *scan, const struct tr2_buf *plain,
		      struct tr2_buf *out)
{
	struct seen_text text = { .text = plain->bytes, .len = plain->len };
	struct tr2_secret_span found;
	size_t at = 0;

	while (tr2_secret_find_next(scan, &at, &found))
		hide_seen(&text, &found, out);
	tr2_buf_add(out, text.text + text.done, text.len - text.done);
}

void tr2_secret_walk_seen(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	struct tr2_buf plain = TR2_BUF_INIT, seen = TR2_BUF_INIT;
	struct tr2_secret_scan again = *scan;

	tr2_secret_walk_plain(scan, &plain);
	tr2_view_add(&seen, plain.bytes, plain.len);
	out->failed |= plain.failed | seen.failed;
	if (!out->failed) {
		again.text = seen.bytes;
		again.len = seen.len;
		walk_seen(&again, &plain, out);
	}
	tr2_buf_release(&plain);
	tr2_buf_release(&seen);
}
