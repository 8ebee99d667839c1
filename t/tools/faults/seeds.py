"""Seeded faults: edits of the reference, each of which breaks a requirement.

    seed("session.child", "add_parent", "tr2_buf_str(sid, parent_sid);", "",
         "bundle-server")

means: if this edit is made in the definition of `add_parent`, wherever in
ref/ that is (see source.py), the conformance kit must find that
`session.child` does not hold, whatever else breaks. The last word names a
writer in whose logs a defect of this kind was seen; some have none.
"""

import dataclasses

SEEDS = []


@dataclasses.dataclass(frozen=True)
class Seed:
    id: str
    definition: str
    old: str
    new: str
    writer: str = ""

    @property
    def scenario(self):
        return self.definition

    @property
    def name(self):
        number = [s for s in SEEDS if s.id == self.id].index(self)
        return f"{self.id}-{number + 1}"


def seed(*parts):
    SEEDS.append(Seed(*parts))


# Events and their fields

seed("event.version", "tr2_emit_session", "tr2_emit(self, event);", "",
     "bundle-server")
seed("version.evt", "EVT", '"4"', '"3"')
seed("event.start.t_abs", "TR2_EVENTS START", "F(t_abs, SECONDS_US, 0),",
     "", "repo")
seed("event.exit.code-byte", "tr2_exit_seen", "code & 0xff", "code")
seed("event.atexit", "emit_end",
     "emit_code(self, event, TR2_EVENT_ATEXIT);", "", "repo")
seed("event.error.fmt", "trace2_cmd_error_va_fl", "event.msg ? fmt : NULL",
     "event.msg", "repo")
seed("event.error.fmt", "TR2_EVENTS ERROR", "F(fmt, STRING, OPT_HIDE),", "",
     "gcm")
seed("event.cmd_name.hierarchy", "tr2_session_name", "return out->bytes",
     "return NULL", "bundle-server")
seed("event.cmd_name.parent", "tr2_session_begin",
     "tr2_memory_copy(parent_name)", "NULL", "repo")
seed("event.cmd_name.again", "add_hierarchy",
     "above + 1 + strlen(name) <= TR2_SESSION_HIERARCHY", "0")
seed("event.cmd_name.export", "export_hierarchy",
     "tr2_process.exported < TR2_SESSION_EXPORTS ? hierarchy", "0 ? hierarchy",
     "gcm")
seed("event.child_start.child_id-zero", "trace2_child_start_fl",
     "__atomic_fetch_add(&tr2_process.next_child, 1, __ATOMIC_RELAXED)",
     "1 + __atomic_fetch_add(&tr2_process.next_child, 1, __ATOMIC_RELAXED)",
     "gcm")
seed("event.child_exit.child_id", "begin_child", "child->child_id_;",
     "tr2_process.next_child - 1;", "gcm")
seed("event.child_start.use_shell", "TR2_EVENTS CHILD_START", "BOOL",
     "INT")
seed("event.child_start.child_class", "trace2_child_start_fl", '"?"', '"none"',
     "gcm")
seed("event.child_start.hook_name", "TR2_EVENTS CHILD_START",
     "F(hook_name, STRING, OPT),", "")
seed("time.micro", "begin_child",
     "now > child->start_us_ ? now - child->start_us_ : 0", "event->t_abs")
seed("event.child_ready.ready", "trace2_child_ready_fl", "tr2_or_empty(ready)",
     '"ready"')
seed("event.child_ready.t_rel", "TR2_EVENTS CHILD_READY",
     "F(t_rel, SECONDS_US, 0),", "", "bundle-server")
seed("event.exec.exec_id-zero", "trace2_exec_fl",
     "__atomic_fetch_add(&tr2_process.next_exec, 1, __ATOMIC_RELAXED)",
     "1 + __atomic_fetch_add(&tr2_process.next_exec, 1, __ATOMIC_RELAXED)")
