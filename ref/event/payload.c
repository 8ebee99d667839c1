#include "event/payload.h"

#include <string.h>

#include "base/buf.h"
#include "base/quote.h"

void tr2_payload_number(struct tr2_buf *out, const char *label, int64_t number)
{
	tr2_buf_str(out, label);
	tr2_buf_int(out, number);
}

void tr2_payload_name(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, event->name);
	if (!event->hierarchy)
		return;
	tr2_buf_str(out, " (");
	tr2_buf_str(out, event->hierarchy);
	tr2_buf_byte(out, ')');
}

/* The exe is not quoted, but its argv is. SPEC: quote.where */
void tr2_payload_exec(const struct tr2_event *event, struct tr2_buf *out)
{
	if (event->exe) {
		tr2_buf_str(out, event->exe);
		if (*event->argv)
			tr2_buf_byte(out, ' ');
	}
	tr2_quote_words(out, event->argv);
}

void tr2_payload_result(const struct tr2_event *event, struct tr2_buf *out)
{
	char text[256] = "";

	tr2_payload_number(out, "code:", event->code);
	if (event->code <= 0)
		return;
	strerror_r(event->code, text, sizeof(text)); /* `Unknown error N` */
	tr2_buf_str(out, " err:");
	tr2_buf_str(out, text);
}

static void add_interval(struct tr2_buf *out, const char *label, uint64_t ns)
{
	tr2_buf_str(out, label);
	tr2_buf_seconds(out, (ns + 500) / 1000);
}

void tr2_payload_intervals(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, " intervals:");
	tr2_buf_uint(out, event->intervals);
	add_interval(out, " total:", event->t_total);
	add_interval(out, " min:", event->t_min);
	add_interval(out, " max:", event->t_max);
}

/* NORMAL's payload, which follows the prefix. SPEC: normal.payload */

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

static void add_child_name(const struct tr2_event *event, struct tr2_buf *out)
{
	tr2_buf_str(out, name_of(event));
	tr2_payload_number(out, "[", event->child_id);
	tr2_buf_byte(out, ']');
}

void tr2_normal_child_start(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child_name(event, out);
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
	add_child_name(event, out);
	tr2_payload_number(out, " pid:", event->pid);
	tr2_payload_number(out, " code:", event->code);
	add_elapsed(out, event->t_rel);
}

void tr2_normal_child_ready(const struct tr2_event *event, struct tr2_buf *out)
{
	add_child_name(event, out);
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

/* The payload in PERF's last column. SPEC: perf.payload */

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
