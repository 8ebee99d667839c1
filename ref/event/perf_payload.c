/* The payload in PERF's last column. SPEC: perf.payload */
#include "event/payload.h"

#include "base/buf.h"
#include "base/quote.h"

static void add_argv(struct tr2_buf *out, const char *label,
		     const char *const *argv)
{
	tr2_buf_str(out, label);
	tr2_quote_words(out, argv);
	tr2_buf_byte(out, ']');
}

static void add_text(struct tr2_buf *out, const char *label, const char *text)
{
	tr2_buf_str(out, label);
	tr2_buf_str(out, text);
}

void tr2_perf_version(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->exe);
}

void tr2_perf_start(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_quote_words(out, event->argv);
}

void tr2_perf_exit(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "code:", event->code);
}

void tr2_perf_signal(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "signo:", event->signo);
}

void tr2_perf_msg(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->msg)
		tr2_buf_str(out, event->msg);
}

void tr2_perf_cmd_path(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->path);
}

void tr2_perf_cmd_ancestry(const struct tr2_event *event, struct tr2_buf *out)
{
	add_argv(out, "ancestry:[", event->ancestry);
}

void tr2_perf_cmd_name(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_name(event, out);
}

void tr2_perf_cmd_mode(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->name);
}

void tr2_perf_alias(const struct tr2_event *event, struct tr2_buf *out)
{
	add_text(out, "alias:", event->alias);
	add_argv(out, " argv:[", event->argv);
}

static void add_child(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "[ch", event->child_id);
	tr2_buf_byte(out, ']');
}

void tr2_perf_child_start(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	add_text(out, " class:", event->child_class);
	if (event->hook_name)
		add_text(out, " hook:", event->hook_name);
	if (event->cd) {
		tr2_buf_str(out, " cd:");
		tr2_quote_word(out, event->cd);
	}
	add_argv(out, " argv:[", event->argv);
}

void tr2_perf_child_exit(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	tr2_payload_number(out, " pid:", event->pid);
	tr2_payload_number(out, " code:", event->code);
}

void tr2_perf_child_ready(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child(event, out);
	tr2_payload_number(out, " pid:", event->pid);
	add_text(out, " ready:", event->ready);
}

/* The columns hold everything. */
void tr2_perf_thread(const struct tr2_event *event, struct tr2_buf *out)
{
	(void)event;
	(void)out;
}

void tr2_perf_exec(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "id:", event->exec_id);
	tr2_buf_str(out, " argv:[");
	tr2_payload_exec(event, out);
	tr2_buf_byte(out, ']');
}

void tr2_perf_exec_result(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_payload_number(out, "id:", event->exec_id);
	tr2_buf_byte(out, ' ');
	tr2_payload_result(event, out);
}

void tr2_perf_def_param(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->param);
	if (event->value)
		add_text(out, ":", event->value);
}

void tr2_perf_def_repo(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, "worktree:");
	tr2_quote_word(out, event->worktree);
}

/*
 * Without a label, write only the message, with its blank.
 * SPEC: perf.payload.region_enter
 */
void tr2_perf_region(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->label)
		add_text(out, "label:", event->label);
	if (event->msg)
		add_text(out, " ", event->msg);
}

void tr2_perf_data(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->key);
	add_text(out, ":", event->value);
}

void tr2_perf_timer(const struct tr2_event *event, struct tr2_buf *out)
{
	add_text(out, "name:", event->name);
	tr2_payload_intervals(event, out);
}

void tr2_perf_counter(const struct tr2_event *event, struct tr2_buf *out)
{
	add_text(out, "name:", event->name);
	tr2_buf_str(out, " value:");
	tr2_buf_uint(out, event->count);
}