seed("event.exec_result.code", "trace2_exec_result_fl", "code;", "-code;")
seed("time.micro", "exit_thread", "now - self->start_us", "event->t_abs")
seed("event.def_param.scope", "TR2_EVENTS DEF_PARAM",
     "F(scope, STRING, 0),", "", "repo")
seed("event.def_param", "TR2_EVENTS DEF_PARAM", "OPT_HIDE", "HIDE",
     "repo")
seed("event.def_repo.bare", "trace2_def_repo_fl",
     "if (!worktree)  return TRACE2_REPO_UNANNOUNCED;", "")
seed("event.data.value", "trace2_data_intmax_fl", "digits;",
     "digits + (digits[0] == '-');")
seed("event.data.category", "TR2_EVENTS DATA", "F(category, STRING, 0),",
     "", "repo")
seed("event.data_json", "TR2_EVENTS DATA_JSON", '"data_json"',
     '"data-json"', "repo")
seed("event.region_leave.t_rel", "TR2_EVENTS REGION_LEAVE",
     "F(t_rel, SECONDS_US, 0),", "", "gcm")
seed("event.region_enter.nesting", "TR2_EVENTS REGION_ENTER",
     "F(nesting, INT, 0),", "", "repohooks")
seed("event.printf.msg", "TR2_EVENTS PRINTF", "F(msg, STRING, OPT_HIDE),",
     "")
seed("event.timer.t_min", "TR2_EVENTS TIMER", "t_min, SECONDS_NS,",
     "t_min, SECONDS_US,")
seed("event.common.file", "add_common", "event->file && *event->file",
     "event->file")
seed("event.common.repo-zero", "add_common",
     "event->repo < 0 ? 0 : event->repo", "event->repo")
seed("time.utc", "add_time",
     "at[len - 1] = 'Z'", "at[len - 1] = 'z'", "gcm")
seed("event.cmd_ancestry.linux", "read_names", "read_process(0, own)",
     "tr2_host->getpid(); (void)own")

# JSON, times

seed("json.key-order", "TR2_EVENTS VERSION",
     ", TR2_KEEP_BRIEF_TIME, F(evt, STRING, 0), F(exe, STRING, 0)",
     ", TR2_KEEP_BRIEF_TIME, F(exe, STRING, 0), F(evt, STRING, 0)", "gcm")
seed("json.compact", "add_strings", "tr2_buf_byte(out, ',')",
     'tr2_buf_str(out, ", ")', "repohooks")
seed("json.escape.short", "escape_ascii", "'\\b', '\\f'", "'\\f'")
seed("json.escape.raw", "plain", "] = 1, 1, [", "] = 0, 0, [", "gcm")
seed("json.invalid-utf8", "tr2_json_escape",
     "else tr2_buf_str(out, REPLACEMENT)", "else tr2_buf_byte(out, text[at])",
     "git")
seed("json.data-json", "trace2_data_json_fl",
     "!tr2_json_is_value(event.value)", "0", "repo")
seed("json.seconds", "tr2_buf_seconds", "(size_t)(end - start)",
     "(size_t)(end - start) - 3", "repo")
seed("time.utc", "add_time", "event->wall_us / 1000000u",
     "event->wall_us / 1000000u + (uint64_t)(int64_t)event->utc_offset")
seed("time.local", "tr2_text_clock",
     "second + (uint64_t)(int64_t)event->utc_offset", "second")
seed("time.t_abs", "tr2_fill_event",
     "event->mono_ns / 1000 - tr2_process.start_us", "event->wall_us / 1000",
     "repohooks")
seed("brief.event-time", "TR2_EVENTS ATEXIT", "| TR2_KEEP_BRIEF_TIME", "")
seed("brief.event", "add_common", "!format->brief && event->file",
     "event->file")
seed("brief.normal", "tr2_normal_format", "!format->brief", "1")
seed("brief.perf", "tr2_perf_format", "!format->brief", "1")
seed("nesting.limit", "tr2_event_json_format",
     "event->nesting > format->nesting_limit",
     "event->nesting >= format->nesting_limit", "microsoft/git")

# NORMAL and PERF

