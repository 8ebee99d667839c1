/*
 * The NORMAL target: one readable line for each command-level event.
 * SPEC: chapter normal.*
 */
#include "event/format.h"

#include "base/buf.h"
#include "event/payload.h"
#include "base/quote.h"

#define PAYLOAD_COLUMN 50 /* SPEC: normal.column */

void tr2_normal_format(const struct tr2_event *event,
		       const struct tr2_format *format, struct tr2_buf *out)
{
	const struct tr2_event_info *info = &tr2_event_table[event->kind];
	size_t start = out->len;

	if (!info->normal)
		return;
	if (!format->brief) {
		tr2_text_clock(out, event, format->local);
		tr2_text_file_line(out, event);
		tr2_buf_byte(out, ' ');
		tr2_buf_pad(out, start + PAYLOAD_COLUMN);
	}
	info->normal(event, out);
	tr2_text_end_line(out, start);
}

static void add_pair(struct tr2_buf *out, const char *name, const char *value)
{
	tr2_buf_str(out, name);
	tr2_buf_byte(out, ' ');
	tr2_buf_str(out, value);
}

static void add_elapsed(struct tr2_buf *out, uint64_t us)
{
	tr2_buf_str(out, " elapsed:");
	tr2_buf_seconds(out, us);
}

static const char *name_of(const struct tr2_event *event)
{
	return tr2_event_table[event->kind].name;
}

void tr2_normal_version(const struct tr2_event *event, struct tr2_buf *out)
{
	add_pair(out, "version", event->exe);
}

void tr2_normal_start(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "start ");
	tr2_quote_words(out, event->argv);
}

void tr2_normal_exit(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, name_of(event));
	add_elapsed(out, event->t_abs);
	tr2_payload_number(out, " code:", event->code);
}

void tr2_normal_signal(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "signal");
	add_elapsed(out, event->t_abs);
	tr2_payload_number(out, " code:", event->signo);
}

void tr2_normal_error(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->msg)
		add_pair(out, "error", event->msg);
	else
		tr2_buf_str(out, "error");
}

void tr2_normal_cmd_path(const struct tr2_event *event, struct tr2_buf *out)
{
	add_pair(out, "cmd_path", event->path);
}

void tr2_normal_cmd_ancestry(const struct tr2_event *event, struct tr2_buf *out)
{
	const char *const *name;

	tr2_buf_str(out, "cmd_ancestry ");
	for (name = event->ancestry; *name; name++) {
		if (name != event->ancestry)
			tr2_buf_str(out, " <- ");
		tr2_buf_str(out, *name);
	}
}

void tr2_normal_cmd_name(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "cmd_name ");
	tr2_payload_name(event, out);
}

void tr2_normal_cmd_mode(const struct tr2_event *event, struct tr2_buf *out)
{
	add_pair(out, "cmd_mode", event->name);
}

void tr2_normal_alias(const struct tr2_event *event, struct tr2_buf *out)
{
	add_pair(out, "alias", event->alias);
	tr2_buf_str(out, " -> ");
	tr2_quote_words(out, event->argv);
}

static void add_child(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, name_of(event));
	tr2_payload_number(out, "[", event->child_id);
	tr2_buf_byte(out, ']');
}

void tr2_normal_child_start(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	if (event->cd) {
		tr2_buf_str(out, " cd ");
		tr2_quote_word(out, event->cd);
		tr2_buf_byte(out, ';');
	}
	tr2_buf_byte(out, ' ');
	tr2_quote_words(out, event->argv);
}

void tr2_normal_child_exit(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	tr2_payload_number(out, " pid:", event->pid);
	tr2_payload_number(out, " code:", event->code);
	add_elapsed(out, event->t_rel);
}

void tr2_normal_child_ready(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	tr2_payload_number(out, " pid:", event->pid);
	tr2_buf_str(out, " ready:");
	tr2_buf_str(out, event->ready);
	add_elapsed(out, event->t_rel);
}

void tr2_normal_exec(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "exec[", event->exec_id);
	tr2_buf_str(out, "] ");
	tr2_payload_exec(event, out);
	/* SPEC: normal.trailing-blank */
	if (event->exe && !*event->argv)
		tr2_buf_byte(out, ' ');
}

void tr2_normal_exec_result(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "exec_result[", event->exec_id);
	tr2_buf_str(out, "] ");
	tr2_payload_result(event, out);
}

void tr2_normal_def_param(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "def_param scope:");
	tr2_buf_str(out, event->scope);
	tr2_buf_byte(out, ' ');
	tr2_buf_str(out, event->param);
	if (event->value) {
		tr2_buf_byte(out, '=');
		tr2_buf_str(out, event->value);
	}
}

/* SPEC: normal.payload.def_repo */
void tr2_normal_def_repo(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "worktree ");
	tr2_quote_word(out, event->worktree);
}

void tr2_normal_printf(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->msg)
		tr2_buf_str(out, event->msg);
}

static void add_metric(const struct tr2_event *event, struct tr2_buf *out)
{
	add_pair(out, name_of(event), event->category);
	tr2_buf_byte(out, '/');
	tr2_buf_str(out, event->name);
}

void tr2_normal_timer(const struct tr2_event *event, struct tr2_buf *out)
{
	add_metric(event, out);
	tr2_payload_intervals(event, out);
}

void tr2_normal_counter(const struct tr2_event *event, struct tr2_buf *out)
{
	add_metric(event, out);
	tr2_buf_str(out, " value:");
	tr2_buf_uint(out, event->count);
}