seed("normal.column", "PAYLOAD_COLUMN", "50", "49", "gcm")
seed("normal.payload.child_start", "add_child_name", '"["', '" ["', "gcm")
seed("normal.payload.signal", "tr2_normal_signal", '" code:"', '" signo:"')
seed("normal.payload.cmd_ancestry", "tr2_normal_cmd_ancestry", '" <- "', '" "')
seed("normal.payload.alias", "tr2_normal_alias", '" -> "', '" => "')
seed("normal.payload.def_repo", "tr2_normal_def_repo", '"worktree "',
     '"def_repo "')
seed("normal.payload.def_param", "tr2_normal_def_param", "out, '='",
     "out, ':'")
seed("normal.payload.exec_result", "tr2_payload_result",
     "if (event->code <= 0) return;", "")
seed("normal.trailing-blank", "tr2_normal_child_start",
     "tr2_buf_byte(out, ' ')", "if (*event->argv) tr2_buf_byte(out, ' ')")
seed("normal.events", "TR2_EVENTS REGION_ENTER", "NONE", "N(printf)",
     "gcm")
seed("perf.column.file-width", "FILE_WIDTH", "28", "23", "gcm")
seed("perf.column.category-width", "CATEGORY_WIDTH", "= 12 }", "= 11 }", "gcm")
seed("perf.column.thread", "THREAD_WIDTH", "24", "23")
seed("perf.widen", "add_repo", "tr2_buf_byte(out, ' ');", "")
seed("perf.column.category-scope", "TR2_EVENTS DEF_PARAM",
     "TR2_SHOW_SCOPE", "0", "git 2.22")
seed("perf.column.t_rel", "TR2_EVENTS CHILD_EXIT", "T_BOTH", "T_ABS")
seed("perf.column.depth", "tr2_session_begin", "count_slashes(text)", "0",
     "gcm")
seed("perf.dots", "add_dots", "2 * regions", "regions")
seed("perf.dots-dropped", "emit_end", "tr2_thread_unwind(self);", "")
seed("perf.payload.child_exit", "tr2_perf_child_exit",
     'tr2_payload_number(out, " code:", event->code);',
     'tr2_payload_number(out, " code:", event->code); tr2_buf_str(out, " '
     'elapsed:");',
     "gcm")
seed("perf.payload.def_param", "tr2_perf_def_param", '":"', '"="')
seed("perf.payload.region_enter", "tr2_perf_region", '" "', '""')
seed("perf.payload.alias", "tr2_perf_alias", '"alias:"', '"alias: "')
seed("quote.argument", "tr2_quote_word", "*word && !word[run]", "!word[run]",
     "git 2.22")
seed("quote.argument", "plain", '"0123456789+,./:=@_^-"',
     '"0123456789+,./:=@_^-~"')
seed("quote.escape", "tr2_quote_word", "\"'!\"", "\"'\"")
seed("quote.join", "tr2_quote_words", "tr2_buf_byte(out, ' ')",
     'tr2_buf_str(out, "  ")', "git 2.22")

# Redaction

seed("redact.url", "add_part", '"<REDACTED>"', '"***"')
seed("redact.anywhere", "add_part", "tr2_scan_password(&scan, text, &password);",
     'if (strncmp(text, "http", 4)) { tr2_buf_add(out, text, '
     '(size_t)(stop - text)); return; } '
     'tr2_scan_password(&scan, text, &password);', "git")
seed("redact.password-at", "find_end", "at < next_blank(scan, end)", "0",
     "git")
seed("redact.json", "tr2_redact_add_json", "(quote = next_quote(json))",
     "0 && (quote = next_quote(json))")
seed("redact.where", "TR2_EVENTS START", "HIDE", "0", "repo")
seed("redact.off", "tr2_redact_event",
     "if (!tr2_process.settings.redact) return;", "")

# Sessions, threads, regions, timers, counters

seed("session.component", "add_component", '"-P"', '"-"', "repo")
seed("session.component.host", "add_host", "tr2_buf_byte(out, 'H');",
     "tr2_buf_byte(out, 'H'); digest[0] ^= 1;")
seed("session.child", "add_parent", "tr2_buf_str(sid, parent_sid);", "",
     "bundle-server")
seed("session.parent-bytes", "add_parent", "tr2_buf_byte(sid, '/')",
     "while (sid->len && sid->bytes[sid->len - 1] == '/') sid->len--; "
     "tr2_buf_byte(sid, '/')",
     "gcm")
seed("session.parent-long", "cut_parent", "return last", "return 0")
seed("session.export", "system_setenv", "setenv(name, value, 1)",
     'strstr(name, "_SID") ? 0 : setenv(name, value, 1)', "repohooks")
seed("thread.name", "add_id", "id < 10", "id < 0", "repo")
seed("thread.name-cut", "tr2_thread_name",
     "while (len && ((unsigned char)base[len] & 0xc0) == 0x80) len--;", "",
     "git")
seed("thread.on-main", "trace2_thread_start_fl", "self->is_main", "0")
seed("thread.unknown", "tr2_begin_unknown", '"unknown"', '""', "gcm")
seed("region.nesting", "enter_region", "self->open", "self->open - 1",
     "bundle-server")
seed("region.leave-too-many.again", "trace2_region_leave_printf_va_fl",
     "self->open", "1")
seed("timer.nesting", "tr2_timer_stop", "--share->depth", "!share->depth--")
seed("timer.running", "tr2_measure_is_empty", "!measure->intervals", "0")
seed("timer.total", "add_measure", "total->total += share->total",
     "total->total = share->total")
seed("timer.values", "add_measure",
     "!total->intervals || share->min < total->min", "share->min < total->min")
seed("counter.sum", "tr2_counter_add", "share->total += value",
     "share->total = value")
seed("counter.unused", "tr2_measure_is_empty", "!measure->total", "0")
seed("counter.total", "tr2_metrics_fold",
     "add_measure(&metrics->metric[i].total, &shares->measure[i])",
     "metrics->metric[i].total = shares->measure[i]")
seed("counter.per-thread", "emit_shares_of", "metric.per_thread",
     "metric.per_thread || kind == TR2_METRIC_COUNTER")

# Order, signals, forks, exec

seed("order.exit-once", "trace2_cmd_exit_fl",
     "if (tr2_exit_seen(file, line, code)) {",
     "tr2_exit_seen(file, line, code); if (1) {",
     "git")
seed("order.totals", "emit_end",
     "tr2_emit_shares(self, event); tr2_emit_totals(self, event)",
     "tr2_emit_totals(self, event); tr2_emit_shares(self, event)")
seed("order.no-cmd-exit", "emit_end",
     "emit_code(self, event, TR2_EVENT_EXIT);", "")
seed("signal.five", "watched", "SIGINT, SIGTERM, SIGHUP, SIGQUIT,", "", "git")
seed("signal.dies", "die_of", "raise(signo);", "")
seed("fork.own-sid", "is_session_ours", "== tr2_generation()", "!= 0", "git")
seed("fork.silent", "end_process",
     "if (tr2_is_forked()) {", "if (0) {")
seed("fork.version-start", "emit_beginning",
     "if (tr2_process.argv) {", "if (0) {")
seed("fork.repositories", "emit_beginning", "!tr2_process.worktrees[i]", "1")

# Settings, config, parameters

seed("settings.empty-env", "environment_text",
     "text && (*text || row->empty_counts)", "text")
seed("settings.redact", "settings_table", "apply_bool, 1, 1,",
     "apply_limit, 1, 1,")
seed("settings.redact.empty", "settings_table", "1, 1,", "1, 0,")
seed("settings.last-wins", "take_entry",
     "copy = tr2_memory_copy(entry->value)",
     "if (configured->text[i]) return; copy = tr2_memory_copy(entry->value)")
seed("settings.event-nesting.invalid", "apply_nesting", "number >= 1",
     "number >= 0")
seed("settings.boolean.integer", "tr2_settings_bool", "integer != 0",
     "integer == 1")
seed("settings.number", "tr2_settings_number", "NULL, 10", "NULL, 0")
seed("settings.destination-debug", "apply_debug",
     "tr2_settings_bool(text) > 0", "0", "git")
seed("config.grammar.escapes", "take_escape", '"\\0\\n\\t\\b\\\\\\""',
     '"\\0\\n\\tb\\\\\\""')
seed("config.grammar.crlf", "next_byte",
     "if (c == '\\r' && p->at < p->end && *p->at == '\\n') c = *p->at++;", "")
seed("config.grammar.bom", "tr2_gitconfig_parse_begin",
     "p->at += strlen(BYTE_ORDER_MARK)", "p->at += 0")
seed("config.grammar.blanks", "parse_value", "p->value.len = trimmed",
     "(void)trimmed")
seed("config.include.depth", "INCLUDE_DEPTH_MAX", "10", "9")
seed("config.files.nosystem", "read_system",
     "if (none && tr2_settings_bool(none) > 0) return", "(void)none")
seed("config.files.xdg", "read_global", "read_xdg(reader);", "")
seed("params.env.duplicate", "tr2_params_env", "value && *value",
     "value && *value && !(names && strstr(names, name.bytes))")
seed("params.env.scope", "tr2_params_env",
     "tr2_config_scope_name(TR2_SCOPE_COMMAND)",
     "tr2_config_scope_name(TR2_SCOPE_UNKNOWN)", "git 2.41")
seed("params.glob", "tr2_params_match", "key, TR2_GLOB_FOLD",
     "key, TR2_GLOB_PATH")
seed("params.once", "list_params",
     "config && !__atomic_exchange_n(&tr2_process.listed_config, 1, "
     "__ATOMIC_RELAXED)",
     "config")

# Destinations and failure

DESTINATION = "destination/destination.c"
seed("destination.append", "open_file",
     "O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY",
     "O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY")
seed("destination.file.mode", "open_file", "flags, 0666", "flags, 0600",
     "repo")
seed("destination.words", "tr2_destination_parse", 'is_word(text, "1", "true")',
     '(is_word(text, "1", "true") || is_word(text, "1", "yes"))', "gcm")
seed("destination.cloexec", "copy_to", "F_DUPFD_CLOEXEC",
     "F_DUPFD", "git")
seed("destination.descriptor.duplicate", "take_inherited",
     "tr2_descriptor_copy(fd)", "fd", "git")
seed("destination.socket.dgram", "socket_form", ", SOCK_DGRAM,",
     ", SOCK_STREAM,", "gcm")
seed("destination.dir.three-targets", "set_path", "path, '.'", "path, '-'",
     "repo")
seed("destination.dir.link", "create_file",
     "access | O_APPEND | O_CREAT | O_EXCL",
     "access | O_APPEND | O_CREAT")
seed("destination.dir.limit", "create_either",
     "options->value, options->max_files",
     "options->value, options->max_files + 3")
seed("destination.dir.sentinel-present", "is_closed",
     "options->max_files <= 0 || stat(path, &st)",
     "1 || stat(path, &st)")
seed("destination.unknown", "tr2_destination_warn_unknown",
     "tr2_host_warn(\"trace2: unknown value for '%s': '%s'\", "
     "variable, text);",
     "", "gcm")
seed("failure.wait-limit", "take_slice", "return 0;",
     "return 0; *waited_ns = 0;", "git")
seed("failure.drops-reported", "emit_end", "emit_drops(self, event, open_regions);", "",
     "gcm")
seed("failure.off", "write_or_fail",
     "if (!is_alive(dst)) { count_drop(dst); return DROPPED; }", "")
seed("failure.host-unharmed", "tr2_leave", "self->saved_errno", "0")
seed("failure.after-exit", "end_process",
     "__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);", "")
seed("failure.sigpipe", "may_have_raised", "errno == EPIPE || ", "", "git 2.34")
for link in ("fxt.target.file.link", "chrome.link"):
    seed(link, "tr2_trace_file_open", "O_NOFOLLOW", "0")
